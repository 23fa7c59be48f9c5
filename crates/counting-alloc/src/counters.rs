//! [`Counters`]: a set of counters, and the flags that say how operations are
//! counted.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::first::{FreePlaces, Place};
use crate::operation::Operation;
use crate::refusal::Guard;
use crate::sizes::SizeCounts;
use crate::sync::{AtomicI64, AtomicPtr, AtomicU64};
use crate::tally::Tally;

/// A set of flags that says how an operation is counted.
///
/// The numbers of the flags are chosen for speed. One comparison, read without and
/// with sign, tells the frequent cases apart: counting, counting switched off, and
/// counting with the owner's peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Flags(u8);

impl Flags {
    /// Operations are counted.
    pub(crate) const NONE: Self = Self(0);
    /// The owner's peak of live blocks is kept. It is set only beside [`Self::PEAK`], so that a
    /// comparison with that finds both.
    pub(crate) const PEAK_BLOCKS: Self = Self(1 << 0);
    /// The owner's peak is kept.
    pub(crate) const PEAK: Self = Self(1 << 1);
    /// The stacks of the owner's operations are captured.
    pub(crate) const SITES: Self = Self(1 << 2);
    /// The owner's operations are recorded.
    pub(crate) const TRACE: Self = Self(1 << 3);
    /// The peak of the process or the sizes of its requests are kept, or the stacks of its
    /// operations are captured.
    pub(crate) const PROCESS_PEAK: Self = Self(1 << 4);
    /// The counters have no owner.
    pub(crate) const UNOWNED: Self = Self(1 << 5);
    /// The sizes of the owner's requests are kept, or some of the requests are refused.
    pub(crate) const SIZES: Self = Self(1 << 6);
    /// Counting is switched off.
    pub(crate) const OFF: Self = Self(1 << 7);

    /// The owner's peak is kept and its operations are recorded, as in a window of `measure`.
    pub(crate) const RECORDING: Self = Self(Self::PEAK.0 | Self::TRACE.0);

    /// Below this number, a `dealloc` has to be counted and nothing else.
    pub(crate) const ABOVE_PEAK: Self = Self(Self::PEAK.0 + 1);

    /// The flags that the owner sets; the others follow the modes of the process.
    const OWNERS: u8 = Self::RECORDING.0 | Self::PEAK_BLOCKS.0 | Self::SIZES.0 | Self::SITES.0;

    /// Whether counting is switched off, for flags that are not below `bound`, which
    /// is [`Self::PEAK`] or the next number.
    ///
    /// The sign would tell as well. With this comparison, the processor compares
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
    allocs: AtomicU64,
    alloc_bytes: AtomicU64,
    deallocs: AtomicU64,
    dealloc_bytes: AtomicU64,
    /// The owner's peak, less the bytes that became live by reallocations: the value
    /// of `alloc_bytes` less `dealloc_bytes` when live bytes reach the peak. So a
    /// `dealloc` need not update it. It is kept while the flags say so.
    ceiling: AtomicI64,
    grows: AtomicU64,
    grow_bytes: AtomicU64,
    shrinks: AtomicU64,
    shrink_bytes: AtomicU64,
    failed: AtomicU64,
    /// Where the owner's next operation is recorded, while the flags say so. Only the owner
    /// reads and writes it.
    next: AtomicPtr<Place>,
    /// The end of that buffer; equal to `next` for none.
    end: AtomicPtr<Place>,
    /// The sizes of the innermost window that keeps them, while the flags say so. Only the
    /// owner reads and writes the pointer.
    sizes: AtomicPtr<SizeCounts>,
    /// The highest number of the owner's live blocks, kept while the flags say so.
    most_blocks: AtomicI64,
    /// The guard of the innermost window that refuses requests, as `sizes`.
    guard: AtomicPtr<Guard>,
}

