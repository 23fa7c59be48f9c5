//! [`NativeTally`]: what C code took from `malloc` by itself, and where it is
//! read from. Whether `malloc` can be watched here is the platform's affair;
//! where it can't, nothing is known and nothing is zero.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

use crate::measured::Scope;

// Where the C library is linked statically, its `malloc` can't be replaced; an
// interpreter and a model checker have none.
#[cfg_attr(
    all(
        feature = "native",
        target_os = "linux",
        target_env = "gnu",
        not(target_feature = "crt-static"),
        not(miri),
        not(all(test, loom))
    ),
    path = "native/interposed.rs"
)]
#[cfg_attr(
    not(all(
        feature = "native",
        target_os = "linux",
        target_env = "gnu",
        not(target_feature = "crt-static"),
        not(miri),
        not(all(test, loom))
    )),
    path = "native/absent.rs"
)]
mod platform;

pub(crate) use platform::Counters;

/// Runs `f`, whose calls of `malloc` are not C's. It does not unwind.
#[inline(always)]
pub(crate) fn ours<T>(f: impl FnOnce() -> T) -> T {
    platform::ours(f)
}

/// For a destructor of a thread-local of ours: once it returns, glibc frees
/// what it noted it down with, which was ours too.
pub(crate) fn pass_over_next_free() {
    platform::pass_over_next_free();
}

/// Calls of `malloc` and its kin that did not come through Rust's global
/// allocator, with the requested sizes in bytes.
///
/// `malloc`'s interface has no sizes of blocks: what a free gave back, and what
/// a reallocation grew by, is not known. So there are no freed bytes, no net
/// bytes and no peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NativeTally {
    /// Calls that gave a new block: `malloc`, `calloc`, `realloc` of null, and
    /// the aligned ones.
    pub allocs: u64,
    /// The sum of the sizes that `allocs` asked for, in bytes.
    pub bytes: u64,
    /// Calls of `realloc` for a block that was live and goes on living.
    pub reallocs: u64,
    /// The sum of the whole new sizes that `reallocs` asked for, in bytes.
    pub realloc_bytes: u64,
    /// Calls that gave a block back: `free` of a block, and `realloc` of one to
    /// zero bytes. A `free` of null is nothing.
    pub frees: u64,
    /// Calls that gave no memory, for lack of it or because of what they asked
    /// for. They are in no other field.
    pub failed: u64,
}

impl NativeTally {
    /// Nothing was done.
    pub const ZERO: Self = Self {
        allocs: 0,
        bytes: 0,
        reallocs: 0,
        realloc_bytes: 0,
        frees: 0,
        failed: 0,
    };

    fn zip(self, other: Self, op: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            allocs: op(self.allocs, other.allocs),
            bytes: op(self.bytes, other.bytes),
            reallocs: op(self.reallocs, other.reallocs),
            realloc_bytes: op(self.realloc_bytes, other.realloc_bytes),
            frees: op(self.frees, other.frees),
            failed: op(self.failed, other.failed),
        }
    }
}

/// Field by field.
impl Add for NativeTally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }
}

/// Field by field.
impl AddAssign for NativeTally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// What was done between two readings: the later minus the earlier, field by
/// field.
impl Sub for NativeTally {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        self.zip(earlier, u64::wrapping_sub)
    }
}

/// One line: `2 native allocs (96 bytes), 1 native reallocs (to 64 bytes),
/// 2 native frees, 0 native failed`.
impl fmt::Display for NativeTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} native allocs ({} bytes), {} native reallocs (to {} bytes), {} native frees, \
             {} native failed",
            self.allocs, self.bytes, self.reallocs, self.realloc_bytes, self.frees, self.failed
        )
    }
}

/// What C code took from `malloc` since the process started, on all threads;
/// `None` where that is not measured.
///
/// It is measured with the feature `native`, on Linux with glibc as a shared
/// library, and when a known call from inside of the C library was seen. Exact
/// for what [`process_tally`](crate::process_tally) is exact for.
#[must_use]
pub fn process_native_tally() -> Option<NativeTally> {
    platform::is_counted().then(platform::total)
}

/// What was counted so far, for two readings to be subtracted.
#[inline]
pub(crate) fn reading(scope: Scope, thread: &Counters) -> Option<NativeTally> {
    platform::is_counted().then(|| match scope {
        Scope::Thread => thread.read(),
        Scope::Process => platform::total(),
    })
}

/// What was counted since the reading `before`; not measured unless both were.
#[inline]
pub(crate) fn since(
    before: Option<NativeTally>,
    scope: Scope,
    thread: &Counters,
) -> Option<NativeTally> {
    Some(reading(scope, thread)? - before?)
}

/// What a measurement holds before anything was measured.
pub(crate) fn nothing() -> Option<NativeTally> {
    platform::is_counted().then_some(NativeTally::ZERO)
}

/// The sum of two parts; not measured unless both were.
pub(crate) fn sum(one: Option<NativeTally>, other: Option<NativeTally>) -> Option<NativeTally> {
    Some(one? + other?)
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
            "2 native allocs (96 bytes), 1 native reallocs (to 64 bytes), 3 native frees, \
             4 native failed"
        );
    }

    #[test]
    fn a_difference_undoes_a_sum_and_a_part_that_is_missing_is_never_zero() {
        let mut twice = MIXED;
        twice += MIXED;
        assert_eq!(twice - MIXED, MIXED);
        assert_eq!(sum(Some(MIXED), Some(MIXED)), Some(twice));
        assert_eq!(sum(Some(MIXED), None), None);
        assert_eq!(sum(None, Some(NativeTally::ZERO)), None);
    }
}
