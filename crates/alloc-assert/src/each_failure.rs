//! [`each_failure`]: runs a body once for each of its allocations, and refuses that call.

mod child;
mod event;
mod report;

use std::cell::Cell;
use std::panic::Location;
use std::process::{Output, Stdio};
use std::{env, fs, io, process, thread};

use crate::own_executable;
use crate::sites::stack_lines;

use self::event::Event;

pub use self::report::{CallOutcome, EachFailure, RefusedCall};

/// The variable that makes a process a child: `NUMBER FIRST PROBED PATH`, see [`Task`].
const TASK: &str = "ALLOC_ASSERT_EACH_FAILURE";

/// What a child does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Task {
    /// Which call of [`each_failure`] in the test, from 1.
    number: u64,
    /// The first call of the body that is refused, from 1.
    first: u64,
    /// Whether the call before that is captured, since it aborted the last child.
    probes: bool,
    /// The file for the events.
    path: String,
}

impl Task {
    fn written(&self) -> String {
        let probes = u8::from(self.probes);
        format!("{} {} {probes} {}", self.number, self.first, self.path)
    }

    /// That of this process.
    fn from_env() -> Option<Self> {
        let task = env::var(TASK).ok()?;
        let mut words = task.splitn(4, ' ');
        Some(Self {
            number: words.next()?.parse().ok()?,
            first: words.next()?.parse().ok()?,
            probes: words.next()? == "1",
            path: words.next()?.to_owned(),
        })
    }
}

/// Runs `body` once to count its allocations, and then once for each of them, in which
/// that call is refused, as when memory is short. Returns what happened, for
/// [`EachFailure::assert`].
///
/// An allocation is one of `alloc`, `alloc_zeroed` or `realloc` on the calling thread. A
/// refused one does not reach the system; `try_reserve` and its like return an error, and other
/// code aborts the process. So the body runs in another process of the same executable, as
/// [`in_fresh_process`](crate::in_fresh_process) starts it, and each abort costs one more.
///
/// ```no_run
/// use std::collections::TryReserveError;
///
/// use alloc_assert::{CountingAlloc, each_failure};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// fn twice(text: &str) -> Result<String, TryReserveError> {
///     let mut twice = String::new();
///     twice.try_reserve_exact(2 * text.len())?;
///     twice.push_str(text);
///     twice.push_str(text);
///     Ok(twice)
/// }
///
/// # mod tests {
/// # use super::*;
/// #[test]
/// fn twice_survives_each_failure() {
///     each_failure(|| twice("text"))
///         .assert("calls >= 1, aborted == 0, panicked == 0, leaked == 0");
/// }
/// # }
/// ```
///
/// With the feature `sites`, a failed assertion names the line of each call. The value that the
/// body returns, an error or not, is dropped at the end of its run, and the live blocks of the
/// thread are compared with those before: more of them are a leak. The body runs once more at
/// first, so that what is made once, such as a `OnceLock`, is not counted. It has to make the
/// same calls in each run; if it does not, [`EachFailure::assert`] fails and says so.
///
/// Call it in a `#[test]` on the test's own thread. What stands before the call runs in each
/// process; of several calls in a test, only the own one does. A body with 10,000 calls runs
/// 10,003 times, and each abort takes some milliseconds more.
///
/// # Panics
///
/// If the calling thread is not named after a test, if no process can be started, or if the body
/// panics or aborts although no call was refused.
#[track_caller]
pub fn each_failure<T>(body: impl FnMut() -> T) -> EachFailure {
    thread_local! {
        static NUMBER: Cell<u64> = const { Cell::new(0) };
    }
    let number = NUMBER.get() + 1;
    NUMBER.set(number);
    let current = thread::current();
    let Some(name) = current.name().filter(|name| *name != "main") else {
        panic!(
            "`each_failure` needs a test of libtest, and this thread is not named after one; \
             call it in a `#[test]`, on the thread of the test"
        );
    };
    match Task::from_env() {
        Some(task) if task.number == number => child::run(&task, body),
        // Another call of the test is meant.
        Some(_) => EachFailure::skipped(),
        None => match refuse_each(name, number) {
            Ok(report) => report,
            Err(failure) => panic!("{failure}"),
        },
    }
}

/// Starts children until all calls were refused.
#[track_caller]
fn refuse_each(name: &str, number: u64) -> Result<EachFailure, String> {
    let file = format!("alloc-assert-{}-failures-{number}", process::id());
    // Tests of one process have threads of their own.
    let file = format!("{file}-{:?}", thread::current().id()).replace(['(', ')'], "");
    let mut task = Task {
        number,
        first: 1,
        probes: false,
        path: env::temp_dir().join(file).to_string_lossy().into_owned(),
    };
    let mut report = EachFailure::new();
    loop {
        let output = start(name, &task);
        let events = fs::read_to_string(&task.path).unwrap_or_default();
        let _ = fs::remove_file(&task.path);
        let output = output.map_err(|error| format!("`{name}` can't be run again: {error}"))?;
        let (mut counted, mut ended) = (false, false);
        for event in events.lines().filter_map(Event::read) {
            counted |= matches!(event, Event::Counted { .. });
            ended |= event == Event::End;
            report.add(event);
        }
        let next = report.refused() + 1;
        match report.calls() {
            Some(_) if ended => break,
            Some(calls) if counted && next <= calls => {
                report.add(Event::Aborted(output.status.to_string()));
            }
            Some(_) | None => return Err(no_refusal(name, &output)),
        }
        task.first = next + 1;
        task.probes = true;
    }
    let lines = stack_lines(Location::caller(), report.stacks());
    report.set_lines(lines);
    Ok(report)
}

fn start(name: &str, task: &Task) -> io::Result<Output> {
    own_executable::test(name)?
        .arg("--nocapture")
        .env(TASK, task.written())
        // A backtrace of each abort would take most of the time.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
}

/// The child ended while no call was refused.
fn no_refusal(name: &str, output: &Output) -> String {
    format!(
        "the body of `each_failure` in `{name}` did not return although no call was refused ({}). \
         Its stderr:\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    )
}
