//! The allocator of the system, as `std::alloc::System` calls it: ptmalloc on Linux with
//! glibc.
//!
//! It is one for the process: the heap below the break, and mappings for large blocks.
//! Threads share it, each with an arena and a cache of small blocks. It returns memory to
//! the system: mappings at once, and the top of the heap when more than a threshold of it
//! is free. It tells the size of a block.
//!
//! Its costs depend on earlier allocations of the process. glibc raises that threshold when
//! a mapping of up to 32 MiB is freed: in a process that has once freed 16 MiB, a batch of
//! 10,000 blocks of 1 KB is no longer returned to the system, and costs tens of times less.
//! Scenarios in processes of their own make its values comparable.
//!
//! `system-keep` is the same with two of glibc's parameters, which a program sets by `mallopt`
//! or a user by `GLIBC_TUNABLES`: blocks of up to 32 MiB are not mapped, and the top of the heap
//! is not returned. They are for the whole process, which has no other subject.

use std::alloc::System;

use crate::subject::GlobalWithSizes;

pub(super) fn open() -> GlobalWithSizes<System> {
    GlobalWithSizes(System, |block| {
        // SAFETY: std's allocator is `malloc`, and the block is live.
        Some(unsafe { libc::malloc_usable_size(block.cast()) })
    })
}

#[cfg(target_env = "gnu")]
pub(super) fn open_keep() -> GlobalWithSizes<System> {
    // The largest that glibc accepts on 64 bits.
    const MOST_UNMAPPED: libc::c_int = 32 << 20;
    for (parameter, value) in [
        (libc::M_MMAP_THRESHOLD, MOST_UNMAPPED),
        (libc::M_TRIM_THRESHOLD, libc::c_int::MAX),
    ] {
        // SAFETY: glibc takes its own lock.
        let is_set = unsafe { libc::mallopt(parameter, value) };
        assert_eq!(
            is_set, 1,
            "mallopt refuses {value} for its parameter {parameter}"
        );
    }
    open()
}
