//! [`Waiver`]: an exception to a gate, with a reason and an optional end.

use std::fmt;

use crate::diagnostic::Place;
use crate::figure::{Date, Measure, Statistic};
use crate::rules::condition::Condition;
use crate::rules::gate::Rule;
use crate::rules::scenario_filter::ScenarioFilter;

/// An exception to a gate, `[[waiver]]`.
#[derive(Clone, Debug)]
pub struct Waiver {
    /// The index of the gate in [`Config::gates`](super::Config::gates).
    pub gate: usize,
    /// The gate's scenarios that it applies to.
    pub filter: ScenarioFilter,
    /// The requirements that replace those of the gate on the same metric and statistic; at
    /// least one.
    pub rules: Vec<Rule>,
    /// Why the exception is allowed.
    pub reason: String,
    /// The issue that tracks the exception.
    pub issue: Option<String>,
    /// The last day on which it applies; `None` for no end.
    pub until: Option<Date>,
    /// Where it applies.
    pub condition: Condition,
    /// The place in the file.
    pub place: Place,
}

impl Waiver {
    /// The rule for a metric and a statistic, if the waiver has one.
    #[must_use]
    pub fn rule(&self, metric: &Measure, statistic: Statistic) -> Option<&Rule> {
        let mut rules = self.rules.iter();
        rules.find(|rule| rule.metric == *metric && rule.statistic == statistic)
    }
}

/// The rules, as in `allocs <= 9, bytes max <= 100`.
impl fmt::Display for Waiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.iter();
        let rules = rules.map(Rule::words);
        f.write_str(&rules.collect::<Vec<_>>().join(", "))
    }
}
