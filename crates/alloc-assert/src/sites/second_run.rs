//! The lines of a window that captured no call stacks: the test runs once more, alone in a
//! process of its own, which captures those of this window, writes the lines to a file and ends.

use std::cell::Cell;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::process::{self, Stdio};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use alloc_requirement::Number;
use counting_alloc::window_numbers::{REQUEST, WindowPart, take_requested};

use crate::own_executable;
use crate::sites::stacks::Stacks;
use crate::sites::{Failed, table};

/// The variable with the path of the file that the second process writes.
const LINES: &str = "ALLOC_ASSERT_LINES";

/// How long a test may take until it fails again. It may wait for what the first one holds.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// How many failures of a test have a second run. A test of many inputs can fail often.
const MOST_RUNS: u32 = 3;

/// Whether this process is the second one.
pub(super) fn is_second() -> bool {
    env::var_os(LINES).is_some()
}

/// The lines of a part of a window of this thread.
pub(super) fn lines(
    window: Option<(NonZeroU64, WindowPart)>,
    failed: &Failed<'_>,
) -> Result<Vec<String>, String> {
    thread_local! {
        static RUNS: Cell<u32> = const { Cell::new(0) };
    }
    let request = window.and_then(|(number, part)| part.request(number));
    let current = thread::current();
    let name = current.name().filter(|name| *name != "main");
    let (Some(request), Some(name)) = (request, name) else {
        return Err(String::from(
            "not known; a window has some if it is measured on the thread of a `#[test]`",
        ));
    };
    if let Some(path) = env::var_os(LINES) {
        if env::var(REQUEST).is_ok_and(|requested| requested == request) {
            write_and_exit(path, failed);
        }
        return Err(String::from("not known in the second run of a test"));
    }
    if RUNS.replace(RUNS.get() + 1) >= MOST_RUNS {
        return Err(format!(
            "not known; the first {MOST_RUNS} failures of a test have some"
        ));
    }
    let text = run(name, &request);
    let text = text.map_err(|error| format!("not known: the test can't run again: {error}"))?;
    let mut lines = text.lines().map(str::to_owned);
    match (lines.next().as_deref(), lines.next()) {
        (Some("shown"), Some(had)) if had == figures(failed) => Ok(lines.collect()),
        (Some("shown"), Some(had)) => {
            let note = format!("  These are from a second run of the test, which had {had}.");
            Ok(lines.chain([note]).collect())
        }
        (Some("not shown"), _) => Err(lines.collect()),
        _ => Err(String::from(
            "not known: the test did not fail here when it ran again in a process of its own",
        )),
    }
}

/// What the second process writes. Empty if it ends otherwise, or takes too long.
fn run(test: &str, request: &str) -> io::Result<String> {
    // Other tests of this process may run again meanwhile.
    static FILES: AtomicU32 = AtomicU32::new(0);
    let number = FILES.fetch_add(1, Relaxed);
    let file = format!("alloc-assert-{}-{number}", process::id());
    let path = env::temp_dir().join(file);
    // While libtest captures the output, a thread that is started makes more blocks.
    let is_no_capture = |arg: &String| matches!(&**arg, "--nocapture" | "--no-capture");
    let mut child = own_executable::test(test)?
        .args(env::args().find(is_no_capture))
        .env(REQUEST, request)
        .env(LINES, &path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let begin = Instant::now();
    while child.try_wait()?.is_none() {
        if begin.elapsed() > MAX_WAIT {
            child.kill()?;
            child.wait()?;
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    let text = fs::read_to_string(&path);
    let _ = fs::remove_file(&path);
    Ok(text.unwrap_or_default())
}

/// Ends the second process. The first one says that there are no lines if this fails.
fn write_and_exit(path: OsString, failed: &Failed<'_>) -> ! {
    let text = take_requested().map(|mut sites| {
        let stacks = Stacks {
            place: failed.place,
            stacks: sites.stacks().to_vec(),
            counts: sites.take_counts(),
            scope: failed.scope,
            tally: failed.tally,
        };
        let figures = figures(failed);
        match table::lines(&stacks, failed.metrics) {
            Ok(lines) => format!("shown\n{figures}\n{}\n", lines.join("\n")),
            Err(reason) => format!("not shown\n{figures}\n{reason}\n"),
        }
    });
    let _ = fs::write(path, text.unwrap_or_default());
    process::exit(0);
}

/// The metrics to show, with their values.
fn figures(failed: &Failed<'_>) -> String {
    let figures = failed.metrics.iter().filter_map(|metric| {
        let value = Number::from(metric.value(failed.reading)?);
        Some(format!("{metric} {value}"))
    });
    figures.collect::<Vec<_>>().join(", ")
}
