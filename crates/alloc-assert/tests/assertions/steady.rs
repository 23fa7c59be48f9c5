//! Assertions with warm-up and repeats: every repeat is checked, and memory does not grow
//! with the repeats.

use std::hint::black_box;

use alloc_assert::counting_alloc::MeasureError;
use alloc_assert::{Steady, Tally, Window, assert_allocs, measure, uncounted};

use crate::failure::{assert_places, failure_of};

/// An operation that allocates 3 bytes in its first call, and as many bytes as
/// `later` says for each further one, from 2.
fn cold_then(later: impl Fn(u64) -> usize) -> impl FnMut() {
    let mut call = 0;
    move || {
        call += 1;
        let bytes = if call == 1 { 3 } else { later(call) };
        if bytes > 0 {
            drop(black_box(vec![1_u8; bytes]));
        }
    }
}

#[test]
fn one_repeat_in_a_thousand_breaks_the_requirement() {
    // Repeats 37 and 38 are calls 137 and 138.
    let operation = cold_then(|call| match call {
        137 => 16,
        138 => 4096,
        _ => 0,
    });
    let failure = failure_of(|| {
        let steady = Steady::new().warm_up(100).repeats(1_000);
        steady.assert("allocs < 0.5, bytes <= 16", operation)
    });
    assert_eq!(
        failure.message,
        "assertion failed: expected `allocs < 0.5`, got 1 in repeat 37 of 1000
  repeats:          allocs 0 to 1; `allocs < 0.5` fails in 2 of 1000
                    bytes 0 to 4_096; `bytes <= 16` fails in 1 of 1000, first in repeat 38
  other counts:     bytes 16, deallocs 1, peak-bytes 16
  first operations: alloc 16, dealloc 16"
    );
}

#[test]
fn the_macro_repeats_as_well_and_shows_the_expression() {
    let mut operation = cold_then(|_| 5);
    let failure = failure_of(|| assert_allocs!(operation(), "== 0", warm_up = 0, repeats = 3));
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "assertion failed: expected `allocs == 0`, got 1 in repeat 1 of 3, the first call",
            "  expression:       operation()",
            "  repeats:          allocs always 1; `allocs == 0` fails in 3 of 3",
            "  other counts:     bytes 3, deallocs 1, peak-bytes 3",
        ]
    );
}

#[test]
fn the_macro_takes_each_setting_in_any_order() {
    let mut calls = 0;
    assert_allocs!(calls += 1, "== 0", repeats = 4);
    assert_eq!(calls, 14);
    assert_allocs!(calls += 1, "== 0", warm_up = 0);
    assert_eq!(calls, 114);
    let last = assert_allocs!(
        {
            calls += 1;
            calls
        },
        "== 0",
        repeats = 5,
        window = Window::thread(),
        warm_up = 1,
    );
    assert_eq!((last, calls), (120, 120));
}

#[test]
fn the_line_is_that_of_the_assertion() {
    let steady = Steady::new();
    // Each on one line.
    #[rustfmt::skip]
    let failures = [
        (failure_of(|| steady.assert("allocs == 1", || ())), line!()),
        (failure_of(|| steady.assert("no text", || ())), line!()),
        (failure_of(|| uncounted(|| steady.assert("allocs == 0", || ()))), line!()),
        (failure_of(|| assert_allocs!((), "== 1", warm_up = 1, repeats = 1)), line!()),
    ];
    assert_places(file!(), failures);
}

#[test]
fn the_warm_up_is_not_judged_and_without_one_the_cold_call_is() {
    let steady = Steady::new().repeats(5);
    steady.warm_up(1).assert("allocs == 0", cold_then(|_| 0));
    failure_of(|| steady.warm_up(0).assert("allocs == 0", cold_then(|_| 0)));
}

#[test]
fn the_number_of_calls_is_the_requested_one() {
    let mut calls = 0;
    let last = Steady::new()
        .warm_up(7)
        .repeats(20)
        .assert("allocs == 0", || {
            calls += 1;
            calls
        });
    assert_eq!((last, calls), (27, 27));
    let mut calls = 0;
    Steady::new().assert("allocs == 0", || calls += 1);
    assert_eq!(calls, 110);
}

#[test]
fn values_are_dropped_between_the_measurements() {
    let repeated = measure(|| {
        let steady = Steady::new().warm_up(2).repeats(50);
        let all = "allocs == 1, deallocs == 0, net-bytes == 1_000_000, peak-bytes == 1_000_000";
        steady.assert(all, || black_box(vec![1_u8; 1_000_000]))
    });
    assert_eq!(repeated.value.len(), 1_000_000);
    // Two values never live at once.
    assert!(repeated.peak_bytes < Some(1_100_000));
}

#[test]
fn memory_does_not_grow_with_the_repeats() {
    // Each repeat reads differently, and all but a few break the requirement.
    let failed = measure(|| {
        let operation = cold_then(|call| call as usize);
        let steady = Steady::new().warm_up(1).repeats(10_000);
        failure_of(|| steady.assert("allocs == 1, bytes < 10", operation))
    });
    // The largest block of a repeat, and the message; 10,000 readings would be 720,000 bytes.
    let most = failed.peak_bytes;
    assert!(most < Some(10_001 + 8_192), "{most:?}");
    let broken = "`bytes < 10` fails in 9992 of 10000";
    assert!(failed.value.message.contains(broken));
}

