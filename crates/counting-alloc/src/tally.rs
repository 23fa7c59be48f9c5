//! [`Tally`]: counts of operations, and the figures that are derived from them.

use core::fmt;

#[cfg(feature = "sites")]
use crate::operation::Operation;

/// Successful operations of one thread or of the process, with the requested
/// sizes in bytes.
///
/// The definitions are those of `GlobalAlloc`'s four methods. A `realloc` is
/// one operation of its own and neither an allocation nor a deallocation.
///
/// A tally to compare with begins with [`Tally::ZERO`]:
///
/// ```
/// use counting_alloc::Tally;
///
/// let expected = Tally::ZERO.with_allocs(2, 96).with_deallocs(1, 64);
/// assert_eq!((expected.allocs, expected.net_bytes()), (2, 32));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Tally {
    /// Calls of `alloc` and `alloc_zeroed`.
    pub allocs: u64,
    /// The sum of the sizes that `allocs` requested, in bytes.
    pub alloc_bytes: u64,
    /// Calls of `dealloc`.
    pub deallocs: u64,
    /// The sum of the sizes that `deallocs` gave back, in bytes.
    pub dealloc_bytes: u64,
    /// Calls of `realloc` to a larger size.
    pub grows: u64,
    /// The sum of new size minus old size over `grows`, in bytes.
    pub grow_bytes: u64,
    /// Calls of `realloc` to a smaller or an equal size.
    pub shrinks: u64,
    /// The sum of old size minus new size over `shrinks`, in bytes.
    pub shrink_bytes: u64,
    /// Calls for which the inner allocator returned null. They are in no other
    /// field.
    pub failed: u64,
}

impl Tally {
    /// The same tally with this number of allocations, and their bytes in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_allocs(2, 96).bytes(), 96);
    /// ```
    #[must_use]
    pub const fn with_allocs(self, allocs: u64, alloc_bytes: u64) -> Self {
        Self {
            allocs,
            alloc_bytes,
            ..self
        }
    }

    /// The same tally with this number of deallocations, and their bytes in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_deallocs(1, 64).freed_bytes(), 64);
    /// ```
    #[must_use]
    pub const fn with_deallocs(self, deallocs: u64, dealloc_bytes: u64) -> Self {
        Self {
            deallocs,
            dealloc_bytes,
            ..self
        }
    }

    /// The same tally with this number of growing reallocations, and the bytes that
    /// they added in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_grows(1, 64).bytes(), 64);
    /// ```
    #[must_use]
    pub const fn with_grows(self, grows: u64, grow_bytes: u64) -> Self {
        Self {
            grows,
            grow_bytes,
            ..self
        }
    }

    /// The same tally with this number of shrinking reallocations, and the bytes that
    /// they removed in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_shrinks(1, 64).freed_bytes(), 64);
    /// ```
    #[must_use]
    pub const fn with_shrinks(self, shrinks: u64, shrink_bytes: u64) -> Self {
        Self {
            shrinks,
            shrink_bytes,
            ..self
        }
    }

    /// The same tally with this number of refused calls.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_failed(1).alloc_calls(), 0);
    /// ```
    #[must_use]
    pub const fn with_failed(self, failed: u64) -> Self {
        Self { failed, ..self }
    }

    /// Adds an operation.
    #[cfg(feature = "sites")]
    #[inline(always)]
    pub(crate) fn add(&mut self, operation: Operation) {
        match operation {
            Operation::Alloc { size } | Operation::AllocZeroed { size } => {
                self.allocs += 1;
                self.alloc_bytes += size as u64;
            }
            Operation::Dealloc { size } => {
                self.deallocs += 1;
                self.dealloc_bytes += size as u64;
            }
            Operation::Grow { from, to } => {
                self.grows += 1;
                self.grow_bytes += (to - from) as u64;
            }
            Operation::Shrink { from, to } => {
                self.shrinks += 1;
                self.shrink_bytes += (from - to) as u64;
            }
            Operation::Failed { .. } => self.failed += 1,
        }
    }

