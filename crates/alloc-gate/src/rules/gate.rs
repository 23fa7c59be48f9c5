//! [`Gate`]: which scenarios have to meet which requirements, `[[gate]]`.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::diagnostic::Place;
use crate::figure::{Measure, Statistic};
use crate::requirement::{MarginSize, Requirement};
use crate::rules::condition::Condition;
use crate::rules::pattern::Pattern;

/// A gate, `[[gate]]`.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Its name, unique in the file.
    pub name: String,
    /// Which scenarios it is about; at least one.
    pub scenarios: Vec<Pattern>,
    /// Which of those it is not about.
    pub exclude: Vec<Pattern>,
    /// Where it applies.
    pub condition: Condition,
    /// What it requires of each; at least one.
    pub rules: Vec<Rule>,
    /// How far figures may be better than a limit before the gate is stale; `None`
    /// lets them be as good as they can where the limit is no baseline.
    pub tolerance: Option<MarginSize>,
    /// The axis that requirements on growth are about; `None` where the scenarios
    /// have but one of numbers.
    pub growth_axis: Option<String>,
    /// Why, for whoever breaks it.
    pub reason: Option<String>,
    /// Where it stands in the file.
    pub place: Place,
}

/// One requirement of a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What is measured.
    pub metric: Measure,
    /// Which figure of it is judged.
    pub statistic: Statistic,
    /// What the figure has to be.
    pub requirement: Arc<Requirement>,
    /// Where it stands in the file.
    pub place: Place,
}

impl Gate {
    /// Whether it is about the scenario of this full name, where it applies.
    #[must_use]
    pub fn is_about(&self, name: &str) -> bool {
        let is_in = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(name));
        is_in(&self.scenarios) && !is_in(&self.exclude)
    }
}
