//! [`ScenarioFilter`]: the scenarios that a gate or a table is for.

use alloc_results::BenchId;

use crate::rules::bench_filter::BenchFilter;
use crate::rules::pattern::Pattern;

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
