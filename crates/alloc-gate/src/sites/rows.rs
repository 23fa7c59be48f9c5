//! [`ScenarioSites`]: the operations of a scenario by call stack, as they were measured.

use std::collections::HashMap;

use alloc_results::{BeforeRow, Metric, Ratio, SiteRow};

use crate::figure::Statistic;
use crate::sites::amounts::Amounts;
use crate::sites::blame::Members;
use crate::sites::frame::Frame;

/// The operations of a scenario by call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioSites {
    /// The stacks that rows name by index, each innermost first.
    pub stacks: Vec<Vec<Frame>>,
    /// The first, cold call.
    pub first: SampleSites,
    /// The counted iterations, in groups of those with the same reading.
    pub samples: Vec<SampleSites>,
}

/// The operations of some iterations by call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleSites {
    /// The number of iterations that the rows are sums over.
    pub iterations: u64,
    /// A row for each stack.
    pub rows: Vec<SiteRow>,
    /// The change of the blocks from before each iteration; `None` where live blocks were not
    /// followed, so that there is no peak and no origin of what is kept.
    pub before: Option<BeforeRow>,
}

impl ScenarioSites {
    /// The same with the paths of members' files as reports show them, which are equal on both
    /// sides of a comparison.
    pub(super) fn with_paths(mut self, members: &Members) -> Self {
        let mut paths: HashMap<String, String> = HashMap::new();
        for file in self
            .stacks
            .iter_mut()
            .flatten()
            .filter_map(|it| it.file.as_mut())
        {
            if !paths.contains_key(file) {
                let path = members.shown_path(file).unwrap_or_else(|| file.clone());
                paths.insert(file.clone(), path);
            }
            if let Some(path) = paths.get(file) {
                file.clone_from(path);
            }
        }
        self
    }

    /// Whether live blocks were followed in all iterations.
    pub(crate) fn follows_blocks(&self) -> bool {
        let all = self.samples.iter().chain([&self.first]);
        all.clone().any(|sample| sample.before.is_some())
            && all
                .into_iter()
                .all(|sample| sample.before.is_some() || sample.rows.is_empty())
    }

    /// The samples that a statistic is about, and the number that their sum is divided by.
    #[must_use]
    pub fn samples_of(&self, metric: Metric, statistic: Statistic) -> (Vec<&SampleSites>, u64) {
        match statistic {
            Statistic::First => (vec![&self.first], self.first.iterations.max(1)),
            Statistic::Min => self.ranked(metric, 0),
            Statistic::P50 => self.ranked(metric, 50),
            Statistic::P99 => self.ranked(metric, 99),
            Statistic::Max => self.ranked(metric, 100),
            Statistic::Total => (self.samples.iter().collect(), 1),
            Statistic::Mean
            | Statistic::PerElement
            | Statistic::Growth
            | Statistic::Slope
            | Statistic::Intercept => {
                let iterations = self.samples.iter().map(|sample| sample.iterations);
                let all = iterations.fold(0, u64::saturating_add);
                (self.samples.iter().collect(), all.max(1))
            }
        }
    }

    /// The sample at a nearest-rank percentile, and its number of iterations.
    fn ranked(&self, metric: Metric, percent: u128) -> (Vec<&SampleSites>, u64) {
        let follows = self.follows_blocks();
        let mut ranked: Vec<(Ratio, &SampleSites)> = self
            .samples
            .iter()
            .filter_map(|sample| {
                let total = sample.total(follows).of(metric);
                Some((Ratio::new(total, sample.iterations)?, sample))
            })
            .collect();
        ranked.sort_by_key(|&(value, _)| value);
        let all: u128 = ranked
            .iter()
            .map(|(_, one)| u128::from(one.iterations))
            .sum();
        let needed = (all * percent).div_ceil(100).max(1);
        let mut seen = 0;
        let found = ranked.into_iter().find(|(_, sample)| {
            seen += u128::from(sample.iterations);
            seen >= needed
        });
        let iterations = found.map_or(1, |(_, sample)| sample.iterations);
        (
            found.map(|(_, sample)| sample).into_iter().collect(),
            iterations,
        )
    }
}

impl SampleSites {
    fn total(&self, follows_blocks: bool) -> Amounts {
        let mut total = Amounts::default();
        for row in &self.rows {
            total += Amounts::of_row(row, follows_blocks);
        }
        if let Some(before) = self.before {
            total += Amounts::of_before(before);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Counts;

    use super::*;

    fn sample(iterations: u64, allocs: u64) -> SampleSites {
        SampleSites {
            iterations,
            rows: vec![SiteRow {
                counts: Counts {
                    allocs,
                    ..Counts::default()
                },
                ..SiteRow::default()
            }],
            before: None,
        }
    }

    #[test]
    fn a_statistic_has_its_own_samples() {
        let sites = ScenarioSites {
            stacks: Vec::new(),
            first: sample(1, 9),
            // 98 iterations with 1 each, one with 5, and one with none.
            samples: vec![sample(98, 98), sample(1, 5), sample(1, 0)],
        };
        let allocs = |statistic| {
            let (samples, per) = sites.samples_of(Metric::Allocs, statistic);
            let counts = samples.iter().map(|sample| sample.rows[0].counts.allocs);
            (counts.sum::<u64>(), per)
        };
        for (statistic, expected) in [
            (Statistic::Mean, (103, 100)),
            (Statistic::PerElement, (103, 100)),
            (Statistic::Total, (103, 1)),
            (Statistic::First, (9, 1)),
            (Statistic::Min, (0, 1)),
            (Statistic::Max, (5, 1)),
            (Statistic::P50, (98, 98)),
            (Statistic::P99, (98, 98)),
        ] {
            assert_eq!(allocs(statistic), expected, "{statistic}");
        }
        let empty = ScenarioSites::default();
        let (samples, per) = empty.samples_of(Metric::Allocs, Statistic::Max);
        assert_eq!((samples.len(), per), (0, 1));
    }
}
