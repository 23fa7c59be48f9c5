//! [`Registry`]: the list of all blocks, how they change hands, and the modes
//! that they all follow. It knows nothing of thread-locals, and its one instance
//! is elsewhere, so that models of it can be made. Nothing here locks, unwinds
//! or allocates.

use core::iter;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

use crate::Tally;
use crate::block::Block;
use crate::process_peak::{ProcessPeaks, Slot};
use crate::sheet::{Gate, Sheet};
use crate::sync::{AtomicPtr, AtomicU64, AtomicUsize};

/// All blocks, and the modes of the process.
#[derive(Debug)]
pub(crate) struct Registry {
    /// The newest block; the others follow through `next`. Blocks are never
    /// freed.
    newest: AtomicPtr<Block>,
    /// What threads count that have no block of their own: while one is being
    /// taken up, after it was handed on, or because no memory was left for one.
    pub(crate) shared: Sheet,
    /// Hand-overs of blocks to threads so far.
    taken: AtomicU64,
    /// Operations of threads that had handed their block on already. With
    /// compilers of today there are none but those of a program's own late
    /// destructors; older ones free the thread's handle then.
    late: AtomicU64,
    /// Pauses in force at present.
    paused: AtomicUsize,
    /// Pauses ever begun, so that a window sees one that came and went.
    pauses: AtomicUsize,
    pub(crate) peaks: ProcessPeaks,
}

/// The gates of a block's two sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gates {
    main: Gate,
    aside: Gate,
}

impl Registry {
    constructor! {
        /// No blocks, counting.
        pub(crate) fn new() -> Self {
            Self {
                newest: AtomicPtr::new(ptr::null_mut()),
                shared: Sheet::new(Gate::RARE),
                taken: AtomicU64::new(0),
                late: AtomicU64::new(0),
                paused: AtomicUsize::new(0),
                pauses: AtomicUsize::new(0),
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
        self.settle(block);
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
            // Whoever finds the block finds it initialised; and in the one order
            // of modes and gates, see `settle`.
            match self
                .newest
                .compare_exchange_weak(newest, pointer, SeqCst, Relaxed)
            {
                Ok(_) => return,
                Err(now) => newest = now,
            }
        }
    }

    pub(crate) fn blocks(&self) -> impl Iterator<Item = &'static Block> {
        let deref = |block: *mut Block| {
            // SAFETY: `newest` and every `next` hold null or a block that was
            // written whole before it was published, and blocks are never
            // freed.
            unsafe { block.as_ref() }
        };
        iter::successors(deref(self.newest.load(SeqCst)), move |block| {
            deref(block.next.load(Acquire))
        })
    }

    /// What all threads counted.
    pub(crate) fn total(&self) -> Tally {
        self.blocks()
            .fold(self.shared.read(), |sum, block| sum + block.main.read())
    }

    /// What all threads did in regions that are excluded from counting.
    pub(crate) fn total_aside(&self) -> Tally {
        self.blocks()
            .fold(Tally::ZERO, |sum, block| sum + block.aside.read())
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
        self.pauses.fetch_add(1, SeqCst);
        self.paused.fetch_add(1, SeqCst);
        self.settle_all();
    }

    pub(crate) fn resume(&self) {
        self.paused.fetch_sub(1, SeqCst);
        self.settle_all();
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(SeqCst) != 0
    }

    /// The number of pauses ever begun, or `None` while one is in force.
    pub(crate) fn uninterrupted(&self) -> Option<usize> {
        let begun = self.pauses.load(SeqCst);
        (!self.is_paused()).then_some(begun)
    }

    /// Begins to keep the process's peak; `None` when too many windows do.
    pub(crate) fn open_peak(&self) -> Option<Slot> {
        let slot = self.peaks.open()?;
        self.settle_all();
        Some(slot)
    }

    pub(crate) fn close_peak(&self, slot: &Slot) -> u64 {
        let peak = self.peaks.close(slot);
        self.settle_all();
        peak
    }

    /// Sets the block's gates to what the modes and its owner's wishes ask for.
    ///
    /// Whoever changes a mode does so before it comes here, on all blocks that
    /// are in the list; whoever publishes a block comes here afterwards. Several
    /// may be here at once: each looks again after it wrote. All of this is
    /// sequentially consistent, so the last to write a gate sees the last change
    /// of a mode, and the gate is right when all have returned.
    pub(crate) fn settle(&self, block: &Block) {
        loop {
            let gates = self.gates(block);
            block.main.set_gate(gates.main);
            block.aside.set_gate(gates.aside);
            if self.gates(block) == gates {
                return;
            }
        }
    }

    fn settle_all(&self) {
        for block in self.blocks() {
            self.settle(block);
        }
    }

    fn gates(&self, block: &Block) -> Gates {
        if self.is_paused() {
            return Gates {
                main: Gate::OFF,
                aside: Gate::OFF,
            };
        }
        let main = if self.peaks.is_kept() || !block.trace().is_null() {
            Gate::RARE
        } else if block.keeps_peak() {
            Gate::PEAK
        } else {
            Gate::COUNTING
        };
        Gates {
            main,
            aside: Gate::COUNTING,
        }
    }
}
