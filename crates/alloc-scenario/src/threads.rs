//! The passes over a scenario that runs on several threads at once. The threads live
//! through all passes, and meet at a barrier between the steps of an iteration, never
//! inside a thread's window. Only their calls are inside the window of the process;
//! preparing calls and dropping outputs is not.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use alloc_results::Reading;
use counting_alloc::{MeasureError, Mode, Scope, Sites, Tally, Window};

use crate::failure::NotMeasured;
use crate::measure::{Calls, Opening, Runner};
use crate::own_metrics::ReadMetric;
use crate::pace::Pace;
use crate::passes::{Called, Iteration, Iterations, Pass, Passes, passes};
use crate::plan::Plan;
use crate::selection::Entry;
use crate::sites;
use crate::timed::Stopwatch;

/// Runs a scenario on as many threads as `count` says, each with calls that it opens itself.
pub(crate) struct OnThreads<C, F> {
    pub(crate) count: C,
    pub(crate) open: F,
}

impl<P, O, C, F> Runner<P, O> for OnThreads<C, F>
where
    P: Sync,
    C: Fn(&P) -> usize,
    F: Fn(&P, Opening<'_, O>) + Sync,
{
    fn open(&mut self, point: &P, opening: Opening<'_, O>) {
        (self.open)(point, opening);
    }

    fn threads(&self, point: &P) -> usize {
        (self.count)(point)
    }

    fn measure(
        &mut self,
        point: &P,
        entry: &Entry,
        plan: &Plan,
        readers: &[ReadMetric<'_, O>],
    ) -> Result<Passes, NotMeasured> {
        let size = (self.count)(point);
        let team = Team {
            plan,
            size,
            barrier: Barrier::new(size + 1),
            order: Mutex::new(Order::Stop),
            done: Mutex::new(Ok(Done::default())),
            seen: Mutex::new(vec![0; readers.len()]),
            sites: Mutex::new(None),
            broken: AtomicBool::new(false),
        };
        team.measure(entry, &|then| {
            let opening = Opening {
                output_drop: plan.output_drop,
                readers,
                checks: &[],
                then,
            };
            (self.open)(point, opening);
        })
    }
}

/// Opens the calls of a member, and does something with them.
type Open<'o> = &'o (dyn Fn(&mut dyn FnMut(&mut dyn Calls)) + Sync);

/// The threads of a scenario, and the state that they share with the leading thread.
struct Team<'t> {
    plan: &'t Plan,
    size: usize,
    barrier: Barrier,
    order: Mutex<Order>,
    /// The sum of the members' operations in the present iteration.
    done: Mutex<Result<Done, MeasureError>>,
    /// The sums of the scenario's own metrics over the members in the present iteration; allocated
    /// before any window opens.
    seen: Mutex<Vec<i128>>,
    /// What was done at each stack in the present iteration, if these are captured.
    sites: Mutex<Option<Sites>>,
    /// Set when a member panicked; later iterations are empty.
    broken: AtomicBool,
}

/// The operations of members.
#[derive(Clone, Copy, Default)]
struct Done {
    tally: Tally,
    /// The operations inside `uncounted`, without `observed`.
    uncounted: Tally,
    /// The uncounted operations of the scenario's own metrics.
    observed: Tally,
    /// When the last member ended its call, if it was timed.
    end: Option<Instant>,
}

/// The next task of all members.
#[derive(Clone, Copy)]
enum Order {
    Count(Pass),
    Time { batch: u64 },
    Stop,
}

/// A step of a member, which is left out once a member panicked.
type Step<'s> = &'s mut dyn FnMut(&mut dyn Calls);

impl Team<'_> {
    /// Runs all passes on this thread, which leads the members.
    fn measure(&self, entry: &Entry, open: Open<'_>) -> Result<Passes, NotMeasured> {
        thread::scope(|scope| {
            let members: Vec<_> = (0..self.size)
                .map(|_| scope.spawn(|| self.work(open)))
                .collect();
            let mut pace = Pace::new(self.plan);
            let window = Window::process();
            let passes = passes(&mut &*self, window, entry, self.plan, &mut pace);
            *lock(&self.order) = Order::Stop;
            self.meet();
            for member in members {
                if let Err(panic) = member.join() {
                    panic::resume_unwind(panic);
                }
            }
            passes
        })
    }

    /// Whether the window of this scope captures call stacks. The leading thread opens the window of
    /// the process, and each member the window of its thread.
    fn captures(&self, scope: Scope) -> bool {
        self.plan.sites && self.plan.scope == scope
    }

    /// Runs a member until it is told to stop. A panic is resumed only then, when no
    /// other thread waits for the member at a barrier.
    fn work(&self, open: Open<'_>) {
        let mut panicked = None;
        let mut is_open = false;
        let opened = panic::catch_unwind(AssertUnwindSafe(|| {
            open(&mut |calls| {
                is_open = true;
                panicked = self.follow(Some(calls));
            });
        }));
        if !is_open {
            self.broken.store(true, SeqCst);
            self.follow(None);
        }
        if let Some(panic) = panicked.or(opened.err()) {
            panic::resume_unwind(panic);
        }
    }

    /// Follows the orders of the leading thread, and returns the first panic meanwhile.
    fn follow(&self, mut calls: Option<&mut dyn Calls>) -> Option<Box<dyn Any + Send>> {
        let mut panicked = None;
        loop {
            self.meet();
            let order = *lock(&self.order);
            let is_broken = self.is_broken();
            let mut step = |step: Step<'_>| {
                let Some(calls) = calls.as_mut().filter(|_| !is_broken) else {
                    return;
                };
                let step = AssertUnwindSafe(|| step(&mut **calls));
                if let Err(panic) = panic::catch_unwind(step) {
                    self.broken.store(true, SeqCst);
                    panicked.get_or_insert(panic);
                }
            };
            match order {
                Order::Stop => return panicked,
                Order::Count(pass) => {
                    self.count_member(pass, pass.sites(self.captures(Scope::Thread)), &mut step);
                }
                Order::Time { batch } => step(&mut |calls| _ = calls.time_batch(batch)),
            }
            self.meet();
        }
    }

    /// Runs one iteration of a member, by its steps between barriers.
    fn count_member(&self, pass: Pass, mut sites: Option<Sites>, step: &mut dyn FnMut(Step<'_>)) {
        let mut watch = Stopwatch::new(pass == Pass::First);
        step(&mut |calls| calls.prepare());
        // The window of the process opens between these two barriers,
        self.meet();
        self.meet();
        step(&mut |calls| {
            let window = Window::thread();
            let mut call = || calls.call(window, pass, &mut watch);
            let called = sites::call(window, sites.as_mut(), &mut call);
            self.add(&called, watch.end());
        });
        // and closes between these two.
        self.meet();
        self.meet();
        step(&mut |calls| {
            calls.settle(pass);
            if let Some(sites) = sites.take() {
                sites::add(&mut lock(&self.sites), sites);
            }
            for (sum, value) in lock(&self.seen).iter_mut().zip(calls.values()) {
                *sum += value;
            }
        });
    }

    /// Waits until all members and the leading thread have called it.
    fn meet(&self) {
        self.barrier.wait();
    }

    /// Adds the counts of a member to the sum.
    fn add(&self, called: &Result<Called, MeasureError>, end: Option<Instant>) {
        let mut done = lock(&self.done);
        match (called, &mut *done) {
            (Ok(called), Ok(sum)) => {
                sum.tally += called.tally;
                sum.uncounted += called.uncounted;
                sum.observed += called.value;
                sum.end = sum.end.max(end);
            }
            (Err(error), done) => *done = Err(*error),
            (Ok(_), Err(_)) => {}
        }
    }

    fn is_broken(&self) -> bool {
        self.broken.load(SeqCst)
    }
}

