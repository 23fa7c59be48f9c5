//! rlsf: two-level segregated fit, whose time does not grow with the number of blocks.
//!
//! It is one for the process, and maps memory in pieces of 64 KiB or more, which are joined
//! where they adjoin. Threads share it behind one mutex of the operating system. It joins
//! freed blocks with their free neighbours, and returns nothing to the system. It tells the
//! size of a block.

#[cfg(unix)]
pub(super) use unix::open;

/// The crate has its global allocator for Unix and WebAssembly.
#[cfg(not(unix))]
pub(super) fn open() -> Result<crate::subject::Absent, crate::subject::Unavailable> {
    crate::subject::Absent::because(
        "rlsf has a global allocator for Unix alone, not for this system",
    )
}

#[cfg(unix)]
mod unix {
    use std::alloc::{GlobalAlloc, Layout};
    use std::ptr::NonNull;

    use ::rlsf::{CAlloc, GlobalTlsf};

    use crate::subject::{Subject, Unavailable};

    /// The only one: a second would share the lock and never return its memory.
    static PROCESS: GlobalTlsf = GlobalTlsf::new();

    /// The one of the process.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Rlsf;

    pub(in super::super) fn open() -> Result<Rlsf, Unavailable> {
        Ok(Rlsf)
    }

    // SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
    unsafe impl Subject for Rlsf {
        const TELLS_SIZES: bool = true;

        #[inline]
        fn take(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the size is not 0, as the contract of `take` has it.
            unsafe { PROCESS.alloc(layout) }
        }

        #[inline]
        unsafe fn give(&self, block: *mut u8, layout: Layout) {
            // SAFETY: the caller has the block from `take`, for this layout.
            unsafe { PROCESS.dealloc(block, layout) }
        }

        unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
            let block = NonNull::new(block)?;
            // SAFETY: the block is live and of this allocator.
            Some(unsafe { PROCESS.allocation_usable_size(block) })
        }
    }
}
