//! Process scope under libtest: tests in a process of their own count exactly, beside
//! others that allocate all the time.

use std::env;
use std::hint::black_box;
use std::panic;
use std::process::Stdio;
use std::sync::Barrier;
use std::thread;

use alloc_assert::{
    AssertMeasured, CountingAlloc, Steady, Tally, Window, in_fresh_process, measure,
};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Two windows of the process: an empty one, and one over two threads.
fn measure_the_process() {
    let nothing = Window::process().measure(|| ()).expect("it is installed");
    assert_eq!((nothing.tally, nothing.foreign), (Tally::ZERO, Tally::ZERO));
    // The threads start and end outside of the window.
    let barrier = Barrier::new(3);
    let work = || {
        // Before the window is opened, and inside it.
        barrier.wait();
        barrier.wait();
        drop(black_box(vec![1_u8; 1_000]));
        barrier.wait();
        // Until the window is closed.
        barrier.wait();
    };
    thread::scope(|threads| {
        let workers = [threads.spawn(work), threads.spawn(work)];
        barrier.wait();
        let measured = Window::process().measure(|| {
            barrier.wait();
            barrier.wait();
        });
        barrier.wait();
        for worker in workers {
            worker.join().expect("no worker panics");
        }
        measured.assert("allocs == 2, bytes == 2_000, net-blocks == 0");
    });
}

#[test]
fn the_process_is_counted_exactly() {
    in_fresh_process(measure_the_process);
}

#[test]
fn every_repeat_is_counted_exactly() {
    in_fresh_process(|| {
        let steady = Steady::new().repeats(10_000).window(Window::process());
        steady.assert("allocs == 0, deallocs == 0", || black_box(7));
    });
}

#[test]
#[ignore = "`an_ignored_test_can_be_started` starts it"]
fn an_ignored_test_runs() {
    in_fresh_process(measure_the_process);
}

#[test]
fn an_ignored_test_can_be_started() {
    let mut command = own_process::command();
    command.args(["--exact", "an_ignored_test_runs", "--ignored"]);
    let output = command.output().expect("this program can be started");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("1 passed"), "{stdout}");
}

mod in_a_module {
    #[test]
    #[should_panic(expected = "assertion failed: expected `allocs == 0`, got 1")]
    fn a_failure_has_the_message_of_the_assertion() {
        use super::*;
        in_fresh_process(|| drop(measure(|| black_box(vec![1_u8])).assert("allocs == 0")));
    }
}

#[test]
fn a_failure_does_not_suspect_other_tests() {
    let failure = panic::catch_unwind(|| {
        in_fresh_process(|| {
            let work = || (0..9).for_each(|_| drop(black_box(vec![1_u8; 1_000])));
            let worker = || thread::spawn(work).join().expect("it does not panic");
            Window::process().measure(worker).assert("bytes < 1_000");
        });
    });
    let failure = failure.expect_err("the assertion fails");
    let failure = failure.downcast::<String>().expect("it has a message");
    assert!(
        failure.contains("`Window::thread()` leaves them out\n"),
        "{failure}"
    );
}

#[test]
#[should_panic(expected = "failed in a process of its own (exit ")]
fn a_process_that_ends_early_is_a_failure() {
    in_fresh_process(|| std::process::exit(7));
}

#[test]
#[should_panic(expected = "`no test` did not run in a process of its own")]
fn a_thread_that_is_named_otherwise_is_refused() {
    let thread = thread::Builder::new().name(String::from("no test"));
    let running = thread.spawn(|| in_fresh_process(|| ())).expect("it starts");
    panic::resume_unwind(running.join().expect_err("it panics"));
}

#[test]
#[should_panic(expected = "this thread is not named after one")]
fn a_thread_without_a_name_is_refused() {
    let running = thread::spawn(|| in_fresh_process(|| ()));
    panic::resume_unwind(running.join().expect_err("it panics"));
}

/// The number of runs. Starting a process takes long on other systems and by a runner.
fn runs() -> usize {
    let is_quick = cfg!(target_os = "linux") && env::var_os("ALLOC_GATE_RUNNER").is_none();
    if is_quick { 40 } else { 20 }
}

/// All runs, as many at a time as there are cores and four more.
#[test]
fn all_runs_count_the_same() {
    let runners = 4 + thread::available_parallelism().map_or(1, usize::from);
    let run_some = |runner: usize| {
        for run in (runner..runs()).step_by(runners) {
            let mut command = own_process::command();
            command.args(["--exact", "the_process_is_counted_exactly"]);
            let output = own_process::output(command.stdin(Stdio::null()));
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "run {run}: {stdout}");
            assert!(stdout.contains("1 passed"), "run {run}: {stdout}");
        }
    };
    thread::scope(|threads| {
        for runner in 0..runners {
            threads.spawn(move || run_some(runner));
        }
    });
}

/// Tests that allocate all the time.
mod noise {
    use std::hint::black_box;

    #[test]
    fn of_the_first() {
        make();
    }
    #[test]
    fn of_the_second() {
        make();
    }

    fn make() {
        for size in 0..300_000 {
            drop(black_box(vec![1_u8; size % 977]));
        }
    }
}
