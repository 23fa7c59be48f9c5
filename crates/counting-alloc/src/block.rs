//! [`Block`]: the counters of one thread and the settings of its windows. The
//! registry decides which thread owns a block.

use std::ptr;

use crate::counters::{Counters, Flags};
use crate::first::FreePlaces;
#[cfg(all(feature = "sites", not(all(test, loom))))]
use crate::sites::capture::ThreadSites;
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64};
use crate::tally::Tally;

/// The counters of one thread, and the block's place in the list of all blocks.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Block {
    /// The operations of all owners since the block was made.
    pub(crate) main: Counters,
    /// The operations in regions that are excluded from counting.
    pub(crate) excluded: Counters,
    /// The next block of the list; written before the block is published.
    pub(crate) next: AtomicPtr<Block>,
    /// Whether a running thread owns the block.
    pub(crate) owned: AtomicBool,
    /// The number of the acquisition that gave the block to its owner.
    pub(crate) taken: AtomicU64,
    /// The process in which it was acquired. A fork copies the blocks of all threads, and
    /// only one of the threads.
    pub(crate) process: AtomicU64,
    /// `main` at the time when the current owner acquired the block. The owner
    /// writes it before its first operation, and only the owner reads it.
    inherited: Counters,
    /// The stacks of the owner's operations, in windows that capture them.
    #[cfg(all(feature = "sites", not(all(test, loom))))]
    pub(crate) sites: ThreadSites,
}

impl Block {
    constructor! {
        /// A block without an owner, with all counters at zero.
        pub(crate) fn new() -> Self {
            Self {
                main: Counters::new(Flags::NONE),
                excluded: Counters::new(Flags::NONE),
                next: AtomicPtr::new(ptr::null_mut()),
                owned: AtomicBool::new(false),
                taken: AtomicU64::new(0),
                process: AtomicU64::new(0),
                inherited: Counters::new(Flags::NONE),
                #[cfg(all(feature = "sites", not(all(test, loom))))]
                sites: ThreadSites::new(),
            }
        }
    }

    /// The operations of the current owner.
    pub(crate) fn counted_by_owner(&self) -> Tally {
        self.main.read() - self.inherited.read()
    }

    /// Prepares the block for a new owner. The owner calls this before its first
    /// operation.
    pub(crate) fn inherit(&self) {
        self.inherited.write(self.main.read());
        // SAFETY: there are no places.
        unsafe { self.main.set_room(FreePlaces::NONE) };
        self.main.lower(Flags::PEAK);
        #[cfg(all(feature = "sites", not(all(test, loom))))]
        {
            self.main.lower(Flags::SITES);
            // SAFETY: the calling thread is the new owner.
            unsafe { self.sites.reset() };
        }
    }
}
