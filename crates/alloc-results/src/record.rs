//! The records, as they stand in a line. Keys are kebab-case, counts are
//! integers, and what was not measured is `null`.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use crate::custom::CustomFigures;
use crate::distribution::Distribution;
use crate::metric::{Metric, Unit};
use crate::ratio::Ratio;

/// The kinds of records, as lines name them.
pub(crate) const ENVIRONMENT: &str = "environment";
pub(crate) const SCENARIO: &str = "scenario";
pub(crate) const FAILURE: &str = "failure";
pub(crate) const END: &str = "end";

/// Where and how a stream was measured: the first record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct EnvironmentRecord {
    /// The bench that measured.
    pub bench: BenchId,
    /// The compiler, as `rustc --version` prints it.
    pub rustc: String,
    /// The target triple that was built for.
    pub target: String,
    /// The cargo profile.
    pub profile: String,
    /// The features that were asked for, sorted: names, or `--all-features`,
    /// `--no-default-features`.
    pub features: Vec<String>,
    /// The type name of the allocator below the counter.
    pub allocator: String,
    /// Whether debug assertions were compiled in.
    pub debug_assertions: bool,
    /// The harness and its version, such as `alloc-scenario 0.1.0`.
    pub harness: String,
    /// What the counter counted of known operations before anything was
    /// measured.
    pub proof: CounterProof,
    /// Whether a filter left scenarios out.
    pub filtered: bool,
    /// The names of the scenarios that are to follow, in order.
    pub planned: Vec<String>,
    /// How many threads the process could run at once when it began; `null` where
    /// the system did not say.
    #[serde(default)]
    pub cores: Option<u64>,
    /// The scenarios that could not be measured here, as the bench says itself;
    /// they are not among the planned ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<UnavailableScenario>,
}

/// A scenario that could not be measured where the bench ran: a library is not
/// installed, a feature not on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnavailableScenario {
    /// The full name.
    pub name: String,
    /// The values of its axes, in order.
    pub axes: Vec<AxisValue>,
    /// Where it was registered.
    pub location: Location,
    /// Why, in words that end a sentence: `libtbbmalloc.so.2 is not installed`.
    pub reason: String,
}

/// A bench target of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BenchId {
    /// The package's name.
    pub package: String,
    /// The name of the bench target.
    pub target: String,
}

/// Known operations and what was counted of them; a counter that is not
/// installed reads zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct CounterProof {
    /// What the operations amount to by definition.
    pub expected: Counts,
    /// What was counted of them on the thread that measures.
    pub this_thread: Counts,
    /// What was counted of them on a spawned thread; `null` when none could be
    /// started.
    pub spawned_thread: Option<Counts>,
    /// What was counted while nothing was done.
    pub idle: Counts,
}

/// A part of a [`CounterProof`] that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortfall {
    /// Where the counter was looked at, as a message says it.
    pub whereabouts: &'static str,
    /// What it had counted.
    pub counted: Counts,
    /// What had been done.
    pub expected: Counts,
}

/// Operations, with the requested sizes in bytes: one reading of a counter.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub struct Counts {
    /// Calls of `alloc` and `alloc_zeroed`.
    pub allocs: u64,
    /// The sum of their sizes.
    pub alloc_bytes: u64,
    /// Calls of `dealloc`.
    pub deallocs: u64,
    /// The sum of their sizes.
    pub dealloc_bytes: u64,
    /// Calls of `realloc` to a larger size.
    pub grows: u64,
    /// The sum of new size minus old size.
    pub grow_bytes: u64,
    /// Calls of `realloc` to a smaller or an equal size.
    pub shrinks: u64,
    /// The sum of old size minus new size.
    pub shrink_bytes: u64,
    /// Calls for which the inner allocator returned null.
    pub failed: u64,
}

/// What C code took from `malloc` by itself, with the requested sizes in bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub struct NativeCounts {
    /// Calls that gave a new block.
    pub allocs: u64,
    /// The sum of their sizes.
    pub bytes: u64,
    /// Calls of `realloc` for a block that was live and goes on living.
    pub reallocs: u64,
    /// The sum of the whole new sizes that they asked for.
    pub realloc_bytes: u64,
    /// Calls that gave a block back.
    pub frees: u64,
    /// Calls that gave no memory.
    pub failed: u64,
}

/// What one iteration did.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Reading {
    /// The operations.
    pub counts: Counts,
    /// The most bytes live at once above the level at the beginning; `null`
    /// where it was not measured.
    pub peak_bytes: Option<u64>,
    /// What C code did beside it; absent where it was not measured, which is
    /// nearly everywhere, and then it takes no room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<Box<NativeCounts>>,
}

/// A reading, and how many iterations had exactly it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Sample {
    /// What each of these iterations did.
    pub reading: Reading,
    /// The number of iterations.
    pub times: u64,
}

