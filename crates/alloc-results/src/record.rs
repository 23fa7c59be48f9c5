//! The records of a stream that follow the first. Keys are kebab-case, counts are
//! integers, and a value that was not measured is `null`.

use counting_alloc::{Mode, Scope, Tally};

use crate::custom::CustomMetric;
use crate::distribution::Distribution;
use crate::json::{Members, ToJson, names, object, record};
use crate::metric::{Metric, Reading, Unit};
use crate::ratio::Ratio;
use crate::sites::SitesRecord;

/// The major version of the record format that this crate writes and reads.
/// Fields may be added within a version; readers ignore unknown fields.
pub const SCHEMA: u64 = 1;

/// The largest count, size or number of iterations that a record may have. No
/// real measurement comes near it, and sums over all iterations stay within 128
/// bits.
pub const MOST: u64 = 1 << 60;

// The kinds of records, as lines name them.
pub(crate) const ENVIRONMENT: &str = "environment";
pub(crate) const SCENARIO: &str = "scenario";
pub(crate) const FAILURE: &str = "failure";
pub(crate) const END: &str = "end";

record! {
    /// A reading, and how many iterations had exactly this reading.
    #[derive(PartialOrd, Ord)]
    pub struct Sample {
        /// The reading.
        pub reading: Reading,
        /// The number of iterations.
        pub times: u64,
    }
}

record! {
    /// One measured scenario.
    pub struct ScenarioRecord {
        /// The full name, unique in the stream: group, case and axis values.
        pub name: String,
        /// The group of the scenario.
        pub group: Option<String>,
        /// The values of its axes, in order.
        pub axes: Vec<AxisValue>,
        /// Where it was registered.
        pub location: Location,
        /// The threads whose operations were counted.
        pub scope: Scope,
        /// The number of threads that ran the body at once; the counts of an
        /// iteration are the sum over them.
        pub threads: u64,
        /// Whether dropping the output was part of the operation.
        pub output_drop: OutputDrop,
        /// Iterations before the counted pass.
        pub warmup: u64,
        /// Iterations of the counted pass.
        pub iterations: u64,
        /// The work of one iteration, as far as the scenario declares it.
        pub work: Work,
        /// The first, cold call.
        pub first: Reading,
        /// The counted pass: each reading that occurred, ascending, with its number
        /// of iterations. The numbers add up to `iterations`.
        pub samples: Vec<Sample>,
        /// The mode of the counter in the counted pass; `null` for one that has no name here.
        pub mode: Option<Mode>,
        /// The sum of what other threads did during the counted pass. `samples`
        /// contain it in process scope, but not in thread scope.
        pub foreign: Tally,
        /// What else the counts leave out or lack.
        pub outside: Box<Outside>,
        /// The timed pass, with counting switched off.
        pub time: Option<Time>,
        /// Metrics that the scenario measures itself, sorted by name, each name once.
        pub metrics: Vec<CustomMetric>,
        /// A note of the scenario's author.
        pub note: Option<Box<String>>,
    } omitted {
        /// The first operations of the first iteration of the counted pass, as messages show
        /// them: `alloc 24, grow 24 -> 48 and 7 more`. Absent on several threads. It is
        /// the size of a pointer, since there are many records.
        pub first_operations: Option<Box<String>>,
        /// The pass in which the peak of the process was kept; absent where it was not
        /// requested.
        pub peak_pass: Option<Box<PeakPass>>,
        /// Whether the scenario was measured in a process of its own, which makes its
        /// first call cold; absent where it was not.
        pub fresh: bool,
        /// The readings by call stack; absent where no sites were requested.
        pub sites: Option<Box<SitesRecord>>,
        /// Why there are no sites although they were requested, as the end of a sentence.
        pub sites_unavailable: Option<Box<String>>,
    }
}

record! {
    /// The operations and threads that the counts of a scenario leave out or lack, besides
    /// [`ScenarioRecord::foreign`].
    #[derive(Default)]
    pub struct Outside {
        /// What other threads did during the first call.
        pub foreign_first: Tally,
        /// The sum of what was excluded by `uncounted` during the counted pass.
        pub uncounted: Tally,
        /// The same during the first call.
        pub uncounted_first: Tally,
        /// The number of threads that began in an iteration of the counted pass or of the
        /// pass for the peak, and had not ended when its window of the process closed, so
        /// that counts can be too low.
        pub still_running: u64,
        /// The same for the first call.
        pub still_running_first: u64,
    }
}

record! {
    /// The pass for the peak of the process, which follows the counted pass. It has as
    /// many iterations, and only their peaks are recorded.
    pub struct PeakPass {
        /// The mode of the counter.
        pub mode: Mode,
        /// The most bytes of all threads live at once, above the level at the beginning of the
        /// iteration, in as many iterations as the scenario's `iterations`.
        pub samples: Distribution,
    }
}

record! {
    /// One coordinate of a swept scenario.
    pub struct AxisValue {
        /// The name of the axis.
        pub axis: String,
        /// The value, as text.
        pub value: String,
    }
}

record! {
    /// A line of source.
    pub struct Location {
        /// The file as the compiler names it: relative to the workspace.
        pub file: String,
        /// The line, from 1.
        pub line: u32,
    }
}

