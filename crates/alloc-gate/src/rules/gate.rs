//! [`Gate`]: scenarios and the requirements that they must meet, `[[gate]]`.

use std::sync::Arc;

use crate::diagnostic::Place;
use crate::figure::{Measure, Statistic};
use crate::requirement::{Requirement, rule_words};
use crate::rules::Reaction;
use crate::rules::condition::Condition;
use crate::rules::scenario_filter::ScenarioFilter;

/// A gate, `[[gate]]`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The name, unique in the file.
    pub name: String,
    /// The scenarios that it applies to.
    pub filter: ScenarioFilter,
    /// Where it applies.
    pub condition: Condition,
    /// The requirements on each scenario; at least one.
    pub rules: Vec<Rule>,
    /// The axis of requirements on growth; `None` for the only numeric axis.
    pub growth_axis: Option<String>,
    /// The reaction to iterations that differ in a metric of this gate; `None` for that of the
    /// policy.
    pub nondeterministic: Option<Reaction>,
    /// The reaction to operations that the figures of its scenarios leave out; `None` for that of
    /// other gates, or of the policy.
    pub foreign: Option<Reaction>,
    /// Why the gate exists, for whoever breaks it.
    pub reason: Option<String>,
    /// The place in the file.
    pub place: Place,
}

/// One requirement of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The metric.
    pub metric: Measure,
    /// Which figure of the metric is judged.
    pub statistic: Statistic,
    /// The limits on the figure.
    pub requirement: Arc<Requirement>,
    /// The place in the file.
    pub place: Place,
}

impl Rule {
    /// `allocs max <= 3`.
    pub(crate) fn words(&self) -> String {
        rule_words(&self.metric, self.statistic, &self.requirement)
    }
}
