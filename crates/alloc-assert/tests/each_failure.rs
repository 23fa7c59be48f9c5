//! Bodies of which each allocation is refused in turn.

use std::cell::Cell;
use std::collections::TryReserveError;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::{mem, thread};

use alloc_assert::{CallOutcome, CountingAlloc, each_failure};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// The message of a failed assertion. Its test runs in several processes, so it is quiet.
fn failure_of(f: impl FnOnce()) -> String {
    let outcome = panic::catch_unwind(AssertUnwindSafe(f));
    let payload = outcome.expect_err("the assertion holds");
    *payload.downcast::<String>().expect("a formatted message")
}

fn try_vec(len: usize) -> Result<Vec<u8>, TryReserveError> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(black_box(len))?;
    bytes.resize(len, 1);
    Ok(black_box(bytes))
}

/// Three calls, one of which grows, and each error is returned.
fn right() -> Result<Vec<u8>, TryReserveError> {
    let mut first = try_vec(10)?;
    let second = try_vec(20)?;
    first.try_reserve_exact(second.len())?;
    first.extend(second);
    Ok(first)
}

#[test]
fn a_body_that_returns_each_error_is_right() {
    let report = each_failure(right);
    report.assert("calls == 3, returned == 3, aborted == 0, panicked == 0, leaked == 0");
    let calls = report.refused_calls();
    let sizes: Vec<_> = calls.iter().map(|call| (call.call, call.size)).collect();
    // In the other processes there are none.
    if !sizes.is_empty() {
        assert_eq!(sizes, [(1, 10), (2, 20), (3, 30)]);
    }
}

#[test]
fn a_leak_in_the_path_of_an_error_is_found() {
    let leaks = || {
        let first = mem::ManuallyDrop::new(try_vec(10)?);
        let second = try_vec(20)?;
        drop(mem::ManuallyDrop::into_inner(first));
        Ok::<_, TryReserveError>(second)
    };
    let report = each_failure(leaks);
    report.assert("calls == 2, returned == 2, leaked == 1");
    if report.refused_calls().is_empty() {
        return;
    }
    let failure = failure_of(|| report.assert("aborted == 0, leaked == 0"));
    let mut lines = failure.lines();
    assert_eq!(
        lines.next(),
        Some("refused calls: expected `leaked == 0`, got 1")
    );
    let call = lines.next().unwrap_or_default();
    assert!(
        call.starts_with("  call 2, 20 bytes: returned, leaked 1 block"),
        "{failure}"
    );
    check_line(call, "in try_vec");
    let sums = "  figures: calls 2, returned 2, panicked 0, aborted 0, leaked 1";
    assert_eq!(lines.next(), Some(sums));
}

#[test]
fn a_panic_is_told_from_an_abort() {
    let body = || {
        let first = try_vec(10).expect("ten bytes are there");
        let second = vec![black_box(1_u8); black_box(20)];
        let third = try_vec(30).expect("thirty are there too");
        (first, second, third)
    };
    let report = each_failure(body);
    report.assert("calls == 3, panicked == 2, aborted == 1, leaked == 0, returned == 0");
    let [first, second, third] = report.refused_calls() else {
        return;
    };
    let CallOutcome::Panicked(message) = &first.outcome else {
        panic!("{first}");
    };
    assert!(message.contains("tests/each_failure.rs:"), "{message}");
    assert!(message.contains("ten bytes are there"), "{message}");
    assert!(matches!(third.outcome, CallOutcome::Panicked(_)));
    assert_eq!((first.size, second.size, third.size), (10, 20, 30));
    let aborted = second.to_string();
    assert!(
        aborted.starts_with("call 2, 20 bytes: aborted ("),
        "{aborted}"
    );
    check_line(&aborted, "vec! in a_panic_is_told_from_an_abort");
}

