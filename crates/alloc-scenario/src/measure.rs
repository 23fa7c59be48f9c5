//! The passes over one scenario and their results. Only the body allocates between
//! the opening and the closing of a window.

use std::hint::black_box;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use alloc_assert::harness::{allocates_nothing, reading};
use alloc_results::{
    Distribution, Mode, OutputDrop, PeakPass, PeakSample, Reading, Sample, SitesRecord, Time,
};
use counting_alloc::{
    FirstOperations, MeasureError, Measured, Scope, Tally, Window, pause, uncounted,
};

use crate::asked::{self, AskedSettings};
use crate::body::{Called, Iterate, Source};
use crate::conversion::{Samples, mode};
use crate::figures::{FigureSamples, Observers, Probe, add_value};
use crate::outcome::OutcomeSums;
use crate::outside::OutsideSums;
use crate::pace::{Pace, TimeLimits, TooSlow};
use crate::sites::{self, Capture, SiteSums};
use crate::stopwatch::Stopwatch;

/// The settings for measuring a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: u64,
    pub(crate) iterations: u64,
    pub(crate) is_timed: bool,
    pub(crate) limits: TimeLimits,
    pub(crate) asked: AskedSettings,
    /// Whether the call stacks of operations are captured.
    pub(crate) sites: bool,
}

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
        let mut pace = Pace::new(plan);
        let mut body = self.0.open(point);
        let mut probe = Probe::new(observers);
        let window = plan.window();
        let mut watch = Stopwatch::ready();
        let mut capture = plan.sites.then(Capture::new);
        let mut sums = SiteSums::default();
        body.prepare();
        wait_for_threads();
        let captured = capture.as_mut();
        let cold = measure_prepared(&mut body, window, plan, &mut probe, &mut watch, captured)?;
        if let Some(capture) = &mut capture {
            sums.take(capture);
            sums.end_first(&reading(&cold));
        }
        pace.called()?;
        let mut custom = FigureSamples::new(probe.values());
        let mut measure_next = |window, probe: &mut _, capture: Option<&mut Capture>| {
            body.prepare();
            let watch = &mut Stopwatch::idle();
            let one = measure_prepared(&mut body, window, plan, probe, watch, capture)?;
            pace.called()?;
            Ok::<_, PassError>(one)
        };
        for _ in 0..plan.warmup {
            // In a window like the counted ones, so that the code of the window is
            // warmed up too.
            let _ = measure_next(window, &mut probe, None)?;
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
            let one = measure_next(window, &mut probe, capture.as_mut())?;
            first_operations = first_operations.or(one.first);
            let reading = reading(&one);
            if let Some(capture) = &mut capture {
                sums.take(capture);
                sums.end_iteration(&reading);
            }
            samples.add(reading);
            asked.add(&values(&one));
            custom.add(probe.values());
            outside.add(OutsideSums::from_window(&one));
        }
        let mut peak_probe = Probe::new(observers.without_figures());
        let peak_pass = peak_pass(plan, |window| {
            let one = measure_next(window, &mut peak_probe, None)?;
            outside.still_running += one.still_running;
            Ok(one.peak_bytes)
        })?;
        let mut timed = Probe::new(observers.without_figures());
        let time = time(plan, watch.elapsed(), |batch| {
            time_batch(&mut body, plan, batch, &mut timed)
        });
        let mut outcomes = OutcomeSums {
            counted: *probe.outcome(),
            timed: *timed.outcome(),
        };
        outcomes.counted.add(peak_probe.outcome());
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
            outcomes,
        })
    }

    fn once(&mut self, point: &P) -> S::Output {
        let mut body = self.0.open(point);
        body.prepare();
        body.call()
    }
}

