//! Assertions on the phases of a window.

use std::hint::black_box;

use alloc_assert::counting_alloc::{MeasureError, Phased};
use alloc_assert::{AssertMeasured, AssertPhases, Window, uncounted};

use crate::failure::{assert_places, failure_of};

/// Runs `read` twice with 5 bytes each, `write` once with 300, and then allocates 7 bytes.
fn phased() -> Result<Phased<usize>, MeasureError> {
    Window::thread().measure_phases(|phases| {
        let text = |length: usize| black_box(vec![1_u8; length]).len();
        let read = phases.run("read", || text(5)) + phases.run("read", || text(5));
        let written = phases.run("write", || uncounted(|| text(1)) + text(300));
        read + written + text(7)
    })
}

#[test]
fn each_part_is_asserted_on_and_the_value_is_returned() {
    let value = phased()
        .assert_phase("read", "allocs == 2, bytes == 10")
        .assert_phase("write", "allocs <= 1, bytes == 300, net-bytes == 0")
        .assert_rest("allocs == 1")
        .assert("allocs == 4, bytes == 317");
    assert_eq!(value, 318);
}

/// Without a warning of unused results, which clippy reports as an error.
#[test]
fn a_chain_ends_with_any_assertion() {
    phased().assert_phase("read", "== 2");
    phased().assert_phase("read", "== 2").assert_rest("== 1");
    phased().unwrap().assert_rest("bytes == 7");
}

#[test]
fn a_broken_requirement_on_a_phase_shows_the_phase() {
    let failure = failure_of(|| phased().assert_phase("read", "bytes <= 300, allocs == 1"));
    assert_eq!(
        failure.message,
        "assertion failed: expected `allocs == 1`, got 2
  part:             phase `read`, 2 runs
  other counts:     bytes 10, deallocs 2"
    );
    let rest = failure_of(|| phased().assert_rest("allocs == 0"));
    assert!(
        rest.message
            .contains("\n  part:             outside all phases\n")
    );
    let whole = failure_of(|| phased().assert("allocs == 3"));
    assert!(whole.message.contains("expected `allocs == 3`, got 4"));
    assert!(!whole.message.contains("part:"));
}

#[test]
fn what_a_phase_does_not_have_is_not_zero() {
    let measured =
        |requirement: &str| failure_of(|| phased().assert_phase("write", requirement)).message;
    for metric in ["peak-bytes", "foreign-allocs"] {
        let message = measured(&format!("{metric} == 0"));
        let expected = format!("expected `{metric} == 0`, which was not measured\n");
        assert!(message.contains(&expected), "{message}");
    }
    let absent = failure_of(|| phased().assert_phase("parse", "allocs == 0"));
    assert_eq!(
        absent.message,
        "allocations were not measured: no phase called `parse` ran
  phases: read, write"
    );
    let none = || Window::thread().measure_phases(|_| ());
    let absent = failure_of(|| none().assert_phase("parse", "allocs == 0"));
    assert!(
        absent
            .message
            .ends_with("no phase called `parse` ran\n  phases: none")
    );
    let unnamed = failure_of(|| phased().assert_phase("read", "== 0"));
    let expected = "assertion failed: expected `allocs == 0`, got 2\n";
    assert!(unnamed.message.starts_with(expected), "{}", unnamed.message);
    let excluded = failure_of(|| uncounted(none).assert_phase("read", "allocs == 0"));
    assert!(
        excluded
            .message
            .starts_with("allocations were not measured: ")
    );
}

#[test]
fn a_failure_is_at_the_line_of_its_assertion() {
    let line = line!();
    let phase = failure_of(|| phased().assert_phase("read", "allocs == 0"));
    let absent = failure_of(|| phased().assert_phase("none", "allocs == 0"));
    let rest = failure_of(|| phased().assert_rest("allocs == 0"));
    let whole = failure_of(|| phased().assert("allocs == 0"));
    let failures = [
        (phase, line + 1),
        (absent, line + 2),
        (rest, line + 3),
        (whole, line + 4),
    ];
    assert_places(file!(), failures);
}
