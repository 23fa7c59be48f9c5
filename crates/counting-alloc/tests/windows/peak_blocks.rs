//! The peak of live blocks. The expected numbers are counted by hand.

use std::hint::black_box;
use std::panic;

use counting_alloc::{Measured, Mode, Window, uncounted};

use crate::{bytes, finest};

fn peak_blocks(f: impl FnOnce()) -> Option<u64> {
    measured(finest().with_peak_blocks(), f).peak_blocks
}

fn measured(window: Window, f: impl FnOnce()) -> Measured<()> {
    window.measure(f).expect("the counter is installed")
}

#[test]
fn blocks_that_are_live_at_the_same_time_are_a_peak() {
    assert_eq!(peak_blocks(|| ()), Some(0));
    let one_by_one = || (1..9).for_each(|size| drop(bytes(size)));
    assert_eq!(peak_blocks(one_by_one), Some(1));
    // 3, then 1, then 4.
    let rising = || {
        let (first, others) = (bytes(1), [bytes(500), bytes(600)]);
        drop(others);
        drop((first, bytes(1), bytes(1), bytes(1)));
        drop([bytes(9), bytes(9)]);
    };
    assert_eq!(peak_blocks(rising), Some(4));
}

#[test]
fn the_peaks_of_bytes_and_of_blocks_are_at_different_times() {
    let both = finest().with_peak().with_peak_blocks();
    let both = measured(both, || {
        drop(bytes(10_000));
        drop([bytes(1), bytes(2), bytes(3)]);
    });
    assert_eq!((both.peak_bytes, both.peak_blocks), (Some(10_000), Some(3)));
}

#[test]
fn a_reallocation_and_a_refused_call_add_no_block() {
    let resized = || {
        let mut grown = Vec::<u8>::with_capacity(1);
        for capacity in 2..100 {
            grown.reserve_exact(black_box(capacity));
        }
        grown.push(1);
        grown.shrink_to(1);
        assert!(grown.try_reserve_exact(1 << 58).is_err());
        assert!(Vec::<u8>::new().try_reserve_exact(1 << 58).is_err());
        drop(black_box(grown));
    };
    assert_eq!(peak_blocks(resized), Some(1));
}

#[test]
fn blocks_from_before_the_window_make_room() {
    let mut before = vec![bytes(1), bytes(2), bytes(3)];
    // Two less, then four more: two above the level at the opening.
    let measured = measured(finest().with_peak_blocks(), || {
        before.truncate(1);
        drop([bytes(1), bytes(2), bytes(3), bytes(4)]);
    });
    assert_eq!(measured.peak_blocks, Some(2));
    assert_eq!(measured.tally.net_blocks(), -2);
}

#[test]
fn every_kind_of_call_is_followed() {
    #[repr(align(64))]
    struct Aligned([u8; 64]);
    let kinds = || {
        let aligned = black_box(Box::new(Aligned([1; 64])));
        let zeroed = black_box(vec![0_u8; black_box(100)]);
        // Its alignment is above its size.
        let small = black_box(Vec::<u64>::with_capacity(1));
        drop((aligned.0[0], zeroed, small));
        drop(aligned);
    };
    assert_eq!(peak_blocks(kinds), Some(3));
}

#[test]
fn windows_nest_and_each_has_its_own_peak() {
    let outer = measured(finest().with_peak_blocks(), || {
        let held = [bytes(1), bytes(2)];
        let inner = measured(finest().with_peak_blocks(), || drop([bytes(3), bytes(4)]));
        assert_eq!(inner.peak_blocks, Some(2));
        // A window without it ends nothing, with its own peak of bytes or without.
        let without = measured(finest().with_peak(), || drop(bytes(5)));
        assert_eq!((without.peak_blocks, without.peak_bytes), (None, Some(5)));
        drop(held);
        let plain = measured(finest(), || {
            drop([bytes(1), bytes(1), bytes(1), bytes(1), bytes(1)]);
        });
        assert_eq!((plain.peak_blocks, plain.peak_bytes), (None, None));
    });
    // Two and two, then five.
    assert_eq!(outer.peak_blocks, Some(5));
    assert_eq!(outer.peak_bytes, None);
    // An outer window without it is left as it was.
    let outer = measured(finest().with_peak(), || {
        let inner = measured(finest().with_peak_blocks(), || drop([bytes(30), bytes(40)]));
        assert_eq!((inner.peak_blocks, inner.peak_bytes), (Some(2), None));
        drop(bytes(60));
    });
    assert_eq!((outer.peak_blocks, outer.peak_bytes), (None, Some(70)));
}

#[test]
fn it_is_measured_beside_all_else_that_a_window_keeps() {
    let all = finest()
        .with_peak()
        .with_peak_blocks()
        .with_first_operations();
    let all = measured(all, || drop([bytes(1), bytes(2)]));
    assert_eq!((all.peak_blocks, all.peak_bytes), (Some(2), Some(3)));
    let first = all.first.map(|first| first.to_string());
    let expected = "alloc 1, alloc 2, dealloc 1, dealloc 2";
    assert_eq!(first.as_deref(), cfg!(feature = "std").then_some(expected));
}

#[test]
fn uncounted_blocks_are_in_no_peak() {
    let peak = peak_blocks(|| {
        let held = bytes(1);
        uncounted(|| drop([bytes(1), bytes(2), bytes(3)]));
        drop(held);
    });
    assert_eq!(peak, Some(1));
}

#[test]
fn a_panic_ends_it() {
    let panicked = panic::catch_unwind(|| {
        finest().with_peak_blocks().measure(|| {
            let _held = bytes(1);
            panic::resume_unwind(Box::new(()));
        })
    });
    assert!(panicked.is_err());
    let plain = measured(finest(), || drop(bytes(1)));
    assert_eq!((plain.mode, plain.peak_blocks), (Mode::Counting, None));
    assert_eq!(peak_blocks(|| drop(bytes(1))), Some(1));
}
