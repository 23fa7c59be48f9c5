//! [`Block`]: the counters of one thread. It knows how to add an operation and
//! how to be read; who owns it is the registry's business.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64};

use crate::Tally;

/// One thing that the inner allocator did, with its size in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
    Alloc { size: usize },
    Dealloc { size: usize },
    Grow { by: usize },
    Shrink { by: usize },
    Failed,
}

/// Aligned to two cache lines, because processors fetch them in pairs: no
/// thread's counting slows another's.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct Block {
    /// What all owners counted since the block was made.
    counted: Counters,
    /// Bytes live by the current owner's own operations; negative when it freed
    /// what others allocated. Not maintained in the shared block.
    live: AtomicI64,
    /// The highest `live` since the innermost open window set it.
    peak: AtomicI64,
    /// The next block of the list; written before the block is published.
    pub(crate) next: AtomicPtr<Block>,
    /// Whether a running thread owns the block.
    pub(crate) owned: AtomicBool,
    /// The number of the hand-over that gave the block to its owner.
    pub(crate) taken: AtomicU64,
    /// `counted` as it stood when the current owner took the block.
    inherited: Counters,
}

/// The fields of a [`Tally`], readable from any thread.
#[derive(Debug)]
struct Counters {
    allocs: AtomicU64,
    alloc_bytes: AtomicU64,
    deallocs: AtomicU64,
    dealloc_bytes: AtomicU64,
    grows: AtomicU64,
    grow_bytes: AtomicU64,
    shrinks: AtomicU64,
    shrink_bytes: AtomicU64,
    failed: AtomicU64,
}

impl Block {
    /// A block that nobody owns, with all counters at zero.
    pub(crate) const fn new() -> Self {
        Self {
            counted: Counters::new(),
            live: AtomicI64::new(0),
            peak: AtomicI64::new(0),
            next: AtomicPtr::new(ptr::null_mut()),
            owned: AtomicBool::new(false),
            taken: AtomicU64::new(0),
            inherited: Counters::new(),
        }
    }

    /// Adds `operation` for the thread that owns the block: no other thread
    /// writes, so a load and a store do, without a locked instruction.
    #[inline(always)]
    pub(crate) fn add_owned(&self, operation: Operation) {
        #[inline(always)]
        fn add(counter: &AtomicU64, n: usize) {
            counter.store(counter.load(Relaxed).wrapping_add(n as u64), Relaxed);
        }
        let counted = &self.counted;
        match operation {
            Operation::Alloc { size } => {
                add(&counted.allocs, 1);
                add(&counted.alloc_bytes, size);
                self.rise(size);
            }
            Operation::Dealloc { size } => {
                add(&counted.deallocs, 1);
                add(&counted.dealloc_bytes, size);
                self.fall(size);
            }
            Operation::Grow { by } => {
                add(&counted.grows, 1);
                add(&counted.grow_bytes, by);
                self.rise(by);
            }
            Operation::Shrink { by } => {
                add(&counted.shrinks, 1);
                add(&counted.shrink_bytes, by);
                self.fall(by);
            }
            Operation::Failed => add(&counted.failed, 1),
        }
    }

    /// Adds `operation` from any thread. Live bytes and their peak are not
    /// kept: they belong to an owner.
    pub(crate) fn add_shared(&self, operation: Operation) {
        fn add(counter: &AtomicU64, n: usize) {
            counter.fetch_add(n as u64, Relaxed);
        }
        let counted = &self.counted;
        match operation {
            Operation::Alloc { size } => {
                add(&counted.allocs, 1);
                add(&counted.alloc_bytes, size);
            }
            Operation::Dealloc { size } => {
                add(&counted.deallocs, 1);
                add(&counted.dealloc_bytes, size);
            }
            Operation::Grow { by } => {
                add(&counted.grows, 1);
                add(&counted.grow_bytes, by);
            }
            Operation::Shrink { by } => {
                add(&counted.shrinks, 1);
                add(&counted.shrink_bytes, by);
            }
            Operation::Failed => add(&counted.failed, 1),
        }
    }

