//! The calls of a scenario on one thread. Only the body allocates between the opening and the
//! closing of a window.

use std::cell::Cell;
use std::hint::black_box;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use alloc_results::OutputDrop;
use counting_alloc::{MeasureError, Tally, Window, uncounted};

use crate::failure::NotMeasured;
use crate::own_metrics::ReadMetric;
use crate::pace::Pace;
use crate::passes::{Called, Iteration, Iterations, Pass, Passes, passes};
use crate::plan::Plan;
use crate::selection::Entry;
use crate::sites;
use crate::timed::{Stopwatch, time_batch};

/// Runs a scenario at a point of its sweep: on the calling thread, if it is a closure that opens
/// its calls.
pub(crate) trait Runner<P, O> {
    /// Sets up the calls of the calling thread.
    fn open(&mut self, point: &P, opening: Opening<'_, O>);

    /// The number of threads that run the body at once.
    fn threads(&self, _: &P) -> usize {
        1
    }

    /// Runs all passes. `readers` read metrics from the outputs.
    fn measure(
        &mut self,
        point: &P,
        entry: &Entry,
        plan: &Plan,
        readers: &[ReadMetric<'_, O>],
    ) -> Result<Passes, NotMeasured> {
        let mut pace = Pace::new(plan);
        let mut measured = None;
        let mut measure = |calls: &mut dyn Calls| {
            let mut iterations = OneThread {
                calls,
                captures: plan.sites,
            };
            let window = plan.window();
            measured = Some(passes(&mut iterations, window, entry, plan, &mut pace));
        };
        let opening = Opening {
            output_drop: plan.output_drop,
            readers,
            checks: &[],
            then: &mut measure,
        };
        self.open(point, opening);
        measured.expect("a body makes its calls")
    }
}

impl<P, O, F: FnMut(&P, Opening<'_, O>)> Runner<P, O> for F {
    fn open(&mut self, point: &P, opening: Opening<'_, O>) {
        self(point, opening);
    }
}

/// Inspects an output, and panics if that is wrong.
pub(crate) type Check<'a, O> = Box<dyn Fn(&O) + 'a>;

/// What is done with the calls of a scenario on a thread, once they are set up.
pub(crate) struct Opening<'l, O> {
    pub(crate) output_drop: OutputDrop,
    pub(crate) readers: &'l [ReadMetric<'l, O>],
    /// Only for [`Calls::once`].
    pub(crate) checks: &'l [Check<'l, O>],
    pub(crate) then: &'l mut dyn FnMut(&mut dyn Calls),
}

impl<O> Opening<'_, O> {
    /// Makes the calls of a body without a preparation.
    pub(crate) fn calls(self, body: impl FnMut() -> O) {
        self.prepared(None, body);
    }

    /// Makes the calls of a body that consumes an input, which is made before each call.
    pub(crate) fn on_inputs<I>(self, make: impl Fn() -> I, mut body: impl FnMut(I) -> O) {
        let input = Cell::new(None);
        let prepare = || input.set(Some(make()));
        self.prepared(Some(&prepare), || {
            body(input.take().expect("an input is made before each call"))
        });
    }

    fn prepared(self, prepare: Option<&dyn Fn()>, body: impl FnMut() -> O) {
        let mut calling = Calling {
            prepare,
            body,
            output_drop: self.output_drop,
            readers: self.readers,
            checks: self.checks,
            values: vec![0; self.readers.len()],
            output: None,
        };
        (self.then)(&mut calling);
    }
}

/// The calls of a scenario on one thread, without the types of its closures: the passes are
/// compiled once, in this crate, and not for each scenario in the user's crate.
pub(crate) trait Calls {
    /// Prepares the next call.
    fn prepare(&mut self);

    /// Runs the prepared call in the window. Metrics are read from the output before it is
    /// dropped, uncounted. `watch` times the call inside the window, without the time of opening and
    /// closing it.
    fn call(
        &mut self,
        window: Window,
        pass: Pass,
        watch: &mut Stopwatch,
    ) -> Result<Called, MeasureError>;

    /// Reads metrics from what the call left, and drops it. No window is open.
    fn settle(&mut self, pass: Pass);

    /// Runs a batch of the timed pass.
    fn time_batch(&mut self, batch: u64) -> Duration;

    /// Runs one iteration without measuring it, checks its output and reads its metrics.
    fn once(&mut self);

