//! The passes over one scenario, and what they yield. Nothing between the
//! opening and the closing of a window allocates but the body.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use alloc_results::{
    Counts, Mode, NativeCounts, OutputDrop, PeakPass, PeakSample, Reading, Sample, Time,
};
use counting_alloc::{MeasureError, Measured, NativeTally, Scope, Tally, Window, pause, uncounted};

use crate::body::{Iterate, Source};
use crate::figures::{Gathered, Look, Observers};
use crate::outcome::Outcomes;
use crate::stopwatch::Stopwatch;

/// How a scenario is to be measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) scope: Scope,
    pub(crate) output_drop: OutputDrop,
    pub(crate) warmup: u64,
    pub(crate) iterations: u64,
    pub(crate) is_timed: bool,
}

/// What the passes yielded.
#[derive(Debug)]
pub(crate) struct Passes {
    pub(crate) first: Reading,
    pub(crate) mode: Mode,
    pub(crate) samples: Vec<Sample>,
    pub(crate) peak_pass: Option<PeakPass>,
    pub(crate) foreign: Counts,
    pub(crate) time: Option<Time>,
    pub(crate) custom: Gathered,
    /// All zero where nothing says how calls went.
    pub(crate) outcomes: Outcomes,
}

/// What runs a scenario at a point of its sweep.
pub(crate) trait Runner<P> {
    type Output;

    /// The number of threads that run the body at once.
    fn threads(&self, point: &P) -> u64;

    /// All passes; `observers` look at the outputs.
    fn measure(
        &mut self,
        point: &P,
        plan: &Plan,
        observers: Observers<'_, Self::Output>,
    ) -> Result<Passes, MeasureError>;

