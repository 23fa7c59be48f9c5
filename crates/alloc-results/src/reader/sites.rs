//! Whether the sites of a scenario add up to its samples.

use counting_alloc::Tally;

use crate::metric::{Metric, Reading};
use crate::record::{MOST, ScenarioRecord};
use crate::sites::{BeforeRow, SampleSites, SiteRow, SitesRecord};

/// The values of a row, under the names of messages.
const VALUES: [&str; 8] = [
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
    /// What is wrong with the sites of a scenario whose samples are countable. The values of
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
        let values = rows.map(SiteRow::values);
        let values = values.chain(all.filter_map(|sites| Some(sites.before?.values())));
        let sum: u128 = values.flatten().map(i128::unsigned_abs).sum();
        if sum > MOST.into() {
            return Some(String::from("too large to have been counted"));
        }
        if let Some(value) = self.first.difference([(&scenario.first, 1)]) {
            return Some(format!("{value} of the first call"));
        }
        let mut pooled = Vec::new();
        for (index, (sites, sample)) in self.samples.iter().zip(&scenario.samples).enumerate() {
            let reading = (&sample.reading, sample.times);
            match sites {
                None => pooled.push(reading),
                Some(sites) => {
                    if let Some(value) = sites.difference([reading]) {
                        return Some(format!("{value} of sample {}", index + 1));
                    }
                }
            }
        }
        let value = others.difference(pooled)?;
        Some(format!("{value} of the other samples"))
    }
}

impl SampleSites {
    /// The first value that differs from the readings, each times its number of iterations.
    fn difference<'r>(
        &self,
        readings: impl IntoIterator<Item = (&'r Reading, u64)>,
    ) -> Option<&'static str> {
        let mut sums = [0; VALUES.len()];
        let mut add = |values: [i128; VALUES.len()], times: i128| {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value * times;
            }
        };
        for row in &self.rows {
            add(row.values(), 1);
        }
        if let Some(before) = &self.before {
            add(before.values(), 1);
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
                values(&reading.counts, kept, peak_bytes),
                -i128::from(times),
            );
        }
        let mut values = VALUES.into_iter().zip(sums);
        values.find_map(|(name, sum)| (sum != 0).then_some(name))
    }
}

impl SiteRow {
    fn values(&self) -> [i128; VALUES.len()] {
        let kept = [self.kept_blocks, self.kept_bytes].map(i128::from);
        values(&self.counts, kept, self.peak_bytes.into())
    }
}

impl BeforeRow {
    fn values(&self) -> [i128; VALUES.len()] {
        let kept = [self.kept_blocks, self.kept_bytes].map(i128::from);
        let peak_bytes = self.peak_bytes.unwrap_or_default();
        values(&Tally::default(), kept, peak_bytes.into())
    }
}

/// The [`VALUES`].
fn values(counts: &Tally, kept: [i128; 2], peak_bytes: i128) -> [i128; VALUES.len()] {
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
