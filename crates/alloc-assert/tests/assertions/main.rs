//! Assertions as users write them, under libtest, in parallel and without flags. The
//! messages are compared as a whole; their counts follow from the requested sizes.

mod arguments;
mod failure;
mod lazy;
#[cfg(feature = "sites")]
mod lines;
mod mistakes;
mod phases;
mod reallocs;
mod steady;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::thread;

use alloc_assert::{AssertMeasured, CountingAlloc, Window, assert_allocs, measure, uncounted};

use failure::{assert_places, failure_of};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Allocates 24 bytes and grows them to 48, allocates 4,096 bytes, and frees both.
fn grow_and_more() {
    let mut grown = black_box(Vec::<u8>::with_capacity(24));
    grown.reserve_exact(48);
    drop((grown, black_box(vec![1_u8; 4096])));
}

#[test]
fn a_requirement_that_holds_returns_the_value() {
    assert_eq!(assert_allocs!(String::from("five!"), "== 1"), "five!");
    let text = assert_allocs!(
        String::from("five!"),
        "== 1, bytes == 5, net-bytes >= 5, <= 5",
    );
    assert_eq!(text, "five!");
    let text = measure(|| String::from("five!")).assert("allocs >= 1, < 2, peak-bytes == 5");
    assert_eq!(text, "five!");
    let nothing = Window::thread().measure(|| black_box(0));
    assert_eq!(nothing.assert("allocs == 0"), 0);
}

#[test]
fn a_broken_requirement_shows_all_counts_and_the_first_operations() {
    let failure = failure_of(|| assert_allocs!(grow_and_more(), "== 0"));
    assert_eq!(
        failure.message,
        "assertion failed: expected `allocs == 0`, got 3 (1 by `realloc`)
  expression:       grow_and_more()
  other counts:     bytes 4_144, deallocs 2, peak-bytes 4_144
  first operations: alloc 24, grow 24 -> 48, alloc 4096, dealloc 48, dealloc 4096"
    );
}

#[test]
fn without_the_feature_a_failure_has_the_command_that_shows_lines() {
    use alloc_assert::counting_alloc::Sites;

    if cfg!(feature = "sites") || !Sites::AVAILABLE {
        return;
    }
    let once = || assert_allocs!(grow_and_more(), "== 0");
    let test = "without_the_feature_a_failure_has_the_command_that_shows_lines";
    let command = "cargo test --features alloc-assert/sites";
    for failure in [
        failure_of(once),
        failure_of(|| assert_allocs!(grow_and_more(), "== 0", repeats = 2)),
    ] {
        assert_eq!(failure.lines, [format!("{command} {test}")]);
    }
    // The name of a thread that is no test's.
    let other = thread::Builder::new().name(String::from("a worker"));
    let other = other.spawn(move || failure_of(once)).expect("it starts");
    assert_eq!(other.join().expect("it returns").lines, [command]);
    let failure = failure_of(|| Window::thread().measure(grow_and_more).assert("bytes <= 1"));
    let reason = "only `assert_allocs!` and `Steady` have some, and not inside one another";
    assert_eq!(failure.lines, [reason]);
    let failure = failure_of(|| assert_allocs!((), "bytes >= 1"));
    assert_eq!(failure.lines, [""; 0]);
    let failure = failure_of(|| measure(grow_and_more).assert("foreign-allocs >= 1_000_000"));
    assert_eq!(failure.lines, [""; 0]);
}

#[test]
fn each_broken_requirement_has_its_line() {
    let failure = failure_of(|| {
        measure(|| black_box(vec![1_u8; 100])).assert("allocs<=1, bytes <= 99, net-bytes == 0")
    });
    assert_eq!(
        failure.message,
        "assertion failed: expected `bytes <= 99`, got 100
                  expected `net-bytes == 0`, got 100
  other counts:     allocs 1, net-blocks 1, peak-bytes 100
  first operations: alloc 100"
    );
}