impl Counters {
    constructor! {
        /// All counters at zero, with these flags.
        pub(crate) fn new(flags: Flags) -> Self {
            Self {
                gate: AtomicU64::new(flags.0 as u64),
                allocs: AtomicU64::new(0),
                alloc_bytes: AtomicU64::new(0),
                deallocs: AtomicU64::new(0),
                dealloc_bytes: AtomicU64::new(0),
                ceiling: AtomicI64::new(0),
                grows: AtomicU64::new(0),
                grow_bytes: AtomicU64::new(0),
                shrinks: AtomicU64::new(0),
                shrink_bytes: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                next: AtomicPtr::new(ptr::null_mut()),
                end: AtomicPtr::new(ptr::null_mut()),
                sizes: AtomicPtr::new(ptr::null_mut()),
                most_blocks: AtomicI64::new(0),
                guard: AtomicPtr::new(ptr::null_mut()),
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
        subtract(&self.allocs, 1);
        subtract(&self.alloc_bytes, size as u64);
    }

    /// Adds a reallocation, and returns the change of live bytes; for the owner.
    #[inline(always)]
    pub(crate) fn add_resize(&self, from: usize, to: usize) -> isize {
        // The sizes are compared, and not their difference with zero, which takes an
        // instruction more.
        let net = to.wrapping_sub(from) as isize;
        if to > from {
            add(&self.grows, 1);
            add(&self.grow_bytes, net as u64);
        } else {
            add(&self.shrinks, 1);
            subtract(&self.shrink_bytes, net as u64);
        }
        net
    }

    /// Counts a reallocation as refused that was added before, and takes back what it did to
    /// the ceiling; for the owner.
    pub(crate) fn give_back_resize(&self, net: isize) {
        if net > 0 {
            subtract(&self.grows, 1);
            subtract(&self.grow_bytes, net as u64);
        } else {
            subtract(&self.shrinks, 1);
            add(&self.shrink_bytes, net as u64);
        }
        if self.flags().contain(Flags::PEAK) {
            self.move_ceiling(net as i64);
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

    /// Adds all of `tally` from any thread.
    pub(crate) fn add_tally(&self, tally: Tally) {
        self.allocs.fetch_add(tally.allocs, Relaxed);
        self.alloc_bytes.fetch_add(tally.alloc_bytes, Relaxed);
        self.deallocs.fetch_add(tally.deallocs, Relaxed);
        self.dealloc_bytes.fetch_add(tally.dealloc_bytes, Relaxed);
        self.grows.fetch_add(tally.grows, Relaxed);
        self.grow_bytes.fetch_add(tally.grow_bytes, Relaxed);
        self.shrinks.fetch_add(tally.shrinks, Relaxed);
        self.shrink_bytes.fetch_add(tally.shrink_bytes, Relaxed);
        self.failed.fetch_add(tally.failed, Relaxed);
    }

    #[inline(always)]
    fn add(&self, operation: Operation, add: impl Fn(&AtomicU64, usize)) {
        match operation {
            Operation::Alloc { size } | Operation::AllocZeroed { size } => {
                add(&self.allocs, 1);
                add(&self.alloc_bytes, size);
            }
            Operation::Dealloc { size } => {
                add(&self.deallocs, 1);
                add(&self.dealloc_bytes, size);
            }
            Operation::Grow { from, to } => {
                add(&self.grows, 1);
                add(&self.grow_bytes, to - from);
            }
            Operation::Shrink { from, to } => {
                add(&self.shrinks, 1);
                add(&self.shrink_bytes, from - to);
            }
            Operation::Failed { .. } => add(&self.failed, 1),
        }
    }

    /// Updates the owner's peak, after `operation` was added.
    #[inline(always)]
    pub(crate) fn keep_peak(&self, operation: Operation) {
        match operation {
            Operation::Alloc { .. } | Operation::AllocZeroed { .. } => self.raise_ceiling(),
            Operation::Grow { from, to } => {
                self.move_ceiling(-((to - from) as i64));
                self.raise_ceiling();
            }
            Operation::Shrink { from, to } => self.move_ceiling((from - to) as i64),
            Operation::Dealloc { .. } | Operation::Failed { .. } => {}
        }
    }

    /// Updates the owner's peak of live blocks, after an operation was added.
    pub(crate) fn keep_peak_blocks(&self) {
        let Levels { live, peak } = self.levels(Peak::Blocks);
        if live > peak {
            self.set_peak(Peak::Blocks, live);
        }
    }

    /// Whether an allocation of `size` more bytes would be a new peak.
    #[inline(always)]
    pub(crate) fn would_peak(&self, size: usize) -> bool {
        let level = self.level().wrapping_add(size as i64);
        level > self.ceiling.load(Relaxed)
    }

    /// Moves the ceiling for a reallocation that changes live bytes by `net`, unless it would be a new peak; `false` if
    /// it would.
    #[inline(always)]
    pub(crate) fn resized_below_peak(&self, net: isize) -> bool {
        let ceiling = self.ceiling.load(Relaxed).wrapping_sub(net as i64);
        let is_below = self.level() <= ceiling;
        if is_below {
            self.ceiling.store(ceiling, Relaxed);
        }
        is_below
    }

    fn raise_ceiling(&self) {
        let level = self.level();
        if level > self.ceiling.load(Relaxed) {
            self.ceiling.store(level, Relaxed);
        }
    }

    /// Live bytes, less the bytes that became live by reallocations.
    #[inline(always)]
    fn level(&self) -> i64 {
        let live = self.alloc_bytes.load(Relaxed);
        live.wrapping_sub(self.dealloc_bytes.load(Relaxed)) as i64
    }

    fn move_ceiling(&self, by: i64) {
        let ceiling = self.ceiling.load(Relaxed).wrapping_add(by);
        self.ceiling.store(ceiling, Relaxed);
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

    /// Adds a request to the sizes of all windows that keep them; for the owner.
    ///
    /// # Safety
    ///
    /// The caller is the owner.
    #[cfg(feature = "std")]
    pub(crate) unsafe fn add_size(&self, operation: Operation) {
        let Some(size) = operation.requested() else {
            return;
        };
        // SAFETY: by the contract of `set_sizes`, it is alive.
        let mut window = unsafe { self.sizes.load(Relaxed).as_ref() };
        while let Some(sizes) = window {
            sizes.add(size);
            // SAFETY: the outer window closes later.
            window = unsafe { sizes.outer().as_ref() };
        }
    }

    /// Sets the sizes of the innermost window, and returns those before; for the owner.
    ///
    /// # Safety
    ///
    /// `sizes` is null, or it and its outer ones live until the next call.
    pub(crate) unsafe fn set_sizes(&self, sizes: *mut SizeCounts) -> *mut SizeCounts {
        let before = self.sizes.load(Relaxed);
        self.sizes.store(sizes, Relaxed);
        self.look_at_sizes();
        before
    }

    /// Sets the guard of the innermost window, and returns that before; for the owner.
    ///
    /// # Safety
    ///
    /// `guard` is null, or it and its outer ones live until the next call.
    pub(crate) unsafe fn set_guard(&self, guard: *mut Guard) -> *mut Guard {
        let before = self.guard.load(Relaxed);
        self.guard.store(guard, Relaxed);
        self.look_at_sizes();
        before
    }

    /// Sets the flag that makes operations look at sizes and guards, if there are any.
    fn look_at_sizes(&self) {
        if self.sizes.load(Relaxed).is_null() && self.guard.load(Relaxed).is_null() {
            self.lower(Flags::SIZES);
        } else {
            self.raise(Flags::SIZES);
        }
    }

    /// Whether a window refuses a request for `size` bytes in place of `from`.
    ///
    /// # Safety
    ///
    /// The caller is the owner.
    #[cfg(feature = "std")]
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn refuses(&self, from: usize, size: usize) -> bool {
        let live = || self.read().net_bytes();
        let mut is_refused = false;
        // SAFETY: this function's contract.
        unsafe { self.each_guard(|guard| is_refused |= guard.refuses(from, size, live)) };
        is_refused
    }

    /// Calls `f` with the guards of all windows, the innermost first.
    ///
    /// # Safety
    ///
    /// The caller is the owner.
    #[cfg(feature = "std")]
    pub(crate) unsafe fn each_guard(&self, mut f: impl FnMut(&Guard)) {
        // SAFETY: by the contract of `set_guard`, it is alive.
        let mut window = unsafe { self.guard.load(Relaxed).as_ref() };
        while let Some(guard) = window {
            f(guard);
            // SAFETY: the outer window closes later.
            window = unsafe { guard.outer().as_ref() };
        }
    }

    /// The counters at present. They are exact for operations before the call. While
    /// the owner is running, they may contain half an operation.
    pub(crate) fn read(&self) -> Tally {
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

    /// Sets all counters; for the owner.
    pub(crate) fn write(&self, tally: Tally) {
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

    /// What is live by the operations of these counters, and its peak since that was last
    /// set; for the owner.
    pub(crate) fn levels(&self, of: Peak) -> Levels {
        let counted = self.read();
        match of {
            Peak::Bytes => Levels {
                live: counted.net_bytes(),
                peak: self.ceiling.load(Relaxed).wrapping_add(gained(&counted)),
            },
            Peak::Blocks => Levels {
                live: counted.net_blocks(),
                peak: self.most_blocks.load(Relaxed),
            },
        }
    }

    /// Sets a peak; for the owner.
    pub(crate) fn set_peak(&self, of: Peak, peak: i64) {
        match of {
            Peak::Bytes => {
                let gained = gained(&self.read());
                self.ceiling.store(peak.wrapping_sub(gained), Relaxed);
            }
            Peak::Blocks => self.most_blocks.store(peak, Relaxed),
        }
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

/// The bytes that became live by reallocations.
fn gained(counted: &Tally) -> i64 {
    counted.grow_bytes.wrapping_sub(counted.shrink_bytes) as i64
}

/// What a peak is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peak {
    Bytes,
    Blocks,
}

impl Peak {
    /// The flag that says that it is kept.
    pub(crate) const fn flag(self) -> Flags {
        match self {
            Self::Bytes => Flags::PEAK,
            Self::Blocks => Flags::PEAK_BLOCKS,
        }
    }
}

/// The live bytes or blocks of a thread's own operations, and their peak. Only differences
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
