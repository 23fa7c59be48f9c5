//! rlsf: two-level segregated fit, whose time does not grow with the number of blocks.
//!
//! It is one for the process, and maps memory in pieces of 64 KiB or more, which are joined
//! where they adjoin. Threads share it behind one mutex of the operating system. It joins
//! freed blocks with their free neighbours, and returns nothing to the system. It tells the
//! size of a block.

use std::ptr::NonNull;

use ::rlsf::{CAlloc, GlobalTlsf};

use crate::subject::GlobalWithSizes;

/// The only one: a second would share the lock and never return its memory.
static PROCESS: GlobalWithSizes<GlobalTlsf> = GlobalWithSizes(GlobalTlsf::new(), |block| {
    let block = NonNull::new(block)?;
    // SAFETY: the block is live and of this allocator.
    Some(unsafe { PROCESS.0.allocation_usable_size(block) })
});

pub(super) fn open() -> &'static GlobalWithSizes<GlobalTlsf> {
    &PROCESS
}
