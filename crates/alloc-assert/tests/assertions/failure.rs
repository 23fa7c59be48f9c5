//! [`failure_of`]: the message and the place of a failed assertion, from the panic of a
//! closure. It uses thread-locals, since each test has its own thread.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic's message, and the line of the assertion.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) text: String,
    /// The text without the lines of code, and without the operations of other threads, since
    /// other tests cause them.
    pub(crate) message: String,
    /// The table of lines, made from the excerpt if there is one line, or why there is none.
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
    let text = message.to_owned();
    let (message, lines) = without_lines(&without_others(&text));
    Failure {
        text,
        message,
        lines,
        place: PLACE.take().expect("a place"),
    }
}

/// The text without the lines of code: an excerpt and a table after the headline, or a last line.
/// And the table or that line.
fn without_lines(text: &str) -> (String, Vec<String>) {
    if let Some((message, reason)) = text.split_once("\n  lines:            ") {
        return (message.to_owned(), vec![reason.to_owned()]);
    }
    let Some((before, rows)) = text.rsplit_once("\n\n") else {
        return (text.to_owned(), Vec::new());
    };
    let before: Vec<&str> = before.lines().collect();
    let excerpt = before.iter().position(|line| line.contains("--> "));
    let table = before.iter().position(|line| line.ends_with("  line"));
    let head = excerpt.or(table).expect("lines are before the rows");
    let message = before[..head].join("\n") + "\n" + rows;
    let lines = match table {
        Some(table) => before[table..]
            .iter()
            .map(|line| line.trim().to_owned())
            .collect(),
        None => only_line(&before[head..]),
    };
    (message, lines)
}

fn only_line(excerpt: &[&str]) -> Vec<String> {
    let (_, place) = excerpt[0].split_once("--> ").expect("a place");
    let (_, label) = excerpt[3].split_once("^ ").expect("a label");
    let values = label.split(", ").filter_map(|value| value.split_once(' '));
    let (names, values): (Vec<&str>, Vec<&str>) = values.unzip();
    vec![
        format!("{} line", names.join(" ")),
        format!("{} {place}", values.join(" ")),
    ]
}

/// The text without the operations of other threads, which two lines show.
fn without_others(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(at) = lines
        .iter()
        .position(|line| line.starts_with("  other threads: "))
    {
        lines.drain(at..at + 2);
    }
    lines.join("\n")
}

/// Asserts that each failure is at its line of `file`.
pub(crate) fn assert_places<const N: usize>(file: &str, failures: [(Failure, u32); N]) {
    for (failure, line) in failures {
        let place = (file.to_owned(), line);
        assert_eq!(failure.place, place, "{}", failure.message);
    }
}