#[test]
fn every_call_may_abort_and_the_first_ten_are_shown() {
    let body = || (0..12).map(Box::new).collect::<Vec<Box<u64>>>();
    let report = each_failure(body);
    report.assert("calls == 13, aborted == 13");
    if report.refused_calls().is_empty() {
        return;
    }
    let failure = failure_of(|| report.assert("aborted <= 12"));
    assert!(
        failure.contains("  call 10, 8 bytes: aborted ("),
        "{failure}"
    );
    assert!(!failure.contains("call 11"), "{failure}");
    assert!(failure.contains("\n  and 3 more\n"), "{failure}");
}

#[test]
fn a_body_with_other_calls_in_each_run_is_refused() {
    let runs = Cell::new(0);
    let report = each_failure(|| {
        runs.set(runs.get() + 1);
        (0..10 - runs.get().min(5)).try_for_each(|_| try_vec(8).map(drop))
    });
    if report.refused_calls().is_empty() {
        return;
    }
    let failure = failure_of(|| report.assert("aborted == 0"));
    let expected = "the number of allocations varies from run to run: it was 8, and then ";
    assert!(failure.starts_with(expected), "{failure}");
}

#[test]
fn work_that_is_done_once_and_blocks_that_stay_are_no_leak_of_a_failure() {
    let mut cache = Vec::new();
    let report = each_failure(|| {
        if cache.is_empty() {
            cache = vec![1; 100];
        }
        try_vec(8)
    });
    report.assert("calls == 1, leaked == 0");
}

#[test]
fn each_call_in_a_test_is_its_own() {
    for (len, calls) in [(1, 1), (2, 2), (3, 3)] {
        let report = each_failure(|| {
            (0..len)
                .map(|_| try_vec(8))
                .collect::<Result<Vec<_>, _>>()
                .is_ok()
        });
        // One more for the vector of vectors, which aborts.
        report.assert(format_args!("calls == {}, aborted == 1", calls + 1));
    }
}

#[test]
fn mistakes_in_a_requirement_are_reported() {
    let report = each_failure(|| ());
    report.assert("calls == 0");
    for (text, mistake) in [
        (
            "abort == 0",
            "unknown figure `abort` (the figures are calls, returned, panicked, aborted, leaked)",
        ),
        (
            "leaked >= 0",
            "`leaked` is never below 0, so this can't fail:",
        ),
        ("leaked", "`leaked` has no comparison operator"),
        ("leaked == 1 KiB", "calls are a count, and have no unit"),
        (
            "== 0",
            "unknown figure `` (the figures are calls, returned, panicked, aborted, leaked)",
        ),
    ] {
        let failure = failure_of(|| report.assert(text));
        let expected = format!("not a requirement on refused calls: {mistake} in `{text}`");
        assert_eq!(failure, expected);
    }
}

#[test]
fn a_body_that_fails_by_itself_is_no_refusal() {
    let failure = thread::scope(|scope| {
        // The name of the test, which its process needs.
        let name = thread::current().name().map(str::to_owned);
        let body = || failure_of(|| each_failure(|| panic!("as always")).assert("calls == 0"));
        let thread = thread::Builder::new().name(name.unwrap_or_default());
        thread.spawn_scoped(scope, body).expect("a thread").join()
    });
    let failure = failure.expect("it is caught");
    assert!(
        failure.contains("did not return although no call was refused"),
        "{failure}"
    );
    assert!(failure.contains("as always"), "{failure}");
}

#[test]
fn ten_thousand_calls_are_refused() {
    // A debug build takes ten times as long.
    const CALLS: usize = if cfg!(debug_assertions) {
        1_000
    } else {
        10_000
    };
    let report = each_failure(|| {
        let mut spin = 0_u64;
        for _ in 0..CALLS {
            if try_vec(8).is_err() {
                return 0;
            }
            spin += 1;
        }
        spin
    });
    report.assert(format_args!(
        "calls == {CALLS}, returned == {CALLS}, leaked == 0"
    ));
}

/// With the feature, a call has its line.
fn check_line(text: &str, function: &str) {
    let has_lines = cfg!(all(
        feature = "sites",
        debug_assertions,
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ));
    if has_lines {
        assert!(
            text.contains("; crates/alloc-assert/tests/each_failure.rs:"),
            "{text}"
        );
        assert!(text.contains(function), "{text}");
    }
}
