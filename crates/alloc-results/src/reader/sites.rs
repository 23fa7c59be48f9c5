//! Whether the sites of a scenario add up to its samples.

use counting_alloc::Tally;

use crate::metric::{Metric, Reading};
use crate::record::{MOST, ScenarioRecord};
use crate::sites::{BeforeRow, SampleSites, SiteRow, SitesRecord};

/// The figures of a row, under the names of messages.
const FIGURES: [&str; 8] = [
    "allocs",
    "reallocs",
    "deallocs",
    "bytes",
    "freed-bytes",
    "kept-blocks",
    "kept-bytes",
    "peak-bytes",
];

impl SitesRecord {
    /// What is wrong with the sites of a scenario whose samples are countable. The figures of
    /// all rows of right sites together are at most [`MOST`], so no sum of them overflows.
    pub(crate) fn mistake(&self, scenario: &ScenarioRecord) -> Option<String> {
        if self.samples.len() != scenario.samples.len() {
            return Some(String::from("the number of samples"));
        }
        let nothing = SampleSites::default();
        let others = self.others.as_ref().unwrap_or(&nothing);
        let own = self.samples.iter().flatten();
        let all = own.chain([&self.first, others]);
        let rows = all.clone().flat_map(|sites| &sites.rows);
        let mut stacks = rows.clone().filter_map(|row| row.stack);
        if stacks.any(|stack| stack >= self.stacks.0.len()) {
            return Some(String::from("a stack that is missing"));
        }
        let figures = rows.map(SiteRow::figures);
        let figures = figures.chain(all.filter_map(|sites| Some(sites.before?.figures())));
        let sum: u128 = figures.flatten().map(i128::unsigned_abs).sum();
        if sum > MOST.into() {
            return Some(String::from("too large to have been counted"));
        }
        if let Some(figure) = self.first.difference([(&scenario.first, 1)]) {
            return Some(format!("{figure} of the first call"));
        }
        let mut pooled = Vec::new();
        for (index, (sites, sample)) in self.samples.iter().zip(&scenario.samples).enumerate() {
            let reading = (&sample.reading, sample.times);
            match sites {
                None => pooled.push(reading),
                Some(sites) => {
                    if let Some(figure) = sites.difference([reading]) {
                        return Some(format!("{figure} of sample {}", index + 1));
                    }
                }
            }
        }
        let figure = others.difference(pooled)?;
        Some(format!("{figure} of the other samples"))
    }
}

impl SampleSites {
    /// The first figure that differs from the readings, each times its number of iterations.
    fn difference<'r>(
        &self,
        readings: impl IntoIterator<Item = (&'r Reading, u64)>,
    ) -> Option<&'static str> {
        let mut sums = [0; FIGURES.len()];
        let mut add = |figures: [i128; FIGURES.len()], times: i128| {
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure * times;
            }
        };
        for row in &self.rows {
            add(row.figures(), 1);
        }
        if let Some(before) = &self.before {
            add(before.figures(), 1);
        }
        for (reading, times) in readings {
            let value = |metric: Metric| metric.value(reading).unwrap_or_default();
            // 0 where it is not known.
            let kept = self
                .before
                .map_or([0; 2], |_| [Metric::NetBlocks, Metric::NetBytes].map(value));
            let peak_bytes = self.before.and_then(|before| before.peak_bytes);
            let peak_bytes = peak_bytes.map_or(0, |_| value(Metric::PeakBytes));
            add(
                figures(&reading.counts, kept, peak_bytes),
                -i128::from(times),
            );
        }
        let mut figures = FIGURES.into_iter().zip(sums);
        figures.find_map(|(name, sum)| (sum != 0).then_some(name))
    }
}

impl SiteRow {
    fn figures(&self) -> [i128; FIGURES.len()] {
        let kept = [self.kept_blocks, self.kept_bytes].map(i128::from);
        figures(&self.counts, kept, self.peak_bytes.into())
    }
}

impl BeforeRow {
    fn figures(&self) -> [i128; FIGURES.len()] {
        let kept = [self.kept_blocks, self.kept_bytes].map(i128::from);
        let peak_bytes = self.peak_bytes.unwrap_or_default();
        figures(&Tally::default(), kept, peak_bytes.into())
    }
}

/// The [`FIGURES`].
fn figures(counts: &Tally, kept: [i128; 2], peak_bytes: i128) -> [i128; FIGURES.len()] {
    let [blocks, bytes] = kept;
    [
        counts.allocs.into(),
        counts.reallocs.into(),
        counts.deallocs.into(),
        counts.bytes.into(),
        counts.freed_bytes.into(),
        blocks,
        bytes,
        peak_bytes,
    ]
}
