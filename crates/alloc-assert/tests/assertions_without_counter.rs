//! Assertions without `#[global_allocator]`: each of them fails, even `== 0`, and no
//! expression runs.

use std::panic::{self, AssertUnwindSafe};

use alloc_assert::{AssertMeasured, Steady, Window, assert_allocs, measure};

fn what_to_add() -> String {
    String::from(
        "allocations were not measured: `CountingAlloc` is not the global allocator of this test
  add to its root (tests/NAME.rs, or src/lib.rs with `#[cfg(test)]`):
    #[global_allocator]
    static ALLOC: alloc_assert::CountingAlloc = alloc_assert::CountingAlloc::system();
  if the program has a `#[global_allocator]`, put the counter around it: `CountingAlloc::new(...)`",
    )
}

fn message_of<T>(f: impl FnOnce(&mut bool) -> T) -> String {
    let mut ran = false;
    let panicked = panic::catch_unwind(AssertUnwindSafe(|| f(&mut ran)))
        .map(|_| ())
        .expect_err("the assertion has to fail");
    assert!(!ran, "an expression that can't be measured does not run");
    panicked
        .downcast_ref::<String>()
        .expect("a message")
        .clone()
}

#[test]
fn every_assertion_fails_with_the_lines_to_add() {
    let what_to_add = what_to_add();
    let of_macro = format!("{what_to_add}\n  expression:       *ran = true");
    let once = message_of(|ran| assert_allocs!(*ran = true, "== 0"));
    assert_eq!(once, of_macro);
    let repeated = message_of(|ran| assert_allocs!(*ran = true, "== 0", warm_up = 1, repeats = 2));
    assert_eq!(repeated, of_macro);
    for message in [
        message_of(|ran| Steady::new().assert("allocs == 0", || *ran = true)),
        message_of(|ran| {
            Window::thread()
                .measure(|| *ran = true)
                .assert("allocs == 0")
        }),
        message_of(|ran| {
            Window::process()
                .measure(|| *ran = true)
                .assert("allocs == 0")
        }),
    ] {
        assert_eq!(message, what_to_add);
    }
    assert_eq!(message_of(|ran| measure(|| *ran = true)), what_to_add);
}