/// One measured scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ScenarioRecord {
    /// The full name, unique in the stream: group, case and axis values.
    pub name: String,
    /// The group that it was registered in.
    pub group: Option<String>,
    /// The values of its axes, in order.
    pub axes: Vec<AxisValue>,
    /// Where it was registered.
    pub location: Location,
    /// Whose operations were counted.
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
    /// The work of one iteration, as far as the scenario says it.
    pub work: Work,
    /// The first call ever, cold.
    pub first: Reading,
    /// The counted pass: each reading that occurred, ascending, with its number
    /// of iterations. Together they are `iterations`.
    pub samples: Vec<Sample>,
    /// What the counter kept in the counted pass; `null` in a stream from before
    /// this was recorded.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The pass in which the peak of the process was kept; absent where that was
    /// not asked for, and then it takes no room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_pass: Option<Box<PeakPass>>,
    /// What other threads did during the counted pass, in sum. Not in `samples`
    /// in thread scope, part of them in process scope.
    pub foreign: Counts,
    /// The timed pass, with counting switched off.
    pub time: Option<Time>,
    /// What the operation asked for and what of it went wrong, where the scenario
    /// says it; otherwise absent, and then it takes no room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Box<Outcome>>,
    /// Whether the scenario was measured in a process of its own, so that its
    /// first call was cold whatever came before; absent where it was not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
    /// Figures that the scenario measures itself.
    #[serde(rename = "metrics")]
    pub custom: CustomFigures,
    /// A remark of the scenario's author.
    pub note: Option<String>,
}

/// What the counter kept during a pass, which decides what an operation cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Counts and bytes alone.
    Counting,
    /// And the peak of the thread that ran the body.
    ThreadPeak,
    /// And the peak of the process, with locked instructions.
    ProcessPeak,
}

/// The pass for the peak of the process, after the counted pass: as many
/// iterations, of which nothing but the peak is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PeakPass {
    /// What the counter kept.
    pub mode: Mode,
    /// Each peak that occurred, ascending, with its number of iterations.
    /// Together they are the scenario's `iterations`.
    pub samples: Vec<PeakSample>,
}

/// A peak, and how many iterations had exactly it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PeakSample {
    /// The most bytes live at once, of all threads, above the level at the
    /// beginning of the iteration.
    pub peak_bytes: u64,
    /// The number of iterations.
    pub times: u64,
}

/// One coordinate of a swept scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AxisValue {
    /// The name of the axis.
    pub axis: String,
    /// The value, as text.
    pub value: String,
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file as the compiler names it: relative to the workspace.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Whose operations a scenario counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The thread (or threads) that ran the body.
    Thread,
    /// All threads of the process.
    Process,
}

/// When the output of an iteration was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputDrop {
    /// As part of the operation.
    Inside,
    /// After the iteration was counted.
    Outside,
}

/// The work of one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Elements, rows, frames, requests.
    pub elements: Option<u64>,
    /// Bytes of input or output.
    pub bytes: Option<u64>,
}

/// The timed pass: batches of iterations in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Time {
    /// Iterations in each batch.
    pub batch: u64,
    /// The wall-clock time of each batch in nanoseconds, ascending.
    pub nanoseconds: Vec<u64>,
    /// The wall-clock time in nanoseconds of the first call ever, cold, and with
    /// counting on; `null` in a stream from before this was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
}

/// What an operation asked for, and what of it went wrong, in sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// Over the first call, the warm-up, the counted pass, and the pass for the
    /// peak of the process where there is one.
    pub counted: Attempts,
    /// Over the timed pass, whose number of iterations depends on a clock.
    pub timed: Attempts,
}

/// Requests, and those of them that went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    /// How many requests were made.
    pub requests: u64,
    /// How many of them went wrong, by what was wrong, such as `null`; only what
    /// occurred.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<String, u64>,
}

/// A scenario that panicked, and so has no counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureRecord {
    /// The full name.
    pub name: String,
    /// Where it was registered.
    pub location: Location,
    /// What the panic said.
    pub message: String,
}

/// The last record: without it, the stream is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRecord {
    /// The number of scenario records in the stream.
    pub scenarios: u64,
    /// The number of failure records in the stream.
    pub failed: u64,
}

impl CounterProof {
    /// Whether everything that was done was counted, and nothing else.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.shortfall().is_none()
    }

    /// The first part of the proof that does not hold: in words, with what was
    /// counted there and what it should have been.
    #[must_use]
    pub fn shortfall(&self) -> Option<Shortfall> {
        let nothing = Counts::default();
        let spawned = self.spawned_thread.unwrap_or_default();
        let parts = [
            (
                "on the thread that measures",
                self.this_thread,
                self.expected,
            ),
            ("on a spawned thread", spawned, self.expected),
            ("while nothing was done", self.idle, nothing),
        ];
        // A proof in which nothing was done proves nothing.
        let is_empty = self.expected == nothing;
        parts
            .into_iter()
            .find(|(_, counted, expected)| is_empty || counted != expected)
            .map(|(whereabouts, counted, expected)| Shortfall {
                whereabouts,
                counted,
                expected,
            })
    }
}

