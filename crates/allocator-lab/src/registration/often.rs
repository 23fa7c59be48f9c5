//! [`Often`]: how often workloads are called. Which workload is called how often is not
//! known here.

use crate::lab::Extent;

/// How often something is called: before the counted pass and in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Often {
    pub(super) warmup: u64,
    pub(super) iterations: u64,
}

impl Often {
    /// For calls of about 10 microseconds to a millisecond.
    pub(super) const SHORT: Self = Self {
        warmup: 20,
        iterations: 210,
    };
    /// For calls of milliseconds.
    pub(super) const LONG: Self = Self {
        warmup: 1,
        iterations: 5,
    };
    /// For calls that do the same again, but for the first few of an arena.
    pub(super) const ARENA: Self = Self {
        warmup: 4,
        iterations: 2,
    };
    /// For calls that would do the same again.
    pub(super) const ONCE: Self = Self {
        warmup: 0,
        iterations: 1,
    };

    /// In the checks, whose counts are the same in every call but the first few of an
    /// arena, twice is enough.
    pub(super) const fn within(self, extent: Extent) -> Self {
        match extent {
            Extent::Everything => self,
            Extent::Checks => Self::ARENA,
        }
    }
}
