//! The passes over a scenario that runs on several threads at once. The threads live
//! through all passes, and meet at a barrier between the steps of an iteration, never
//! inside a thread's window. Only their calls are inside the window of the process;
//! preparing calls and dropping outputs is not.

use std::borrow::Cow;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use alloc_results::Reading;
use counting_alloc::{MeasureError, Mode, Scope, Sites, Tally, Window};

use crate::body::{Called, Iterate, SharedSource};
use crate::failure::NotMeasured;
use crate::figures::Figure;
use crate::measure::{Calling, Calls, Runner};
use crate::pace::Pace;
use crate::passes::{Iteration, Iterations, OutsideSums, Pass, Passes, passes};
use crate::plan::Plan;
use crate::sites::{self, SiteSums};

/// Runs the body on as many threads as `count` says.
pub(crate) struct OnThreads<S, C> {
    pub(crate) source: S,
    pub(crate) count: C,
}

impl<P, S, C> Runner<P> for OnThreads<S, C>
where
    P: Sync,
    S: SharedSource<P>,
    C: Fn(&P) -> usize,
{
    type Output = S::Output;

    fn threads(&self, point: &P) -> u64 {
        (self.count)(point) as u64
    }

    fn measure(
        &mut self,
        point: &P,
        plan: &Plan,
        figures: &[Figure<'_, S::Output>],
    ) -> Result<Passes, NotMeasured> {
        let team = Team::new((self.count)(point), figures.len());
        let source = &self.source;
        let open =
            || -> Box<dyn Calls> { Box::new(Calling::new(source.open(point), plan, figures)) };
        thread::scope(|scope| {
            let members: Vec<_> = (0..team.size)
                .map(|_| scope.spawn(|| team.work(plan, &open)))
                .collect();
            let passes = team.lead(plan);
            for member in members {
                if let Err(panic) = member.join() {
                    panic::resume_unwind(panic);
                }
            }
            passes
        })
    }

    fn once(&mut self, point: &P) -> S::Output {
        let mut body = self.source.open(point);
        body.prepare();
        body.call()
    }
}

/// The state that the threads of a scenario share with the leading thread.
struct Team {
    size: usize,
    barrier: Barrier,
    order: Mutex<Order>,
    /// The sum of the members' operations in the present iteration.
    done: Mutex<Result<Done, MeasureError>>,
    /// The sums of the figures over the members in the present iteration; allocated
    /// before any window opens.
    seen: Mutex<Vec<i128>>,
    /// What was done at each stack, if these are captured.
    sites: Mutex<SiteSums>,
    /// Set when a member panicked; later iterations are empty.
    broken: AtomicBool,
}

/// The operations of members.
#[derive(Clone, Copy)]
struct Done {
    tally: Tally,
    /// The operations inside `uncounted`, without those of probes.
    uncounted: Tally,
    /// The uncounted operations of probes.
    observed: Tally,
    /// When the last member ended its call, if it was timed.
    end: Option<Instant>,
}

impl Done {
    const NOTHING: Self = Self {
        tally: Tally::ZERO,
        uncounted: Tally::ZERO,
        observed: Tally::ZERO,
        end: None,
    };
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

impl Team {
    fn new(size: usize, figures: usize) -> Self {
        Self {
            size,
            barrier: Barrier::new(size + 1),
            order: Mutex::new(Order::Stop),
            done: Mutex::new(Ok(Done::NOTHING)),
            seen: Mutex::new(vec![0; figures]),
            sites: Mutex::new(SiteSums::default()),
            broken: AtomicBool::new(false),
        }
    }

    /// Runs a member until it is told to stop. A panic is resumed only then, when no
    /// other thread waits for the member at a barrier.
    fn work<'l>(&self, plan: &Plan, open: &dyn Fn() -> Box<dyn Calls + 'l>) {
        let mut panicked = None;
        let mut catch = |step: &mut dyn FnMut()| {
            if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(step)) {
                self.broken.store(true, SeqCst);
                panicked.get_or_insert(panic);
            }
        };
        // In process scope, the window of the process captures.
        let captures = plan.sites && plan.scope == Scope::Thread;
        let mut calls = None;
        catch(&mut || calls = Some(open()));
        loop {
            self.meet();
            let order = *lock(&self.order);
            let is_broken = self.is_broken();
            let mut step = |step: Step<'_>| {
                if let Some(calls) = calls.as_mut().filter(|_| !is_broken) {
                    catch(&mut || step(&mut **calls));
                }
            };
            match order {
                Order::Stop => break,
                Order::Count(pass) => {
                    self.count_member(pass, pass.sites(captures), &mut step);
                }
                Order::Time { batch } => step(&mut |calls| _ = calls.time_batch(batch)),
            }
            self.meet();
        }
        drop(calls);
        if let Some(panic) = panicked {
            panic::resume_unwind(panic);
        }
    }

    /// Runs one iteration of a member, by its steps between barriers.
    fn count_member(&self, pass: Pass, mut sites: Option<Sites>, step: &mut dyn FnMut(Step<'_>)) {
        let is_for_peak = pass == Pass::Peak;
        let mut watch = pass.stopwatch();
        step(&mut |calls| calls.prepare());
        // The window of the process opens between these two barriers,
        self.meet();
        self.meet();
        step(&mut |calls| {
            let window = Window::thread();
            let mut call = || calls.call(window, is_for_peak, &mut watch);
            let called = sites::call(window, sites.as_mut(), &mut call);
            self.add(&called, watch.end());
        });
        // and closes between these two.
        self.meet();
        self.meet();
        step(&mut |calls| {
            calls.settle(is_for_peak);
            lock(&self.sites).add(sites.take());
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

    /// Runs all passes on the leading thread.
    fn lead(&self, plan: &Plan) -> Result<Passes, NotMeasured> {
        let is_of_process = plan.scope == Scope::Process;
        let mut leader = Leader {
            team: self,
            plan,
            // In thread scope, the members capture.
            captures: plan.sites && is_of_process,
        };
        let passes = passes(&mut leader, Window::process(), plan, Pace::new(plan));
        *lock(&self.order) = Order::Stop;
        self.meet();
        passes
    }

    fn is_broken(&self) -> bool {
        self.broken.load(SeqCst)
    }

    /// Runs one iteration of all members at once, in a window of the process. The
    /// reading has no peak, since the peak of several threads is not the sum of their
    /// peaks.
    fn count(
        &self,
        plan: &Plan,
        window: Window,
        pass: Pass,
        mut sites: Option<Sites>,
    ) -> Result<Iteration, MeasureError> {
        *lock(&self.done) = Ok(Done::NOTHING);
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
        lock(&self.sites).add(sites);
        let members = (*lock(&self.done))?;
        let done = if plan.scope == Scope::Process {
            Done {
                tally: process.tally,
                uncounted: process.uncounted - members.observed,
                ..members
            }
        } else {
            members
        };
        let reading = Reading::new(done.tally, None);
        Ok(Iteration {
            reading,
            mode: Mode::Counting,
            first_operations: None,
            // Foreign are threads other than the members.
            outside: OutsideSums {
                foreign: process.tally - members.tally,
                uncounted: done.uncounted,
                still_running: process.still_running,
            },
            peak_bytes: process.peak_bytes,
            elapsed: members.end.map_or(Duration::ZERO, |end| end - begin),
        })
    }

    fn time_batch(&self, batch: u64) -> Duration {
        *lock(&self.order) = Order::Time { batch };
        let begin = Instant::now();
        self.meet();
        self.meet();
        begin.elapsed()
    }
}

/// The leading thread of a team.
struct Leader<'t> {
    team: &'t Team,
    plan: &'t Plan,
    captures: bool,
}

impl Iterations for Leader<'_> {
    fn run(&mut self, window: Window, pass: Pass) -> Result<Iteration, MeasureError> {
        let sites = pass.sites(self.captures);
        let one = self.team.count(self.plan, window, pass, sites)?;
        lock(&self.team.sites).end(pass, &one.reading);
        Ok(one)
    }

    fn is_broken(&self) -> bool {
        self.team.is_broken()
    }

    fn figures(&self) -> Cow<'_, [i128]> {
        lock(&self.team.seen).clone().into()
    }

    fn sites(&mut self) -> SiteSums {
        mem::take(&mut *lock(&self.team.sites))
    }

    fn time_batch(&mut self, batch: u64) -> Duration {
        self.team.time_batch(batch)
    }
}

/// Locks a mutex, also after a panic: a member never panics in the middle of a change.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
