//! [`Registry`]: the list of all blocks, the change of their owners, and the modes
//! that they all follow. It does not use thread-locals and has no static instance,
//! so that models can run it. Nothing here locks, unwinds or allocates.

use std::iter;
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use crate::block::Block;
use crate::counters::{Counters, Flags, Modes};
use crate::process_peak::{ProcessPeaks, Slot};
use crate::sync::{AtomicPtr, AtomicU64, fence};
use crate::tally::Tally;

/// All blocks, and the modes of the process.
#[derive(Debug)]
pub(crate) struct Registry {
    /// The newest block; the others follow through `next`. Blocks are never
    /// freed.
    newest: AtomicPtr<Block>,
    /// The counters of threads without a block: while they acquire one, after they
    /// released it, or because there was no memory for one.
    pub(crate) shared: Counters,
    /// How often a thread acquired a block so far.
    taken: AtomicU64,
    /// Operations of threads that had released their block already. Late
    /// destructors of a program cause them. Up to Rust 1.88 the standard library
    /// does so too: it frees the thread's handle that late.
    late: AtomicU64,
    /// Pauses that began, so that a window notices a pause that also ended.
    pauses_begun: AtomicU64,
    /// Pauses that have changed the modes; they stay counted when they end.
    pauses_in_force: AtomicU64,
    /// The modes that all counters follow: the number of requests for each mode,
    /// and a version.
    modes: AtomicU64,
    pub(crate) peaks: ProcessPeaks,
}

// The parts of `modes`, from the lowest bit: the number of windows that keep the
// process's peak, the number of pauses in force, and the version.
const ONE_PEAK: u64 = 1;
const ONE_PAUSE: u64 = 1 << 8;
const ONE_VERSION: u64 = 1 << 32;

impl Registry {
    constructor! {
        /// A registry without blocks, in the mode "counting".
        pub(crate) fn new() -> Self {
            Self {
                newest: AtomicPtr::new(ptr::null_mut()),
                shared: Counters::new(Flags::UNOWNED),
                taken: AtomicU64::new(0),
                late: AtomicU64::new(0),
                pauses_begun: AtomicU64::new(0),
                pauses_in_force: AtomicU64::new(0),
                modes: AtomicU64::new(0),
                peaks: ProcessPeaks::new(),
            }
        }
    }

