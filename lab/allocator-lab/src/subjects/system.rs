//! The allocator of the system, as `std::alloc::System` calls it: ptmalloc on Linux with
//! glibc.
//!
//! It is one for the process: the heap below the break, and mappings for large blocks.
//! Threads share it, each with an arena and a cache of small blocks. It returns memory to
//! the system: mappings at once, and the top of the heap when more than a threshold of it
//! is free. glibc tells the size of a block.
//!
//! Its costs depend on earlier allocations of the process. glibc raises that threshold when
//! a mapping of up to 32 MiB is freed: in a process that has once freed 16 MiB, a batch of
//! 10,000 blocks of 1 KB is no longer returned to the system, and costs tens of times less.
//! Scenarios in processes of their own make its figures comparable.

use std::alloc::{GlobalAlloc, Layout, System as Std};

use crate::subject::{Subject, Unavailable, forward_to_global_alloc};

/// The one of the process.
#[derive(Clone, Copy, Debug)]
pub(super) struct System(Std);

pub(super) fn open() -> Result<System, Unavailable> {
    Ok(System(Std))
}

// SAFETY: `GlobalAlloc` promises a block of the layout's size, or null, on all threads.
unsafe impl Subject for System {
    const TELLS_SIZES: bool = cfg!(all(target_os = "linux", target_env = "gnu"));

    forward_to_global_alloc!(0);

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe fn usable_size(&self, block: *mut u8, _layout: Layout) -> Option<usize> {
        // SAFETY: on this platform std's allocator is `malloc`, and the block is live.
        Some(unsafe { libc::malloc_usable_size(block.cast()) })
    }
}
