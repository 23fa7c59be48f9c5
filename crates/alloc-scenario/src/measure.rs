//! The passes over one scenario and their results. Only the body allocates between
//! the opening and the closing of a window.

use std::hint::black_box;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use alloc_assert::harness::{allocates_nothing, reading};
use alloc_results::{
    Distribution, Mode, OutputDrop, PeakPass, PeakSample, Reading, Sample, SitesRecord, Time,
};
use counting_alloc::{FirstOperations, MeasureError, Measured, Scope, Tally, Window, uncounted};

use crate::asked;
use crate::body::{Called, Iterate, Source};
use crate::conversion::{Samples, mode};
use crate::figures::{FigureSamples, Observers, Probe, add_value};
use crate::outcome::OutcomeSums;
use crate::outside::OutsideSums;
use crate::pace::{Pace, TooSlow};
use crate::plan::Plan;
use crate::sites::{self, Capture, SiteSums};
use crate::stopwatch::Stopwatch;
use crate::timed::{time, time_batch};

/// Why the passes ended early.
#[derive(Debug)]
pub(crate) enum PassError {
    /// The counter can't be read.
    Counter(MeasureError),
    /// The iterations don't fit a time limit.
    TooSlow(Box<TooSlow>),
}

impl From<MeasureError> for PassError {
    fn from(error: MeasureError) -> Self {
        Self::Counter(error)
    }
}

impl From<Box<TooSlow>> for PassError {
    fn from(error: Box<TooSlow>) -> Self {
        Self::TooSlow(error)
    }
}

/// The results of the passes.
#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) first: Reading,
    pub(crate) mode: Option<Mode>,
    pub(crate) samples: Vec<Sample>,
    /// The [`asked::values`](crate::asked::values) of the counted pass.
    pub(crate) asked: FigureSamples,
    /// Those of the first iteration of the counted pass, unless several threads ran it.
    pub(crate) first_operations: Option<FirstOperations>,
    pub(crate) peak_pass: Option<PeakPass>,
    pub(crate) outside_first: OutsideSums,
    /// In the counted pass. The threads that were still running are also those of the
    /// pass for the peak.
    pub(crate) outside: OutsideSums,
    pub(crate) time: Option<Time>,
    /// The readings by call stack, if these were captured.
    pub(crate) sites: Option<SitesRecord>,
    pub(crate) custom: FigureSamples,
    /// All zero if the scenario does not report outcomes.
    pub(crate) outcomes: OutcomeSums,
}

impl Passes {
    /// Whether no iteration of the counted pass allocated.
    pub(crate) fn allocate_nothing(&self) -> bool {
        let mut samples = self.samples.iter();
        samples.all(|sample| allocates_nothing(&sample.reading))
    }
}

/// Runs a scenario at a point of its sweep.
pub(crate) trait Runner<P> {
    type Output;

    /// The number of threads that run the body at once.
    fn threads(&self, point: &P) -> u64;

    /// Runs all passes. `observers` inspect the outputs.
    fn measure(
        &mut self,
        point: &P,
        plan: &Plan,
        observers: Observers<'_, Self::Output>,
    ) -> Result<Passes, PassError>;

    /// Runs one iteration without measuring it.
    fn once(&mut self, point: &P) -> Self::Output;
}

/// Runs the body on the calling thread.
pub(crate) struct OnThisThread<S>(pub(crate) S);

impl<P, S: Source<P>> Runner<P> for OnThisThread<S> {
    type Output = S::Output;

    fn threads(&self, _: &P) -> u64 {
        1
    }

    fn measure(
        &mut self,
        point: &P,
        plan: &Plan,
        observers: Observers<'_, S::Output>,
    ) -> Result<Passes, PassError> {
        let pace = Pace::new(plan);
        let mut calls = Calling::new(self.0.open(point), plan, observers);
        passes(&mut calls, plan, pace)
    }

    fn once(&mut self, point: &P) -> S::Output {
        let mut body = self.0.open(point);
        body.prepare();
        body.call()
    }
}

/// The calls of a scenario on one thread, without the types of its closures: the passes are
/// compiled once, in this crate, and not for each scenario in that of the user.
pub(crate) trait Calls {
    /// Prepares the next call.
    fn prepare(&mut self);