impl Counts {
    /// The largest of all fields.
    pub(crate) fn largest(&self) -> u64 {
        let Self {
            allocs,
            alloc_bytes,
            deallocs,
            dealloc_bytes,
            grows,
            grow_bytes,
            shrinks,
            shrink_bytes,
            failed,
        } = *self;
        let operations = allocs.max(deallocs).max(grows).max(shrinks).max(failed);
        let bytes = alloc_bytes
            .max(dealloc_bytes)
            .max(grow_bytes)
            .max(shrink_bytes);
        operations.max(bytes)
    }
}

impl NativeCounts {
    /// The largest of all fields.
    pub(crate) fn largest(&self) -> u64 {
        let Self {
            allocs,
            bytes,
            reallocs,
            realloc_bytes,
            frees,
            failed,
        } = *self;
        let operations = allocs.max(reallocs).max(frees).max(failed);
        operations.max(bytes).max(realloc_bytes)
    }
}

impl ScenarioRecord {
    /// The distribution of `metric` over the counted iterations, or over those of
    /// the peak's own pass; `None` when it was not measured.
    #[must_use]
    pub fn distribution(&self, metric: Metric) -> Option<Distribution> {
        if let (Metric::PeakBytes, Some(pass)) = (metric, &self.peak_pass) {
            let values = pass.samples.iter();
            let values = values.map(|sample| (i128::from(sample.peak_bytes), sample.times));
            return Distribution::new(values.collect::<Vec<_>>());
        }
        let values: Option<Vec<_>> = self
            .samples
            .iter()
            .map(|sample| Some((metric.of(&sample.reading)?, sample.times)))
            .collect();
        Distribution::new(values?)
    }

    /// Whether all iterations of the counted pass were identical in every count
    /// and in what the scenario measures itself, but for its times.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.samples.len() == 1
            && self.custom().all(|(_, figure)| {
                figure.unit() == Unit::Nanoseconds || figure.distribution().is_constant()
            })
    }

    /// What the metric `time` is: the mean wall-clock time of an iteration of the
    /// timed pass in nanoseconds, exactly; `None` without that pass.
    #[must_use]
    pub fn time_mean(&self) -> Option<Ratio> {
        self.time.as_ref()?.mean()
    }

    /// What the metric `foreign-allocs` is: the allocations of other threads
    /// during the counted pass, in sum over all iterations.
    #[must_use]
    pub const fn foreign_allocs(&self) -> u64 {
        self.foreign.allocs
    }

    /// [`foreign_allocs`](Self::foreign_allocs) per iteration; `None` when there
    /// is no iteration.
    #[must_use]
    pub fn foreign_allocs_mean(&self) -> Option<Ratio> {
        Ratio::new(self.foreign.allocs.into(), self.iterations)
    }
}

impl Outcome {
    /// What the metric `faults` is: all faults of both, of whatever kind.
    #[must_use]
    pub fn faults(&self) -> u128 {
        let attempts = [&self.counted, &self.timed];
        let faults = attempts.into_iter().flat_map(|all| all.faults.values());
        faults.map(|&count| u128::from(count)).sum()
    }
}

impl Time {
    /// The time of all batches together in nanoseconds.
    #[must_use]
    pub fn total_nanoseconds(&self) -> i128 {
        self.nanoseconds
            .iter()
            .map(|&nanoseconds| i128::from(nanoseconds))
            .sum()
    }

    /// The iterations of all batches together; `None` when there was none, or
    /// more than 64 bits hold.
    #[must_use]
    pub fn iterations(&self) -> Option<NonZeroU64> {
        let batches = u64::try_from(self.nanoseconds.len()).ok()?;
        NonZeroU64::new(self.batch.checked_mul(batches)?)
    }

    /// The mean time of an iteration in nanoseconds, exactly, over all batches;
    /// `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<Ratio> {
        Some(Ratio::over(self.total_nanoseconds(), self.iterations()?))
    }

    /// The median batch's time per iteration, and half the distance between its
    /// quartiles, both in nanoseconds. A report, not a measurement to judge by.
    #[must_use]
    pub fn per_iteration(&self) -> Option<(f64, f64)> {
        let quartile = |quarter: usize| {
            let last = self.nanoseconds.len().checked_sub(1)?;
            let batch = *self.nanoseconds.get(last * quarter / 4)?;
            (self.batch > 0).then(|| batch as f64 / self.batch as f64)
        };
        Some((quartile(2)?, (quartile(3)? - quartile(1)?) / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_of_zeros_is_not_live() {
        let zero = Counts::default();
        let proof = CounterProof {
            expected: zero,
            this_thread: zero,
            spawned_thread: Some(zero),
            idle: zero,
        };
        assert!(!proof.is_live());
    }

    #[test]
    fn time_is_the_median_with_half_the_distance_of_the_quartiles() {
        let time = Time {
            batch: 10,
            nanoseconds: vec![100, 110, 120, 150, 900],
            first: None,
        };
        assert_eq!(time.per_iteration(), Some((12.0, 2.0)));
        // 1,380 ns in 50 iterations.
        assert_eq!(time.mean(), Ratio::new(138, 5));
        let none = Time {
            batch: 10,
            nanoseconds: vec![],
            first: None,
        };
        assert_eq!(none.per_iteration(), None);
        assert_eq!(none.mean(), None);
    }
}
