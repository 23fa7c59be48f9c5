//! Values whose work has not run: an assertion refuses them, since they allocate nothing.

use std::hint::black_box;

use alloc_assert::{AssertMeasured, Steady, Window, assert_allocs, measure};

use crate::failure::failure_of;

/// What the body of a test would allocate, if it ran.
fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

async fn words_later(text: &str) -> Vec<String> {
    words(text)
}

/// Real work with a lazy type: the words are made here, and their lengths later.
fn lengths(text: &str) -> impl Iterator<Item = usize> {
    words(text).into_iter().map(|word| word.len())
}

#[test]
fn a_future_that_was_not_polled_is_refused() {
    let failure = failure_of(|| assert_allocs!(words_later("one two"), "== 0"));
    assert_eq!(
        failure.message,
        "allocations were not measured: the output is a closure or a future that never ran, \
         `assertions::lazy::words_later::{{closure}}`
  call the closure, or pass the future to `block_on` inside the measured code
  to measure only its creation, return it in a tuple: `(value,)`
  expression:       words_later(\"one two\")"
    );
}

#[test]
fn every_kind_of_assertion_refuses_what_did_not_run() {
    let text = black_box("one two");
    let futures = [
        failure_of(|| assert_allocs!(|| words(text), "== 0")),
        failure_of(|| assert_allocs!(words_later(text), "== 0", repeats = 3)),
        failure_of(|| drop(measure(|| words_later(text)).assert("allocs == 0"))),
        failure_of(|| Steady::new().assert("allocs == 0", || || words(text))),
    ];
    let iterators = [
        failure_of(|| assert_allocs!(Some(text.lines()), "bytes == 0", "text: {text}")),
        failure_of(|| {
            let measured = Window::thread().measure(|| text.split(' ').map(words));
            measured.assert("allocs == 0").count()
        }),
    ];
    let what = |output: &str| {
        format!("allocations were not measured: the output is {output} that never ran, ")
    };
    for (failures, reason) in [
        (&futures[..], what("a closure or a future")),
        (&iterators, what("an iterator or a stream")),
    ] {
        for failure in failures {
            assert!(failure.message.starts_with(&reason), "{}", failure.message);
        }
    }
}

#[test]
fn what_ran_is_accepted() {
    let text = black_box("one two");
    let lengths = assert_allocs!(lengths(text), "== 3");
    assert_eq!(lengths.sum::<usize>(), 6);
    let matches = assert_allocs!(
        {
            let words = words(text);
            move |word: &str| words.iter().any(|one| one == word)
        },
        "== 3"
    );
    assert!(matches("two"));
    let ready = assert_allocs!(vec![1_u8; 2].into_iter(), "== 1");
    assert_eq!(ready.len(), 2);
}

#[test]
fn making_a_lazy_value_is_measured_in_a_tuple() {
    let (words,) = assert_allocs!((black_box("one two").split(' '),), "allocs == 0");
    assert_eq!(words.count(), 2);
    drop(Steady::new().assert("allocs == 0", || (words_later("one"),)));
}
