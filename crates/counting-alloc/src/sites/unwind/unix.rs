//! The call stack by the unwinder that std links.

#[cfg_attr(target_arch = "x86_64", path = "x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
mod frames;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(target_os = "macos", path = "macos.rs")]
mod thread;

use std::ffi::{c_int, c_void};
use std::ops::Range;

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

// The interface of the Itanium C++ ABI.
unsafe extern "C" {
    fn _Unwind_Backtrace(callback: Callback, data: *mut c_void) -> c_int;
    fn _Unwind_GetIP(context: *mut Context) -> usize;
    fn _Unwind_GetCFA(context: *mut Context) -> usize;
}

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
    // SAFETY: the callback does not unwind, and `data` outlives the call.
    unsafe { _Unwind_Backtrace(callback, data) };
}
