//! The lines in a failure, with the feature `sites`. Marked lines allocate, in different
//! sizes; tests compare counts with the sizes and places with the markers.
//!
//! Profiles without line tables have functions only, and stripped ones have neither.

mod planted;

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use alloc_assert::counting_alloc::Sites;
use alloc_assert::{AssertMeasured, Steady, Window, assert_allocs, in_fresh_process, measure};

use super::failure::failure_of;

/// Where `call` is in the line with a marker: `FILE:LINE:COLUMN`.
fn at(marker: &str, call: &str) -> String {
    let marker = format!("//@ {marker}");
    let sources = [
        (
            file!().replace("lines.rs", "lines/planted.rs"),
            include_str!("lines/planted.rs"),
        ),
        (file!().to_owned(), include_str!("lines.rs")),
    ];
    let found = sources.iter().find_map(|(file, text)| {
        let (line, text) = text
            .lines()
            .enumerate()
            .find(|(_, line)| line.ends_with(&marker))?;
        let column = text.find(call).expect("the call is in the line");
        Some(format!("{file}:{}:{}", line + 1, column + 1))
    });
    found.expect("the marker is there")
}

/// What a build has.
#[derive(PartialEq, Eq)]
enum Tables {
    Lines,
    Functions,
    Nothing,
}

/// Compares the lines of a failure, if this build has lines. Others say why there are none.
#[track_caller]
fn assert_lines(actual: &[String], expected: &[&str]) -> Tables {
    let last = actual.last().expect("there are lines");
    if !Sites::AVAILABLE {
        assert_eq!(actual, ["not available on this target"]);
        return Tables::Nothing;
    }
    if !cfg!(debug_assertions) {
        if last.ends_with("has no symbols; build it with `strip = false`") {
            assert_eq!(actual.len(), 1, "{actual:#?}");
            return Tables::Nothing;
        }
        if last.starts_with("the executable has no line tables; build it with") {
            assert_eq!(words(&actual[0]), expected[0]);
            let places = actual[1..actual.len() - 1].iter();
            let others = [" further ", " blocks from before", " in dependencies "];
            let mut places = places.filter(|line| !others.iter().any(|other| line.contains(other)));
            assert!(places.all(|line| line.contains(" no line ")), "{actual:#?}");
            return Tables::Functions;
        }
    }
    let actual: Vec<String> = actual.iter().map(|line| words(line)).collect();
    let expected: Vec<String> = expected.iter().map(|line| words(line)).collect();
    assert_eq!(actual, expected);
    Tables::Lines
}

/// The words of a line. Optimized builds inline functions, and line tables have their names
/// without paths: then the words end with the place.
fn words(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let place = words.iter().position(|word| word.contains(".rs:"));
    match place {
        Some(place) if !cfg!(debug_assertions) => words[..=place].join(" "),
        _ => words.join(" "),
    }
}

/// The row of the line that allocates a million bytes, for `bytes`.
fn million() -> String {
    format!("1_000_000 1 {} vec! in million", at("million", "vec!"))
}

/// Compares the first line, if this build has lines. The others are in the standard library's
/// code that starts threads.
fn assert_largest(lines: &[String]) {
    if lines.get(1).map(|line| words(line)) != Some(words(&million())) {
        assert!(assert_lines(lines, &["bytes allocs line"]) != Tables::Lines);
    }
}

#[test]
fn the_lines_of_a_broken_requirement_add_up_to_it() {
    let failure = failure_of(|| assert_allocs!(planted::several(), "== 0"));
    assert!(
        failure.message.contains("got 4 (1 by `realloc`)\n"),
        "{}",
        failure.message
    );
    let tables = assert_lines(
        &failure.lines,
        &[
            "allocs bytes reallocs line",
            &format!("2 16 1 {} format! in several", at("text", "format!")),
            &format!(
                "1 100 0 {} Iterator::collect in several",
                at("collected", "collect")
            ),
            &format!(
                "1 24 0 {} Vec::with_capacity in several",
                at("vector", "Vec::")
            ),
        ],
    );
    if tables == Tables::Functions {
        let rows = &failure.lines[1..failure.lines.len() - 1];
        assert!(
            rows.iter().all(|row| row.ends_with(" in several")),
            "{rows:#?}"
        );
    }
}

