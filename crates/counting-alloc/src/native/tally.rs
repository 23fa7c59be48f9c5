//! [`NativeTally`]: the calls of `malloc` that C code made by itself.

use core::fmt;

/// Calls of `malloc` and related functions that did not come through Rust's global
/// allocator, with the requested sizes in bytes.
///
/// The interface of `malloc` does not tell the size of a block, so the bytes that
/// a free gives back and the bytes that a reallocation grows by are unknown. There
/// are no freed bytes, no net bytes and no peak.
///
/// A tally to compare with begins with [`NativeTally::ZERO`]:
///
/// ```
/// use counting_alloc::NativeTally;
///
/// let expected = NativeTally::ZERO.with_blocks(1, 100).with_frees(1);
/// assert_eq!((expected.allocs, expected.bytes, expected.frees), (1, 100, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct NativeTally {
    /// Calls that returned a new block: `malloc`, `calloc`, `realloc` of null, and
    /// the aligned ones.
    pub allocs: u64,
    /// The sum of the sizes that `allocs` requested, in bytes.
    pub bytes: u64,
    /// Calls of `realloc` that resized a live block.
    pub reallocs: u64,
    /// The sum of the whole new sizes that `reallocs` requested, in bytes.
    pub realloc_bytes: u64,
    /// Calls that freed a block: `free` of a block, and `realloc` of a block to
    /// zero bytes. A `free` of null is not counted.
    pub frees: u64,
    /// Calls that returned no memory, because there was none or because the
    /// arguments were invalid. They are in no other field.
    pub failed: u64,
}

impl NativeTally {
    /// The same tally with this number of new blocks, and their bytes in total.
    ///
    /// ```
    /// # use counting_alloc::NativeTally;
    /// assert_eq!(NativeTally::ZERO.with_blocks(2, 96).bytes, 96);
    /// ```
    #[must_use]
    pub const fn with_blocks(self, allocs: u64, bytes: u64) -> Self {
        Self {
            allocs,
            bytes,
            ..self
        }
    }

    /// The same tally with this number of reallocations, and their new sizes in total.
    ///
    /// ```
    /// # use counting_alloc::NativeTally;
    /// assert_eq!(NativeTally::ZERO.with_reallocs(1, 64).realloc_bytes, 64);
    /// ```
    #[must_use]
    pub const fn with_reallocs(self, reallocs: u64, realloc_bytes: u64) -> Self {
        Self {
            reallocs,
            realloc_bytes,
            ..self
        }
    }

    /// The same tally with this number of freed blocks.
    ///
    /// ```
    /// # use counting_alloc::NativeTally;
    /// assert_eq!(NativeTally::ZERO.with_frees(1).frees, 1);
    /// ```
    #[must_use]
    pub const fn with_frees(self, frees: u64) -> Self {
        Self { frees, ..self }
    }

    /// The same tally with this number of refused calls.
    ///
    /// ```
    /// # use counting_alloc::NativeTally;
    /// assert_eq!(NativeTally::ZERO.with_failed(1).failed, 1);
    /// ```
    #[must_use]
    pub const fn with_failed(self, failed: u64) -> Self {
        Self { failed, ..self }
    }
}

arithmetic! { NativeTally: allocs, bytes, reallocs, realloc_bytes, frees, failed }

/// One line: `2 native allocs (96 bytes), 1 native realloc (to 64 bytes), 2 native frees,
/// 0 failed native calls`.
impl fmt::Display for NativeTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count| if count == 1 { "" } else { "s" };
        let Self {
            allocs,
            bytes,
            reallocs,
            realloc_bytes,
            frees,
            failed,
        } = *self;
        write!(
            f,
            "{allocs} native alloc{} ({bytes} byte{}), {reallocs} native realloc{} (to \
             {realloc_bytes} byte{}), {frees} native free{}, {failed} failed native call{}",
            s(allocs),
            s(bytes),
            s(reallocs),
            s(realloc_bytes),
            s(frees),
            s(failed)
        )
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const MIXED: NativeTally = NativeTally {
        allocs: 2,
        bytes: 96,
        reallocs: 1,
        realloc_bytes: 64,
        frees: 3,
        failed: 4,
    };

    #[test]
    fn a_native_tally_reads_as_one_line() {
        assert_eq!(
            MIXED.to_string(),
            "2 native allocs (96 bytes), 1 native realloc (to 64 bytes), 3 native frees, \
             4 failed native calls"
        );
    }

    #[test]
    fn a_difference_undoes_a_sum() {
        let mut twice = MIXED;
        twice += MIXED;
        assert_eq!(twice - MIXED, MIXED);
    }
}
