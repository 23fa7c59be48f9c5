//! The sizes of a window's requests. The expected numbers follow from the requested sizes.

use std::hint::black_box;
use std::panic;

use counting_alloc::{SizeLimits, Sizes, Window, uncounted};

use crate::{bytes, finest};

fn limits(bytes: &[u64]) -> SizeLimits {
    SizeLimits::new(bytes).expect("they fit")
}

fn with_sizes(window: Window, bytes: &[u64], f: impl FnOnce()) -> Sizes {
    let measured = window.with_sizes(limits(bytes)).measure(f);
    let measured = measured.expect("the counter is installed");
    measured.sizes.expect("the window keeps them")
}

/// Grows a vector to 1 MiB by reallocations: from 1 KiB, doubled ten times.
fn grown_to_a_mebibyte() -> Vec<u8> {
    let mut grown = Vec::with_capacity(1 << 10);
    for doubling in 11..=20 {
        grown.reserve_exact(1 << doubling);
    }
    black_box(grown)
}

#[test]
fn a_vector_that_grows_by_reallocations_is_a_large_block() {
    let sizes = with_sizes(finest(), &[64 << 10, 1 << 20, 1], || {
        drop(grown_to_a_mebibyte());
    });
    assert_eq!(sizes.largest, 1 << 20);
    // 128 KiB, 256 KiB, 512 KiB and 1 MiB; none is over 1 MiB; all 11 are over a byte.
    assert_eq!(sizes.over(), [4, 0, 11]);
}

#[test]
fn every_kind_of_request_counts_with_its_new_size() {
    let sizes = with_sizes(finest(), &[99, 100, 399], || {
        let zeroed = black_box(vec![0_u8; 100]);
        let mut plain = black_box(Vec::<u8>::with_capacity(400));
        plain.push(1);
        plain.shrink_to(200);
        // Freeing, and calls that are refused, request nothing.
        drop((zeroed, plain));
        assert!(Vec::<u8>::new().try_reserve_exact(1 << 58).is_err());
    });
    assert_eq!(sizes.largest, 400);
    // 100, 400 and 200 are over 99; 400 and 200 over 100; 400 over 399.
    assert_eq!(sizes.over(), [3, 2, 1]);
}

#[test]
fn an_empty_window_has_no_sizes_and_one_without_them_says_so() {
    let nothing = with_sizes(finest(), &[7], || ());
    assert_eq!((nothing.largest, nothing.over()), (0, &[0][..]));
    let without = finest().measure(|| drop(bytes(1)));
    assert_eq!(without.expect("it is counted").sizes, None);
}

#[test]
fn windows_nest_with_limits_of_their_own() {
    let mut inner = None;
    let outer = with_sizes(finest(), &[10], || {
        drop(bytes(20));
        inner = Some(with_sizes(finest().with_peak(), &[25, 35], || {
            drop(bytes(30));
        }));
        // Without sizes.
        let _ = finest().measure(|| drop(bytes(40)));
        drop(bytes(5));
    });
    let inner = inner.expect("it was measured");
    assert_eq!((inner.largest, inner.over()), (30, &[1, 0][..]));
    assert_eq!((outer.largest, outer.over()), (40, &[3][..]));
}

#[test]
fn a_window_that_panicked_leaves_the_outer_one_as_it_was() {
    let outer = with_sizes(finest(), &[5_000], || {
        let panicked = panic::catch_unwind(|| {
            with_sizes(finest(), &[5_000], || {
                drop(bytes(1_000_000));
                panic::resume_unwind(Box::new(()));
            })
        });
        assert!(panicked.is_err());
        drop(bytes(6_000));
    });
    assert_eq!((outer.largest, outer.over()), (1_000_000, &[2][..]));
    let later = with_sizes(finest(), &[5_000], || drop(bytes(6_000)));
    assert_eq!((later.largest, later.over()), (6_000, &[1][..]));
}

#[test]
fn excluded_requests_are_in_no_sizes() {
    let sizes = with_sizes(finest(), &[10], || {
        uncounted(|| drop(bytes(1_000)));
        drop(bytes(20));
    });
    assert_eq!((sizes.largest, sizes.over()), (20, &[1][..]));
}

#[test]
fn sizes_change_no_other_figure() {
    let run = || drop((bytes(10), grown_to_a_mebibyte(), vec![0_u8; 77]));
    let plain = finest().with_peak().measure(run).expect("counted");
    let sized = finest().with_peak().with_sizes(limits(&[10])).measure(run);
    let sized = sized.expect("counted");
    assert_eq!(
        (sized.tally, sized.peak_bytes),
        (plain.tally, plain.peak_bytes)
    );
}

#[cfg(feature = "std")]
#[test]
fn first_operations_are_kept_beside_sizes() {
    let window = Window::thread().with_first_operations();
    let measured = window.with_sizes(limits(&[])).measure(|| drop(bytes(24)));
    let measured = measured.expect("counted");
    assert_eq!(measured.first.unwrap().to_string(), "alloc 24, dealloc 24");
    assert_eq!(measured.sizes.unwrap().largest, 24);
}

// Without std, the window counts all threads.
#[cfg(feature = "std")]
#[test]
fn other_threads_are_not_part_of_the_sizes_of_a_thread() {
    let sizes = with_sizes(Window::thread(), &[1_000_000], || {
        std::thread::scope(|scope| {
            scope.spawn(|| drop(bytes(5_000_000)));
        });
    });
    assert_eq!(sizes.over(), [0]);
    assert!(sizes.largest < 1_000_000);
}

#[cfg(feature = "std")]
#[test]
fn the_polls_of_a_future_are_added() {
    use own_process::polling::{block_on, yield_once};

    let window = Window::thread().with_sizes(limits(&[10]));
    let polled = window.measure_future(async {
        drop(bytes(20));
        yield_once().await;
        drop(bytes(30));
    });
    let measured = block_on(polled, || drop(bytes(777_777))).expect("counted");
    let sizes = measured.sizes.expect("kept");
    assert_eq!(
        (measured.polls, sizes.largest, sizes.over()),
        (2, 30, &[2][..])
    );
}
