//! [`ScenarioSites`], the operations of a scenario by call stack, as they were measured; [`Amounts`],
//! the sum of each metric; and [`Site`], a place with its operations.

use std::iter::Sum;
use std::ops::AddAssign;

use alloc_results::{
    BeforeRow, Metric, Ratio, Reading, SampleSites, ScenarioRecord, SiteRow, SitesRecord,
};
use alloc_symbols::Frame;
use indexmap::IndexMap;

use crate::measure::Statistic;

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

    /// Whether live blocks were followed in all iterations: peaks are known, and net values by
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
        // The sample with the largest value, and its number of iterations.
        let follows = self.follows_blocks();
        let amounts = |row: &SiteRow| Amounts::of_row(row, follows);
        let samples = self.samples.iter();
        let values = samples.filter_map(|(sample, iterations)| {
            let total = total(sample, amounts).of(metric);
            Some((Ratio::new(total, *iterations)?, sample, *iterations))
        });
        let largest = values.max_by_key(|&(value, _, _)| value);
        largest.map_or((Vec::new(), 1), |(_, sample, times)| (vec![sample], times))
    }
}

fn total(sample: &SampleSites, amounts: impl Fn(&SiteRow) -> Amounts) -> Amounts {
    let before = sample.before.map(Amounts::of_before);
    sample.rows.iter().map(amounts).chain(before).sum()
}

/// The sum of each metric over the iterations of a sample, and the sizes of their requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    counted: [i128; Metric::ALL.len()],
    /// The smallest and the largest request in bytes; 0 without one.
    pub(crate) smallest: u64,
    pub(crate) largest: u64,
}

impl Amounts {
    /// The sum of a metric; 0 of metrics that no stack is known of.
    #[must_use]
    pub fn of(&self, metric: Metric) -> i128 {
        let at = Metric::ALL.iter().position(|one| *one == metric);
        at.and_then(|at| self.counted.get(at)).copied().unwrap_or(0)
    }

    /// What a row adds to each metric. With live blocks, what an iteration leaves behind counts
    /// where the blocks were made; without, at the calls.
    pub(crate) fn of_row(row: &SiteRow, follows_blocks: bool) -> Self {
        let reading = Reading {
            counts: row.counts,
            ..Reading::default()
        };
        let mut amounts = Self {
            counted: Metric::ALL.map(|metric| metric.value(&reading).unwrap_or(0)),
            smallest: row.smallest,
            largest: row.largest,
        };
        if follows_blocks {
            amounts.set(Metric::NetBlocks, row.kept_blocks.into());
            amounts.set(Metric::NetBytes, row.kept_bytes.into());
        }
        amounts.set(Metric::PeakBytes, row.peak_bytes.into());
        amounts
    }

    /// What the blocks from before the iterations add.
    pub(crate) fn of_before(before: BeforeRow) -> Self {
        let mut amounts = Self::default();
        amounts.set(Metric::NetBlocks, before.kept_blocks.into());
        amounts.set(Metric::NetBytes, before.kept_bytes.into());
        let peak_bytes = before.peak_bytes.unwrap_or_default();
        amounts.set(Metric::PeakBytes, peak_bytes.into());
        amounts
    }