/// A marked line: the place of the call in it, its number and the code.
#[cfg(debug_assertions)]
fn planted_line(marker: &str, call: &str) -> (String, String, String) {
    let place = at(marker, call);
    let line = place.rsplit(':').nth(1).expect("a line").to_owned();
    let number: usize = line.parse().expect("a number");
    let mut code = include_str!("lines/planted.rs").lines();
    let code = code.nth(number - 1).expect("the line").to_owned();
    (place, line, code)
}

#[test]
#[cfg(debug_assertions)]
fn a_failure_shows_the_requirement_then_the_lines_and_then_the_operations() {
    if !Sites::AVAILABLE {
        return;
    }
    let failure = failure_of(|| assert_allocs!(planted::calls(), "== 0, bytes <= 100"));
    let (place, line, code) = planted_line("called", "vec!");
    let caller = at("caller", "called()");
    let other = at("growing", "push");
    assert_eq!(
        failure.text,
        format!(
            "assertion failed: expected `allocs == 0`, got 3
  expression:       planted::calls()
  --> {place}
   |
{line} | {code}
   |               ^^^^ allocs 2, bytes 48
   |
   = called by: calls, {caller}

  allocs  bytes  line
       2     48  {place}  vec! in called
       1     32  {other}  Vec::push in calls

  other counts:     bytes 80, deallocs 3, peak-bytes 80
  first operations: alloc 24, alloc 24, alloc 32, dealloc 24, dealloc 24, dealloc 32"
        )
    );
}

#[test]
fn the_line_of_the_assertion_itself_is_named() {
    let failure = failure_of(|| {
        assert_allocs!(drop(black_box(String::from("text"))), "== 0") //@ itself
    });
    let place = at("itself", "String::from");
    assert_lines(
        &failure.lines,
        &["allocs bytes line", &format!("1 4 {place}")],
    );
}

#[test]
fn the_line_that_makes_a_text_is_named_and_not_the_one_that_prints_it() {
    let mut text = String::with_capacity(64);
    let failure = failure_of(|| assert_allocs!(planted::prints(&mut text), "== 0"));
    assert_lines(
        &failure.lines,
        &[
            "allocs bytes line",
            &format!("1 8 {}", at("made", "format!")),
        ],
    );
}

#[test]
fn of_many_lines_ten_are_shown_and_the_others_counted() {
    let failure = failure_of(|| assert_allocs!(planted::twelve(), "bytes == 0"));
    if failure.lines.len() == 12 {
        let [first, .., tenth, rest] = &failure.lines[1..] else {
            panic!("{:#?}", failure.lines);
        };
        let row = |bytes, marker| format!("{bytes} 1 {} vec! in twelve", at(marker, "vec!"));
        assert_eq!(words(first), words(&row(12, "twelve")));
        assert_eq!(words(tenth), words(&row(3, "three")));
        // 1 and 2 bytes.
        assert_eq!(words(rest), "3 2 2 further lines");
    } else {
        assert!(assert_lines(&failure.lines, &["bytes allocs line"]) != Tables::Lines);
    }
}

#[test]
fn the_repeat_that_fails_has_its_own_lines() {
    let mut call = 0;
    let failure = failure_of(|| {
        Steady::new()
            .warm_up(5)
            .repeats(50)
            .assert("allocs <= 1", || {
                call += 1;
                planted::more_in(42, call);
            })
    });
    assert!(
        failure.message.contains("in repeat 37 of 50"),
        "{}",
        failure.message
    );
    let always = format!("1 10 {} vec! in more_in", at("always", "vec!"));
    let rare = format!("1 100 {} vec! in more_in", at("rare", "vec!"));
    assert_lines(&failure.lines, &["allocs bytes line", &rare, &always]);
    let failure = failure_of(|| {
        let mut call = 0;
        assert_allocs!(
            {
                call += 1;
                planted::more_in(7, call)
            },
            "<= 1",
            warm_up = 0,
            repeats = 10
        );
    });
    assert_lines(&failure.lines, &["allocs bytes line", &rare, &always]);
}

