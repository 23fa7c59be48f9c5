//! [`Gate`]: scenarios and the requirements that they must meet, `[[gate]]`.

use std::sync::Arc;

use alloc_results::BenchId;

use crate::diagnostic::Place;
use crate::figure::{Measure, Statistic};
use crate::requirement::{Requirement, rule_words};
use crate::rules::Reaction;
use crate::rules::condition::Condition;
use crate::rules::pattern::Pattern;

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

/// The scenarios that a gate or a table is for.
#[derive(Clone, Debug)]
pub struct ScenarioFilter {
    /// Their names; at least one pattern.
    pub scenarios: Vec<Pattern>,
    /// Exceptions from `scenarios`.
    pub exclude: Vec<Pattern>,
    /// Their benches.
    pub benches: BenchFilter,
}

impl ScenarioFilter {
    /// Whether it has the scenario with this bench and full name.
    #[must_use]
    pub fn includes(&self, bench: &BenchId, name: &str) -> bool {
        self.benches.includes(bench)
            && Pattern::any_matches(&self.scenarios, name)
            && !self.excludes(name)
    }

    pub(crate) fn excludes(&self, name: &str) -> bool {
        Pattern::any_matches(&self.exclude, name)
    }

    /// The patterns that select none of these scenarios.
    pub fn idle<'i>(
        &self,
        ids: impl Iterator<Item = (&'i BenchId, &'i str)> + Clone,
    ) -> impl Iterator<Item = &Pattern> {
        let selects = move |glob: &Pattern| {
            let mut ids = ids.clone();
            ids.any(|(bench, name)| glob.matches(name) && self.benches.includes(bench))
        };
        self.scenarios.iter().filter(move |glob| !selects(glob))
    }

    /// The exceptions that take away none of these scenarios.
    pub fn idle_exceptions<'i>(
        &self,
        ids: impl Iterator<Item = (&'i BenchId, &'i str)> + Clone,
    ) -> impl Iterator<Item = &Pattern> {
        let takes_away = move |glob: &Pattern| {
            let mut ids = ids.clone();
            ids.any(|(bench, name)| {
                glob.matches(name)
                    && self.benches.includes(bench)
                    && Pattern::any_matches(&self.scenarios, name)
            })
        };
        self.exclude.iter().filter(move |glob| !takes_away(glob))
    }
}

/// The benches that a gate or a table is for: `package` and `bench`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchFilter {
    /// The packages; `None` for all.
    pub package: Option<Pattern>,
    /// The bench targets; `None` for all.
    pub bench: Option<Pattern>,
}

impl BenchFilter {
    /// Whether it has all benches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.package.is_none() && self.bench.is_none()
    }

    /// Whether it has the bench.
    #[must_use]
    pub fn includes(&self, bench: &BenchId) -> bool {
        let allows = |pattern: &Option<Pattern>, name: &str| {
            pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
        };
        allows(&self.package, &bench.package) && allows(&self.bench, &bench.target)
    }

    /// The keys that the filter has, with their globs.
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, &Pattern)> {
        let package = self.package.iter().map(|pattern| ("package", pattern));
        package.chain(self.bench.iter().map(|pattern| ("bench", pattern)))
    }
}