    /// Acquires a block for the calling thread of `process`: one that another thread
    /// released, or else the one that `make` makes with `owned` set. `None` when `make` has
    /// no memory for a block.
    pub(crate) fn acquire(
        &self,
        process: u64,
        make: impl FnOnce() -> Option<&'static Block>,
    ) -> Option<&'static Block> {
        let released = self.blocks().find(|block| {
            // Acquire: the new owner sees the counts of the last one.
            !block.owned.load(Relaxed)
                && block
                    .owned
                    .compare_exchange(false, true, Acquire, Relaxed)
                    .is_ok()
        });
        let block = match released {
            Some(block) => block,
            None => {
                let made = make()?;
                self.publish(made);
                made
            }
        };
        block.inherit();
        block.process.store(process, Relaxed);
        block
            .taken
            .store(self.taken.fetch_add(1, AcqRel) + 1, Relaxed);
        self.follow(block, self.modes());
        Some(block)
    }

    /// Releases the calling thread's block for another thread.
    pub(crate) fn release(block: &Block) {
        // Release: the next owner, and a window that waits for this, see all
        // counts.
        block.owned.store(false, Release);
    }

    fn publish(&self, block: &'static Block) {
        let pointer = ptr::from_ref(block).cast_mut();
        let mut newest = self.newest.load(Relaxed);
        loop {
            block.next.store(newest, Relaxed);
            // Release: a thread that finds the block finds it initialised.
            match self
                .newest
                .compare_exchange_weak(newest, pointer, AcqRel, Relaxed)
            {
                Ok(_) => break,
                Err(now) => newest = now,
            }
        }
        // Pairs with the fence in `follow_all`: either `follow_all` finds the block,
        // or this thread sees the mode that was changed before.
        fence(SeqCst);
    }

    /// All blocks, the newest first.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &'static Block> {
        let deref = |block: *mut Block| {
            // SAFETY: `newest` and every `next` hold null or a block that was
            // fully written before it was published, and blocks are never freed.
            unsafe { block.as_ref() }
        };
        iter::successors(deref(self.newest.load(Acquire)), move |block| {
            deref(block.next.load(Acquire))
        })
    }

    /// The operations of all threads.
    pub(crate) fn total(&self) -> Tally {
        self.blocks()
            .fold(self.shared.read(), |sum, block| sum + block.main.read())
    }

    /// The operations of all threads in regions that are excluded from counting.
    pub(crate) fn total_excluded(&self) -> Tally {
        self.blocks()
            .fold(Tally::ZERO, |sum, block| sum + block.excluded.read())
    }

    /// How often a thread acquired a block so far: a mark in time for
    /// [`held_since`](Self::held_since).
    pub(crate) fn taken_so_far(&self) -> u64 {
        self.taken.load(Acquire)
    }

    /// How many threads of `process` other than the owner of `mine` hold a block that they
    /// acquired after `mark`. Such threads may not have ended yet.
    pub(crate) fn held_since(&self, mark: u64, process: u64, mine: Option<&Block>) -> u64 {
        let held = self.blocks().filter(|block| {
            // Acquire: a thread that sees the block released sees its counts.
            block.owned.load(Acquire)
                && block.taken.load(Relaxed) > mark
                && block.process.load(Relaxed) == process
                && !mine.is_some_and(|mine| ptr::eq(*block, mine))
        });
        held.count() as u64
    }

    /// The number of operations so far of threads that had released their block.
    pub(crate) fn late_so_far(&self) -> u64 {
        self.late.load(Acquire)
    }

    /// Adds a late operation. It was counted before.
    pub(crate) fn add_late(&self) {
        // Release: a thread that sees the number sees the operation.
        self.late.fetch_add(1, Release);
    }

    /// Switches counting off until `resume` was called as often as `pause`.
    pub(crate) fn pause(&self) {
        self.pauses_begun.fetch_add(1, AcqRel);
        let modes = self.change(ONE_PAUSE);
        self.pauses_in_force.fetch_add(1, AcqRel);
        self.follow_all(modes);
    }

    /// Ends one pause.
    pub(crate) fn resume(&self) {
        let modes = self.change(ONE_PAUSE.wrapping_neg());
        self.follow_all(modes);
    }

    /// Whether a pause is in force.
    pub(crate) fn is_paused(&self) -> bool {
        self.modes().flags.contain(Flags::OFF)
    }

    /// A mark for [`was_paused_since`](Self::was_paused_since); `None` while a
    /// pause is in force or is beginning.
    pub(crate) fn unpaused(&self) -> Option<u64> {
        // The order matters. A pause in the first number is in the modes, or has
        // ended. A pause that is only in the last number is beginning.
        let in_force = self.pauses_in_force.load(Acquire);
        let is_paused = self.is_paused();
        let begun = self.pauses_begun.load(Acquire);
        (!is_paused && begun == in_force).then_some(begun)
    }

    /// Whether a pause since `mark` may have kept an operation from being counted,
    /// in a block that followed the modes after the mark was taken.
    pub(crate) fn was_paused_since(&self, mark: u64) -> bool {
        // A thread that found counting switched off sees the pause that did it.
        fence(Acquire);
        self.pauses_begun.load(Acquire) != mark
    }

    /// Begins to keep the process's peak for a window; `None` when too many windows do.
    pub(crate) fn open_peak(&self) -> Option<Slot> {
        let slot = self.peaks.open()?;
        let modes = self.change(ONE_PEAK);
        self.follow_all(modes);
        Some(slot)
    }

    /// Ends it, and returns the peak.
    pub(crate) fn close_peak(&self, slot: &Slot) -> u64 {
        let peak = self.peaks.close(slot);
        let modes = self.change(ONE_PEAK.wrapping_neg());
        self.follow_all(modes);
        peak
    }

    /// Makes the block follow the present modes before a window relies on them. The
    /// thread that changed them may not have reached the block yet.
    pub(crate) fn follow_now(&self, block: &Block) {
        self.follow(block, self.modes());
    }

    /// Makes all blocks follow the present modes.
    pub(crate) fn follow_all_now(&self) {
        self.follow_all(self.modes());
    }

    fn modes(&self) -> Modes {
        Self::decode(self.modes.load(Acquire))
    }

    /// Changes the modes by `difference`, and returns the new modes.
    fn change(&self, difference: u64) -> Modes {
        let difference = difference.wrapping_add(ONE_VERSION);
        let before = self.modes.fetch_add(difference, AcqRel);
        Self::decode(before.wrapping_add(difference))
    }

    fn decode(modes: u64) -> Modes {
        let off = if modes as u32 >= ONE_PAUSE as u32 {
            Flags::OFF
        } else {
            Flags::NONE
        };
        let peak = if modes as u8 > 0 {
            Flags::PROCESS_PEAK
        } else {
            Flags::NONE
        };
        Modes {
            version: (modes / ONE_VERSION) as u32,
            flags: off.and(peak),
        }
    }

    /// Makes all blocks follow `modes`. A block that is published at the same time
    /// follows them by itself.
    ///
    /// Several threads may run this at once with different versions. Counters only
    /// follow a later version than their own.
    fn follow_all(&self, modes: Modes) {
        // Pairs with the fence in `publish`.
        fence(SeqCst);
        for block in self.blocks() {
            self.follow(block, modes);
        }
    }

    fn follow(&self, block: &Block, modes: Modes) {
        block.main.follow(modes);
        // Excluded operations are not part of any peak.
        let flags = if modes.flags.contain(Flags::OFF) {
            Flags::OFF
        } else {
            Flags::NONE
        };
        block.excluded.follow(Modes { flags, ..modes });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {

    use super::*;

    #[test]
    fn a_thread_of_the_process_before_a_fork_is_not_waited_for() {
        // Static, as the blocks of a registry are: Miri reports others as leaks.
        static REGISTRY: Registry = Registry::new();
        let made = || {
            let block: &'static Block = Box::leak(Box::new(Block::new()));
            block.owned.store(true, Relaxed);
            Some(block)
        };
        let (parent, child) = (7, 8);
        for _ in 0..2 {
            REGISTRY.acquire(parent, made);
        }
        assert_eq!(REGISTRY.held_since(0, parent, None), 2);
        assert_eq!(REGISTRY.held_since(0, child, None), 0);
        let begun = REGISTRY.acquire(child, made);
        assert_eq!(REGISTRY.held_since(0, child, None), 1);
        assert_eq!(REGISTRY.held_since(0, child, begun), 0);
    }
}
