//! `uncounted`: regions that are excluded from counting.

use std::panic;
use std::sync::Barrier;
use std::thread;

use counting_alloc::thread_tally;
use counting_alloc::{MeasureError, Tally, Window, measure, uncounted};

use crate::{bytes, made_and_dropped};

#[test]
fn uncounted_operations_are_in_no_other_field() {
    let window = Window::thread().with_peak().with_first_operations();
    let measured = window
        .measure(|| {
            let before = bytes(10);
            let kept = uncounted(|| {
                drop(bytes(1_000_000));
                bytes(300)
            });
            drop(before);
            kept
        })
        .unwrap();
    assert_eq!(measured.tally, made_and_dropped(1, 10));
    assert_eq!(measured.peak_bytes, Some(10));
    let first = measured.first.map(|first| first.to_string());
    assert_eq!(first.as_deref(), Some("alloc 10, dealloc 10"));
    assert_eq!(
        measured.uncounted,
        Tally::ZERO
            .with_blocks(2, 1_000_300)
            .with_deallocs(1, 1_000_000)
    );
}

#[test]
fn regions_nest_and_end_at_the_outermost() {
    // Not in the window.
    uncounted(|| drop(bytes(99)));
    let measured = measure(|| {
        uncounted(|| {
            uncounted(|| drop(bytes(1)));
            drop(bytes(2));
        });
        drop(bytes(4));
    });
    assert_eq!(measured.tally, made_and_dropped(1, 4));
    assert_eq!(measured.uncounted, made_and_dropped(2, 3));
}

#[test]
fn a_region_ends_when_it_panics() {
    let measured = measure(|| {
        let panicked = panic::catch_unwind(|| {
            uncounted(|| panic::resume_unwind(Box::new(())));
        });
        assert!(panicked.is_err());
        uncounted(|| drop(panicked));
        drop(bytes(8));
    });
    // `Box<()>` has size zero. Allocations of unwinding are uncounted or freed outside
    // the region.
    assert_eq!(measured.tally.allocs, 1);
    assert_eq!(measured.tally.bytes, 8);
}

#[test]
fn the_totals_leave_excluded_regions_out() {
    let thread = thread_tally();
    uncounted(|| drop(bytes(12_345_678)));
    assert_eq!(thread_tally(), thread);
    let grown = Window::process()
        .measure(|| uncounted(|| drop(bytes(123_456_789))))
        .unwrap();
    assert!(grown.tally.bytes < 123_456_789, "{}", grown.tally);
    assert!(grown.uncounted.bytes >= 123_456_789);
}

#[test]
fn other_threads_go_on_counting() {
    let (inside, done) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            uncounted(|| {
                inside.wait();
                done.wait();
            });
        });
        inside.wait();
        let measured = Window::thread().measure(|| drop(bytes(6))).unwrap();
        assert_eq!(measured.tally, made_and_dropped(1, 6));
        done.wait();
    });
}

#[test]
fn a_window_inside_a_region_is_an_error() {
    // Before the region, so that the thread has counters.
    let _ = measure(|| ());
    let refused = uncounted(|| Window::thread().measure(|| bytes(1)));
    assert_eq!(refused.map(|_| ()), Err(MeasureError::Uncounted));
}
