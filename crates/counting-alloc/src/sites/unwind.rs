//! The call stack of the calling thread.

#[cfg_attr(unix, path = "unwind/unix.rs")]
#[cfg_attr(windows, path = "unwind/windows.rs")]
mod system;

use std::ptr;

pub(crate) use system::{stack_of_thread, walk};

/// Whether stacks can be captured.
pub(crate) const AVAILABLE: bool = true;

/// The word at `address`.
///
/// # Safety
///
/// It is an aligned address between the calling function's frame and the end of the
/// stack of the calling thread.
#[inline(always)]
pub(crate) unsafe fn read_word(address: usize) -> usize {
    let place = ptr::with_exposed_provenance::<usize>(address);
    // Volatile, since the frames that wrote it are not the compiler's business here.
    //
    // SAFETY: that part of the stack is mapped and in use, by this function's contract.
    unsafe { place.read_volatile() }
}