#[test]
fn a_requirement_on_an_unmeasured_metric_is_broken() {
    let before = vec![1_u8; 10];
    let failure = failure_of(|| {
        Window::thread()
            .measure(|| drop(black_box(before)))
            .assert("peak-bytes <= 100")
    });
    assert_eq!(
        failure.message,
        "assertion failed: expected `peak-bytes <= 100`, which was not measured
  other counts:     deallocs 1, net-bytes -10, net-blocks -1
  first operations: a window `.with_first_operations()` has them"
    );
}

#[test]
fn operations_of_other_threads_are_shown_where_they_may_be_the_missing_ones() {
    // No barriers: on macOS, their mutexes are blocks.
    let (go, gone) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::Acquire) {
            thread::yield_now();
        }
    };
    let failure = thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(&go);
            drop(black_box(vec![1_u8; 10]));
            gone.store(true, Ordering::Release);
        });
        failure_of(|| {
            assert_allocs!(
                {
                    go.store(true, Ordering::Release);
                    wait_for(&gone);
                },
                ">= 1"
            );
        })
    });
    assert_eq!(
        failure.message,
        "assertion failed: expected `allocs >= 1`, got 0
  expression:       { go.store(true, Ordering::Release); wait_for(&gone); }
  first operations: none"
    );
    let others = " (not included)
                    `Window::process()` includes them; `in_fresh_process` runs a test alone";
    assert!(failure.text.ends_with(others), "{}", failure.text);
}

#[test]
fn excluded_regions_are_shown() {
    let failure = failure_of(|| {
        let measured = Window::thread().measure(|| {
            drop(black_box(vec![1_u8; 3000]));
            uncounted(|| drop(black_box(vec![1_u8; 7])));
        });
        measured.assert("bytes < 3000")
    });
    let uncounted = "  uncounted:        allocs 1, bytes 7, deallocs 1";
    assert!(failure.message.lines().any(|line| line == uncounted));
}

#[test]
fn the_context_that_a_test_gives_is_shown() {
    let failure = failure_of(|| {
        for number in [7_u64, 70] {
            assert_allocs!(number.to_string(), "bytes <= 1", "number: {number:>3}");
        }
    });
    let lines: Vec<_> = failure.message.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "assertion failed: expected `bytes <= 1`, got 2",
            "  expression:       number.to_string()",
            "  context:          number:  70",
        ]
    );
}

#[test]
fn a_long_expression_is_cut() {
    let failure = failure_of(|| {
        assert_allocs!(
            [
                "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
                "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "0", "1", "2", "3", "4", "5",
            ]
            .concat(),
            "== 0"
        );
    });
    let expression = failure.message.lines().nth(1).expect("a second line");
    assert!(expression.starts_with("  expression:       [\"a\", \"b\","));
    assert!(expression.ends_with(", ..."), "{expression}");
    assert!(expression.chars().count() <= 100, "{expression}");
}

#[test]
fn the_line_is_that_of_the_assertion() {
    fn library() -> Vec<u8> {
        black_box(vec![1; 10])
    }
    // Each on one line.
    #[rustfmt::skip]
    let failures = [
        (failure_of(|| assert_allocs!(library(), "== 0")), line!()),
        (failure_of(|| assert_allocs!(library(), "no text")), line!()),
        (failure_of(|| assert_allocs!(library(), "== 0", "context")), line!()),
        (failure_of(|| uncounted(|| assert_allocs!(library(), "== 0"))), line!()),
        (failure_of(|| measure(library).assert("allocs == 0")), line!()),
        (failure_of(|| measure(library).assert("no text")), line!()),
        (failure_of(|| Window::thread().measure(library).assert("allocs == 0")), line!()),
        (failure_of(|| uncounted(|| measure(library).value)), line!()),
        (failure_of(|| uncounted(|| Window::thread().measure(library).assert("grows < 2"))), line!()),
    ];
    assert_places(file!(), failures);
}

