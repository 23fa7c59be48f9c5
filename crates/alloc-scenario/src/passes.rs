//! The passes over a scenario, on one thread or on several: their order and their results.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use alloc_results::{
    Distribution, Metric, Mode, Outside, PeakPass, Reading, Sample, ScenarioRecord, SitesRecord,
    Time, Work,
};
use counting_alloc::{FirstOperations, MeasureError, Measured, Scope, Sites, Tally, Window};

use crate::failure::NotMeasured;
use crate::figures::FigureSamples;
use crate::pace::Pace;
use crate::plan::Plan;
use crate::selection::Entry;
use crate::sites::SiteSums;
use crate::timed::{Stopwatch, time};

/// The results of the passes.
#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) plan: Plan,
    pub(crate) first: Reading,
    pub(crate) mode: Mode,
    pub(crate) samples: Vec<Sample>,
    /// Those of the first iteration of the counted pass, unless several threads ran it.
    pub(crate) first_operations: Option<Box<FirstOperations>>,
    pub(crate) peak_pass: Option<PeakPass>,
    pub(crate) outside_first: OutsideSums,
    /// In the counted pass. The threads that were still running are also those of the
    /// pass for the peak.
    pub(crate) outside: OutsideSums,
    pub(crate) time: Option<Time>,
    /// The readings by call stack, if these were captured.
    pub(crate) sites: Option<SitesRecord>,
    pub(crate) custom: FigureSamples,
}

impl Passes {
    /// Whether no iteration of the counted pass allocated.
    pub(crate) fn allocate_nothing(&self) -> bool {
        let mut samples = self.samples.iter();
        samples.all(|sample| Metric::Allocs.value(&sample.reading) == Some(0))
    }

    /// The scenario's record, without what its point and its figures say. Stacks are recorded if
    /// the bench `wants_sites`.
    pub(crate) fn record(self, entry: &Entry, wants_sites: bool) -> ScenarioRecord {
        let (plan, first, counted) = (self.plan, self.outside_first, self.outside);
        // As the end of a sentence.
        let sites_unavailable = (wants_sites && self.sites.is_none()).then(|| {
            if plan.sites {
                String::from("not exact: another thread worked as an iteration began or ended")
            } else {
                format!("not available on {}", env!("ALLOC_SCENARIO_TARGET"))
            }
        });
        let first_operations = self.first_operations.map(|first| first.to_string());
        ScenarioRecord {
            name: entry.name.clone(),
            group: entry.group.clone(),
            axes: entry.axes.clone(),
            location: entry.location(),
            scope: plan.scope,
            threads: 1,
            output_drop: plan.output_drop,
            warmup: plan.warmup,
            iterations: plan.iterations,
            work: Work::default(),
            first: self.first,
            mode: Some(self.mode),
            samples: self.samples,
            first_operations: first_operations.map(Box::new),
            peak_pass: self.peak_pass.map(Box::new),
            foreign: counted.foreign,
            outside: Box::new(Outside {
                foreign_first: first.foreign,
                uncounted: counted.uncounted,
                uncounted_first: first.uncounted,
                still_running: counted.still_running,
                still_running_first: first.still_running,
            }),
            time: self.time,
            fresh: false,
            sites: self.sites.map(Box::new),
            sites_unavailable: sites_unavailable.map(Box::new),
            metrics: Vec::new(),
            note: None,
        }
    }
}

/// The passes in which operations are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// The first call, which is timed as well.
    First,
    /// In windows like the counted ones, so that the code of the window is warmed up too.
    WarmUp,
    Counted,
    /// The pass for the peak of the process, without figures.
    Peak,
}

impl Pass {
    /// The place for the call stacks of a window, if they are `wanted` and captured in this pass.
    pub(crate) fn sites(self, wanted: bool) -> Option<Sites> {
        let is_captured = wanted && matches!(self, Self::First | Self::Counted);
        is_captured.then(Sites::default)
    }

    /// The clock of a call.
    pub(crate) fn stopwatch(self) -> Stopwatch {
        match self {
            Self::First => Stopwatch::ready(),
            Self::WarmUp | Self::Counted | Self::Peak => Stopwatch::idle(),
        }
    }
}

/// A call in its window, without the operations that figures do. Its value is the uncounted
/// operations of these.
pub(crate) type Called = Measured<Tally>;

/// The results of one iteration.
pub(crate) struct Iteration {
    pub(crate) reading: Reading,
    pub(crate) mode: Mode,
    /// The peak, if the window kept it.
    pub(crate) peak_bytes: Option<u64>,
    /// Those of the thread, if the window kept them. They are large, and few iterations have them.
    pub(crate) first_operations: Option<Box<FirstOperations>>,
    /// What the reading leaves out.
    pub(crate) outside: OutsideSums,
    /// The time of the first call.
    pub(crate) elapsed: Duration,
}