    /// Runs the prepared call in the window. A probe inspects the output before it is dropped,
    /// uncounted. `watch` times the call inside the window, without the time of opening and
    /// closing it.
    fn call(
        &mut self,
        window: Window,
        is_for_peak: bool,
        watch: &mut Stopwatch,
    ) -> Result<Called, MeasureError>;

    /// Inspects and drops what the call left. No window is open.
    fn settle(&mut self, is_for_peak: bool);

    /// Runs a batch of the timed pass.
    fn time_batch(&mut self, batch: u64) -> Duration;

    /// The figures of the last output of the first call, the warm-up and the counted pass.
    fn values(&self) -> &[i128];

    /// The outcomes of all calls.
    fn outcomes(&self) -> OutcomeSums;
}

/// The calls of these iterations.
pub(crate) struct Calling<'l, T: Iterate> {
    body: T,
    plan: &'l Plan,
    probe: Probe<'l, T::Output>,
    /// Inspects the outputs of the pass for the peak of the process, without figures.
    peak_probe: Probe<'l, T::Output>,
    /// Inspects those of the timed pass, without figures.
    timed: Probe<'l, T::Output>,
    /// The output of the last call, unless dropping it is part of the operation.
    output: Option<T::Output>,
}

impl<'l, T: Iterate> Calling<'l, T> {
    pub(crate) fn new(body: T, plan: &'l Plan, observers: Observers<'l, T::Output>) -> Self {
        Self {
            body,
            plan,
            probe: Probe::new(observers),
            peak_probe: Probe::new(observers.without_figures()),
            timed: Probe::new(observers.without_figures()),
            output: None,
        }
    }
}

impl<T: Iterate> Calls for Calling<'_, T> {
    fn prepare(&mut self) {
        self.body.prepare();
    }

    fn call(
        &mut self,
        window: Window,
        is_for_peak: bool,
        watch: &mut Stopwatch,
    ) -> Result<Called, MeasureError> {
        let probe = if is_for_peak {
            &mut self.peak_probe
        } else {
            &mut self.probe
        };
        let (body, kept) = (&mut self.body, &mut self.output);
        let mut observed = Tally::ZERO;
        let mut measured = measured(window, &mut || {
            watch.start();
            let output = black_box(body.call());
            match self.plan.output_drop {
                OutputDrop::Inside if probe.is_idle() => {
                    drop(output);
                    watch.stop();
                }
                OutputDrop::Inside => {
                    watch.stop();
                    observed = self::observed(&mut || probe.observe(&output));
                    watch.start();
                    drop(output);
                    watch.stop();
                }
                OutputDrop::Outside => {
                    watch.stop();
                    *kept = Some(output);
                }
            }
        })?;
        measured.uncounted = measured.uncounted - observed;
        Ok(Called { measured, observed })
    }

    fn settle(&mut self, is_for_peak: bool) {
        let output = self.output.take();
        let probe = if is_for_peak {
            &mut self.peak_probe
        } else {
            &mut self.probe
        };
        if let Some(output) = output.filter(|_| !probe.is_idle()) {
            probe.observe(&output);
        }
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        time_batch(&mut self.body, self.plan, batch, &mut self.timed)
    }

    fn values(&self) -> &[i128] {
        self.probe.values()
    }

    fn outcomes(&self) -> OutcomeSums {
        let mut outcomes = OutcomeSums {
            counted: *self.probe.outcome(),
            timed: *self.timed.outcome(),
        };
        outcomes.counted.add(self.peak_probe.outcome());
        outcomes
    }
}

/// Runs a prepared call in a window. `capture` captures the stacks of operations, if there is
/// one.
fn call(
    calls: &mut dyn Calls,
    window: Window,
    is_for_peak: bool,
    watch: &mut Stopwatch,
    capture: Option<&mut Capture>,
) -> Result<Measured<()>, MeasureError> {
    let mut call = || calls.call(window, is_for_peak, watch);
    let called = match capture {
        None => call()?,
        Some(capture) => sites::capture(capture, window, &mut call)?,
    };
    calls.settle(is_for_peak);
    Ok(called.measured)
}

