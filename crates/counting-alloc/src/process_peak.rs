//! [`ProcessPeaks`]: the live bytes of all threads, and their maximum in each open
//! window that keeps the peak of the process, with the same of blocks and the sizes of all
//! requests if the window keeps them. An operation costs one or two locked instructions
//! while such a window is open, and more with blocks or sizes.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::operation::Operation;
use crate::sizes::{SizeCounts, SizeLimits, Sizes};
use crate::sync::{AtomicI64, AtomicU64};

/// The number of windows that can keep the process's peak at once, on all threads.
const SLOTS: usize = 16;

/// Live bytes of the process, and a slot for each open window.
#[derive(Debug)]
pub(crate) struct ProcessPeaks {
    /// The slots that have an owner: bit `i` for slot `i`.
    claimed: AtomicU64,
    /// The slots whose `highest` is set up. A subset of `claimed`.
    open: AtomicU64,
    /// Live bytes, relative to an arbitrary origin. Each window compares it with
    /// the value at its opening.
    live: AtomicI64,
    /// The highest `live` in each window.
    highest: [AtomicI64; SLOTS],
    /// The slots that keep the peak of blocks. A subset of `claimed`.
    with_blocks: AtomicU64,
    /// Live blocks, relative to an arbitrary origin, followed while a slot keeps their peak.
    live_blocks: AtomicI64,
    /// The highest `live_blocks` in each window that keeps it.
    highest_blocks: [AtomicI64; SLOTS],
    /// The sizes in each window that keeps them.
    sizes: [SizeCounts; SLOTS],
}

/// An open window's slot.
#[derive(Debug)]
pub(crate) struct Slot {
    index: usize,
    level: i64,
    /// The live blocks at the opening, if it keeps their peak.
    level_of_blocks: Option<i64>,
}

/// What a slot keeps besides the peak of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SlotSettings<'l> {
    pub(crate) blocks: bool,
    /// The limits of sizes; `None` if it keeps no sizes.
    pub(crate) limits: Option<&'l SizeLimits>,
}

/// What a slot kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotKept {
    /// The most bytes live at once above the level at the opening.
    pub(crate) peak: u64,
    /// The same of blocks.
    pub(crate) peak_blocks: Option<u64>,
    pub(crate) sizes: Option<Sizes>,
}

impl ProcessPeaks {
    constructor! {
        pub(crate) fn new() -> Self {
            Self {
                claimed: AtomicU64::new(0),
                open: AtomicU64::new(0),
                live: AtomicI64::new(0),
                highest: highest_at_zero(),
                with_blocks: AtomicU64::new(0),
                live_blocks: AtomicI64::new(0),
                highest_blocks: highest_at_zero(),
                sizes: [const { SizeCounts::new() }; SLOTS],
            }
        }
    }

    /// Whether any window keeps the process's peak.
    pub(crate) fn is_kept(&self) -> bool {
        self.open.load(Acquire) != 0
    }

    /// Opens a slot at the present level; `None` when all slots are taken.
    pub(crate) fn open(&self, settings: SlotSettings<'_>) -> Option<Slot> {
        let index = self.claim()?;
        let level = self.live.load(Acquire);
        self.highest[index].store(level, Relaxed);
        let level_of_blocks = settings.blocks.then(|| {
            let level = self.live_blocks.load(Acquire);
            self.highest_blocks[index].store(level, Relaxed);
            level
        });
        if let Some(limits) = settings.limits {
            self.sizes[index].open(limits);
        }
        if settings.blocks {
            self.with_blocks.fetch_or(1 << index, AcqRel);
        }
        self.open.fetch_or(1 << index, AcqRel);
        Some(Slot {
            index,
            level,
            level_of_blocks,
        })
    }

    /// Closes the slot, and returns what it kept.
    pub(crate) fn close(&self, slot: &Slot) -> SlotKept {
        let index = slot.index;
        self.open.fetch_and(!(1 << index), AcqRel);
        let highest = self.highest[index].load(Acquire);
        let peak_blocks = slot.level_of_blocks.map(|level| {
            self.with_blocks.fetch_and(!(1 << index), AcqRel);
            let highest = self.highest_blocks[index].load(Acquire);
            highest.wrapping_sub(level) as u64
        });
        let sizes = self.sizes[index].close();
        self.claimed.fetch_and(!(1 << index), AcqRel);
        SlotKept {
            peak: highest.wrapping_sub(slot.level) as u64,
            peak_blocks,
            sizes,
        }
    }

    /// Adds an operation.
    pub(crate) fn follow(&self, operation: Operation) {
        let net = operation.net_bytes() as i64;
        let live = self.live.fetch_add(net, AcqRel).wrapping_add(net);
        self.follow_blocks(operation);
        let Some(size) = operation.requested() else {
            return;
        };
        let mut open = self.open.load(Acquire);
        while open != 0 {
            let index = open.trailing_zeros() as usize;
            if net > 0 {
                self.highest[index].fetch_max(live, AcqRel);
            }
            self.sizes[index].add(size);
            open &= open - 1;
        }
    }

    /// Adds an operation to the live blocks, if a window keeps their peak.
    fn follow_blocks(&self, operation: Operation) {
        let mut slots = self.with_blocks.load(Acquire);
        let net = operation.net_blocks();
        if slots == 0 || net == 0 {
            return;
        }
        let live = self.live_blocks.fetch_add(net, AcqRel).wrapping_add(net);
        while net > 0 && slots != 0 {
            let index = slots.trailing_zeros() as usize;
            self.highest_blocks[index].fetch_max(live, AcqRel);
            slots &= slots - 1;
        }
    }

    fn claim(&self) -> Option<usize> {
        let mut claimed = self.claimed.load(Relaxed);
        loop {
            let index = (!claimed).trailing_zeros() as usize;
            if index >= SLOTS {
                return None;
            }
            match self
                .claimed
                .compare_exchange_weak(claimed, claimed | 1 << index, AcqRel, Relaxed)
            {
                Ok(_) => return Some(index),
                Err(now) => claimed = now,
            }
        }
    }
}

#[cfg(not(all(test, loom)))]
const fn highest_at_zero() -> [AtomicI64; SLOTS] {
    [const { AtomicI64::new(0) }; SLOTS]
}

#[cfg(all(test, loom))]
fn highest_at_zero() -> [AtomicI64; SLOTS] {
    core::array::from_fn(|_| AtomicI64::new(0))
}
