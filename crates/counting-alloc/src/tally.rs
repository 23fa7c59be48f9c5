//! [`Tally`]: counts of operations, and what is derived from them.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

#[cfg(feature = "sites")]
use crate::operation::Operation;

/// Successful operations of one thread or of the process, with the requested
/// sizes in bytes.
///
/// A `realloc` is an allocation, as in Go's allocs/op: growing a vector calls the allocator
/// and may copy all of it. [`reallocs`](Self::reallocs) says how many of the allocations were.
///
/// A tally to compare with begins with [`Tally::ZERO`]:
///
/// ```
/// use counting_alloc::Tally;
///
/// let expected = Tally::ZERO.with_blocks(2, 96).with_grows(1, 32).with_deallocs(1, 64);
/// assert_eq!((expected.allocs, expected.reallocs, expected.net_bytes()), (3, 1, 64));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub struct Tally {
    /// Calls of `alloc`, `alloc_zeroed` and `realloc`.
    pub allocs: u64,
    /// How many of `allocs` were calls of `realloc`.
    pub reallocs: u64,
    /// Calls of `dealloc`.
    pub deallocs: u64,
    /// Bytes requested: the sizes of new blocks, and the bytes that reallocations added.
    pub bytes: u64,
    /// Bytes given back: the sizes of freed blocks, and the bytes that reallocations removed.
    pub freed_bytes: u64,
    /// Calls for which the inner allocator returned null. They are in no other
    /// field, and no record has them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub failed: u64,
}

impl Tally {
    /// No operations.
    pub const ZERO: Self = Self {
        allocs: 0,
        reallocs: 0,
        deallocs: 0,
        bytes: 0,
        freed_bytes: 0,
        failed: 0,
    };

    /// The same tally with so many more new blocks, and their bytes in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_blocks(2, 96).bytes, 96);
    /// ```
    #[must_use]
    pub const fn with_blocks(mut self, blocks: u64, bytes: u64) -> Self {
        self.allocs += blocks;
        self.bytes += bytes;
        self
    }

    /// The same tally with so many more reallocations to a larger size, and the bytes that
    /// they added in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_grows(1, 64).allocs, 1);
    /// ```
    #[must_use]
    pub const fn with_grows(mut self, grows: u64, bytes: u64) -> Self {
        self.allocs += grows;
        self.reallocs += grows;
        self.bytes += bytes;
        self
    }

    /// The same tally with so many more reallocations to a smaller or an equal size, and the
    /// bytes that they removed in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_shrinks(1, 64).freed_bytes, 64);
    /// ```
    #[must_use]
    pub const fn with_shrinks(mut self, shrinks: u64, bytes: u64) -> Self {
        self.allocs += shrinks;
        self.reallocs += shrinks;
        self.freed_bytes += bytes;
        self
    }

    /// The same tally with so many more deallocations, and their bytes in total.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_deallocs(1, 64).freed_bytes, 64);
    /// ```
    #[must_use]
    pub const fn with_deallocs(mut self, deallocs: u64, bytes: u64) -> Self {
        self.deallocs += deallocs;
        self.freed_bytes += bytes;
        self
    }

    /// The same tally with so many more refused calls.
    ///
    /// ```
    /// # use counting_alloc::Tally;
    /// assert_eq!(Tally::ZERO.with_failed(1).allocs, 0);
    /// ```
    #[must_use]
    pub const fn with_failed(mut self, failed: u64) -> Self {
        self.failed += failed;
        self
    }

    /// The same tally with another operation.
    #[cfg(feature = "sites")]
    #[inline(always)]
    pub(crate) fn add(&mut self, operation: Operation) {
        match operation {
            Operation::Alloc { size } | Operation::AllocZeroed { size } => {
                self.allocs += 1;
                self.bytes += size as u64;
            }
            Operation::Dealloc { size } => {
                self.deallocs += 1;
                self.freed_bytes += size as u64;
            }
            Operation::Grow { from, to } => {
                self.allocs += 1;
                self.reallocs += 1;
                self.bytes += (to - from) as u64;
            }
            Operation::Shrink { from, to } => {
                self.allocs += 1;
                self.reallocs += 1;
                self.freed_bytes += (from - to) as u64;
            }
            Operation::Failed { .. } => self.failed += 1,
        }
    }

    /// All calls, whether they were served or refused.
    pub(crate) const fn operations(&self) -> u64 {
        self.allocs + self.deallocs + self.failed
    }

    /// Bytes that are left behind: `bytes` minus `freed_bytes`. Negative when more bytes were
    /// given back than requested.
    #[must_use]
    pub const fn net_bytes(&self) -> i64 {
        self.bytes.wrapping_sub(self.freed_bytes) as i64
    }

    /// Blocks that are left behind: `allocs` minus `reallocs` minus `deallocs`.
    #[must_use]
    pub const fn net_blocks(&self) -> i64 {
        let blocks = self.allocs.wrapping_sub(self.reallocs);
        blocks.wrapping_sub(self.deallocs) as i64
    }

    fn zip(self, other: Self, op: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            allocs: op(self.allocs, other.allocs),
            reallocs: op(self.reallocs, other.reallocs),
            deallocs: op(self.deallocs, other.deallocs),
            bytes: op(self.bytes, other.bytes),
            freed_bytes: op(self.freed_bytes, other.freed_bytes),
            failed: op(self.failed, other.failed),
        }
    }

    /// The operations between two readings of threads that are running meanwhile.
    /// The earlier reading can contain a request that was refused afterwards, and
    /// so be the larger one; the difference is zero then.
    pub(crate) fn since(self, earlier: Self) -> Self {
        self.zip(earlier, u64::saturating_sub)
    }
}

/// Field by field.
impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }
}

/// Field by field.
impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The operations between two readings: the later minus the earlier, field by field.
impl Sub for Tally {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        self.zip(earlier, u64::wrapping_sub)
    }
}

/// One line, as a failed assertion shows it: `3 allocs (44 bytes), 1 reallocs, 2 deallocs
/// (44 bytes)`, and `, 1 failed` if any did.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} allocs ({} bytes), {} reallocs, {} deallocs ({} bytes)",
            self.allocs, self.bytes, self.reallocs, self.deallocs, self.freed_bytes
        )?;
        match self.failed {
            0 => Ok(()),
            failed => write!(f, ", {failed} failed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: Tally = Tally {
        allocs: 6,
        reallocs: 3,
        deallocs: 1,
        bytes: 128,
        freed_bytes: 158,
        failed: 1,
    };

    #[test]
    fn every_call_that_allocates_is_an_allocation() {
        let grown = Tally::ZERO.with_blocks(3, 100).with_grows(2, 28);
        let all = grown
            .with_shrinks(1, 8)
            .with_deallocs(1, 150)
            .with_failed(1);
        assert_eq!(all, MIXED);
        assert_eq!((MIXED.net_bytes(), MIXED.net_blocks()), (-30, 2));
    }

    #[test]
    fn a_tally_reads_as_one_line() {
        assert_eq!(
            MIXED.to_string(),
            "6 allocs (128 bytes), 3 reallocs, 1 deallocs (158 bytes), 1 failed"
        );
    }
}
