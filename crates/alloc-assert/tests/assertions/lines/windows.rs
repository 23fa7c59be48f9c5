//! The lines of windows, which capture no stacks until their test runs again.

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Waker};
use std::thread;

use alloc_assert::counting_alloc::Sites;
use alloc_assert::{
    AssertMeasured, AssertPhases, Window, assert_allocs, in_fresh_process, measure, measure_joined,
};

#[cfg(debug_assertions)]
use super::planted_line;
use super::{assert_largest, assert_lines, at, is_second_run, million, planted};
use crate::failure::failure_of;
#[cfg(debug_assertions)]
use crate::{failure::BUILD, figures::figures, phases::counted_figures};

#[test]
fn a_measurement_before_many_others_has_the_lines_of_a_second_run() {
    let first = measure(planted::million);
    for _ in 0..8 {
        let _ = measure(|| ());
    }
    let failure = failure_of(|| first.assert("bytes == 0"));
    assert_lines(&failure.lines, &["bytes allocs line", &million()]);
}

#[test]
fn a_window_has_the_lines_of_a_second_run() {
    let failure = failure_of(|| {
        let measured = Window::thread().measure(planted::million);
        measured.assert("bytes == 0")
    });
    assert_lines(&failure.lines, &["bytes allocs line", &million()]);
    #[cfg(debug_assertions)]
    if Sites::AVAILABLE && !is_second_run() {
        let (place, line, code) = planted_line("million", "vec!");
        assert_eq!(
            failure.text,
            format!(
                "allocation limit exceeded: expected `bytes == 0`, got 1_000_000
  --> {place}
   |
{line} | {code}
   |                    ^^^^ bytes 1_000_000, allocs 1

      bytes  allocs  line
  1_000_000       1  {place}  vec! in million

  counted:          1 allocs (1000000 bytes), 0 reallocs, 1 deallocs (1000000 bytes)
  figures:          {}
  first operations: not kept by this window; `with_first_operations` keeps them
  scope:            the calling thread; counts without a peak
  other threads:    [..]
{BUILD}",
                figures(
                    "allocs 1, bytes 1_000_000, deallocs 1, \
                     peak-bytes not measured"
                )
            )
        );
    }
    // The first one is not captured, and the second one is.
    let before = vec![1_u8; 5];
    let _ = Window::thread().measure(planted::twelve);
    let failure = failure_of(|| {
        let measured = Window::thread().with_peak().measure(|| {
            drop(black_box(before));
            planted::kept()
        });
        measured.assert("net-bytes == 0, peak-bytes == 0")
    });
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
fn phases_have_lines_of_their_own() {
    let phased = || {
        let phased = Window::thread().measure_phases(|phases| {
            planted::more_in(1, 2);
            phases.run("large", planted::million);
            phases.run("small", planted::calls);
            phases.run("large", planted::million);
        });
        phased.expect("it is measured")
    };
    let phase = failure_of(|| phased().assert_phase("large", "bytes == 0"));
    let both = format!("2_000_000 2 {} vec! in million", at("million", "vec!"));
    assert_lines(&phase.lines, &["bytes allocs line", &both]);
    #[cfg(debug_assertions)]
    if Sites::AVAILABLE && !is_second_run() {
        let (place, line, code) = planted_line("million", "vec!");
        assert_eq!(
            phase.text,
            format!(
                "allocation limit exceeded: expected `bytes == 0`, got 2_000_000
  part:             phase `large`, 2 runs
  --> {place}
   |
{line} | {code}
   |                    ^^^^ bytes 2_000_000, allocs 2

      bytes  allocs  line
  2_000_000       2  {place}  vec! in million

  counted:          2 allocs (2000000 bytes), 0 reallocs, 2 deallocs (2000000 bytes)
  figures:          {}
  scope:            the calling thread; counts without a peak
{BUILD}",
                counted_figures("allocs 2, bytes 2_000_000, deallocs 2")
            )
        );
    }
    let rest = failure_of(|| phased().assert_rest("allocs == 0"));
    let always = format!("1 10 {} vec! in more_in", at("always", "vec!"));
    assert_lines(&rest.lines, &["allocs bytes line", &always]);
    let whole = failure_of(|| phased().assert("allocs == 0"));
    let called = format!("2 48 {} vec! in called", at("called", "vec!"));
    let pushed = format!("1 32 {} Vec::push in calls", at("growing", "push"));
    let million = format!("2 2_000_000 {} vec! in million", at("million", "vec!"));
    assert_lines(
        &whole.lines,
        &["allocs bytes line", &million, &called, &pushed, &always],
    );
}

#[test]
fn threads_that_join_in_are_named() {
    let failure = failure_of(|| {
        let measured = measure_joined(|token| {
            thread::scope(|threads| {
                let work = || token.count(planted::million);
                threads.spawn(work).join().is_ok()
            })
        });
        measured.assert("bytes == 0")
    });
    assert_largest(&failure.lines);
}

#[test]
fn the_polls_of_a_future_are_named() {
    async fn test() {
        let measured = Window::thread().measure_future(async {
            thread::yield_now();
            planted::reply().await
        });
        measured.await.assert("== 0");
    }
    let failure = failure_of(|| {
        let mut test = pin!(test());
        test.as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready()
    });
    let reply = format!("1 7 {} String::from in reply", at("reply", "String::from"));
    assert_lines(&failure.lines, &["allocs bytes line", &reply]);
}

#[test]
fn an_assertion_inside_another_has_the_lines_of_a_second_run() {
    let failure = measure(|| failure_of(|| assert_allocs!(planted::million(), "bytes == 0"))).value;
    assert_lines(&failure.lines, &["bytes allocs line", &million()]);
}

#[test]
fn a_window_of_the_process_has_lines() {
    in_fresh_process(|| {
        let failure = failure_of(|| {
            let measured = Window::process()
                .measure(|| thread::scope(|scope| scope.spawn(planted::million).join().is_ok()));
            measured.assert("bytes == 0")
        });
        assert_largest(&failure.lines);
    });
}

#[test]
fn a_second_run_that_differs_is_told() {
    if !Sites::AVAILABLE {
        return;
    }
    let size = if is_second_run() { 20 } else { 10 };
    let failure = failure_of(|| {
        let measured = Window::thread().measure(|| drop(black_box(vec![1_u8; size])));
        measured.assert("bytes == 0")
    });
    let note = "These are from a second run of the test, which had bytes 20, allocs 1.";
    assert!(failure.lines.iter().any(|line| line == note), "{failure:?}");
    if is_second_run() {
        return;
    }
    let failure = failure_of(|| {
        let measured = Window::thread().measure(planted::million);
        measured.assert("bytes == 0")
    });
    let reason = "not known: the test did not fail here when it ran again in a process of its own";
    assert_eq!(failure.lines, [reason]);
}

#[test]
fn a_test_runs_again_for_its_first_failures() {
    if !Sites::AVAILABLE {
        return;
    }
    let failure = || {
        failure_of(|| {
            let measured = Window::thread().measure(planted::million);
            measured.assert("bytes == 0")
        })
    };
    for _ in 0..3 {
        assert_lines(&failure().lines, &["bytes allocs line", &million()]);
    }
    let reason = "not known; the first 3 failures of a test have some";
    assert_eq!(failure().lines, [reason]);
}

#[test]
fn a_window_of_another_thread_says_why_it_has_no_lines() {
    if !Sites::AVAILABLE {
        return;
    }
    let measured = thread::spawn(|| Window::thread().measure(planted::million));
    let measured = measured.join().expect("it does not panic");
    let failure = failure_of(|| measured.assert("bytes == 0"));
    let reason = "not known; a window has some if it is measured on the thread of a `#[test]`";
    assert_eq!(failure.lines, [reason]);
}
