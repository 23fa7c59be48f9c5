//! Reallocations: they are allocations.

use alloc_assert::assert_allocs;

use crate::failure::failure_of;

/// README's gate is `allocs = "<= 1"`.
#[test]
fn a_vector_that_grows_six_times_is_six_allocations() {
    let push = || {
        (0..100_u64).fold(Vec::new(), |mut numbers, number| {
            numbers.push(number);
            numbers
        })
    };
    let failure = failure_of(|| drop(assert_allocs!(push(), "allocs <= 1")));
    let begin = "assertion failed: expected `allocs <= 1`, got 6 (5 by `realloc`)\n";
    assert!(failure.message.starts_with(begin), "{}", failure.message);
    assert_allocs!(push(), "== 6, reallocs == 5, net-blocks == 1");
}