/// The operations that windows left out, and the threads that outlived them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutsideSums {
    /// The operations of other threads.
    pub(crate) foreign: Tally,
    /// The operations inside `uncounted`.
    pub(crate) uncounted: Tally,
    /// The threads that were still running.
    pub(crate) still_running: u64,
}

impl OutsideSums {
    pub(crate) const NOTHING: Self = Self {
        foreign: Tally::ZERO,
        uncounted: Tally::ZERO,
        still_running: 0,
    };

    pub(crate) fn from_window<T>(measured: &Measured<T>) -> Self {
        Self {
            foreign: measured.foreign,
            uncounted: measured.uncounted,
            still_running: measured.still_running,
        }
    }

    pub(crate) fn add(&mut self, one: Self) {
        self.foreign += one.foreign;
        self.uncounted += one.uncounted;
        self.still_running += one.still_running;
    }
}

/// The iterations of a scenario.
pub(crate) trait Iterations {
    /// Runs an iteration in the window.
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError>;

    /// Whether a thread panicked. Further iterations are empty.
    fn is_broken(&self) -> bool;

    /// The figures of the last output.
    fn figures(&self) -> Cow<'_, [i128]>;

    /// Takes what was done at each stack, if these were captured.
    fn sites(&mut self) -> SiteSums;

    /// Runs a batch of the timed pass.
    fn time_batch(&mut self, batch: u64) -> Duration;
}

/// Runs all passes. `window` is that of an iteration.
pub(crate) fn passes(
    iterations: &mut dyn Iterations,
    window: Window,
    plan: &Plan,
    pace: &mut Pace,
) -> Result<Passes, NotMeasured> {
    let first = run(iterations, window, Pass::First, pace)?;
    let mut custom = FigureSamples::new(&iterations.figures());
    for _ in 0..plan.warmup {
        if iterations.is_broken() || !pace.has_time_to_explain() {
            break;
        }
        run(iterations, window, Pass::WarmUp, pace)?;
    }
    // They grow between windows, never inside one.
    let mut samples = BTreeMap::new();
    let mut first_operations = None;
    let mut outside = OutsideSums::NOTHING;
    let planned = plan.iterations;
    let mut plan = *plan;
    let (begin, explained_for) = (Instant::now(), pace.explained_for());
    for counted in 1..=planned {
        if iterations.is_broken() {
            break;
        }
        let one = run(iterations, window, Pass::Counted, pace)?;
        first_operations = first_operations.or(one.first_operations);
        *samples.entry(one.reading).or_default() += 1;
        custom.add(&iterations.figures());
        outside.add(one.outside);
        if explained_for.is_some_and(|most| begin.elapsed() >= most) {
            plan.iterations = counted;
            break;
        }
    }
    let plan = &plan;
    let peak_pass = peak_pass(plan, |window| {
        if iterations.is_broken() {
            return Ok(None);
        }
        let one = run(iterations, window, Pass::Peak, pace)?;
        outside.still_running += one.outside.still_running;
        Ok(one.peak_bytes)
    })?;
    let time = time(plan, first.elapsed, |batch| iterations.time_batch(batch));
    let samples = samples.into_iter();
    let samples: Vec<_> = samples
        .map(|(reading, times)| Sample { reading, times })
        .collect();
    let sites = iterations.sites();
    Ok(Passes {
        plan: *plan,
        first: first.reading,
        mode: first.mode,
        sites: plan
            .sites
            .then(|| sites.finish(&samples, planned))
            .flatten(),
        samples,
        first_operations,
        peak_pass,
        outside_first: first.outside,
        outside,
        time,
        custom,
    })
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

/// Runs the pass for the peak of the process. `peak_of` runs an iteration in a window
/// and returns its peak. There is no such pass in thread scope.
fn peak_pass(
    plan: &Plan,
    mut peak_of: impl FnMut(Window) -> Result<Option<u64>, NotMeasured>,
) -> Result<Option<PeakPass>, NotMeasured> {
    if plan.scope != Scope::Process {
        return Ok(None);
    }
    let mut peaks = BTreeMap::new();
    for _ in 0..plan.iterations {
        if let Some(peak) = peak_of(Window::process().with_peak())? {
            *peaks.entry(i128::from(peak)).or_default() += 1;
        }
    }
    Ok(Distribution::new(peaks).map(|samples| PeakPass {
        mode: Mode::ProcessPeak,
        samples,
    }))
}
