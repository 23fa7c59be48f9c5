//! Reallocations: a requirement of zero without a metric counts them, and one on `allocs`
//! warns of them.

use std::hint::black_box;

use alloc_assert::harness::own_executable;
use alloc_assert::{AssertMeasured, Steady, assert_allocs, measure};

use crate::failure::failure_of;

/// Grows a vector in place of making one.
fn grow(bytes: &mut Vec<u8>) {
    bytes.reserve_exact(bytes.capacity() + 100);
    black_box(bytes);
}

#[test]
fn zero_without_a_metric_allows_no_growth() {
    let mut bytes = vec![1_u8];
    let failure = failure_of(|| assert_allocs!(grow(&mut bytes), "== 0"));
    let first = failure.message.lines().next();
    assert_eq!(
        first,
        Some("allocation limit exceeded: expected `alloc-calls == 0`, got 1")
    );
}

/// Started by the test below.
#[test]
#[ignore = "the test below starts it, to read what it prints"]
fn prints_warnings() {
    let mut bytes = vec![1_u8];
    for _ in 0..3 {
        measure(|| grow(&mut bytes)).assert("allocs == 0");
    }
    assert_allocs!(grow(&mut bytes), "allocs < 1, bytes >= 100");
    Steady::new()
        .warm_up(0)
        .repeats(2)
        .assert("allocs <= 0", || grow(&mut bytes));
    assert_allocs!(grow(&mut bytes), "allocs == 0, reallocs == 1");
    assert_allocs!(grow(&mut bytes), "allocs <= 1, bytes > 5");
    measure(|| ()).assert("allocs == 0");
}

#[test]
fn zero_of_allocs_warns_of_reallocations_once_a_line() {
    let run = own_executable()
        .expect("this program has a path")
        .args(["--exact", "reallocs::prints_warnings", "--ignored"])
        .output()
        .expect("this program can be started");
    assert!(run.status.success());
    let stderr = String::from_utf8(run.stderr).expect("UTF-8");
    let warnings = stderr.lines().map(|line| {
        let line = line.strip_prefix("warning: ").expect("a warning");
        line.split_once(": ").expect("a place").1
    });
    let warnings: Vec<_> = warnings.collect();
    let advice = "write `alloc-calls == 0`, or limit `reallocs` as well";
    assert_eq!(
        warnings,
        [
            format!("`allocs == 0` holds, but reallocs is 1; {advice}"),
            format!("`allocs < 1` holds, but reallocs is 1; {advice}"),
            format!("`allocs <= 0` holds, but reallocs is 1; {advice}"),
        ]
    );
    assert!(stderr.contains("tests/assertions/reallocs.rs:"), "{stderr}");
}