    /// One iteration, not measured.
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
    ) -> Result<Passes, MeasureError> {
        let mut body = self.0.open(point);
        let mut look = Look::new(observers);
        let window = plan.window();
        let mut watch = Stopwatch::ready();
        let cold = measure_one(&mut body, window, plan, &mut look, &mut watch)?;
        let mut custom = Gathered::new(look.values());
        let mut measure_next = |window, look: &mut _| {
            measure_one(&mut body, window, plan, look, &mut Stopwatch::idle())
        };
        for _ in 0..plan.warmup {
            // In a window like the counted ones, so that what those see is
            // what was warmed up.
            let _ = measure_next(window, &mut look)?;
        }
        let mut samples = Samples::default();
        let mut foreign = Tally::ZERO;
        for _ in 0..plan.iterations {
            let one = measure_next(window, &mut look)?;
            samples.add(reading(&one));
            custom.add(look.values());
            foreign += one.foreign;
        }
        let mut unfigured = Look::new(observers.without_figures());
        let peak_pass = peak_pass(plan, |window| {
            Ok(measure_next(window, &mut unfigured)?.peak_bytes)
        })?;
        let mut timed = Look::new(observers.without_figures());
        let time = time(plan, watch.elapsed(), |batch| {
            time_batch(&mut body, plan, batch, &mut timed)
        });
        let mut outcomes = Outcomes {
            counted: *look.outcome(),
            timed: *timed.outcome(),
        };
        outcomes.counted.add(unfigured.outcome());
        Ok(Passes {
            first: reading(&cold),
            mode: mode(cold.mode),
            samples: samples.finish(),
            peak_pass,
            foreign: counts(foreign),
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
    /// The window of an iteration that is counted. The thread's peak comes with
    /// it; for the process's, which costs every thread, there is a pass of its own.
    fn window(&self) -> Window {
        match self.scope {
            Scope::Thread => Window::thread().with_peak(),
            Scope::Process => Window::process(),
        }
    }
}

/// The pass for the peak of the process, by a function that says the peak of an
/// iteration in a window; in the scope of a thread there is none.
pub(crate) fn peak_pass(
    plan: &Plan,
    mut peak_of: impl FnMut(Window) -> Result<Option<u64>, MeasureError>,
) -> Result<Option<PeakPass>, MeasureError> {
    match plan.scope {
        Scope::Thread => return Ok(None),
        Scope::Process => {}
    }
    let mut times = BTreeMap::new();
    for _ in 0..plan.iterations {
        if let Some(peak) = peak_of(Window::process().with_peak())? {
            *times.entry(peak).or_insert(0) += 1;
        }
    }
    let samples = times
        .into_iter()
        .map(|(peak_bytes, times)| PeakSample { peak_bytes, times });
    Ok(Some(PeakPass {
        mode: Mode::ProcessPeak,
        samples: samples.collect(),
    }))
}

/// One iteration in a window. What looks at the output does so before it is
/// dropped, and nothing of that is counted. `watch` times the call in the window,
/// so that opening and closing that are not in the time.
pub(crate) fn measure_one<T: Iterate>(
    body: &mut T,
    window: Window,
    plan: &Plan,
    look: &mut Look<'_, T::Output>,
    watch: &mut Stopwatch,
) -> Result<Measured<()>, MeasureError> {
    body.prepare();
    let (measured, output) = call_one(body, window, plan, look, watch)?;
    settle(output, look);
    Ok(measured)
}

/// The call itself of an iteration that is prepared, and its output where that is
/// not dropped as part of it.
pub(crate) fn call_one<T: Iterate>(
    body: &mut T,
    window: Window,
    plan: &Plan,
    look: &mut Look<'_, T::Output>,
    watch: &mut Stopwatch,
) -> Result<(Measured<()>, Option<T::Output>), MeasureError> {
    let measured = match plan.output_drop {
        OutputDrop::Inside if look.is_idle() => window.measure(|| {
            watch.start();
            drop(black_box(body.call()));
            watch.stop();
        })?,
        OutputDrop::Inside => window.measure(|| {
            watch.start();
            let output = black_box(body.call());
            watch.stop();
            uncounted(|| look.at(&output));
            watch.start();
            drop(output);
            watch.stop();
        })?,
        OutputDrop::Outside => {
            let mut output = None;
            let measured = window.measure(|| {
                watch.start();
                let output = black_box(body.call());
                watch.stop();
                output
            })?;
            let measured = measured.map(|value| output = Some(value));
            return Ok((measured, output));
        }
    };
    Ok((measured, None))
}

/// Looks at an output that [`call_one`] left, and drops it; no window is open.
pub(crate) fn settle<O>(output: Option<O>, look: &mut Look<'_, O>) {
    if let Some(output) = output
        && !look.is_idle()
    {
        look.at(&output);
    }
}

/// A measurement as the record has it.
pub(crate) fn reading<T>(measured: &Measured<T>) -> Reading {
    Reading {
        counts: counts(measured.tally),
        peak_bytes: measured.peak_bytes,
        native: measured.native.map(native_counts).map(Box::new),
    }
}

/// The counter's mode as the record has it.
pub(crate) fn mode(mode: counting_alloc::Mode) -> Mode {
    match mode {
        counting_alloc::Mode::Counting => Mode::Counting,
        counting_alloc::Mode::ThreadPeak => Mode::ThreadPeak,
        counting_alloc::Mode::ProcessPeak => Mode::ProcessPeak,
    }
}

/// The counter's tally as the record has it.
pub(crate) fn counts(tally: Tally) -> Counts {
    Counts {
        allocs: tally.allocs,
        alloc_bytes: tally.alloc_bytes,
        deallocs: tally.deallocs,
        dealloc_bytes: tally.dealloc_bytes,
        grows: tally.grows,
        grow_bytes: tally.grow_bytes,
        shrinks: tally.shrinks,
        shrink_bytes: tally.shrink_bytes,
        failed: tally.failed,
    }
}

/// The counter's tally of C code as the record has it.
pub(crate) fn native_counts(tally: NativeTally) -> NativeCounts {
    NativeCounts {
        allocs: tally.allocs,
        bytes: tally.bytes,
        reallocs: tally.reallocs,
        realloc_bytes: tally.realloc_bytes,
        frees: tally.frees,
        failed: tally.failed,
    }
}

/// The readings of the counted pass. It grows between windows, never in one.
#[derive(Default)]
pub(crate) struct Samples(Vec<Sample>);

impl Samples {
    pub(crate) fn add(&mut self, reading: Reading) {
        match self.0.last_mut() {
            Some(last) if last.reading == reading => last.times += 1,
            _ => self.0.push(Sample { reading, times: 1 }),
        }
    }

    /// Ascending, each reading once.
    pub(crate) fn finish(mut self) -> Vec<Sample> {
        self.0.sort_unstable();
        self.0.dedup_by(|later, earlier| {
            let same = later.reading == earlier.reading;
            if same {
                earlier.times += later.times;
            }
            same
        });
        self.0
    }
}

/// The most batches of a timed pass.
const BATCHES: u64 = 21;

/// The time after which no further batch begins.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// How many iterations make a batch of about a millisecond, if one takes `one`;
/// no more than the counted pass has, in all batches together.
fn batch_size(one: Duration, plan: &Plan) -> u64 {
    let fit = 1_000_000 / one.as_nanos().max(1);
    u64::try_from(fit)
        .unwrap_or(u64::MAX)
        .min(plan.iterations / BATCHES)
        .max(1)
}

/// The timed pass, by a function that says how long a batch of so many
/// iterations took; the first call took `first`. `None` where the plan has no such pass.
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
        first: Some(as_nanoseconds(first)),
    })
}

fn as_nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The time that `batch` iterations take. Where an input is made before each
/// call, calls are timed one by one, and the clock's own time is in the figure.
/// Where something says how calls went, it looks at each output; where the output
/// is dropped as part of the operation, that is in the figure too.
pub(crate) fn time_batch<T: Iterate>(
    body: &mut T,
    plan: &Plan,
    batch: u64,
    look: &mut Look<'_, T::Output>,
) -> Duration {
    let in_one_go = match plan.output_drop {
        OutputDrop::Inside => !T::PREPARES,
        OutputDrop::Outside => false,
    };
    if in_one_go && look.is_idle() {
        let begin = Instant::now();
        for _ in 0..batch {
            drop(black_box(body.call()));
        }
        return begin.elapsed();
    }
    if in_one_go {
        let begin = Instant::now();
        for _ in 0..batch {
            let output = black_box(body.call());
            look.at(&output);
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
                look.at(&output);
                drop(output);
                sum += begin.elapsed();
            }
            OutputDrop::Outside => {
                sum += begin.elapsed();
                look.at(&output);
                drop(output);
            }
        }
    }
    sum
}
