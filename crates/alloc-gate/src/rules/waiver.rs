//! [`Waiver`]: an exception to a gate, with a reason and an end.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::diagnostic::Place;
use crate::figure::{Date, Measure, Statistic};
use crate::requirement::rule_words;
use crate::rules::condition::Condition;
use crate::rules::gate::Rule;
use crate::rules::pattern::Pattern;

/// An exception to a gate, `[[waiver]]`.
#[derive(Clone, Debug)]
pub struct Waiver {
    /// The index of the gate in [`Config::gates`](super::Config::gates).
    pub gate: usize,
    /// For which of the gate's scenarios; at least one.
    pub scenarios: Vec<Pattern>,
    /// What is still required of them, each instead of the gate's requirement on
    /// the same metric and statistic; at least one.
    pub rules: Vec<Rule>,
    /// Why.
    pub reason: String,
    /// Where it is worked on.
    pub issue: Option<String>,
    /// The last day on which it holds; for ever, if there is none.
    pub until: Option<Date>,
    /// Where it applies.
    pub condition: Condition,
    /// Where it stands in the file.
    pub place: Place,
}

impl Waiver {
    /// Its requirement on a figure, if it has one.
    #[must_use]
    pub fn rule(&self, metric: &Measure, statistic: Statistic) -> Option<&Rule> {
        let mut rules = self.rules.iter();
        rules.find(|rule| rule.metric == *metric && rule.statistic == statistic)
    }
}

/// `allocs <= 9, bytes max <= 100`, what is still required.
impl fmt::Display for Waiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rule) in self.rules.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let words = rule_words(&rule.metric, rule.statistic, &rule.requirement);
            write!(f, "{comma}{words}")?;
        }
        Ok(())
    }
}