#[test]
fn another_window_is_another_measurement() {
    let steady = Steady::new().window(Window::thread());
    let failure = failure_of(|| steady.assert("peak-bytes < 10", || ()));
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines,
        [
            "assertion failed: expected `peak-bytes < 10`, which was not measured in repeat 1 of 100",
            "  first operations: a window `.with_first_operations()` has them",
        ]
    );
}

#[test]
fn an_uncounted_set_up_in_each_repeat_is_shown() {
    let mut line = String::new();
    let mut add = |text: &str| {
        uncounted(|| line = String::with_capacity(8));
        line.push_str(text);
    };
    Steady::new().assert("allocs == 0", || add("eight!!!"));
    let failure = failure_of(|| Steady::new().assert("allocs == 0", || add("nine!!!!!")));
    let uncounted = "\n  uncounted:        allocs 1, bytes 8, deallocs 1";
    assert!(failure.message.contains(uncounted), "{}", failure.message);
}

#[test]
#[should_panic(expected = "the number of repeats is zero; nothing would be checked")]
fn zero_repeats_are_refused() {
    let _ = Steady::new().repeats(0);
}

#[test]
fn a_steady_assertion_inside_uncounted_is_not_measured() {
    // This finds the counter to be installed, outside the region.
    assert_eq!(measure(|| ()).tally, Tally::ZERO);
    let failure = failure_of(|| uncounted(|| Steady::new().assert("allocs == 0", || ())));
    let reason = MeasureError::Uncounted.to_string().replace("; ", "\n  ");
    assert_eq!(
        failure.message,
        format!("allocations were not measured: {reason}")
    );
}

/// Allocates a byte in every tenth call, from the tenth on.
fn every_tenth() -> impl FnMut() {
    cold_then(|call| usize::from(call % 10 == 0))
}

#[test]
fn a_mean_and_a_total_are_over_all_repeats() {
    let steady = Steady::new().warm_up(1).repeats(1_000);
    let all = "allocs <= 1, mean <= 0.1, total == 100, mean net-bytes == 0, total bytes <= 100";
    steady.assert(all, every_tenth());
    assert_allocs!((), "total == 0, mean allocs < 0.5", repeats = 3);

    let operation = every_tenth();
    let failure = failure_of(|| {
        steady.assert(
            "allocs <= 1, mean < 0.1, total bytes >= 101, <= 200",
            operation,
        )
    });
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines,
        [
            "assertion failed: expected `mean allocs < 0.1`, got 0.10 (100 in 1000 repeats)",
            "                  expected `total bytes >= 101`, got 100 in 1000 repeats",
            "  repeats:          allocs 0 to 1",
            "                    bytes 0 to 1",
        ]
    );
}

#[test]
fn a_broken_repeat_and_a_broken_mean_are_both_named() {
    let steady = Steady::new().warm_up(1).repeats(20);
    let failure = failure_of(|| steady.assert("allocs == 0, mean bytes <= 0", every_tenth()));
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines[..2],
        [
            "assertion failed: expected `allocs == 0`, got 1 in repeat 9 of 20",
            "                  expected `mean bytes <= 0`, got 0.10 (2 in 20 repeats)",
        ]
    );
    let unmeasured = steady.window(Window::thread());
    let failure = failure_of(|| unmeasured.assert("mean peak-bytes <= 5", || ()));
    let begin = "assertion failed: expected `mean peak-bytes <= 5`, which was not measured";
    assert!(failure.message.starts_with(begin), "{}", failure.message);
}

#[test]
fn some_repeats_may_break_a_requirement() {
    let steady = Steady::new().warm_up(1).repeats(100);
    steady.exceptions(10).assert("allocs == 0", every_tenth());
    let mut operation = every_tenth();
    assert_allocs!(
        operation(),
        "== 0, total <= 10",
        warm_up = 1,
        exceptions = 10
    );

    let failure = failure_of(|| steady.exceptions(9).assert("allocs == 0", every_tenth()));
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "assertion failed: expected `allocs == 0`, got 1 in repeat 9 of 100",
            "  repeats:          allocs 0 to 1; `allocs == 0` fails in 10 of 100",
            "  exceptions:       9 allowed, 10 needed",
        ]
    );
    // The mean has no exceptions.
    let failure = failure_of(|| {
        let steady = steady.exceptions(10);
        steady.assert("allocs == 0, mean < 0.1", every_tenth())
    });
    let begin = "assertion failed: expected `mean allocs < 0.1`, got 0.10 (10 in 100 repeats)\n";
    assert!(failure.message.starts_with(begin), "{}", failure.message);
    let all = failure_of(|| steady.exceptions(100).assert("allocs == 0", || ()));
    assert_eq!(
        all.message,
        "100 exceptions in 100 repeats allow every repeat to fail; the assertion can't fail"
    );
}

#[test]
fn a_requirement_on_all_repeats_can_fail() {
    let steady = |text: &str| failure_of(|| Steady::new().assert(text, || ())).message;
    let never = steady("mean allocs >= 0");
    assert!(
        never.contains("so `mean allocs >= 0` can't fail"),
        "{never}"
    );
    Steady::new().assert("mean allocs < 0.5, mean net-bytes == 0", || ());
    let unknown = steady("median allocs <= 1");
    assert!(
        unknown.contains("unknown metric `median allocs`"),
        "{unknown}"
    );
}
