//! The calls of a scenario on one thread. Only the body allocates between the opening and the
//! closing of a window.

use std::borrow::Cow;
use std::hint::black_box;
use std::mem;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use alloc_results::{OutputDrop, Reading};
use counting_alloc::{MeasureError, Tally, Window, uncounted};

use crate::body::{Called, Iterate, Source};
use crate::failure::NotMeasured;
use crate::figures::{Figure, Probe};
use crate::pace::Pace;
use crate::passes::{Iteration, Iterations, OutsideSums, Pass, Passes, passes};
use crate::plan::Plan;
use crate::sites::{self, SiteSums};
use crate::timed::{Stopwatch, time_batch};

/// Runs a scenario at a point of its sweep.
pub(crate) trait Runner<P> {
    type Output;

    /// The number of threads that run the body at once.
    fn threads(&self, point: &P) -> u64;

    /// Runs all passes. `figures` are taken from the outputs.
    fn measure(
        &mut self,
        point: &P,
        plan: &Plan,
        figures: &[Figure<'_, Self::Output>],
    ) -> Result<Passes, NotMeasured>;

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
        figures: &[Figure<'_, S::Output>],
    ) -> Result<Passes, NotMeasured> {
        let pace = Pace::new(plan);
        let mut calls = Calling::new(self.0.open(point), plan, figures);
        let mut iterations = OneThread {
            calls: &mut calls,
            captures: plan.sites,
            sites: SiteSums::default(),
            has_counted: false,
        };
        passes(&mut iterations, plan.window(), plan, pace)
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
}

/// The calls of these iterations.
pub(crate) struct Calling<'l, T: Iterate> {
    body: T,
    plan: &'l Plan,
    probe: Probe<'l, T::Output>,
    /// The output of the last call, unless dropping it is part of the operation.
    output: Option<T::Output>,
}

impl<'l, T: Iterate> Calling<'l, T> {
    pub(crate) fn new(body: T, plan: &'l Plan, figures: &'l [Figure<'l, T::Output>]) -> Self {
        Self {
            body,
            plan,
            probe: Probe::new(figures),
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
        let (body, kept) = (&mut self.body, &mut self.output);
        let probe = &mut self.probe;
        let is_unobserved = is_for_peak || probe.is_idle();
        measured(window, &mut || {
            let mut observed = Tally::ZERO;
            watch.start();
            let output = black_box(body.call());
            match self.plan.output_drop {
                OutputDrop::Inside if is_unobserved => {
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
            observed
        })
    }

    fn settle(&mut self, is_for_peak: bool) {
        if let Some(output) = self.output.take().filter(|_| !is_for_peak) {
            self.probe.observe(&output);
        }
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        time_batch(&mut self.body, self.plan, batch)
    }

    fn values(&self) -> &[i128] {
        self.probe.values()
    }
}

/// The iterations of a scenario on this thread.
struct OneThread<'l> {
    calls: &'l mut dyn Calls,
    /// Whether call stacks are captured.
    captures: bool,
    sites: SiteSums,
    /// Whether an iteration of the counted pass ran. The first one keeps its first operations.
    has_counted: bool,
}

impl Iterations for OneThread<'_> {
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError> {
        let calls = &mut *self.calls;
        let is_for_peak = pass == Pass::Peak;
        let mut watch = pass.stopwatch();
        let keeps_first = pass == Pass::Counted && !mem::replace(&mut self.has_counted, true);
        let window = if keeps_first {
            window.with_first_operations()
        } else {
            window
        };
        calls.prepare();
        if pass == Pass::First {
            wait_for_threads();
        }
        let mut sites = pass.sites(self.captures);
        let mut call = || calls.call(window, is_for_peak, &mut watch);
        let called = sites::call(window, sites.as_mut(), &mut call);
        // It is large, so it stays where it is.
        let one = called.as_ref().map_err(|error| *error)?;
        calls.settle(is_for_peak);
        let reading = Reading::from(one);
        self.sites.add(sites);
        self.sites.end(pass, &reading);
        Ok(Iteration {
            reading,
            mode: one.mode,
            peak_bytes: one.peak_bytes,
            first_operations: one.first.map(Box::new),
            outside: OutsideSums::from_window(one),
            elapsed: watch.elapsed(),
        })
    }

    fn is_broken(&self) -> bool {
        false
    }

    fn figures(&self) -> Cow<'_, [i128]> {
        self.calls.values().into()
    }

    fn sites(&mut self) -> SiteSums {
        mem::take(&mut self.sites)
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
