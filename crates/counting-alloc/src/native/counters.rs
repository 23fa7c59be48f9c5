//! [`NativeCounters`]: atomic counters of the calls of `malloc` that C code makes.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::compiler_fence;

use crate::native::tally::NativeTally;
use crate::sync::AtomicU64;

/// One call of C code, with the requested size.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    Alloc { size: usize },
    Realloc { size: usize },
    Free,
    Failed,
}

/// Counters of the calls of one thread, or of all threads without a block.
#[derive(Debug)]
pub(crate) struct NativeCounters {
    allocs: AtomicU64,
    bytes: AtomicU64,
    reallocs: AtomicU64,
    realloc_bytes: AtomicU64,
    frees: AtomicU64,
    failed: AtomicU64,
}

impl NativeCounters {
    /// All counters at zero.
    pub(crate) const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            reallocs: AtomicU64::new(0),
            realloc_bytes: AtomicU64::new(0),
            frees: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    #[inline(always)]
    pub(super) fn add(&self, call: Call, add: impl Fn(&AtomicU64, u64)) {
        match call {
            Call::Alloc { size } => {
                add(&self.allocs, 1);
                add(&self.bytes, size as u64);
            }
            Call::Realloc { size } => {
                add(&self.reallocs, 1);
                add(&self.realloc_bytes, size as u64);
            }
            Call::Free => add(&self.frees, 1),
            Call::Failed => add(&self.failed, 1),
        }
    }

    /// The counters at present.
    pub(crate) fn read(&self) -> NativeTally {
        // Calls that the compiler takes for pure may have written before.
        compiler_fence(SeqCst);
        NativeTally {
            allocs: self.allocs.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            reallocs: self.reallocs.load(Relaxed),
            realloc_bytes: self.realloc_bytes.load(Relaxed),
            frees: self.frees.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }
}
