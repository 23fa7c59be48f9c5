//! [`Counters`]: a set of counters, and the flags that say how operations are
//! counted.

use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::first::{FreePlaces, Place};
use crate::operation::Operation;
use crate::sync::{AtomicI64, AtomicPtr, AtomicU64};
use crate::tally::Tally;

/// A set of flags that says how an operation is counted.
///
/// The numbers of the flags are chosen for speed. One comparison, read without and
/// with sign, distinguishes the frequent cases: counting, counting switched off, and
/// counting with the owner's peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Flags(u8);

impl Flags {
    /// Operations are counted.
    pub(crate) const NONE: Self = Self(0);
    /// The owner's peak is kept.
    pub(crate) const PEAK: Self = Self(1 << 1);
    /// The stacks of the owner's operations are captured.
    pub(crate) const SITES: Self = Self(1 << 2);
    /// The owner's operations are recorded.
    pub(crate) const TRACE: Self = Self(1 << 3);
    /// The peak of the process is kept, or the stacks of its operations are captured.
    pub(crate) const PROCESS_PEAK: Self = Self(1 << 4);
    /// The counters have no owner.
    pub(crate) const UNOWNED: Self = Self(1 << 5);
    /// Counting is switched off.
    pub(crate) const OFF: Self = Self(1 << 7);

    /// The owner's peak is kept and its operations are recorded, as in a window of `measure`.
    pub(crate) const RECORDING: Self = Self(Self::PEAK.0 | Self::TRACE.0);

    /// Below this number, a `dealloc` has to be counted and nothing else.
    pub(crate) const ABOVE_PEAK: Self = Self(Self::PEAK.0 + 1);

    /// The flags that the owner sets; the others follow the modes of the process.
    const OWNERS: u8 = Self::RECORDING.0 | Self::SITES.0;

    /// Whether counting is switched off, for flags that are not below `bound`, which
    /// is [`Self::PEAK`] or the next number.
    ///
    /// The sign would show it as well. With this comparison, the processor compares
    /// once for both questions.
    #[inline(always)]
    pub(crate) const fn are_off(self, bound: Self) -> bool {
        (self.0 as i8) < bound.0 as i8
    }

    /// Whether no flags are set other than the owner's for peaks and recording.
    #[inline(always)]
    pub(crate) const fn are_owners(self) -> bool {
        self.0 & !Self::RECORDING.0 == 0
    }

