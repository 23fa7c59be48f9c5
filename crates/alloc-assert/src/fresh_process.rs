//! [`in_fresh_process`]: runs a test alone in a process of its own, so that process scope
//! counts the test and nothing else.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::process::{self, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use counting_alloc::{Tally, Window};

/// The variable with the program that runs programs of this platform; `protocol::RUNNER` of
/// alloc-results has the same value.
const RUNNER: &str = "ALLOC_GATE_RUNNER";

/// The variable that makes a process the child for the test that it names.
const TEST: &str = "ALLOC_SCENARIO_FRESH_TEST";

/// The exit code of a child whose test returned. With 0, libtest may have run no test.
const RETURNED: i32 = 86;

/// The exit code of a child whose test panicked, as of libtest.
const PANICKED: i32 = 101;

/// How long the other threads of a child may take to fall asleep.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// How long the other threads of a child must not have allocated. On Linux the kernel reports
/// whether they sleep. Elsewhere a longer time replaces that.
const QUIET_FOR: Duration = if cfg!(target_os = "linux") {
    Duration::from_millis(1)
} else {
    Duration::from_millis(100)
};

/// Runs a test alone in a process of its own, where a [`Window`] in process scope counts the
/// test and nothing else.
///
/// Under `cargo test` and nextest, libtest's own threads and other tests allocate at any
/// time, and such a window counts them too. This function starts the test's executable again
/// for the calling test alone, with the same environment, and waits for it. There, it waits
/// until the thread of libtest sleeps, which wakes up only at the end of the test, and calls
/// `test`. A failure is reported with the output of that process.
///
/// ```no_run
/// use std::thread;
///
/// use alloc_assert::{AssertMeasured, CountingAlloc, Window, in_fresh_process};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # mod tests {
/// # use super::*;
/// #[test]
/// fn a_worker_makes_one_vector() {
///     in_fresh_process(|| {
///         Window::process()
///             .measure(|| thread::spawn(|| drop(vec![0_u8; 4096])).join())
///             .assert("bytes >= 4096")
///             .expect("the worker does not panic");
///     });
/// }
/// # }
/// ```
///
/// Call it in a `#[test]` on the test's own thread, once, around everything that the test
/// does: code outside the call runs in both processes. In an async test, call it
/// outside of the runtime. Tests with a `main` of their own don't need it.
///
/// # Panics
///
/// If the test panics or its process ends early, if the calling thread is not named after a
/// test, and if other threads of the process don't fall asleep within half a minute.
#[track_caller]
pub fn in_fresh_process(test: impl FnOnce()) {
    let current = thread::current();
    let Some(name) = current.name().filter(|name| *name != "main") else {
        panic!(
            "`in_fresh_process` needs a test of libtest, and this thread is not named after one\n  \
             call it in a `#[test]`, on the thread of the test"
        );
    };
    if env::var_os(TEST).is_some_and(|chosen| *chosen == *name) {
        run_and_exit(test);
    }
    let output = match start(name) {
        Ok(output) => output,
        Err(error) => panic!("`{name}` can't be run in a process of its own: {error}"),
    };
    let printed = |stream: &[u8]| String::from_utf8_lossy(stream).trim().to_owned();
    match output.status.code() {
        Some(RETURNED) => {}
        Some(0) => panic!(
            "`{name}` did not run in a process of its own: its executable has no such test\n  \
             call `in_fresh_process` in a `#[test]`, on the thread of the test"
        ),
        Some(_) | None => panic!(
            "`{name}` failed in a process of its own ({}). Its stderr:\n{}\nIts stdout:\n{}",
            output.status,
            printed(&output.stderr),
            printed(&output.stdout)
        ),
    }
}

/// Whether this process runs one test alone.
pub(crate) fn is_fresh() -> bool {
    env::var_os(TEST).is_some()
}

/// Runs the test in the child process, and ends it.
fn run_and_exit(test: impl FnOnce()) -> ! {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        wait_for_sleep();
        test();
    }));
    // The panic's message was printed when it occurred.
    process::exit(match outcome {
        Ok(()) => RETURNED,
        Err(_) => PANICKED,
    })
}

/// Starts the child process, in which libtest runs this test and no other.
fn start(name: &str) -> io::Result<Output> {
    let runner = env::var(RUNNER).unwrap_or_default();
    let program = env::current_exe()?;
    let runner = runner.split_whitespace().map(OsStr::new);
    let mut words = runner.chain([program.as_os_str()]);
    Command::new(words.next().unwrap_or_default())
        .args(words)
        // With one thread, libtest waits for the test without a timeout.
        .args([
            "--exact",
            name,
            "--include-ignored",
            "--test-threads=1",
            "--nocapture",
        ])
        .env(TEST, name)
        .stdin(Stdio::null())
        .output()
}

/// Waits until all other threads of the process sleep and allocate nothing.
fn wait_for_sleep() {
    let begin = Instant::now();
    loop {
        // A window of the process also waits for threads that are ending, so that the windows
        // of the test need not.
        let quiet = Window::process().measure(|| thread::sleep(QUIET_FOR));
        // Other kernels are not asked.
        let sleep = || !cfg!(target_os = "linux") || others_sleep().unwrap_or(false);
        match quiet {
            Ok(measured) if measured.tally == Tally::ZERO && sleep() => return,
            Ok(_) => {}
            // The assertions of the test report that.
            Err(_) => return,
        }
        assert!(
            begin.elapsed() < MAX_WAIT,
            "other threads keep running, so the counts of the process would not be exact\n  \
             start no thread before `in_fresh_process`"
        );
    }
}

/// Whether the kernel says that all other threads sleep, if the folder of threads can be read.
fn others_sleep() -> io::Result<bool> {
    // `PID/task/TID`
    let own = fs::read_link("/proc/thread-self")?;
    for task in fs::read_dir("/proc/self/task")? {
        let task = task?;
        if Some(&*task.file_name()) == own.file_name() {
            continue;
        }
        // The state follows the name, which is in parentheses and can have any character.
        let stat = fs::read_to_string(task.path().join("stat"))?;
        let state = stat.rsplit_once(") ").map(|(_, rest)| rest);
        if !state.is_some_and(|state| state.starts_with('S')) {
            return Ok(false);
        }
    }
    Ok(true)
}
