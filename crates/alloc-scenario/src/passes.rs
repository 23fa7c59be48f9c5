//! The passes over a scenario, on one thread or on several: their order and their results.

use std::collections::BTreeMap;
use std::mem;
use std::time::{Duration, Instant};

use alloc_results::{Distribution, Mode, Outside, PeakPass, Reading, Sample, ScenarioRecord, Work};
use counting_alloc::{FirstOperations, MeasureError, Measured, Scope, Sites, Tally, Window};

use crate::failure::NotMeasured;
use crate::own_metrics::MetricSamples;
use crate::pace::Pace;
use crate::plan::Plan;
use crate::selection::Entry;
use crate::sites::SiteSums;
use crate::timed::time;

/// The passes in which operations are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// The first call, which is timed as well.
    First,
    /// In windows like the counted ones, so that the code of the window is warmed up too.
    WarmUp,
    Counted,
    /// The pass for the peak of the process. It reads no metrics from outputs.
    Peak,
}

impl Pass {
    /// The place for the call stacks of a window, if they are `wanted` and captured in this pass.
    pub(crate) fn sites(self, wanted: bool) -> Option<Sites> {
        let is_captured = wanted && matches!(self, Self::First | Self::Counted);
        is_captured.then(Sites::default)
    }
}

/// A call in its window, without the operations of reading metrics from its output. Its value has
/// these operations.
pub(crate) type Called = Measured<Tally>;

/// The results of one iteration.
pub(crate) struct Iteration {
    pub(crate) reading: Reading,
    pub(crate) mode: Mode,
    /// The peak, if the window kept it.
    pub(crate) peak_bytes: Option<u64>,
    /// Those of the thread, if the window kept them. They are large, and few iterations have them.
    pub(crate) first_operations: Option<Box<FirstOperations>>,
    /// The operations of other threads, which the reading leaves out.
    pub(crate) foreign: Tally,
    /// The operations inside `uncounted`, likewise.
    pub(crate) uncounted: Tally,
    /// The threads that were still running.
    pub(crate) still_running: u64,
    /// What was done at each stack, over all threads that ran the body, if it was captured.
    pub(crate) sites: Option<Sites>,
    /// The time of the first call.
    pub(crate) elapsed: Duration,
}

/// The iterations of a scenario.
pub(crate) trait Iterations {
    /// Runs an iteration in the window.
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError>;

    /// Whether a thread panicked. Further iterations are empty.
    fn is_broken(&self) -> bool {
        false
    }

    /// The scenario's own metrics of the last output.
    fn values(&self) -> Vec<i128>;

    /// Runs a batch of the timed pass.
    fn time_batch(&mut self, batch: u64) -> Duration;
}

/// The record of a scenario, without what only the scenario itself knows, and the samples of its
/// own metrics.
pub(crate) type Passes = (ScenarioRecord, MetricSamples);

/// Runs all passes. `window` is the window of an iteration.
pub(crate) fn passes(
    iterations: &mut dyn Iterations,
    window: Window,
    entry: &Entry,
    plan: &Plan,
    pace: &mut Pace,
) -> Result<Passes, NotMeasured> {
    let first = run(iterations, window, Pass::First, pace)?;
    // They grow between windows, never inside one.
    let mut custom = MetricSamples::new(&iterations.values());
    let mut sites = SiteSums::new(&first.reading, first.sites);
    let mut samples = BTreeMap::new();
    let mut first_operations = None;
    let mut foreign = Tally::ZERO;
    let mut outside = Box::new(Outside {
        foreign_first: first.foreign,
        uncounted_first: first.uncounted,
        still_running_first: first.still_running,
        ..Outside::default()
    });
    for _ in 0..plan.warmup {
        if iterations.is_broken() || !pace.has_time_to_explain() {
            break;
        }
        run(iterations, window, Pass::WarmUp, pace)?;
    }
    let (begin, explained_for) = (Instant::now(), pace.explained_for());
    let mut counted = 0;
    let mut next = window.with_first_operations();
    while counted < plan.iterations && !iterations.is_broken() {
        counted += 1;
        let one = run(
            iterations,
            mem::replace(&mut next, window),
            Pass::Counted,
            pace,
        )?;
        first_operations = first_operations.or(one.first_operations);
        sites.add(&one.reading, one.sites);
        *samples.entry(one.reading).or_default() += 1;
        custom.add(&iterations.values());
        foreign += one.foreign;
        outside.uncounted += one.uncounted;
        outside.still_running += one.still_running;
        if explained_for.is_some_and(|most| begin.elapsed() >= most) {
            break;
        }
    }
    // The thread's peak is kept in the counted pass.
    let of_peak = if plan.scope == Scope::Process {
        counted
    } else {
        0
    };
    let mut peaks = BTreeMap::new();
    for _ in 0..of_peak {
        if iterations.is_broken() {
            break;
        }
        let one = run(iterations, Window::process().with_peak(), Pass::Peak, pace)?;
        outside.still_running += one.still_running;
        if let Some(peak) = one.peak_bytes {
            *peaks.entry(i128::from(peak)).or_default() += 1;
        }
    }
    let peak_pass = Distribution::new(peaks).map(|samples| PeakPass {
        mode: Mode::ProcessPeak,
        samples,
    });
    let time = time(plan, first.elapsed, |batch| iterations.time_batch(batch));
    let samples = samples.into_iter();
    let samples: Vec<_> = samples
        .map(|(reading, times)| Sample { reading, times })
        .collect();
    let sites = sites.finish(&samples, plan.iterations);
    let record = ScenarioRecord {
        name: entry.name.clone(),
        group: entry.group.clone(),
        axes: entry.axes.clone(),
        location: entry.location(),
        scope: plan.scope,
        threads: 1,
        output_drop: plan.output_drop,
        warmup: plan.warmup,
        iterations: counted,
        work: Work::default(),
        first: first.reading,
        mode: Some(first.mode),
        samples,
        first_operations: first_operations.map(|first| Box::new(first.to_string())),
        peak_pass: peak_pass.map(Box::new),
        foreign,
        outside,
        time,
        fresh: false,
        sites: sites.filter(|_| plan.sites).map(Box::new),
        sites_unavailable: None,
        metrics: Vec::new(),
        note: None,
    };
    Ok((record, custom))
}

/// Runs an iteration.
fn run(
    iterations: &mut dyn Iterations,
    window: Window,
    pass: Pass,
    pace: &mut Pace,
) -> Result<Iteration, NotMeasured> {
    let one = iterations.run(window, pass)?;
    pace.called()?;
    Ok(one)
}