    #[inline(always)]
    pub(crate) const fn contain(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The modes of the process at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    /// A number that rises with every change. It may wrap: versions are compared by
    /// the sign of their difference.
    pub(crate) version: u32,
    /// The flags that the modes set.
    pub(crate) flags: Flags,
}

/// A set of counters behind a gate of flags.
///
/// It is aligned to two cache lines, because processors fetch them in pairs, so that
/// no thread's counting slows another's. The fields that every pair of calls uses
/// come first.
#[repr(C, align(128))]
#[derive(Debug)]
pub(crate) struct Counters {
    /// The flags in the lowest byte, and the version of the modes that they follow
    /// in the upper half.
    gate: AtomicU64,
    /// Calls of `alloc` and `alloc_zeroed`. Reallocations are added when the counters are
    /// read, so that a `realloc` has one counter to raise.
    blocks: AtomicU64,
    bytes: AtomicU64,
    deallocs: AtomicU64,
    freed_bytes: AtomicU64,
    /// The owner's peak: the highest value of `bytes` less `freed_bytes`. It is kept while
    /// the flags say so.
    peak: AtomicI64,
    reallocs: AtomicU64,
    failed: AtomicU64,
    /// Where the owner's next operation is recorded, while the flags say so. Only the owner
    /// reads and writes it.
    next: AtomicPtr<Place>,
    /// The end of that buffer; equal to `next` for none.
    end: AtomicPtr<Place>,
}

impl Counters {
    constructor! {
        /// All counters at zero, with these flags.
        pub(crate) fn new(flags: Flags) -> Self {
            Self {
                gate: AtomicU64::new(flags.0 as u64),
                blocks: AtomicU64::new(0),
                bytes: AtomicU64::new(0),
                deallocs: AtomicU64::new(0),
                freed_bytes: AtomicU64::new(0),
                peak: AtomicI64::new(0),
                reallocs: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                next: AtomicPtr::new(ptr::null_mut()),
                end: AtomicPtr::new(ptr::null_mut()),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn flags(&self) -> Flags {
        Flags(self.gate.load(Relaxed) as u8)
    }

    /// Sets `flag`; for the owner.
    pub(crate) fn raise(&self, flag: Flags) {
        self.gate.fetch_or(flag.0.into(), AcqRel);
    }

    /// Clears `flag`; for the owner.
    pub(crate) fn lower(&self, flag: Flags) {
        self.gate.fetch_and(!u64::from(flag.0), AcqRel);
    }

    /// Follows `modes`, unless the gate follows later modes already. The owner's
    /// flags stay.
    pub(crate) fn follow(&self, modes: Modes) {
        let mut gate = self.gate.load(Acquire);
        loop {
            let ahead = modes.version.wrapping_sub((gate >> 32) as u32);
            if ahead as i32 <= 0 {
                return;
            }
            let flags = modes.flags.0 | (gate as u8 & Flags::OWNERS);
            let new = u64::from(modes.version) << 32 | u64::from(flags);
            match self.gate.compare_exchange_weak(gate, new, AcqRel, Acquire) {
                Ok(_) => return,
                Err(now) => gate = now,
            }
        }
    }

    /// Adds `operation` for the owning thread.
    #[inline(always)]
    pub(crate) fn add_owned(&self, operation: Operation) {
        self.add(operation, |counter, n| add(counter, n as u64));
    }

    /// Takes back an allocation of `size` bytes, which was added before the inner
    /// allocator refused it; for the owner.
    pub(crate) fn give_back(&self, size: usize) {
        subtract(&self.blocks, 1);
        subtract(&self.bytes, size as u64);
    }

    /// Adds a reallocation, and returns the change of live bytes; for the owner.
    #[inline(always)]
    pub(crate) fn add_resize(&self, from: usize, to: usize) -> isize {
        // The sizes are compared, and not their difference with zero, which takes an
        // instruction more.
        let net = to.wrapping_sub(from) as isize;
        add(&self.reallocs, 1);
        if to > from {
            add(&self.bytes, net as u64);
        } else {
            subtract(&self.freed_bytes, net as u64);
        }
        net
    }

    /// Counts a reallocation as refused that was added before; for the owner.
    pub(crate) fn give_back_resize(&self, net: isize) {
        subtract(&self.reallocs, 1);
        if net > 0 {
            subtract(&self.bytes, net as u64);
        } else {
            add(&self.freed_bytes, net as u64);
        }
        add(&self.failed, 1);
    }

    /// Adds `operation` from any thread.
    pub(crate) fn add_shared(&self, operation: Operation) {
        fn add(counter: &AtomicU64, n: usize) {
            counter.fetch_add(n as u64, Relaxed);
        }
        self.add(operation, add);
    }

    #[inline(always)]
    fn add(&self, operation: Operation, add: impl Fn(&AtomicU64, usize)) {
        match operation {
            Operation::Alloc { size } | Operation::AllocZeroed { size } => {
                add(&self.blocks, 1);
                add(&self.bytes, size);
            }
            Operation::Dealloc { size } => {
                add(&self.deallocs, 1);
                add(&self.freed_bytes, size);
            }
            Operation::Grow { from, to } => {
                add(&self.reallocs, 1);
                add(&self.bytes, to - from);
            }
            Operation::Shrink { from, to } => {
                add(&self.reallocs, 1);
                add(&self.freed_bytes, from - to);
            }
            Operation::Failed { .. } => add(&self.failed, 1),
        }
    }

    /// Updates the owner's peak, after an operation was added.
    #[inline(always)]
    pub(crate) fn keep_peak(&self) {
        let live = self.live();
        if live > self.peak.load(Relaxed) {
            self.peak.store(live, Relaxed);
        }
    }

    /// Whether `net` more live bytes would be a new peak.
    #[inline(always)]
    pub(crate) fn would_peak(&self, net: isize) -> bool {
        self.live().wrapping_add(net as i64) > self.peak.load(Relaxed)
    }

    /// Live bytes.
    #[inline(always)]
    fn live(&self) -> i64 {
        let bytes = self.bytes.load(Relaxed);
        bytes.wrapping_sub(self.freed_bytes.load(Relaxed)) as i64
    }

    /// The place for the owner's next operation, if there is one.
    #[inline(always)]
    pub(crate) fn free_place(&self) -> Option<*mut Place> {
        let next = self.next.load(Relaxed);
        (next != self.end.load(Relaxed)).then_some(next)
    }

    /// Records `operation` for the owner's innermost window.
    ///
    /// # Safety
    ///
    /// The caller is the owner, and `place` is the present [`free_place`](Self::free_place).
    #[inline(always)]
    pub(crate) unsafe fn record_at(&self, place: *mut Place, operation: Operation) {
        // SAFETY: by the contract of `set_room`, it is alive, and no other thread uses it.
        unsafe { &*place }.set(operation);
        self.next.store(place.wrapping_add(1), Relaxed);
    }

    /// Records `operation` for the owner's innermost window. Without room, no more
    /// operations are recorded.
    ///
    /// # Safety
    ///
    /// The caller is the owner.
    pub(crate) unsafe fn record(&self, operation: Operation) {
        match self.free_place() {
            // SAFETY: this function's contract.
            Some(place) => unsafe { self.record_at(place, operation) },
            None => self.lower(Flags::TRACE),
        }
    }

    /// Sets where operations are recorded; for the owner.
    ///
    /// # Safety
    ///
    /// The places live until the next call, and no other thread uses them.
    pub(crate) unsafe fn set_room(&self, room: FreePlaces) {
        self.next.store(room.next, Relaxed);
        self.end.store(room.end, Relaxed);
        if room.next == room.end {
            self.lower(Flags::TRACE);
        } else {
            self.raise(Flags::TRACE);
        }
    }

    /// Where operations are recorded; for the owner.
    pub(crate) fn room(&self) -> FreePlaces {
        FreePlaces {
            next: self.next.load(Relaxed),
            end: self.end.load(Relaxed),
        }
    }

    /// The counters at present. They are exact for operations before the call. While
    /// the owner is running, they may contain half an operation.
    pub(crate) fn read(&self) -> Tally {
        let reallocs = self.reallocs.load(Relaxed);
        Tally {
            allocs: self.blocks.load(Relaxed).wrapping_add(reallocs),
            reallocs,
            deallocs: self.deallocs.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            freed_bytes: self.freed_bytes.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }

    /// Sets all counters; for the owner.
    pub(crate) fn write(&self, tally: Tally) {
        let blocks = tally.allocs.wrapping_sub(tally.reallocs);
        self.blocks.store(blocks, Relaxed);
        self.bytes.store(tally.bytes, Relaxed);
        self.deallocs.store(tally.deallocs, Relaxed);
        self.freed_bytes.store(tally.freed_bytes, Relaxed);
        self.reallocs.store(tally.reallocs, Relaxed);
        self.failed.store(tally.failed, Relaxed);
    }

    /// What is live by the operations of these counters, and its peak since that was last
    /// set; for the owner.
    pub(crate) fn levels(&self) -> Levels {
        Levels {
            live: self.live(),
            peak: self.peak.load(Relaxed),
        }
    }

    /// Sets the peak; for the owner.
    pub(crate) fn set_peak(&self, peak: i64) {
        self.peak.store(peak, Relaxed);
    }
}

/// Adds `n` for the owning thread. No other thread writes, so a load and a store are
/// enough, without a locked instruction.
#[inline(always)]
fn add(counter: &AtomicU64, n: u64) {
    counter.store(counter.load(Relaxed).wrapping_add(n), Relaxed);
}

/// Subtracts `n`, as [`add`] adds.
#[inline(always)]
fn subtract(counter: &AtomicU64, n: u64) {
    counter.store(counter.load(Relaxed).wrapping_sub(n), Relaxed);
}

/// The live bytes of a thread's own operations, and their peak. Only differences
/// are meaningful, since the thread also frees blocks of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) live: i64,
    pub(crate) peak: i64,
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_sign_tells_whether_counting_is_off() {
        for bound in [Flags::PEAK, Flags::ABOVE_PEAK] {
            for flags in (bound.0..=u8::MAX).map(Flags) {
                assert_eq!(flags.are_off(bound), flags.contain(Flags::OFF), "{flags:?}");
            }
        }
    }
}