    /// All calls, whether they were served or refused.
    #[cfg(feature = "std")]
    pub(crate) const fn operations(&self) -> u64 {
        self.allocs + self.deallocs + self.grows + self.shrinks + self.failed
    }

    /// Calls of `realloc`: grows and shrinks.
    #[must_use]
    pub const fn reallocs(&self) -> u64 {
        self.grows + self.shrinks
    }

    /// Allocations and reallocations together. A wrapper that leaves `realloc` to
    /// its default implementation counts all of them as allocations.
    #[must_use]
    pub const fn alloc_calls(&self) -> u64 {
        self.allocs + self.reallocs()
    }

    /// Bytes requested: by allocations, and by the growth of reallocations.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.alloc_bytes + self.grow_bytes
    }

    /// Bytes given back: by deallocations, and by the shrinking of
    /// reallocations.
    #[must_use]
    pub const fn freed_bytes(&self) -> u64 {
        self.dealloc_bytes + self.shrink_bytes
    }

    /// Bytes that are left behind: [`bytes`](Self::bytes) minus
    /// [`freed_bytes`](Self::freed_bytes). Negative when more bytes were given
    /// back than requested.
    #[must_use]
    pub const fn net_bytes(&self) -> i64 {
        self.bytes().wrapping_sub(self.freed_bytes()) as i64
    }

    /// Blocks that are left behind: `allocs` minus `deallocs`.
    #[must_use]
    pub const fn net_blocks(&self) -> i64 {
        self.allocs.wrapping_sub(self.deallocs) as i64
    }

    /// The operations between two readings of threads that are running meanwhile.
    /// The earlier reading can contain a request that was refused afterwards, and
    /// so be the larger one; the difference is zero then.
    pub(crate) fn since(self, earlier: Self) -> Self {
        self.zip(earlier, u64::saturating_sub)
    }
}

arithmetic! {
    Tally: allocs, alloc_bytes, deallocs, dealloc_bytes, grows, grow_bytes, shrinks, shrink_bytes,
    failed
}

/// One line, as a failed assertion shows it: `2 allocs (44 bytes), 2 deallocs
/// (44 bytes), 0 grows (0 bytes), 0 shrinks (0 bytes), 0 failed`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} allocs ({} bytes), {} deallocs ({} bytes), {} grows ({} bytes), \
             {} shrinks ({} bytes), {} failed",
            self.allocs,
            self.alloc_bytes,
            self.deallocs,
            self.dealloc_bytes,
            self.grows,
            self.grow_bytes,
            self.shrinks,
            self.shrink_bytes,
            self.failed
        )
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const MIXED: Tally = Tally {
        allocs: 3,
        alloc_bytes: 100,
        deallocs: 1,
        dealloc_bytes: 150,
        grows: 2,
        grow_bytes: 28,
        shrinks: 1,
        shrink_bytes: 8,
        failed: 1,
    };

    #[test]
    fn derived_figures_follow_their_definitions() {
        assert_eq!(MIXED.reallocs(), 3);
        assert_eq!(MIXED.alloc_calls(), 6);
        assert_eq!(MIXED.bytes(), 128);
        assert_eq!(MIXED.freed_bytes(), 158);
        assert_eq!(MIXED.net_bytes(), -30);
        assert_eq!(MIXED.net_blocks(), 2);
    }

    #[test]
    fn a_difference_undoes_a_sum() {
        let mut sum = Tally::ZERO;
        sum += MIXED;
        sum += MIXED;
        assert_eq!(sum - MIXED, MIXED);
        assert_eq!(MIXED - MIXED, Tally::ZERO);
    }

    #[test]
    fn a_tally_reads_as_one_line() {
        assert_eq!(
            MIXED.to_string(),
            "3 allocs (100 bytes), 1 deallocs (150 bytes), 2 grows (28 bytes), \
             1 shrinks (8 bytes), 1 failed"
        );
    }
}
