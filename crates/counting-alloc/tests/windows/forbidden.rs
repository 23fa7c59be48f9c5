//! Closures in which no operation is allowed. In a release build they only run.
#![cfg(debug_assertions)]

use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::process::Output;

use counting_alloc::{
    OnAlloc, Tally, forbid_alloc, forbid_alloc_with, measure, thread_tally, uncounted,
};

use super::{HAS_LINES, bytes};

/// Selects the reaction of the program that the tests start.
const REACTION: &str = "FORBIDDEN";

/// The message of the panic.
fn panic_of<T>(f: impl FnOnce() -> T) -> String {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| forbid_alloc_with(OnAlloc::Panic, f)));
    let Err(payload) = outcome else {
        panic!("it allocated nothing");
    };
    *payload.downcast::<String>().expect("a formatted message")
}

#[test]
fn what_allocates_nothing_is_allowed() {
    let mut kept = bytes(100);
    kept.clear();
    // If this is the first one of the process, it allocates to see that it is counted.
    forbid_alloc(|| ());
    let before = thread_tally();
    let sum = forbid_alloc(|| {
        kept.extend([1, 2, 3]);
        let length = uncounted(|| bytes(50).len());
        uncounted(|| drop(bytes(length)));
        kept.iter().sum::<u8>()
    });
    assert_eq!((sum, thread_tally() - before), (6, Tally::ZERO));
    drop(kept);
}

#[test]
fn every_operation_is_reported_with_its_stack() {
    let mut kept = Some(bytes(10));
    for (first, operations, run) in [
        ("alloc 24", 2, &mut (|| drop(bytes(24))) as &mut dyn FnMut()),
        ("dealloc 10", 1, &mut || drop(kept.take())),
    ] {
        let text = panic_of(run);
        let s = if operations == 1 { "" } else { "s" };
        let expected =
            format!("counting-alloc: {operations} forbidden operation{s}, at first {first}\n");
        let stack = text.strip_prefix(&expected).expect(&text);
        let function = "forbidden::every_operation_is_reported_with_its_stack";
        if cfg!(target_os = "linux") {
            assert!(stack.contains(function), "{text}");
            assert_eq!(stack.contains("tests/windows/"), HAS_LINES, "{text}");
        }
        assert!(!stack.contains("counting_alloc::allocator::"), "{text}");
    }
    let mut grown = bytes(8);
    let text = panic_of(|| grown.reserve_exact(100));
    assert!(text.contains("at first grow 8 -> 108\n"), "{text}");
    let text = panic_of(|| grown.shrink_to_fit());
    assert!(text.contains("at first shrink 108 -> 8\n"), "{text}");
}

#[test]
fn a_panic_is_reported_as_itself_and_later_operations_are_allowed() {
    let panicked =
        panic::catch_unwind(|| forbid_alloc(|| panic!("number {}", std::hint::black_box(7))));
    let payload = panicked.expect_err("it panicked");
    assert_eq!(
        payload.downcast_ref::<String>().map(String::as_str),
        Some("number 7")
    );
    assert_eq!(measure(|| bytes(5)).tally.allocs, 1);
}

#[test]
#[ignore = "the test below starts it, since it aborts"]
fn allocates() {
    let run = || drop((bytes(24), bytes(48)));
    match env::var(REACTION).as_deref() {
        Ok("log") => forbid_alloc_with(OnAlloc::Log, run),
        Ok(_) => forbid_alloc(run),
        Err(_) => {}
    }
}

#[test]
fn a_program_aborts_or_logs_at_the_operation() {
    let run = |reaction: &str| -> Output {
        own_process::command()
            .args([
                "--exact",
                "forbidden::allocates",
                "--ignored",
                "--nocapture",
            ])
            .env(REACTION, reaction)
            .output()
            .expect("it starts")
    };
    let aborted = run("abort");
    let text = String::from_utf8_lossy(&aborted.stderr);
    assert!(!aborted.status.success());
    assert_eq!(
        text.matches("counting-alloc: forbidden").count(),
        1,
        "{text}"
    );
    assert!(
        text.contains("counting-alloc: forbidden operation: alloc 24\n"),
        "{text}"
    );
    if cfg!(target_os = "linux") {
        assert!(text.contains("forbidden::allocates"), "{text}");
    }
    let logged = run("log");
    let text = String::from_utf8_lossy(&logged.stderr);
    assert!(logged.status.success(), "{text}");
    let is_message = |line: &&str| line.starts_with("counting-alloc: ");
    let messages: Vec<_> = text.lines().filter(is_message).collect();
    let operations = ["alloc 24", "alloc 48", "dealloc 24", "dealloc 48"];
    let expected = operations.map(|one| format!("counting-alloc: forbidden operation: {one}"));
    assert_eq!(messages, expected, "{text}");
    if cfg!(target_os = "linux") {
        let stacks = text.matches("counting_alloc::forbid::forbid\n").count();
        assert_eq!(stacks, 1, "one stack\n{text}");
    }
}
