//! The message of an abort that follows a refused request.

use std::backtrace::Backtrace;
use std::ffi::c_int;
use std::fmt::Write;
use std::sync::Once;

use crate::refusal::Exceeded;
use crate::sites::platform;
use crate::sites::request_stack::alloc_errors;
use crate::threads::refused_by_ceiling;
use crate::uncounted::uncounted;

/// Makes the process say what was refused when a thread aborts in a window with a ceiling.
pub(crate) fn explain_aborts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| platform::on_abort(explain));
}

/// Runs on the thread that aborts, before the handler that was set before.
extern "C" fn explain(_: c_int) {
    // Of two errors, the first one may hold a lock of std for its backtrace. Without an error, the
    // process aborts for another reason.
    if alloc_errors() == 1 {
        if let Some(refused) = refused_by_ceiling() {
            uncounted(|| platform::write_error(&message(refused)));
        }
    }
    platform::abort_on();
}

/// What was refused, and the stack without the frames that report the error.
fn message(Exceeded { most, size, live }: Exceeded) -> String {
    let mut text = format!(
        "counting-alloc: a request of {size} bytes was refused: {live} bytes are live, and the \
         ceiling of the window is {most}\n"
    );
    let stack = Backtrace::force_capture().to_string();
    let lines: Vec<_> = stack.lines().collect();
    let error = lines
        .iter()
        .rposition(|line| line.contains("handle_alloc_error"));
    let after = &lines[error.map_or(0, |at| at + 1)..];
    // The file of that function.
    let is_place = |line: &&&str| line.trim_start().starts_with("at ");
    for line in after.iter().skip_while(is_place) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
    }
    text
}
