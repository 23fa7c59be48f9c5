//! Assertions on the peak of blocks, which is kept where it is asked for.

use std::hint::black_box;

use alloc_assert::{AssertMeasured, Steady, Window, assert_allocs, measure};

use crate::failure::{BUILD, failure_of};
use crate::figures::figures;

#[test]
fn the_peak_of_blocks_is_kept_where_a_requirement_names_it() {
    let three = || drop([1, 2, 3].map(|size| black_box(vec![1_u8; size])));
    assert_allocs!(three(), "peak-blocks == 3, peak-bytes == 6");
    assert_allocs!(three(), "allocs <= 3, peak-blocks mean <= 3", repeats = 5);
    Steady::new().assert("peak-blocks <= 3", three);
    let failure = failure_of(|| assert_allocs!(three(), "allocs == 3, peak-blocks <= 2"));
    let counts = "allocs 3, bytes 6, deallocs 3, peak-bytes 6";
    assert_eq!(
        failure.message,
        format!(
            "allocation limit exceeded: expected `peak-blocks <= 2`, got 3
  expression:       three()
  required:         allocs == 3, peak-blocks <= 2
  counted:          3 allocs (6 bytes), 0 reallocs, 3 deallocs (6 bytes)
  figures:          {}, peak-blocks 3
  first operations: alloc 1, alloc 2, alloc 3, dealloc 1, dealloc 2, dealloc 3
  scope:            the calling thread; counts and the thread's peak
  other threads:    [..]
{BUILD}",
            figures(counts)
        )
    );
    let repeated = failure_of(|| Steady::new().assert("mean peak-blocks < 3", three));
    let expected = "allocation limit exceeded: expected `mean peak-blocks < 3`, got 3.00: 300 in \
                    100 repeats\n";
    assert!(
        repeated.message.starts_with(expected),
        "{}",
        repeated.message
    );
}

#[test]
fn a_window_without_the_peak_of_blocks_says_how_to_keep_it() {
    let three = || drop([1, 2, 3].map(|size| black_box(vec![1_u8; size])));
    let window = Window::thread().with_peak_blocks();
    window.measure(three).assert("peak-blocks == 3");
    let failure = failure_of(|| measure(three).assert("peak-blocks == 3"));
    let expected = "allocations not as expected: expected `peak-blocks == 3`, which was not \
                    measured; `Window::with_peak_blocks` keeps it\n";
    assert!(failure.message.starts_with(expected), "{}", failure.message);
    let unit = failure_of(|| assert_allocs!(three(), "peak-blocks <= 3 KiB"));
    let expected = "`peak-blocks` is a count, but `KiB` is a unit of bytes";
    assert!(unit.message.contains(expected), "{}", unit.message);
}
