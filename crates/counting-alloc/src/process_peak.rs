//! The peak of the process: live bytes that all threads add to, and the highest
//! they were in each window that is open. Locked instructions, one or two per
//! operation; kept only while such a window is open.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::sync::{AtomicI64, AtomicU64};

/// Windows with a process peak that may be open at once, on all threads.
const SLOTS: usize = 16;

/// Live bytes of the process, and a slot for each open window.
#[derive(Debug)]
pub(crate) struct ProcessPeaks {
    /// Slots that are somebody's: bit `i` for slot `i`.
    claimed: AtomicU64,
    /// Slots whose `highest` is set up. A subset of `claimed`.
    open: AtomicU64,
    /// Only ever added to. What it stood at when a window opened is that
    /// window's level; it means nothing else.
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

    /// Whether any window wants operations to come here.
    pub(crate) fn is_kept(&self) -> bool {
        self.open.load(Acquire) != 0
    }

    /// A slot that starts at the present level; `None` when all are taken.
    pub(crate) fn open(&self) -> Option<Slot> {
        let index = self.claim()?;
        let level = self.live.load(Acquire);
        self.highest[index].store(level, Relaxed);
        self.open.fetch_or(1 << index, AcqRel);
        Some(Slot { index, level })
    }

    /// The most bytes live at once above the level at the opening.
    pub(crate) fn close(&self, slot: &Slot) -> u64 {
        self.open.fetch_and(!(1 << slot.index), AcqRel);
        let highest = self.highest[slot.index].load(Acquire);
        self.claimed.fetch_and(!(1 << slot.index), AcqRel);
        highest.wrapping_sub(slot.level).cast_unsigned()
    }

    /// Follows an operation that made `net` more bytes live.
    pub(crate) fn follow(&self, net: isize) {
        let net = net as i64;
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
    core::array::from_fn(|_| AtomicI64::new(0))
}
