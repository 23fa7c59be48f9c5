//! [`ScenarioSites`]: the operations of a scenario by call stack, as they were measured.

use alloc_results::{Metric, Ratio, SampleSites, ScenarioRecord, SiteRow, SitesRecord};
use alloc_symbols::Frame;

use crate::figure::Statistic;
use crate::sites::amounts::Amounts;

/// The operations of a scenario by call stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioSites {
    /// The stacks that rows name by index, each innermost first. Files are as
    /// [`Members::relative`](crate::sites::Members::relative) names them.
    pub stacks: Vec<Vec<Frame>>,
    /// The first, cold call.
    pub first: SampleSites,
    /// The counted iterations, in groups of those with the same reading, and the number of
    /// iterations that the rows of each are sums over.
    pub samples: Vec<(SampleSites, u64)>,
    /// The iterations that the scenario has without call stacks.
    pub planned: u64,
    /// The file of the bench, as reports show it. Its edits are not blamed: it says what is
    /// measured, and the code that it calls allocates.
    pub bench: String,
    /// What is wrong with the bench's line tables, so that functions may lack lines.
    pub problem: Option<String>,
}

impl ScenarioSites {
    /// The operations of a record, whose stacks are these.
    #[must_use]
    pub fn new(scenario: &ScenarioRecord, record: &SitesRecord, stacks: Vec<Vec<Frame>>) -> Self {
        let mut samples = Vec::new();
        // The iterations of the samples that have no rows of their own.
        let mut others = 0;
        for (sample, sites) in scenario.samples.iter().zip(&record.samples) {
            match sites {
                Some(sites) => samples.push((sites.clone(), sample.times)),
                None => others += sample.times,
            }
        }
        samples.extend(record.others.clone().map(|rest| (rest, others)));
        Self {
            stacks,
            first: record.first.clone(),
            samples,
            planned: record.planned,
            bench: scenario.location.file.clone(),
            problem: None,
        }
    }

    /// The number of counted iterations, and how many the scenario has without call stacks, if
    /// these are more: only some of them were explained.
    pub(crate) fn part(&self) -> Option<(u64, u64)> {
        let iterations = self.samples.iter().map(|(_, iterations)| *iterations);
        let explained = iterations.fold(0, u64::saturating_add);
        (explained < self.planned).then_some((explained, self.planned))
    }

    /// The samples, and the first call.
    pub(super) fn all_samples(&self) -> impl Iterator<Item = &SampleSites> + Clone {
        let samples = self.samples.iter().map(|(sample, _)| sample);
        samples.chain([&self.first])
    }

    /// Whether live blocks were followed in all iterations: peaks are known, and net figures by
    /// the line that made the blocks.
    pub(crate) fn follows_blocks(&self) -> bool {
        let mut all = self.all_samples();
        all.clone().any(|sample| sample.before.is_some())
            && all.all(|sample| sample.before.is_some() || sample.rows.is_empty())
    }

    /// The samples that a statistic is about, and the number that their sum is divided by.
    pub(super) fn samples_of(
        &self,
        metric: Metric,
        statistic: Statistic,
    ) -> (Vec<&SampleSites>, u64) {
        match statistic {
            Statistic::First => return (vec![&self.first], 1),
            Statistic::Max => {}
            Statistic::Mean | Statistic::PerElement | Statistic::Growth => {
                let samples = self.samples.iter().map(|(sample, _)| sample).collect();
                let iterations = self.samples.iter().map(|(_, iterations)| *iterations);
                return (samples, iterations.fold(0, u64::saturating_add).max(1));
            }
        }
        // The sample with the largest figure, and its number of iterations.
        let follows = self.follows_blocks();
        let amounts = |row: &SiteRow| Amounts::of_row(row, follows);
        let samples = self.samples.iter();
        let figures = samples.filter_map(|(sample, iterations)| {
            let total = total(sample, amounts).of(metric);
            Some((Ratio::new(total, *iterations)?, sample, *iterations))
        });
        let largest = figures.max_by_key(|&(value, _, _)| value);
        largest.map_or((Vec::new(), 1), |(_, sample, times)| (vec![sample], times))
    }
}

fn total(sample: &SampleSites, amounts: impl Fn(&SiteRow) -> Amounts) -> Amounts {
    let before = sample.before.map(Amounts::of_before);
    sample.rows.iter().map(amounts).chain(before).sum()
}

#[cfg(test)]
mod tests {
    use alloc_results::{Metric, Tally};

    use super::*;

    fn sample(allocs: u64) -> SampleSites {
        SampleSites {
            rows: vec![SiteRow {
                counts: Tally {
                    allocs,
                    ..Tally::default()
                },
                ..SiteRow::default()
            }],
            before: None,
        }
    }

    #[test]
    fn a_statistic_has_its_own_samples() {
        let sites = ScenarioSites {
            first: sample(9),
            // 98 iterations with 1 each, one with 5, and one with none.
            samples: vec![(sample(98), 98), (sample(5), 1), (sample(0), 1)],
            ..ScenarioSites::default()
        };
        let allocs = |statistic| {
            let (samples, per) = sites.samples_of(Metric::Allocs, statistic);
            let counts = samples.iter().map(|sample| sample.rows[0].counts.allocs);
            (counts.sum::<u64>(), per)
        };
        for (statistic, expected) in [
            (Statistic::Mean, (103, 100)),
            (Statistic::PerElement, (103, 100)),
            (Statistic::First, (9, 1)),
            (Statistic::Max, (5, 1)),
        ] {
            assert_eq!(allocs(statistic), expected, "{statistic}");
        }
        let empty = ScenarioSites::default();
        let (samples, per) = empty.samples_of(Metric::Allocs, Statistic::Max);
        assert_eq!((samples.len(), per), (0, 1));
    }
}
