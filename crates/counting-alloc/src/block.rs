//! [`Block`]: what one thread counts with. It knows what its owner wishes; who
//! owns it is the registry's business.

use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use crate::counters::{Counters, Flags};
use crate::first::Trace;
use crate::native::platform::counters::NativeCounters;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64};
use crate::tally::Tally;

/// The sheets of one thread, and its place in the list.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Block {
    /// What all owners counted since the block was made.
    pub(crate) main: Counters,
    /// The same for regions that are excluded from counting.
    pub(crate) excluded: Counters,
    /// The next block of the list; written before the block is published.
    pub(crate) next: AtomicPtr<Block>,
    /// Whether a running thread owns the block.
    pub(crate) owned: AtomicBool,
    /// The number of the hand-over that gave the block to its owner.
    pub(crate) taken: AtomicU64,
    /// Where the owner wants its operations written down, innermost first; null
    /// for nowhere. Only the owner writes, and only the owner follows it.
    trace: AtomicPtr<Trace>,
    /// `main` as it stood when the current owner took the block. Written by the
    /// owner before its first operation, read by the owner alone.
    inherited: Counters,
    /// What C code took from `malloc` while the owners counted in `main`.
    pub(crate) native: NativeCounters,
}

impl Block {
    constructor! {
        /// A block that nobody owns, with all counters at zero.
        pub(crate) fn new() -> Self {
            Self {
                main: Counters::new(Flags::NONE),
                excluded: Counters::new(Flags::NONE),
                next: AtomicPtr::new(ptr::null_mut()),
                owned: AtomicBool::new(false),
                taken: AtomicU64::new(0),
                trace: AtomicPtr::new(ptr::null_mut()),
                inherited: Counters::new(Flags::NONE),
                native: NativeCounters::new(),
            }
        }
    }

    /// What the current owner counted.
    pub(crate) fn counted_by_owner(&self) -> Tally {
        self.main.read() - self.inherited.read()
    }

    /// Makes the block ready for a new owner, who calls this before its first
    /// operation.
    pub(crate) fn inherit(&self) {
        self.inherited.write(self.main.read());
        self.set_trace(ptr::null_mut());
        self.main.lower(Flags::PEAK);
    }

    pub(crate) fn trace(&self) -> *mut Trace {
        self.trace.load(Relaxed)
    }

    /// For the owner.
    pub(crate) fn set_trace(&self, trace: *mut Trace) {
        self.trace.store(trace, Relaxed);
        if trace.is_null() {
            self.main.lower(Flags::TRACE);
        } else {
            self.main.raise(Flags::TRACE);
        }
    }
}