#[test]
fn an_assertion_of_zero_fails_if_nothing_was_measured() {
    // This finds the counter to be installed, outside the region.
    assert_allocs!((), "== 0");
    let failure = failure_of(|| uncounted(|| assert_allocs!((), "== 0")));
    assert_eq!(
        failure.message,
        "allocations were not measured: nothing is counted inside `uncounted`
  measure outside it
  expression:       ()"
    );
}

#[test]
fn the_panic_of_an_expression_is_passed_on() {
    fn refuse() {
        panic!("no {}", 5);
    }
    let failure = failure_of(|| assert_allocs!(refuse(), "== 0"));
    assert_eq!(failure.message, "no 5");
    // The counters are right afterwards.
    assert_allocs!(String::from("x"), "allocs == 1, peak-bytes == 1");
}

#[test]
fn an_expression_may_borrow_move_and_return_what_it_borrowed() {
    let text = String::from(" a b ");
    let trimmed = assert_allocs!(text.trim(), "== 0");
    assert_eq!(trimmed, "a b");
    let mut words: Vec<&str> = Vec::with_capacity(2);
    assert_allocs!(words.extend(trimmed.split(' ')), "allocs == 0");
    *assert_allocs!(words.last_mut(), "== 0").expect("two words") = "c";
    assert_eq!(words, ["a", "c"]);
    let mut sum = 0;
    assert_allocs!(sum += words.len(), "== 0");
    assert_eq!(sum, 2);
    assert_allocs!(drop(words), "deallocs == 1, net-blocks == -1");
    assert_allocs!(drop(text), "deallocs == 1, net-bytes == -5");
}

#[test]
fn an_error_value_can_be_returned_by_a_question_mark() {
    fn sum(texts: &[&str]) -> Result<u32, std::num::ParseIntError> {
        let mut sum = 0;
        for text in texts {
            sum += assert_allocs!(text.parse::<u32>(), "== 0", "text: {text}")?;
        }
        Ok(sum)
    }
    assert_eq!(sum(&["1", "2"]), Ok(3));
    assert!(sum(&["1", "x"]).is_err());
}

#[test]
fn futures_are_asserted_on_where_they_are_awaited() {
    async fn reply() -> String {
        String::from("hello")
    }
    async fn test() -> String {
        let window = Window::thread().with_peak();
        window
            .measure_future(reply())
            .await
            .assert("allocs == 1, peak-bytes == 5")
    }
    let mut test = std::pin::pin!(test());
    let polled = test.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(polled, Poll::Ready(String::from("hello")));
}

/// The optimizer removes the box: its address is not used.
#[test]
fn an_unused_allocation_is_counted_in_debug_builds_only() {
    let boxed = measure(|| *Box::new(7_u8));
    assert_eq!(boxed.tally.allocs, u64::from(cfg!(debug_assertions)));
    let kept = measure(|| *black_box(Box::new(7_u8)));
    assert_eq!(kept.tally.allocs, 1);
}

#[test]
fn assertions_nest() {
    let text = assert_allocs!(
        {
            let one = assert_allocs!(black_box(String::from("one")), "== 1");
            drop(black_box(String::from("two")));
            one
        },
        "allocs >= 2, net-bytes == 3"
    );
    assert_eq!(text, "one");
}

/// Tests with 1,000 assertions each, which allocate all the time, in parallel with each
/// other and with all tests above.
mod beside_each_other_every_assertion_holds {
    use super::*;

    fn assert_a_thousand_times(seed: usize) {
        let mut noise = Vec::new();
        for i in 0..1_000 {
            noise.push(vec![0_u8; seed * i % 977]);
            let words = assert_allocs!(
                ["one", "two", "three"].map(String::from),
                "allocs == 3, bytes == 11, net-bytes == 11, peak-bytes == 11, deallocs == 0"
            );
            assert_allocs!(words.join(" "), "== 1, bytes == 13");
        }
    }

    #[test]
    fn in_the_first() {
        assert_a_thousand_times(31);
    }
    #[test]
    fn in_the_second() {
        assert_a_thousand_times(41);
    }
    #[test]
    fn in_the_third() {
        assert_a_thousand_times(59);
    }
}
