//! [`failure_of`]: the message and the place of a failed assertion, from the panic of a
//! closure. It uses thread-locals, since each test has its own thread.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic's message, and the line of the assertion.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The whole text. The operations of other threads are replaced by `[..]`, since
    /// other tests cause them, and the hint at these is left out.
    #[cfg(all(feature = "sites", debug_assertions))]
    pub(crate) text: String,
    /// The text without what is about the lines of code.
    pub(crate) message: String,
    /// The table of lines, or why there is none.
    pub(crate) lines: Vec<String>,
    /// The file that panicked, and its line.
    pub(crate) place: (String, u32),
}

thread_local! {
    /// Whether this thread is in `failure_of`. A panic is not printed then, since a
    /// backtrace would take time and memory.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<Option<(String, u32)>> = const { Cell::new(None) };
}

/// The failure of `f`, which has to panic.
pub(crate) fn failure_of<T>(f: impl FnOnce() -> T) -> Failure {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if EXPECTED.get() {
                let place = info.location();
                PLACE.set(place.map(|at| (at.file().to_owned(), at.line())));
            } else {
                previous(info);
            }
        }));
    });
    EXPECTED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(f));
    EXPECTED.set(false);
    let Err(payload) = outcome else {
        panic!("the assertion held");
    };
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .expect("a message");
    let text = redacted(message);
    let (message, lines) = without_lines(&text);
    Failure {
        message,
        lines,
        #[cfg(all(feature = "sites", debug_assertions))]
        text,
        place: PLACE.take().expect("a place"),
    }
}

/// The text without what is about the lines of code: an excerpt and a table before the
/// figures, or a last line. And the table or that line.
fn without_lines(text: &str) -> (String, Vec<String>) {
    if let Some((message, reason)) = text.split_once("\n  lines:            ") {
        return (message.to_owned(), vec![reason.to_owned()]);
    }
    let figures = ["\n\n  repeats: ", "\n\n  counted: "];
    let Some(end) = figures.iter().filter_map(|label| text.find(label)).min() else {
        return (text.to_owned(), Vec::new());
    };
    let (before, figures) = text.split_at(end);
    let before: Vec<&str> = before.lines().collect();
    let excerpt = before.iter().position(|line| line.contains("--> "));
    let table = before.iter().position(|line| line.ends_with("  line"));
    let table = table.expect("a table is before the figures");
    let message = before[..excerpt.unwrap_or(table)].join("\n");
    let table = before[table..].iter().map(|line| line.trim().to_owned());
    (message + &figures[1..], table.collect())
}

fn redacted(message: &str) -> String {
    const OTHERS: &str = "  other threads:    ";
    const HINT: &str = "  hint:             other threads allocated meanwhile";
    let lines = message.lines().filter(|line| !line.starts_with(HINT));
    let lines = lines.map(|line| {
        if line.starts_with(OTHERS) {
            format!("{OTHERS}[..]")
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Asserts that each failure is at its line of `file`.
pub(crate) fn assert_places<const N: usize>(file: &str, failures: [(Failure, u32); N]) {
    for (failure, line) in failures {
        let place = (file.to_owned(), line);
        assert_eq!(failure.place, place, "{}", failure.message);
    }
}

/// The line about how these tests were built.
pub(crate) const BUILD: &str = if cfg!(debug_assertions) {
    "  build:            debug; a release build can count fewer, because the optimizer removes \
     allocations"
} else {
    "  build:            release; a debug build can count more, because it keeps unused \
     allocations"
};