/// When the output of an iteration was dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum OutputDrop {
    /// As part of the operation.
    #[default]
    Inside,
    /// After the iteration was counted.
    Outside,
}

record! {
    /// The work of one iteration.
    #[derive(Copy, Default)]
    pub struct Work {
        /// Elements, rows, frames, requests.
        pub elements: Option<u64>,
        /// Bytes of input or output.
        pub bytes: Option<u64>,
    }
}

record! {
    /// The timed pass: batches of iterations in a row.
    pub struct Time {
        /// The iterations of each batch.
        pub batch: u64,
        /// The wall-clock time of each batch in nanoseconds, ascending.
        pub nanoseconds: Vec<u64>,
        /// The wall-clock time in nanoseconds of the first, cold call, with counting
        /// on.
        pub first: u64,
    }
}

record! {
    /// A scenario without counts, because it panicked or could not be measured.
    pub struct FailureRecord {
        /// The full name.
        pub name: String,
        /// Where it was registered.
        pub location: Location,
        /// The message of the panic or of the error.
        pub message: String,
    } omitted {
        /// Whether its iterations don't fit a time limit; absent if they do.
        pub timed_out: bool,
    }
}

record! {
    /// The last record of a stream. A stream without it is incomplete.
    #[derive(Copy)]
    pub struct EndRecord {
        /// The number of scenario records in the stream.
        pub scenarios: u64,
        /// The number of failure records in the stream.
        pub failed: u64,
    }
}

impl ToJson for Reading {
    fn write(&self, out: &mut String) {
        object(
            out,
            &[("counts", &self.counts), ("peak_bytes", &self.peak_bytes)],
            &[],
        );
    }
}

/// Without the refused calls.
impl ToJson for Tally {
    fn write(&self, out: &mut String) {
        let members: Members<'_> = &[
            ("allocs", &self.allocs),
            ("reallocs", &self.reallocs),
            ("deallocs", &self.deallocs),
            ("bytes", &self.bytes),
            ("freed_bytes", &self.freed_bytes),
        ];
        object(out, members, &[]);
    }
}

/// By name.
impl ToJson for Unit {
    fn write(&self, out: &mut String) {
        self.name().write(out);
    }
}

names!(Mode {
    Counting "counting",
    ThreadPeak "thread-peak",
    ProcessPeak "process-peak",
});

names!(Scope { Thread "thread", Process "process" });
names!(OutputDrop { Inside "inside", Outside "outside" });

impl ScenarioRecord {
    /// The distribution of `metric` over the counted iterations. The peak of the
    /// process has a pass of its own. `None` when the metric was not measured.
    #[must_use]
    pub fn distribution(&self, metric: Metric) -> Option<Distribution> {
        if let (Metric::PeakBytes, Some(pass)) = (metric, &self.peak_pass) {
            return Some(pass.samples.clone());
        }
        let values: Option<Vec<_>> = self
            .samples
            .iter()
            .map(|sample| Some((metric.value(&sample.reading)?, sample.times)))
            .collect();
        Distribution::new(values?)
    }

    /// Whether all iterations of the counted pass had the same counts and the
    /// same values of the scenario's own metrics, apart from times.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.samples.len() == 1
            && self
                .metrics
                .iter()
                .all(|metric| metric.unit == Unit::Nanoseconds || metric.samples.is_constant())
    }

    /// The metric of this name, if the scenario measures it.
    #[must_use]
    pub fn custom_metric(&self, name: &str) -> Option<&CustomMetric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The metric `time`: the exact mean wall-clock time of an iteration of the
    /// timed pass in nanoseconds; `None` without that pass.
    #[must_use]
    pub fn time_mean(&self) -> Option<Ratio> {
        self.time.as_ref()?.mean()
    }
}

impl Time {
    /// The exact mean time of an iteration in nanoseconds, over all batches;
    /// `None` without batches.
    #[must_use]
    pub fn mean(&self) -> Option<Ratio> {
        let batches = u64::try_from(self.nanoseconds.len()).ok()?;
        let total = self.nanoseconds.iter().copied().map(i128::from).sum();
        Ratio::new(total, self.batch.checked_mul(batches)?)
    }

    /// The time per iteration of the fastest, the median and the slowest batch, in
    /// nanoseconds. For display only, since the numbers are floats.
    #[must_use]
    pub fn per_iteration(&self) -> Option<[f64; 3]> {
        let last = self.nanoseconds.len().checked_sub(1)?;
        let batches = [0, last / 2, last].map(|index| self.nanoseconds[index]);
        (self.batch > 0).then(|| batches.map(|batch| batch as f64 / self.batch as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_fastest_the_median_and_the_slowest_batch() {
        let time = Time {
            batch: 10,
            nanoseconds: vec![100, 110, 120, 150, 900],
            first: 0,
        };
        assert_eq!(time.per_iteration(), Some([10.0, 12.0, 90.0]));
        // 1,380 ns in 50 iterations.
        assert_eq!(time.mean(), Ratio::new(138, 5));
        let none = Time {
            nanoseconds: vec![],
            ..time
        };
        assert_eq!((none.per_iteration(), none.mean()), (None, None));
    }
}
