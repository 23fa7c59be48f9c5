//! The call stack by the unwinder that std links, and aborts by their signal.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
mod frames;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(target_os = "macos", path = "macos.rs")]
mod thread;

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

use crate::native::platform::caller::as_rust;
use crate::sites::memo::Slot;
use frames::Frames;
pub(crate) use thread::stack_of_thread;

/// The unwinder's view of a frame.
#[repr(C)]
struct Context {
    _opaque: [u8; 0],
}

/// What a walk passes to its callback.
type Walk<'w> = (Frames, &'w mut dyn FnMut(Slot) -> bool);

type Callback = unsafe extern "C" fn(*mut Context, *mut c_void) -> c_int;

// The interface of the Itanium C++ ABI, and signals of POSIX.
unsafe extern "C" {
    fn _Unwind_Backtrace(callback: Callback, data: *mut c_void) -> c_int;
    fn _Unwind_GetIP(context: *mut Context) -> usize;
    fn _Unwind_GetCFA(context: *mut Context) -> usize;
    fn signal(number: c_int, handler: Handler) -> usize;
    fn sigaction(number: c_int, action: *const Action, before: *mut Action) -> c_int;
    fn raise(number: c_int) -> c_int;
}

/// A handler of a signal.
type Handler = extern "C" fn(c_int);

/// Space for a `struct sigaction`, which has 152 bytes with glibc and with musl, and 16 on macOS.
type Action = [u64; 32];

/// The number of the signal of `abort` on Linux and macOS.
const SIGABRT: c_int = 6;

/// What happened at an abort before.
static BEFORE: OnceLock<Action> = OnceLock::new();

/// Goes on with the next frame.
const NO_REASON: c_int = 0;
/// Ends the walk.
const NORMAL_STOP: c_int = 4;

/// Calls `each` for every frame, innermost first, until it returns `false`. An address should
/// lie at its place, which is looked for in this stack of the thread.
#[inline(never)]
pub(crate) fn walk(stack: Range<usize>, each: &mut dyn FnMut(Slot) -> bool) {
    unsafe extern "C" fn callback(context: *mut Context, data: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes the context of a frame.
        let address = unsafe { _Unwind_GetIP(context) };
        // SAFETY: as above.
        let frame = unsafe { _Unwind_GetCFA(context) };
        // SAFETY: `data` is the reference that `walk` made, which nothing else uses.
        let (frames, each) = unsafe { &mut *data.cast::<Walk<'_>>() };
        let place = frames.place(context, address, frame);
        if address != 0 && each(Slot { place, address }) {
            NO_REASON
        } else {
            NORMAL_STOP
        }
    }

    let mut walk: Walk<'_> = (Frames::new(stack), each);
    let data = (&raw mut walk).cast();
    // The unwinder may call `malloc`, which is not the program's.
    //
    // SAFETY: the callback does not unwind, and `data` outlives the call.
    as_rust(|| unsafe { _Unwind_Backtrace(callback, data) });
}

/// Calls `handler` when the process aborts, on the thread that does.
pub(crate) fn on_abort(handler: Handler) {
    let mut before: Action = [0; 32];
    // SAFETY: no action is set, and the space for the present one is large enough.
    if unsafe { sigaction(SIGABRT, ptr::null(), &raw mut before) } != 0 {
        return;
    }
    if BEFORE.set(before).is_ok() {
        // SAFETY: the handler has the type that the function takes, and does not unwind.
        unsafe { signal(SIGABRT, handler) };
    }
}

/// Goes on with the abort as if there were no handler of this crate; for that handler.
pub(crate) fn abort_on() {
    let Some(before) = BEFORE.get() else { return };
    // SAFETY: it is an action that `sigaction` returned.
    unsafe { sigaction(SIGABRT, before, ptr::null_mut()) };
    // The signal is blocked until this handler returns.
    //
    // SAFETY: the function takes any signal.
    unsafe { raise(SIGABRT) };
}
