//! The stand-in on targets where `malloc` can't be counted. It counts nothing and
//! adds nothing to the cost of Rust's allocations.

use crate::native::tally::NativeTally;

pub(crate) mod caller {
    //! The stand-in for the caller of `malloc`.

    /// Runs `f`.
    #[inline(always)]
    pub(crate) fn as_rust<T>(f: impl FnOnce() -> T) -> T {
        f()
    }

    /// Does nothing.
    pub(crate) fn ignore_next_free() {}
}

pub(crate) mod counters {
    //! The stand-in for counters.

    use crate::native::tally::NativeTally;

    /// No counters.
    #[derive(Debug)]
    pub(crate) struct NativeCounters;

    impl NativeCounters {
        pub(crate) const fn new() -> Self {
            Self
        }

        pub(crate) fn read(&self) -> NativeTally {
            NativeTally::ZERO
        }
    }
}

/// Never.
#[inline(always)]
pub(super) fn is_counted() -> bool {
    false
}

pub(super) fn total() -> NativeTally {
    NativeTally::ZERO
}