impl Plan {
    /// The window of a counted iteration. It keeps the thread's peak. The peak of the
    /// process slows every thread, and so has its own pass.
    fn window(&self) -> Window {
        self.asked.of_whole(if self.scope == Scope::Process {
            Window::process()
        } else {
            Window::thread().with_peak()
        })
    }
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

/// Runs one prepared iteration in a window. `probe` inspects the output before it is
/// dropped, uncounted. `watch` times the call inside the window, without the time of opening
/// and closing it. `capture` captures the stacks of operations, if there is one.
fn measure_prepared<T: Iterate>(
    body: &mut T,
    window: Window,
    plan: &Plan,
    probe: &mut Probe<'_, T::Output>,
    watch: &mut Stopwatch,
    capture: Option<&mut Capture>,
) -> Result<Measured<()>, MeasureError> {
    let called = match capture {
        None => call_one(body, window, plan, probe, watch)?,
        Some(capture) => {
            let call = || call_one(body, window, plan, probe, watch);
            sites::capture(capture, window, call)?
        }
    };
    settle(called.output, probe);
    Ok(called.measured)
}

/// Runs the call of a prepared iteration. Inlined, since its result is large.
#[inline(always)]
pub(crate) fn call_one<T: Iterate>(
    body: &mut T,
    window: Window,
    plan: &Plan,
    probe: &mut Probe<'_, T::Output>,
    watch: &mut Stopwatch,
) -> Result<Called<T::Output>, MeasureError> {
    let mut output = None;
    let mut observed = Tally::ZERO;
    let mut measured = match plan.output_drop {
        OutputDrop::Inside if probe.is_idle() => window.measure(|| {
            watch.start();
            drop(black_box(body.call()));
            watch.stop();
        })?,
        OutputDrop::Inside => window.measure(|| {
            watch.start();
            let output = black_box(body.call());
            watch.stop();
            observed = observe(probe, &output);
            watch.start();
            drop(output);
            watch.stop();
        })?,
        OutputDrop::Outside => {
            let measured = window.measure(|| {
                watch.start();
                let output = black_box(body.call());
                watch.stop();
                output
            })?;
            measured.map(|value| output = Some(value))
        }
    };
    measured.uncounted = measured.uncounted - observed;
    Ok(Called {
        measured,
        output,
        observed,
    })
}

/// Inspects an output inside a window, uncounted. Returns the operations of that, which
/// the body did not exclude.
fn observe<O>(probe: &mut Probe<'_, O>, output: &O) -> Tally {
    let observed = Window::thread().measure(|| uncounted(|| probe.observe(output)));
    // An error is one of the outer window too.
    observed.map_or(Tally::ZERO, |observed| observed.uncounted)
}

/// Inspects and drops an output that [`call_one`] returned. No window is open.
pub(crate) fn settle<O>(output: Option<O>, probe: &mut Probe<'_, O>) {
    if let Some(output) = output.filter(|_| !probe.is_idle()) {
        probe.observe(&output);
    }
}

/// The maximum number of batches in a timed pass.
const BATCHES: u64 = 21;

/// The time after which no more batches begin.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// The number of iterations in a batch of about a millisecond, if one iteration takes
/// `one`. All batches together have at most as many iterations as the counted pass.
fn batch_size(one: Duration, plan: &Plan) -> u64 {
    let fit = 1_000_000 / one.as_nanos().max(1);
    u64::try_from(fit)
        .unwrap_or(u64::MAX)
        .min(plan.iterations / BATCHES)
        .max(1)
}

/// Runs the timed pass. `time_batch` runs a batch of that many iterations and returns
/// its time; `first` is the time of the first call. `None` if the plan has no timed
/// pass.
pub(crate) fn time(
    plan: &Plan,
    first: Duration,
    mut time_batch: impl FnMut(u64) -> Duration,
) -> Option<Time> {
    if !plan.is_timed {
        return None;
    }
    let _paused = pause();
    let batch = batch_size(time_batch(1), plan);
    let begin = Instant::now();
    let mut nanoseconds = Vec::new();
    for _ in 0..BATCHES {
        let elapsed = time_batch(batch);
        nanoseconds.push(as_nanoseconds(elapsed));
        if begin.elapsed() > TIME_LIMIT {
            break;
        }
    }
    nanoseconds.sort_unstable();
    Some(Time {
        batch,
        nanoseconds,
        first: as_nanoseconds(first),
    })
}

fn as_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Runs `batch` iterations and returns their time. If an input is made before each
/// call, the calls are timed one by one, and the time includes that of the clock. If
/// the scenario reports outcomes, each output is inspected; the time includes that if
/// dropping the output is part of the operation.
pub(crate) fn time_batch<T: Iterate>(
    body: &mut T,
    plan: &Plan,
    batch: u64,
    probe: &mut Probe<'_, T::Output>,
) -> Duration {
    let is_one_block = match plan.output_drop {
        OutputDrop::Inside => !T::PREPARES,
        OutputDrop::Outside => false,
    };
    if is_one_block && probe.is_idle() {
        let begin = Instant::now();
        for _ in 0..batch {
            drop(black_box(body.call()));
        }
        return begin.elapsed();
    }
    if is_one_block {
        let begin = Instant::now();
        for _ in 0..batch {
            let output = black_box(body.call());
            probe.observe(&output);
            drop(output);
        }
        return begin.elapsed();
    }
    let mut sum = Duration::ZERO;
    for _ in 0..batch {
        body.prepare();
        let begin = Instant::now();
        let output = black_box(body.call());
        match plan.output_drop {
            OutputDrop::Inside => {
                probe.observe(&output);
                drop(output);
                sum += begin.elapsed();
            }
            OutputDrop::Outside => {
                sum += begin.elapsed();
                probe.observe(&output);
                drop(output);
            }
        }
    }
    sum
}