/// Runs all passes on this thread.
fn passes(calls: &mut dyn Calls, plan: &Plan, mut pace: Pace) -> Result<Passes, PassError> {
    let window = plan.window();
    let mut watch = Stopwatch::ready();
    let mut capture = plan.sites.then(Capture::new);
    let mut sums = SiteSums::default();
    calls.prepare();
    wait_for_threads();
    let cold = call(calls, window, false, &mut watch, capture.as_mut())?;
    if let Some(capture) = &mut capture {
        sums.take(capture);
        sums.end_first(&reading(&cold));
    }
    pace.called()?;
    let mut custom = FigureSamples::new(calls.values());
    let mut measure_next = |calls: &mut dyn Calls, window, is_for_peak, capture: Option<&mut _>| {
        calls.prepare();
        let one = call(calls, window, is_for_peak, &mut Stopwatch::idle(), capture)?;
        pace.called()?;
        Ok::<_, PassError>(one)
    };
    for _ in 0..plan.warmup {
        // In a window like the counted ones, so that the code of the window is
        // warmed up too.
        let _ = measure_next(calls, window, false, None)?;
    }
    let mut samples = Samples::default();
    let values = |one: &Measured<()>| asked::values(one.sizes.as_ref(), one.peak_blocks);
    let mut asked = FigureSamples::new(&values(&cold));
    let mut first_operations = None;
    let mut outside = OutsideSums::NOTHING;
    for iteration in 0..plan.iterations {
        let window = match iteration {
            0 => window.with_first_operations(),
            _ => window,
        };
        let one = measure_next(calls, window, false, capture.as_mut())?;
        first_operations = first_operations.or(one.first);
        let reading = reading(&one);
        if let Some(capture) = &mut capture {
            sums.take(capture);
            sums.end_iteration(&reading);
        }
        samples.add(reading);
        asked.add(&values(&one));
        custom.add(calls.values());
        outside.add(OutsideSums::from_window(&one));
    }
    let peak_pass = peak_pass(plan, |window| {
        let one = measure_next(calls, window, true, None)?;
        outside.still_running += one.still_running;
        Ok(one.peak_bytes)
    })?;
    let time = time(plan, watch.elapsed(), |batch| calls.time_batch(batch));
    let samples = samples.finish();
    Ok(Passes {
        first: reading(&cold),
        mode: mode(cold.mode),
        sites: capture.and_then(|_| sums.finish(&samples)),
        samples,
        asked,
        first_operations,
        peak_pass,
        outside_first: OutsideSums::from_window(&cold),
        outside,
        time,
        custom,
        outcomes: calls.outcomes(),
    })
}

/// Runs the pass for the peak of the process. `peak_of` runs an iteration in a window
/// and returns its peak. There is no such pass in thread scope.
pub(crate) fn peak_pass(
    plan: &Plan,
    mut peak_of: impl FnMut(Window) -> Result<Option<u64>, PassError>,
) -> Result<Option<PeakPass>, PassError> {
    if plan.scope != Scope::Process {
        return Ok(None);
    }
    let mut times = Vec::new();
    for _ in 0..plan.iterations {
        if let Some(peak) = peak_of(Window::process().with_peak())? {
            add_value(&mut times, peak.into());
        }
    }
    let peaks = Distribution::new(times);
    let values = peaks.iter().flat_map(Distribution::values);
    // Each value was made from 64 bits.
    let samples = values.filter_map(|(peak, times)| {
        let peak_bytes = u64::try_from(peak).ok()?;
        Some(PeakSample { peak_bytes, times })
    });
    Ok(Some(PeakPass {
        mode: Mode::ProcessPeak,
        samples: samples.collect(),
    }))
}

/// Waits until threads that set-up or an earlier scenario started have ended or wait for
/// work, so that their beginnings and ends are not in the first call.
fn wait_for_threads() {
    // The window of the process waits for threads that have begun, as it opens and as it
    // closes. Threads that have not begun are older than the one that it starts: on a
    // busy machine they begin before that.
    let _ = Window::process().measure(|| {
        let sleep = || thread::sleep(Duration::from_millis(1));
        thread::Builder::new().spawn(sleep).map(JoinHandle::join)
    });
}

/// Runs `f` in the window. Not generic, so that the window is compiled once.
fn measured(window: Window, f: &mut dyn FnMut()) -> Result<Measured<()>, MeasureError> {
    window.measure(f)
}

/// Runs `inspect` inside a window, uncounted. Returns the operations of that, which the body
/// did not exclude.
fn observed(inspect: &mut dyn FnMut()) -> Tally {
    let observed = measured(Window::thread(), &mut || uncounted(&mut *inspect));
    // An error is one of the outer window too.
    observed.map_or(Tally::ZERO, |observed| observed.uncounted)
}