    /// The metrics of the last output of the first call, the warm-up and the counted pass.
    fn values(&self) -> &[i128];
}

/// The calls of this body.
struct Calling<'l, O, B> {
    /// Prepares the next call, if there is something to do. Then calls can't be timed in batches.
    prepare: Option<&'l dyn Fn()>,
    body: B,
    output_drop: OutputDrop,
    readers: &'l [ReadMetric<'l, O>],
    checks: &'l [Check<'l, O>],
    /// A value for each reader, allocated before any window opens.
    values: Vec<i128>,
    /// The output of the last call, unless dropping it is part of the operation.
    output: Option<O>,
}

impl<O, B: FnMut() -> O> Calls for Calling<'_, O, B> {
    fn prepare(&mut self) {
        if let Some(prepare) = self.prepare {
            prepare();
        }
    }

    fn call(
        &mut self,
        window: Window,
        pass: Pass,
        watch: &mut Stopwatch,
    ) -> Result<Called, MeasureError> {
        let (readers, values) = (self.readers, &mut self.values);
        let is_unobserved = pass == Pass::Peak || readers.is_empty();
        measured(window, &mut || {
            let mut observed = Tally::ZERO;
            watch.start();
            let output = black_box((self.body)());
            match self.output_drop {
                OutputDrop::Inside if is_unobserved => {
                    drop(output);
                    watch.stop();
                }
                OutputDrop::Inside => {
                    watch.stop();
                    observed = self::observed(&mut || take(readers, &output, values));
                    watch.start();
                    drop(output);
                    watch.stop();
                }
                OutputDrop::Outside => {
                    watch.stop();
                    self.output = Some(output);
                }
            }
            observed
        })
    }

    fn settle(&mut self, pass: Pass) {
        if let Some(output) = self.output.take().filter(|_| pass != Pass::Peak) {
            take(self.readers, &output, &mut self.values);
        }
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        time_batch(self.prepare, &mut self.body, self.output_drop, batch)
    }

    fn once(&mut self) {
        self.prepare();
        let output = (self.body)();
        self.checks.iter().for_each(|check| check(&output));
        take(self.readers, &output, &mut self.values);
    }

    fn values(&self) -> &[i128] {
        &self.values
    }
}

/// Reads the metrics from an output.
fn take<O>(readers: &[ReadMetric<'_, O>], output: &O, values: &mut [i128]) {
    for (value, read) in values.iter_mut().zip(readers) {
        *value = read(output).into();
    }
}

/// The iterations of a scenario on this thread.
struct OneThread<'l> {
    calls: &'l mut dyn Calls,
    /// Whether call stacks are captured.
    captures: bool,
}

impl Iterations for OneThread<'_> {
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError> {
        let calls = &mut *self.calls;
        let mut watch = Stopwatch::new(pass == Pass::First);
        calls.prepare();
        if pass == Pass::First {
            wait_for_threads();
        }
        let mut sites = pass.sites(self.captures);
        let mut call = || calls.call(window, pass, &mut watch);
        let called = sites::call(window, sites.as_mut(), &mut call);
        // It is large, so it stays where it is.
        let one = called.as_ref().map_err(|error| *error)?;
        calls.settle(pass);
        Ok(Iteration {
            reading: one.into(),
            mode: one.mode,
            peak_bytes: one.peak_bytes,
            first_operations: one.first.map(Box::new),
            foreign: one.foreign,
            uncounted: one.uncounted,
            still_running: one.still_running,
            sites,
            elapsed: watch.elapsed(),
        })
    }

    fn values(&self) -> Vec<i128> {
        self.calls.values().to_vec()
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        self.calls.time_batch(batch)
    }
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

/// Runs `f` in the window, which returns the uncounted operations to leave out. Not generic, so
/// that the window is compiled once.
fn measured(window: Window, f: &mut dyn FnMut() -> Tally) -> Result<Called, MeasureError> {
    let mut called = window.measure(f);
    if let Ok(called) = &mut called {
        called.uncounted = called.uncounted - called.value;
    }
    called
}

/// Runs `inspect` inside a window, uncounted. Returns the operations of that, which the body
/// did not exclude.
fn observed(inspect: &mut dyn FnMut()) -> Tally {
    let observed = measured(Window::thread(), &mut || {
        uncounted(&mut *inspect);
        Tally::ZERO
    });
    // An error is one of the outer window too.
    observed.map_or(Tally::ZERO, |observed| observed.uncounted)
}
