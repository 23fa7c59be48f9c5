//! Limits that depend on the input: variables and arguments in the text of an assertion.

use std::hint::black_box;

use alloc_assert::{AssertMeasured, AssertPhases, Steady, Window, assert_allocs, measure};

use crate::failure::failure_of;

/// Requests as many bytes.
fn bytes(len: usize) -> Vec<u8> {
    black_box(vec![1_u8; len])
}

/// The first line of the message.
fn headline<T>(f: impl FnOnce() -> T) -> String {
    let failure = failure_of(f);
    failure.message.lines().next().unwrap_or_default().into()
}

#[test]
fn a_limit_is_filled_in_when_the_assertion_runs() {
    for len in [1_usize, 100] {
        assert_allocs!(bytes(len), "bytes == {}, allocs <= {}", len, len);
        assert_allocs!(bytes(len), "bytes == {len}");
        assert_allocs!(bytes(len), "bytes == {len}", repeats = 2);
        assert_allocs!(bytes(len), "bytes == {len}", "len: {}", len);
        measure(|| bytes(len)).assert(format_args!("bytes == {len}"));
        let phases = Window::thread().measure_phases(|phases| phases.run("a", || bytes(len)));
        phases
            .assert_phase("a", format_args!("bytes <= {len}"))
            .assert_rest(String::from("allocs == 0"));
        Steady::new().assert(format_args!("bytes == {len}"), || bytes(len));
    }
}

#[test]
fn a_broken_one_shows_the_limit_that_was_filled_in() {
    let exceeded = "assertion failed: expected `bytes <= 14`, got 20";
    let len = 20;
    for failure in [
        headline(|| assert_allocs!(bytes(len), "bytes <= {}", 4 + len / 2)),
        headline(|| measure(|| bytes(len)).assert(format_args!("bytes <= {}", 4 + len / 2))),
    ] {
        assert_eq!(failure, exceeded);
    }
}

#[test]
fn a_text_that_is_no_literal_keeps_its_context() {
    const LIMIT: &str = "bytes <= 4";
    let len = 20;
    let failure = failure_of(|| assert_allocs!(bytes(len), LIMIT, "len: {}", len));
    assert!(failure.message.contains("len: 20"), "{}", failure.message);
    assert_allocs!(bytes(4), LIMIT);
    assert_allocs!(bytes(4), LIMIT, repeats = 2);
}

#[test]
fn a_mistake_in_an_argument_has_the_usual_message() {
    let few = headline(|| assert_allocs!(bytes(1), "bytes <= {}", some("few")));
    assert_eq!(
        few,
        "not a requirement on allocations: `few` is not a number"
    );
}

#[test]
fn the_text_of_an_assertion_is_not_counted_in_an_outer_window() {
    let allocs = |text: fn() -> String| {
        let outer = measure(|| {
            let text = alloc_assert::uncounted(text);
            measure(|| ()).assert(&text);
            alloc_assert::uncounted(|| drop(text));
        });
        outer.tally
    };
    // A longer text takes no more.
    assert_eq!(
        allocs(|| "bytes == 0".into()),
        allocs(|| "bytes == 0           ".into())
    );
}

/// Keeps a literal from being the context.
fn some<T>(value: T) -> T {
    value
}