    /// What all owners counted. Exact for what happened before the call; of an
    /// owner that is running, it may hold one half of an operation.
    pub(crate) fn counted(&self) -> Tally {
        self.counted.read()
    }

    /// What the current owner counted.
    pub(crate) fn counted_by_owner(&self) -> Tally {
        self.counted.read() - self.inherited.read()
    }

    /// Makes the block ready for a new owner, who calls this before its first
    /// operation.
    pub(crate) fn inherit(&self) {
        self.inherited.write(self.counted.read());
        self.live.store(0, Relaxed);
        self.peak.store(0, Relaxed);
    }

    #[inline(always)]
    fn rise(&self, bytes: usize) {
        let live = self.live.load(Relaxed).wrapping_add(bytes as i64);
        self.live.store(live, Relaxed);
        if live > self.peak.load(Relaxed) {
            self.peak.store(live, Relaxed);
        }
    }

    #[inline(always)]
    fn fall(&self, bytes: usize) {
        self.live
            .store(self.live.load(Relaxed).wrapping_sub(bytes as i64), Relaxed);
    }
}

/// The span of a window over the owner's live bytes: on opening, the peak
/// restarts at the present level; on closing, the outer window's peak is put
/// back, no lower than what was reached inside.
#[derive(Debug)]
pub(crate) struct PeakSpan<'block> {
    block: &'block Block,
    level: i64,
    outer_peak: i64,
    closed: Cell<bool>,
}

impl<'block> PeakSpan<'block> {
    /// For the owner of `block` alone. Spans close in the reverse order of
    /// their opening.
    pub(crate) fn open(block: &'block Block) -> Self {
        let level = block.live.load(Relaxed);
        let outer_peak = block.peak.load(Relaxed);
        block.peak.store(level, Relaxed);
        Self {
            block,
            level,
            outer_peak,
            closed: Cell::new(false),
        }
    }

    /// The most bytes live at once above the level at the opening.
    pub(crate) fn close(&self) -> u64 {
        let peak = self.block.peak.load(Relaxed);
        if !self.closed.replace(true) {
            self.block.peak.store(peak.max(self.outer_peak), Relaxed);
        }
        peak.wrapping_sub(self.level).cast_unsigned()
    }
}

/// A panic that unwinds through a window closes it too.
impl Drop for PeakSpan<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

impl Counters {
    const fn new() -> Self {
        Self {
            allocs: AtomicU64::new(0),
            alloc_bytes: AtomicU64::new(0),
            deallocs: AtomicU64::new(0),
            dealloc_bytes: AtomicU64::new(0),
            grows: AtomicU64::new(0),
            grow_bytes: AtomicU64::new(0),
            shrinks: AtomicU64::new(0),
            shrink_bytes: AtomicU64::new(0),
            failed: AtomicU64::new(0),
        }
    }

    fn read(&self) -> Tally {
        Tally {
            allocs: self.allocs.load(Relaxed),
            alloc_bytes: self.alloc_bytes.load(Relaxed),
            deallocs: self.deallocs.load(Relaxed),
            dealloc_bytes: self.dealloc_bytes.load(Relaxed),
            grows: self.grows.load(Relaxed),
            grow_bytes: self.grow_bytes.load(Relaxed),
            shrinks: self.shrinks.load(Relaxed),
            shrink_bytes: self.shrink_bytes.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }

    fn write(&self, tally: Tally) {
        self.allocs.store(tally.allocs, Relaxed);
        self.alloc_bytes.store(tally.alloc_bytes, Relaxed);
        self.deallocs.store(tally.deallocs, Relaxed);
        self.dealloc_bytes.store(tally.dealloc_bytes, Relaxed);
        self.grows.store(tally.grows, Relaxed);
        self.grow_bytes.store(tally.grow_bytes, Relaxed);
        self.shrinks.store(tally.shrinks, Relaxed);
        self.shrink_bytes.store(tally.shrink_bytes, Relaxed);
        self.failed.store(tally.failed, Relaxed);
    }
}
