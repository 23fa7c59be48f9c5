//! [`Registry`]: the list of all blocks, how they change hands, and the modes
//! that they all follow. It knows nothing of thread-locals, and its one instance
//! is elsewhere, so that models of it can be made. Nothing here locks, unwinds
//! or allocates.

use core::iter;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

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
    /// What threads count that have no block of their own: while one is being
    /// taken up, after it was handed on, or because no memory was left for one.
    pub(crate) shared: Counters,
    /// Hand-overs of blocks to threads so far.
    taken: AtomicU64,
    /// Operations of threads that had handed their block on already. With
    /// compilers of today there are none but those of a program's own late
    /// destructors; older ones free the thread's handle then.
    late: AtomicU64,
    /// Pauses ever begun, and those of them that have changed the modes: so that
    /// a window sees one that came and went.
    pauses_begun: AtomicU64,
    pauses_in_force: AtomicU64,
    /// The modes that all sheets follow: how many ask for each, and a version.
    modes: AtomicU64,
    pub(crate) peaks: ProcessPeaks,
}

// What `modes` consists of, from the lowest bit on: the windows that keep the
// process's peak, of which there are few, the pauses in force, and the version.
const ONE_PEAK: u64 = 1;
const ONE_PAUSE: u64 = 1 << 8;
const ONE_VERSION: u64 = 1 << 32;

impl Registry {
    constructor! {
        /// No blocks, counting.
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

    /// A block that another thread handed on, or else the one that `make` makes
    /// with `owned` set; ready for the calling thread. `None` when `make` has
    /// no memory for one.
    pub(crate) fn take_up(
        &self,
        make: impl FnOnce() -> Option<&'static Block>,
    ) -> Option<&'static Block> {
        let handed_on = self.blocks().find(|block| {
            // Acquire: what the last owner counted is seen by the next.
            !block.owned.load(Relaxed)
                && block
                    .owned
                    .compare_exchange(false, true, Acquire, Relaxed)
                    .is_ok()
        });
        let block = match handed_on {
            Some(block) => block,
            None => {
                let made = make()?;
                self.publish(made);
                made
            }
        };
        block.inherit();
        block
            .taken
            .store(self.taken.fetch_add(1, AcqRel) + 1, Relaxed);
        self.follow(block, self.modes());
        Some(block)
    }

    /// Leaves the calling thread's block to whoever comes next.
    pub(crate) fn hand_on(block: &Block) {
        // Release: the next owner, and a window that waits for this, see all
        // that was counted.
        block.owned.store(false, Release);
    }

    fn publish(&self, block: &'static Block) {
        let pointer = ptr::from_ref(block).cast_mut();
        let mut newest = self.newest.load(Relaxed);
        loop {
            block.next.store(newest, Relaxed);
            // Release: whoever finds the block finds it initialised.
            match self
                .newest
                .compare_exchange_weak(newest, pointer, AcqRel, Relaxed)
            {
                Ok(_) => break,
                Err(now) => newest = now,
            }
        }
        // Pairs with the fence in `follow_all`: either that finds the block, or
        // this thread sees the mode that was changed before.
        fence(SeqCst);
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &'static Block> {
        let deref = |block: *mut Block| {
            // SAFETY: `newest` and every `next` hold null or a block that was
            // written whole before it was published, and blocks are never
            // freed.
            unsafe { block.as_ref() }
        };
        iter::successors(deref(self.newest.load(Acquire)), move |block| {
            deref(block.next.load(Acquire))
        })
    }

    /// What all threads counted.
    pub(crate) fn total(&self) -> Tally {
        self.blocks()
            .fold(self.shared.read(), |sum, block| sum + block.main.read())
    }

    /// What all threads did in regions that are excluded from counting.
    pub(crate) fn total_excluded(&self) -> Tally {
        self.blocks()
            .fold(Tally::ZERO, |sum, block| sum + block.excluded.read())
    }

    /// The number of hand-overs so far: a mark in time for
    /// [`held_since`](Self::held_since).
    pub(crate) fn taken_so_far(&self) -> u64 {
        self.taken.load(Acquire)
    }