#[test]
fn a_mean_has_the_lines_of_all_repeats() {
    let mut call = 0;
    let failure = failure_of(|| {
        let steady = Steady::new().warm_up(0).repeats(50);
        steady.assert("mean allocs <= 1", || {
            call += 1;
            planted::more_in(20, call);
        })
    });
    let always = format!("50 500 {} vec! in more_in", at("always", "vec!"));
    let rare = format!("1 100 {} vec! in more_in", at("rare", "vec!"));
    assert_lines(&failure.lines, &["allocs bytes line", &always, &rare]);
}

#[test]
fn blocks_count_where_they_were_made() {
    let before = vec![1_u8; 5];
    let work = || {
        drop(black_box(before));
        planted::kept()
    };
    let failure = failure_of(|| assert_allocs!(work(), "net-bytes == 0, peak-bytes == 0"));
    // 30 bytes were made and 5 freed; at the peak 1,025 more than before.
    let kept = format!("30 1 30 {} vec! in kept", at("kept", "vec!"));
    let peak = format!("0 0 1_000 {} vec! in kept", at("peak", "vec!"));
    assert_lines(
        &failure.lines,
        &[
            "net-bytes net-blocks peak-bytes line",
            &kept,
            "-5 -1 -5 blocks from before",
            &peak,
        ],
    );
}

#[test]
fn a_window_has_no_lines_and_says_what_has_some() {
    let failure = failure_of(|| measure(planted::several).assert("allocs == 0"));
    let reason = "only `assert_allocs!` and `Steady` have some, and not inside one another";
    if Sites::AVAILABLE {
        assert_eq!(failure.lines, [reason]);
    }
}

#[test]
fn what_has_no_lines_shows_none() {
    let failure = failure_of(|| assert_allocs!((), ">= 1"));
    assert_eq!(failure.lines, [""; 0]);
    let measured = measure(planted::several);
    let failure = failure_of(|| measured.assert("foreign-allocs >= 1_000_000"));
    assert_eq!(failure.lines, [""; 0]);
}

#[test]
fn assertions_that_hold_leave_nothing_behind() {
    let measured = measure(|| {
        assert_allocs!(planted::several(), "== 4");
        Steady::new().assert("allocs <= 2", || planted::more_in(1, 2));
        measure(planted::several).assert("allocs == 4");
    });
    measured.assert("net-bytes == 0, net-blocks == 0");
    thread::spawn(|| {
        let outer = Window::thread().measure(|| measure(planted::several).assert("allocs == 4"));
        outer.assert("net-bytes == 0, net-blocks == 0");
    })
    .join()
    .expect("the assertions hold");
}

#[test]
fn async_code_is_named() {
    async fn test() {
        let mut reply = pin!(planted::reply());
        let mut poll = || reply.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let reply = assert_allocs!(poll(), "== 0");
        assert!(matches!(reply, Poll::Ready(_)));
    }
    let failure = failure_of(|| {
        let mut test = pin!(test());
        test.as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready()
    });
    let place = at("reply", "String::from");
    assert_lines(
        &failure.lines,
        &["allocs bytes line", &format!("1 7 {place}")],
    );
}

#[test]
fn other_threads_are_named_in_a_window_of_the_process() {
    in_fresh_process(|| {
        let steady = Steady::new().warm_up(0).repeats(1);
        let failure = failure_of(|| {
            steady.window(Window::process()).assert("bytes == 0", || {
                thread::scope(|threads| threads.spawn(planted::million).join().is_ok())
            })
        });
        assert_largest(&failure.lines);
    });
}
