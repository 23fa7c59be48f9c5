//! [`Plan`]: how often a bench calls a scenario.

/// How often a scenario is called: before the counted pass and in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Calls before the counted pass.
    pub warmup: u64,
    /// Calls in the counted pass.
    pub iterations: u64,
}

impl Plan {
    /// This many calls before the counted pass, and in it.
    #[must_use]
    pub const fn calls(warmup: u64, iterations: u64) -> Self {
        Self { warmup, iterations }
    }

    /// For calls of a few microseconds to a millisecond: up to 5 are one timed window, so
    /// that it takes 10 microseconds or more.
    pub const SHORT: Self = Self::calls(10, 105);
    /// For calls of 10 microseconds or more, one a window.
    pub const LONG: Self = Self::calls(1, 5);
    /// For calls of up to some milliseconds, where the system provides some MiB anew.
    pub const VECTORS: Self = Self::calls(5, 50);
    /// For calls that are a window of several threads, of some milliseconds.
    pub const THREADS: Self = Self::calls(1, 7);
    /// For calls of tens of milliseconds, whose own metrics are counts: most calls are those
    /// of the timed pass.
    pub const SLOW: Self = Self::calls(1, 2);
    /// For counts that are the same in every call but the first few of an arena, which
    /// grows meanwhile.
    pub const COUNTS: Self = Self::calls(4, 2);
    /// For calls that find the same every time.
    pub const ONCE: Self = Self::calls(0, 1);
}