impl Iterations for &Team<'_> {
    /// Runs one iteration of all members at once, in a window of the process. The
    /// reading has no peak, since the peak of several threads is not the sum of their
    /// peaks.
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError> {
        let mut sites = pass.sites(self.captures(Scope::Process));
        *lock(&self.done) = Ok(Done::default());
        lock(&self.seen).fill(0);
        *lock(&self.order) = Order::Count(pass);
        // The members begin, and are prepared.
        self.meet();
        self.meet();
        let mut begin = Instant::now();
        let mut call = || {
            // The common start, after opening the window may have waited for threads.
            begin = Instant::now();
            // The members call, and have called.
            self.meet();
            self.meet();
        };
        let process = sites::measure(window, sites.as_mut(), &mut call);
        // The members drop their outputs, and have dropped them.
        self.meet();
        self.meet();
        let process = process?;
        let of_members = lock(&self.sites).take();
        let members = (*lock(&self.done))?;
        let done = if self.plan.scope == Scope::Process {
            Done {
                tally: process.tally,
                uncounted: process.uncounted - members.observed,
                ..members
            }
        } else {
            members
        };
        Ok(Iteration {
            reading: Reading::new(done.tally, None),
            mode: Mode::Counting,
            first_operations: None,
            // Foreign are threads other than the members.
            foreign: process.tally - members.tally,
            uncounted: done.uncounted,
            still_running: process.still_running,
            peak_bytes: process.peak_bytes,
            sites: sites.or(of_members),
            elapsed: members.end.map_or(Duration::ZERO, |end| end - begin),
        })
    }

    fn is_broken(&self) -> bool {
        Team::is_broken(self)
    }

    fn values(&self) -> Vec<i128> {
        lock(&self.seen).clone()
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        *lock(&self.order) = Order::Time { batch };
        let begin = Instant::now();
        self.meet();
        self.meet();
        begin.elapsed()
    }
}

/// Locks a mutex, also after a panic: a member never panics in the middle of a change.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
