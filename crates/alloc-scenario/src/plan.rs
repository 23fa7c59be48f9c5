//! [`Plan`]: how a scenario is measured, with its [`TimeLimits`].

use std::time::{Duration, Instant};

use alloc_results::OutputDrop;
use counting_alloc::{Scope, Window};

/// The settings for measuring a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: u64,
    pub(crate) iterations: u64,
    pub(crate) is_timed: bool,
    pub(crate) limits: TimeLimits,
    /// Whether criterion's `sample_size` sets the number of iterations.
    pub(crate) is_called: bool,
    /// Whether the call stacks of operations are captured.
    pub(crate) sites: bool,
}

impl Plan {
    /// The window of a counted iteration. It keeps the thread's peak. The peak of the
    /// process slows every thread, and so has its own pass.
    pub(crate) fn window(&self) -> Window {
        if self.scope == Scope::Process {
            Window::process()
        } else {
            Window::thread().with_peak()
        }
    }
}

/// The time limits of a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimits {
    /// When the bench began.
    pub(crate) begin: Instant,
    /// How long the bench may run.
    pub(crate) bench: Option<Duration>,
    /// How long each scenario may run.
    pub(crate) scenario: Option<Duration>,
    /// Whether the scenario sets its limit itself.
    pub(crate) is_own: bool,
}

impl TimeLimits {
    /// How long the bench may still run.
    pub(crate) fn left_of_bench(&self) -> Option<Duration> {
        self.bench
            .map(|limit| limit.saturating_sub(self.begin.elapsed()))
    }
}
