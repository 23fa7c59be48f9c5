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
pub(super) fn open() -> Result<crate::floor::Floor, crate::subject::Unavailable> {
    super::absent("rlsf has a global allocator for Unix alone, not for this system")
}

#[cfg(unix)]
mod unix {
    use std::ptr::NonNull;

    use ::rlsf::{CAlloc, GlobalTlsf};

    use crate::subject::{GlobalWithSizes, Unavailable};

    /// The only one: a second would share the lock and never return its memory.
    static PROCESS: GlobalWithSizes<GlobalTlsf> = GlobalWithSizes(GlobalTlsf::new(), |block| {
        let block = NonNull::new(block)?;
        // SAFETY: the block is live and of this allocator.
        Some(unsafe { PROCESS.0.allocation_usable_size(block) })
    });

    pub(in super::super) fn open() -> Result<&'static GlobalWithSizes<GlobalTlsf>, Unavailable> {
        Ok(&PROCESS)
    }
}
