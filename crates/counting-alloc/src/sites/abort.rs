//! The message of an abort that follows a refused request.

use std::backtrace::Backtrace;
use std::ffi::c_int;
use std::sync::Once;

use crate::message;
use crate::refusal::Exceeded;
use crate::sites::platform;
use crate::sites::request_stack::alloc_errors;
use crate::stack_text::own_frames;
use crate::threads::refused_by_ceiling;
use crate::uncounted::uncounted;

/// Makes the process say what was refused when a thread aborts in a window with a ceiling.
pub(crate) fn explain_aborts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| platform::on_abort(explain));
}

/// Runs on the thread that aborts, before the handler that was set before.
extern "C" fn explain(_: c_int) {
    // With musl, the unwinder does not see below a handler, so that there are no errors.
    //
    // Of two errors, the first one may hold a lock of std for its backtrace. Without an error, the
    // process aborts for another reason.
    if alloc_errors() == 1 {
        if let Some(refused) = refused_by_ceiling() {
            uncounted(|| message::write(&text(refused)));
        }
    }
    platform::abort_on();
}

/// What was refused, and the stack without the frames that report the error.
fn text(Exceeded { most, size, live }: Exceeded) -> String {
    let stack = own_frames(&Backtrace::force_capture(), |line| {
        line.contains("handle_alloc_error")
    });
    format!(
        "counting-alloc: a request of {size} bytes was refused: {live} bytes are live, and the \
         ceiling of the window is {most}\n{stack}"
    )
}
