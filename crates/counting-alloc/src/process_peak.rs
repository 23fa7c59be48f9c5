//! [`ProcessPeaks`]: the live bytes of all threads, and their maximum in each open
//! window that keeps the peak of the process. An operation costs one or two locked instructions
//! while such a window is open.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::operation::Operation;
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
}

/// An open window's slot.
#[derive(Debug)]
pub(crate) struct Slot {
    index: usize,
    level: i64,
}

impl ProcessPeaks {
    constructor! {
        pub(crate) fn new() -> Self {
            Self {
                claimed: AtomicU64::new(0),
                open: AtomicU64::new(0),
                live: AtomicI64::new(0),
                highest: highest_at_zero(),
            }
        }
    }

    /// Whether any window keeps the process's peak.
    pub(crate) fn is_kept(&self) -> bool {
        self.open.load(Acquire) != 0
    }

    /// Opens a slot at the present level; `None` when all slots are taken.
    pub(crate) fn open(&self) -> Option<Slot> {
        let index = self.claim()?;
        let level = self.live.load(Acquire);
        self.highest[index].store(level, Relaxed);
        self.open.fetch_or(1 << index, AcqRel);
        Some(Slot { index, level })
    }

    /// Closes the slot, and returns the most bytes live at once above the level at the opening.
    pub(crate) fn close(&self, slot: &Slot) -> u64 {
        let index = slot.index;
        self.open.fetch_and(!(1 << index), AcqRel);
        let highest = self.highest[index].load(Acquire);
        self.claimed.fetch_and(!(1 << index), AcqRel);
        highest.wrapping_sub(slot.level) as u64
    }

    /// Adds an operation.
    pub(crate) fn follow(&self, operation: Operation) {
        let net = operation.net_bytes() as i64;
        let live = self.live.fetch_add(net, AcqRel).wrapping_add(net);
        if net <= 0 {
            return;
        }
        let mut open = self.open.load(Acquire);
        while open != 0 {
            let index = open.trailing_zeros() as usize;
            self.highest[index].fetch_max(live, AcqRel);
            open &= open - 1;
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
    std::array::from_fn(|_| AtomicI64::new(0))
}
