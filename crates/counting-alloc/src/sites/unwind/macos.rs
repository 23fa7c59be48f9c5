//! The stack of a thread on macOS.

use std::ffi::c_void;
use std::ops::Range;

// The interface of libSystem. `pthread_t` is a pointer.
unsafe extern "C" {
    fn pthread_self() -> *mut c_void;
    /// The end of the stack, from which it grows down.
    fn pthread_get_stackaddr_np(thread: *mut c_void) -> *mut c_void;
    fn pthread_get_stacksize_np(thread: *mut c_void) -> usize;
}

/// The addresses of the calling thread's stack.
#[cold]
pub(crate) fn stack_of_thread() -> Range<usize> {
    // SAFETY: the function has no arguments.
    let thread = unsafe { pthread_self() };
    // SAFETY: the thread runs.
    let end = unsafe { pthread_get_stackaddr_np(thread) }.addr();
    // SAFETY: as above.
    let size = unsafe { pthread_get_stacksize_np(thread) };
    end.saturating_sub(size)..end
}
