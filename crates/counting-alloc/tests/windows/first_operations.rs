//! The sizes and the order of a window's first operations.

use std::hint::black_box;
use std::panic;

use counting_alloc::{FirstOperations, Measured, Operation, Window, measure, uncounted};

use crate::bytes;

/// A size larger than any address space. A counter below, such as divan's, may add it
/// to its sums without overflow.
const REFUSED: usize = 1 << 58;

#[test]
fn sizes_and_order_are_kept() {
    let measured = measure(|| {
        let mut text = String::with_capacity(24);
        text.reserve_exact(48);
        let zeroed = black_box(vec![0_u8; 4096]);
        text.push('x');
        text.shrink_to_fit();
        black_box(&text);
        drop(text);
        drop(zeroed);
        let huge = Vec::<u8>::new().try_reserve_exact(REFUSED);
        assert!(huge.is_err());
    });
    let first = measured.first.unwrap();
    assert_eq!(
        first.to_string(),
        format!(
            "alloc 24, grow 24 -> 48, alloc_zeroed 4096, shrink 48 -> 1, dealloc 1, \
             dealloc 4096, refused {}",
            REFUSED
        )
    );
    assert_eq!(first.as_slice()[1], Operation::Grow { from: 24, to: 48 });
    assert_eq!(first.unseen(), 0);
}

/// All, the first two or none of the inner window's operations have room in the outer buffer. While
/// no buffer has room, nothing is recorded, which the counts must not show.
#[test]
fn an_inner_window_keeps_its_own_and_the_outer_one_what_fits() {
    for pairs in [1, 15, 20] {
        let outer = measure(|| {
            (0..pairs).for_each(|_| drop(bytes(1)));
            let inner = measure(|| [22, 333].map(|size| drop(bytes(size))));
            uncounted(|| {
                let first = inner.first.unwrap().to_string();
                assert_eq!(first, "alloc 22, dealloc 22, alloc 333, dealloc 333");
            });
            drop(bytes(4_444));
            assert!(Vec::<u8>::new().try_reserve_exact(REFUSED).is_err());
        });
        let sizes = [1].repeat(pairs).into_iter().chain([22, 333, 4_444]);
        let kept = sizes.flat_map(|size| [Operation::Alloc { size }, Operation::Dealloc { size }]);
        let mut all: Vec<_> = kept.collect();
        all.push(Operation::Failed { size: REFUSED });
        let first = outer.first.unwrap();
        let unseen = all.len().saturating_sub(FirstOperations::CAPACITY);
        assert_eq!(first.as_slice(), &all[..all.len() - unseen]);
        assert_eq!(first.unseen(), unseen as u64);
        assert_eq!(outer.peak_bytes, Some(4_444));
    }
}

/// A reallocation is counted before it is done, and taken back.
#[test]
fn a_refused_reallocation_changes_neither_counts_nor_peak() {
    let mut text = String::with_capacity(100);
    text.push('x');
    let measured = Window::thread().with_peak().measure(|| {
        drop(bytes(1_000));
        assert!(text.try_reserve_exact(REFUSED).is_err());
        text.reserve_exact(200);
        text.shrink_to(50);
        assert!(text.try_reserve_exact(REFUSED).is_err());
        drop(bytes(1_000));
    });
    let measured = measured.expect("counting-alloc is installed");
    let tally = measured.tally;
    assert_eq!((tally.allocs, tally.reallocs, tally.failed), (4, 2, 2));
    assert_eq!((tally.bytes, tally.freed_bytes), (2_101, 2_151));
    // 1,000 bytes above the 100 at the opening; in the end there are 50 fewer.
    assert_eq!(measured.peak_bytes, Some(1_000));
    assert_eq!(tally.net_bytes(), -50);
}

#[test]
fn the_operations_before_a_panic_are_in_the_outer_window() {
    let outer = measure(|| {
        let caught = panic::catch_unwind(|| {
            measure(|| {
                drop(bytes(22));
                uncounted(|| panic::resume_unwind(Box::new(())));
            })
        });
        uncounted(|| drop(caught.map(|_: Measured<()>| ())));
    });
    let first = outer.first.unwrap().to_string();
    assert!(first.starts_with("alloc 22, dealloc 22"), "{first}");
}

#[test]
fn a_buffer_is_gone_after_a_panic() {
    let caught = panic::catch_unwind(|| measure(|| panic::resume_unwind(Box::new(()))));
    assert!(caught.is_err());
    drop(caught.map(|_: Measured<()>| ()));
    // Without the clean-up, this would write to the buffer of the window that panicked.
    drop(bytes(1));
    let measured = measure(|| drop(bytes(2)));
    assert_eq!(measured.first.unwrap().to_string(), "alloc 2, dealloc 2");
}