    fn set(&mut self, metric: Metric, sum: i128) {
        for (one, amount) in Metric::ALL.into_iter().zip(&mut self.counted) {
            if one == metric {
                *amount = sum;
            }
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for Amounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.counted.iter_mut().zip(other.counted) {
            *sum += more;
        }
        let smallest = [self.smallest, other.smallest].into_iter();
        self.smallest = smallest.filter(|size| *size > 0).min().unwrap_or(0);
        self.largest = self.largest.max(other.largest);
    }
}

impl Sum for Amounts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

/// A place with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The blamed line, or what stands for it.
    pub place: SitePlace,
    /// The function that the line calls: `Vec::with_capacity`; empty if it is the allocator.
    pub how: String,
    /// Whether the line is one that was edited.
    pub is_edited: bool,
    /// Whether it is an edited one, and no removed line made its call.
    pub is_added: bool,
    /// The innermost places of members below the line, where it is not itself the innermost one,
    /// with what is counted there: those with most operations first.
    pub allocates_in: IndexMap<SitePlace, i128>,
    /// The places of members that call the blamed function, in the same way.
    pub called_by: IndexMap<SitePlace, i128>,
    /// The functions that allocate, each with its part; the line itself if it calls none.
    pub made_by: IndexMap<String, Amounts>,
    /// The sums over the iterations.
    pub amounts: Amounts,
    /// The lines around a line, with their numbers.
    pub around: Vec<(u32, String)>,
    /// The call stacks that are blamed on the place, by their indices in [`Sites::measured`](crate::sites::Sites::measured).
    /// Their amounts add up to the site's.
    pub stacks: Vec<(usize, Amounts)>,
}

/// Where operations come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SitePlace {
    /// A line of a workspace member.
    Line(Line),
    /// A function of a workspace member, without line tables.
    Function(String),
    /// A function of a dependency; no member is in the stack.
    Dependency(String),
    /// The last function of a stack that ends early: code without unwind tables.
    Untraced(String),
    /// All stacks that were not kept, because there were too many.
    FurtherStacks,
    /// The blocks from before the iterations.
    Before,
}

/// A line of a member's code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file, relative to the root of the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column of the call in bytes, from 1, if it is known.
    pub column: Option<u32>,
    /// The function, without its path.
    pub function: String,
    /// The text of the line, if the source is at hand.
    pub text: Option<String>,
}

impl Site {
    /// A place without operations.
    pub(crate) fn new(place: SitePlace, how: String) -> Self {
        Self {
            place,
            how,
            is_edited: false,
            is_added: false,
            allocates_in: IndexMap::new(),
            called_by: IndexMap::new(),
            made_by: IndexMap::new(),
            amounts: Amounts::default(),
            around: Vec::new(),
            stacks: Vec::new(),
        }
    }
}

impl Site {
    /// Adds what was done at the same place.
    pub(super) fn add(&mut self, other: &Self) {
        self.is_edited |= other.is_edited;
        self.amounts += other.amounts;
        self.around.clone_from(&other.around);
        self.stacks.extend(&other.stacks);
        for (function, &amounts) in &other.made_by {
            *self.made_by.entry(function.clone()).or_default() += amounts;
        }
        for (places, others) in [
            (&mut self.allocates_in, &other.allocates_in),
            (&mut self.called_by, &other.called_by),
        ] {
            for (place, amount) in others {
                *places.entry(place.clone()).or_default() += amount;
            }
        }
    }
}

impl SitePlace {
    /// The line, if it is one.
    #[must_use]
    pub fn line(&self) -> Option<&Line> {
        if let Self::Line(line) = self {
            return Some(line);
        }
        None
    }

    /// The function, if it is known.
    #[must_use]
    pub fn function(&self) -> Option<&str> {
        match self {
            Self::Line(line) => Some(&line.function),
            Self::Function(function) | Self::Dependency(function) | Self::Untraced(function) => {
                Some(function)
            }
            Self::FurtherStacks | Self::Before => None,
        }
    }
}

impl Line {
    /// `src/text.rs:53:21`.
    #[must_use]
    pub fn location(&self) -> String {
        location(&self.file, Some(self.line), self.column)
    }
}

/// The file with the numbers that are known.
pub(crate) fn location(file: &str, line: Option<u32>, column: Option<u32>) -> String {
    let numbers = [line, column].into_iter().flatten();
    let numbers: String = numbers.map(|number| format!(":{number}")).collect();
    format!("{file}{numbers}")
}

#[cfg(test)]
mod tests {
    use alloc_results::Metric;

    use super::*;
    use crate::sites::tests::row;

    fn sample(allocs: u64) -> SampleSites {
        SampleSites {
            rows: vec![row(None, allocs, 0)],
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
