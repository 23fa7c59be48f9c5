//! [`Profile`]: what a bench of the lab is for; [`Plan`]: how often it calls a
//! scenario.

/// The purpose of a bench, and so how much it measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Times: every workload with all its axes, often enough for its times to be read,
    /// and the controls.
    Everything,
    /// Exact counts that gates can judge: one scenario for each workload, without times
    /// and controls.
    Checks,
}

/// How often a scenario is called: before the counted pass and in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Calls before the counted pass.
    pub warmup: u64,
    /// Calls in the counted pass.
    pub iterations: u64,
}

impl Plan {
    /// For calls of about 10 microseconds to a millisecond.
    pub const SHORT: Self = Self {
        warmup: 20,
        iterations: 210,
    };
    /// For calls of milliseconds.
    pub const LONG: Self = Self {
        warmup: 1,
        iterations: 5,
    };
    /// For counts that are the same in every call but the first few of an arena, which
    /// grows meanwhile.
    pub const COUNTS: Self = Self {
        warmup: 4,
        iterations: 2,
    };
    /// For calls that find the same every time.
    pub const ONCE: Self = Self {
        warmup: 0,
        iterations: 1,
    };
}
