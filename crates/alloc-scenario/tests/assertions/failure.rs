//! What a failed assertion says and where: the panic of a closure as a value.
//! Each test has its own thread, and so may this.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic's message, and the line of the assertion.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The whole text. What the other threads of this process did is no matter
    /// of these tests, and stands there as `[..]`.
    pub(crate) message: String,
    /// The file that panicked, and its line.
    pub(crate) place: (String, u32),
}

thread_local! {
    /// Whether this thread is in `failure_of`: then a panic is not printed, which
    /// costs time and memory where it has a backtrace.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<Option<(String, u32)>> = const { Cell::new(None) };
}

/// Runs `f`, which has to panic.
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
    Failure {
        message: redacted(
            payload
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
                .expect("a message"),
        ),
        place: PLACE.take().expect("a place"),
    }
}

fn redacted(message: &str) -> String {
    const OTHERS: &str = "  other threads:    ";
    let lines = message.lines().map(|line| {
        if line.starts_with(OTHERS) {
            format!("{OTHERS}[..]")
        } else {
            line.to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The line about how these tests were built.
pub(crate) const BUILD: &str = if cfg!(debug_assertions) {
    "  build:            with debug assertions; without them code can allocate differently"
} else {
    "  build:            without debug assertions; with them code can allocate differently"
};

/// What stands behind the other figures where what C takes is counted, of code that
/// calls none.
pub(crate) const NATIVE: &str = if cfg!(all(
    feature = "native",
    target_os = "linux",
    target_env = "gnu"
)) {
    ", native-allocs 0, native-bytes 0"
} else {
    ""
};
