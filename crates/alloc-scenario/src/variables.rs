//! The environment variables that say how a bench measures.

use std::env;
use std::time::Duration;

use alloc_results::protocol;

use crate::plan::TimeLimits;
use crate::scenario::operation::Defaults;

impl Defaults {
    /// The defaults, as far as no variable replaces them.
    pub(crate) fn with_environment(self, quick: bool) -> Result<Self, String> {
        let iterations = |name| number(name, "iterations");
        let limit =
            |name| number(name, "milliseconds").map(|limit| limit.map(Duration::from_millis));
        Ok(Self {
            warmup: iterations(protocol::WARMUP)?.unwrap_or(self.warmup),
            iterations: iterations(protocol::ITERATIONS)?.unwrap_or(self.iterations),
            limits: TimeLimits {
                bench: limit(protocol::TIMEOUT)?,
                scenario: limit(protocol::SCENARIO_TIMEOUT)?,
                ..self.limits
            },
            quick: quick || is_on(protocol::QUICK),
            sites: is_on(protocol::SITES),
            is_timed: !is_on(protocol::UNTIMED),
            is_called: self.is_called,
        })
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
