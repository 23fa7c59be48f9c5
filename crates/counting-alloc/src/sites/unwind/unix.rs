//! The call stack by the unwinder that std links.

use std::ffi::{c_int, c_void};

/// Whether stacks can be captured.
pub(crate) const AVAILABLE: bool = true;

/// The unwinder's view of a frame.
#[repr(C)]
struct Context {
    _opaque: [u8; 0],
}

/// What a walk passes to its callback.
type Each<'w> = &'w mut dyn FnMut(usize, usize) -> bool;

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

/// Calls `each` for every frame, innermost first, until it returns `false`: with the address at
/// which the frame begins, and the return address into its function.
#[inline(never)]
pub(crate) fn walk(mut each: Each<'_>) {
    unsafe extern "C" fn callback(context: *mut Context, data: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes the context of a frame.
        let address = unsafe { _Unwind_GetIP(context) };
        // SAFETY: as above.
        let start = unsafe { _Unwind_GetCFA(context) };
        // SAFETY: `data` is the reference that `walk` made, which nothing else uses.
        let each = unsafe { &mut *data.cast::<Each<'_>>() };
        if address != 0 && each(start, address) {
            NO_REASON
        } else {
            NORMAL_STOP
        }
    }

    let data = (&raw mut each).cast();
    // SAFETY: the callback does not unwind, and `data` outlives the call.
    unsafe { _Unwind_Backtrace(callback, data) };
}