    /// Whether a thread other than the owner of `mine` holds a block that it
    /// took up after `mark`, so that it may not have come to its end.
    pub(crate) fn held_since(&self, mark: u64, mine: Option<&Block>) -> bool {
        self.blocks().any(|block| {
            // Acquire: once a block is seen handed on, its counts are seen too.
            block.owned.load(Acquire)
                && block.taken.load(Relaxed) > mark
                && !mine.is_some_and(|mine| ptr::eq(block, mine))
        })
    }

    /// Operations so far of threads that had handed their block on.
    pub(crate) fn late_so_far(&self) -> u64 {
        self.late.load(Acquire)
    }

    /// Notes that an operation came late, after it was counted.
    pub(crate) fn came_late(&self) {
        // Release: whoever sees the number sees the operation.
        self.late.fetch_add(1, Release);
    }

    /// Switches counting off, until as many `resume`s came.
    pub(crate) fn pause(&self) {
        self.pauses_begun.fetch_add(1, AcqRel);
        let modes = self.change(ONE_PAUSE);
        self.pauses_in_force.fetch_add(1, AcqRel);
        self.follow_all(modes);
    }

    pub(crate) fn resume(&self) {
        let modes = self.change(ONE_PAUSE.wrapping_neg());
        self.follow_all(modes);
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.modes().flags.contain(Flags::OFF)
    }

    /// A mark for [`was_paused_since`](Self::was_paused_since); `None` while a
    /// pause is in force or is about to be.
    pub(crate) fn unpaused(&self) -> Option<u64> {
        // In this order: whatever pause is in the first number is in the modes,
        // or has ended in them; one that is in the last alone is on its way.
        let in_force = self.pauses_in_force.load(Acquire);
        let is_paused = self.is_paused();
        let begun = self.pauses_begun.load(Acquire);
        (!is_paused && begun == in_force).then_some(begun)
    }

    /// Whether an operation may have been lost to a pause since `mark`: of a
    /// block that followed the modes after it was taken.
    pub(crate) fn was_paused_since(&self, mark: u64) -> bool {
        // A thread that found itself switched off sees the pause that did it.
        fence(Acquire);
        self.pauses_begun.load(Acquire) != mark
    }

    /// Begins to keep the process's peak; `None` when too many windows do.
    pub(crate) fn open_peak(&self) -> Option<Slot> {
        let slot = self.peaks.open()?;
        let modes = self.change(ONE_PEAK);
        self.follow_all(modes);
        Some(slot)
    }

    pub(crate) fn close_peak(&self, slot: &Slot) -> u64 {
        let peak = self.peaks.close(slot);
        let modes = self.change(ONE_PEAK.wrapping_neg());
        self.follow_all(modes);
        peak
    }

    /// Has the block follow the modes as they are, before anything relies on it:
    /// whoever changed them may not have come to it yet.
    pub(crate) fn follow_now(&self, block: &Block) {
        self.follow(block, self.modes());
    }

    /// Has all blocks follow the modes as they are.
    pub(crate) fn follow_all_now(&self) {
        self.follow_all(self.modes());
    }

    fn modes(&self) -> Modes {
        Self::decode(self.modes.load(Acquire))
    }

    /// Changes the modes by `difference`, and returns what they are then.
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

    /// Has all blocks follow `modes`. Blocks that are published at the same time
    /// follow them by themselves.
    ///
    /// Several threads may be here with different versions: a sheet only ever
    /// goes on to a later one.
    fn follow_all(&self, modes: Modes) {
        // Pairs with the fence in `publish`.
        fence(SeqCst);
        for block in self.blocks() {
            self.follow(block, modes);
        }
    }

    fn follow(&self, block: &Block, modes: Modes) {
        block.main.follow(modes);
        // What is excluded from counting is no part of any peak.
        let flags = if modes.flags.contain(Flags::OFF) {
            Flags::OFF
        } else {
            Flags::NONE
        };
        block.excluded.follow(Modes { flags, ..modes });
    }
}
