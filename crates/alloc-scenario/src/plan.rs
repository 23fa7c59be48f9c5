//! [`Plan`]: how the scenarios of a bench are measured, and how one of them is.

use std::env;
use std::time::{Duration, Instant};

use alloc_results::{OutputDrop, protocol};
use counting_alloc::{Scope, Window};

/// How a scenario is measured: as the bench says, and with its own settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: u64,
    pub(crate) iterations: u64,
    /// Whether there is a timed pass.
    pub(crate) is_timed: bool,
    /// When the bench began.
    pub(crate) begin: Instant,
    /// How long the bench may run.
    pub(crate) bench_limit: Option<Duration>,
    /// How long each scenario may run.
    pub(crate) limit: Option<Duration>,
    /// Whether the scenario sets its limit itself.
    pub(crate) has_own_limit: bool,
    /// Whether `--quick` was given.
    pub(crate) quick: bool,
    /// Whether the call stacks of operations are captured.
    pub(crate) sites: bool,
    /// Whether scenarios are measured where they are called, by another harness's names: then
    /// criterion's `sample_size` sets the number of iterations.
    pub(crate) is_called: bool,
}

/// The most iterations of warm-up in a quick run, and of another harness's scenarios.
pub(crate) const QUICK_WARMUP: u64 = 10;

/// The most counted iterations, likewise.
pub(crate) const QUICK_ITERATIONS: u64 = 100;

impl Plan {
    /// Those of a bench that sets none.
    pub(crate) fn usual() -> Self {
        Self {
            scope: Scope::default(),
            output_drop: OutputDrop::default(),
            warmup: 1_000,
            iterations: 10_000,
            is_timed: true,
            begin: Instant::now(),
            bench_limit: None,
            limit: None,
            has_own_limit: false,
            quick: false,
            sites: false,
            is_called: false,
        }
    }

    /// Those of another harness's scenarios.
    pub(crate) fn of_calls() -> Self {
        Self {
            warmup: QUICK_WARMUP,
            iterations: QUICK_ITERATIONS,
            is_called: true,
            ..Self::usual()
        }
    }

    /// The defaults, as far as no environment variable replaces them.
    pub(crate) fn with_environment(self, quick: bool) -> Result<Self, String> {
        let iterations = |name| number(name, "iterations");
        let limit =
            |name| number(name, "milliseconds").map(|limit| limit.map(Duration::from_millis));
        Ok(Self {
            warmup: iterations(protocol::WARMUP)?.unwrap_or(self.warmup),
            iterations: iterations(protocol::ITERATIONS)?.unwrap_or(self.iterations),
            bench_limit: limit(protocol::TIMEOUT)?,
            limit: limit(protocol::SCENARIO_TIMEOUT)?,
            quick: quick || is_on(protocol::QUICK),
            sites: is_on(protocol::SITES),
            is_timed: !is_on(protocol::UNTIMED),
            ..self
        })
    }

    /// This number of iterations, or the `most` that there may be.
    pub(crate) fn capped(&self, number: u64, most: u64) -> u64 {
        let is_capped = self.quick || self.is_called;
        if is_capped { number.min(most) } else { number }
    }

    /// The window of a counted iteration. It keeps the thread's peak. The peak of the
    /// process slows every thread, and so has its own pass.
    pub(crate) fn window(&self) -> Window {
        if self.scope == Scope::Process {
            Window::process()
        } else {
            Window::thread().with_peak()
        }
    }

    /// How long the bench may still run.
    pub(crate) fn left_of_bench(&self) -> Option<Duration> {
        let limit = self.bench_limit?;
        Some(limit.saturating_sub(self.begin.elapsed()))
    }
}

/// Whether a variable switches something on, as `cargo alloc-gate` reads it.
pub(crate) fn is_on(name: &str) -> bool {
    const OFF: [&str; 7] = ["", "0", "false", "no", "off", "n", "f"];
    let value = env::var_os(name).unwrap_or_default();
    !OFF.iter().any(|off| value.eq_ignore_ascii_case(off))
}

/// The number in an environment variable, if that is set.
fn number(name: &str, unit: &str) -> Result<Option<u64>, String> {
    let Some(value) = env::var_os(name) else {
        return Ok(None);
    };
    let number = value.to_str().and_then(|value| value.parse().ok());
    number.map(Some).ok_or_else(|| {
        format!(
            "{name} is {}, which is not a number of {unit}; set it to a whole number",
            value.to_string_lossy()
        )
    })
}
