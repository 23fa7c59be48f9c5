//! [`Lab`]: the bench of all workloads on all subjects, and the controls. [`SubjectSuite`]: to
//! which a workload adds its scenarios on one subject.

use std::process::ExitCode;
use std::thread;

use alloc_scenario::builder::{Axes, Definition, Operation};
use alloc_scenario::{Scenario, Scope, Suite, fresh_process_for};

use crate::crew::Crew;
use crate::floor::Floor;
use crate::heap::Heap;
use crate::report::{Found, Metrics, Report};
use crate::subject::{Shared, Subject};
use crate::subjects::Visitor;
use crate::workload::{exact, prefetch, standard, wrapper};

/// A bench of allocators: every workload on every subject.
///
/// The first subject that is added is the baseline. A lab of times has controls beside the
/// others: the [`Floor`] before the first, as `floor`, and the one of arenas beside it, as
/// `floor-arena`; and the baseline once more after the last, as `NAME-again`. Workloads are
/// measured one after the other, each on all subjects, so that values to be compared are measured
/// near in time.
#[must_use = "nothing runs before `finish`"]
pub struct Lab {
    suite: Suite<'static>,
    /// The subject of the scenario that this process was started for, if any. No other gets
    /// scenarios: to make all takes longer than many of them.
    only: Option<String>,
    is_of_times: bool,
    subjects: Vec<Register>,
    /// The first subject, measured once more.
    again: Option<Register>,
}

/// Adds the scenarios of the workload of this index on a subject.
type Register = Box<dyn Fn(usize, &mut Suite<'static>)>;

impl Lab {
    /// The times of all workloads, with controls. It obeys the program's arguments, as
    /// [`Suite::from_args`] does.
    pub fn of_times() -> Self {
        let mut lab = Self::new(true);
        let floor = lab.registering("floor".to_owned(), || Floor::<false>, None);
        let arena = lab.registering("floor-arena".to_owned(), || Floor::<true>, None);
        lab.subjects.extend([floor, arena]);
        lab
    }

    /// The workloads with exact values, for gates: without controls.
    pub fn of_counts() -> Self {
        Self::new(false)
    }

    fn new(is_of_times: bool) -> Self {
        let scenario = fresh_process_for();
        let subject = scenario.as_deref().and_then(|name| {
            let (_, value) = name.split_once("/subject=")?;
            value.split(',').next()
        });
        Self {
            suite: Suite::from_args(),
            only: subject.map(str::to_owned),
            is_of_times,
            subjects: Vec::new(),
            again: None,
        }
    }

    fn registering<S: Subject + 'static>(
        &self,
        name: String,
        open: fn() -> S,
        missing: Option<&'static str>,
    ) -> Register {
        let is_needed = self.only.as_ref().is_none_or(|only| *only == name);
        let workloads = match self.is_of_times {
            true => standard(),
            false => exact(),
        };
        Box::new(move |index, suite| {
            if is_needed {
                workloads[index](&mut SubjectSuite {
                    suite,
                    name: &name,
                    open,
                    missing,
                });
            }
        })
    }

    /// Does what the command line asked for; `main` returns the exit code.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(mut self) -> ExitCode {
        start_a_thread();
        let workloads = match self.is_of_times {
            true => standard::<Floor<false>>().len(),
            false => exact::<Floor<false>>().len(),
        };
        self.subjects.extend(self.again.take());
        for index in 0..workloads {
            for register in &self.subjects {
                register(index, &mut self.suite);
            }
        }
        if self.is_of_times {
            wrapper::measure(&mut self.suite);
            prefetch::measure(&mut self.suite);
        }
        self.suite.finish()
    }
}

impl Visitor for Lab {
    fn subject<S: Subject + 'static>(&mut self, name: &'static str, open: fn() -> S) {
        if self.is_of_times && self.again.is_none() {
            self.again = Some(self.registering(format!("{name}-again"), open, None));
        }
        let register = self.registering(name.to_owned(), open, None);
        self.subjects.push(register);
    }

    fn missing(&mut self, name: &'static str, why: &'static str) {
        let register = self.registering(name.to_owned(), || Floor::<false>, Some(why));
        self.subjects.push(register);
    }
}

/// Starts a thread and waits for its end. A C library may leave locks out until a
/// process starts its first thread: with glibc 2.36 a pair of 4,096 bytes took 23 ns
/// before that and 31 ns after. Some subjects and workloads start threads, and values
/// measured after them must not differ from values measured before.
fn start_a_thread() {
    // Where no thread can be started, none makes a difference.
    let _ = thread::Builder::new()
        .spawn(|| ())
        .map(|thread| thread.join());
}

/// How often a scenario is called: before the counted pass and in it.
#[derive(Clone, Copy, Debug)]
pub struct Plan(pub u64, pub u64);

impl Plan {
    /// For calls of a few microseconds to a millisecond: up to 5 are one timed window, so
    /// that it takes 10 microseconds or more.
    pub const SHORT: Self = Self(10, 105);
    /// For calls that are a window of several threads, of some milliseconds.
    pub const THREADS: Self = Self(1, 7);
    /// For calls of tens of milliseconds, whose own metrics are counts: most calls are those
    /// of the timed pass.
    pub const SLOW: Self = Self(1, 2);
    /// For counts that are the same in every call but the first few of an arena, which
    /// grows meanwhile.
    pub const COUNTS: Self = Self(4, 2);
    /// For calls that find the same every time.
    pub const ONCE: Self = Self(0, 1);
}

/// A need of a workload besides addresses, which every subject has.
#[derive(Clone, Copy, Debug)]
pub enum Need {
    /// Memory that keeps what was written to it.
    Memory,
    /// Blocks that don't overlap.
    DistinctBlocks,
    /// Blocks that are given back one by one.
    SingleBlocks,
    /// Memory of a fixed size.
    Region,
    /// Blocks that another thread may give back.
    OtherThreads,
}

impl Need {
    /// Why a subject does not meet it.
    fn unmet<S: Subject>(self) -> Option<&'static str> {
        let (is_met, why) = match self {
            Self::Memory => (S::HAS_MEMORY, "the floor keeps no contents"),
            Self::DistinctBlocks => (S::HAS_MEMORY, "the floor's blocks are all at one address"),
            Self::SingleBlocks => (!S::IS_ARENA, "an arena gives no single block back"),
            Self::Region => (S::REGION_BYTES.is_some(), "its memory has no fixed size"),
            Self::OtherThreads => (
                !S::IS_ARENA,
                "each thread has a subject of its own, and gives its blocks back itself",
            ),
        };
        (!is_met).then_some(why)
    }
}

/// The suite of a bench, for scenarios on one subject. Each has a process of its own:
/// earlier allocations change what an allocator does, and for how long.
pub struct SubjectSuite<'s, S> {
    suite: &'s mut Suite<'static>,
    name: &'s str,
    open: fn() -> S,
    /// Why there is no such subject here.
    missing: Option<&'static str>,
}

impl<S: Subject + 'static> SubjectSuite<'_, S> {
    /// Adds a scenario, whose first axis is `subject`: `axes` adds the others, `set_up` makes what
    /// a call works on, and what `call` returns has these metrics. Where a need is not met, it is
    /// recorded as unavailable.
    #[track_caller]
    #[expect(clippy::too_many_arguments, reason = "all that a scenario is")]
    pub fn found<A: Axes, T: 'static, F: Into<Found>>(
        &mut self,
        name: &str,
        needs: &[Need],
        plan: Plan,
        metrics: Metrics,
        axes: impl FnOnce(Scenario<'static, (String,)>) -> Scenario<'static, A>,
        set_up: impl Fn(Opener<S>, &A::Point) -> T + 'static,
        call: impl Fn(&mut T) -> F + Clone + 'static,
    ) where
        A::Point: 'static,
    {
        let open = Opener(self.open);
        let make = move |point: &A::Point| -> Call {
            let mut state = set_up(open, point);
            let call = call.clone();
            Box::new(move || call(&mut state).into())
        };
        let unmet = || needs.iter().find_map(|need| need.unmet::<S>());
        let unavailable = self.missing.or_else(unmet);
        let subject = self.name.to_owned();
        // Behind a pointer, so that the suite's part is compiled once.
        let build: Build<'_> = Box::new(|b| {
            let b = axes(b.fresh_process().axis("subject", [subject]))
                .warm_up(plan.0)
                .iterations(plan.1);
            match unavailable {
                Some(reason) => b.unavailable(reason),
                None => of_any_subject(b, Box::new(make), metrics),
            }
        });
        self.suite.scenario_with(name, build);
    }

    /// The same without a time: a process measures it once, in the set-up.
    #[track_caller]
    pub fn once<A: Axes>(
        &mut self,
        name: &str,
        needs: &[Need],
        metrics: Metrics,
        axes: impl FnOnce(Scenario<'static, (String,)>) -> Scenario<'static, A>,
        measure: impl Fn(Opener<S>, &A::Point) -> Found + 'static,
    ) where
        A::Point: 'static,
    {
        let axes = |b| axes(b).untimed();
        let found = |found: &mut Found| *found;
        self.found(name, needs, Plan::ONCE, metrics, axes, measure, found);
    }
}

/// A call at a point, with all that it needs. It is behind a pointer, as it takes microseconds or
/// more: what surrounds it is compiled once for all subjects.
type Call = Box<dyn FnMut() -> Found>;

type MakeCall<P> = Box<dyn Fn(&P) -> Call>;

/// Adds the axes of a scenario and what is measured.
type Build<'b> = Box<dyn FnOnce(Scenario<'static>) -> Definition<'static> + 'b>;

#[inline(never)]
fn of_any_subject<A: Axes>(
    scenario: Scenario<'static, A>,
    make: MakeCall<A::Point>,
    metrics: Metrics,
) -> Definition<'static>
where
    A::Point: 'static,
{
    // In each pass: the timed one takes no metrics.
    let calls = scenario.setup(make).run(|call| call().without_faults());
    recorded(calls, metrics)
}

/// Records the metrics of a workload.
#[inline(never)]
pub(crate) fn recorded<P: 'static>(
    mut calls: Operation<'static, P, Found>,
    metrics: Metrics,
) -> Definition<'static> {
    for (nth, &(name, unit)) in metrics.iter().enumerate() {
        calls = calls.metric(name, unit, move |found| found.values[nth]);
    }
    calls.into()
}

/// Counts the allocations of all threads, with a note if these share no subject.
pub(crate) fn on_threads<S: Subject, A: Axes>(b: Scenario<'static, A>) -> Scenario<'static, A>
where
    A::Point: 'static,
{
    let b = b.scope(Scope::Process);
    match S::IS_ARENA {
        true => b.note("each thread has a subject of its own"),
        false => b,
    }
}

/// Opens a subject for a scenario.
#[derive(Debug)]
pub struct Opener<S>(fn() -> S);

impl<S> Clone for Opener<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Opener<S> {}

impl<S: Subject + 'static> Opener<S> {
    /// A new subject.
    pub fn subject(self) -> S {
        (self.0)()
    }

    /// A heap of a new subject, with room for this many live blocks.
    pub fn heap(self, blocks: usize) -> Heap<S> {
        Heap::new(self.subject(), blocks)
    }

    /// A function that makes heaps of a new subject, which all threads that call it share.
    pub fn shared(self, blocks: usize) -> impl Fn() -> Heap<Shared<S>> + Send + Sync + 'static {
        let shared = Shared::new(self.subject());
        move || Heap::new(shared.clone(), blocks)
    }

    /// Threads that do the same: `part` on the subject that they share, or `own` on an arena of
    /// each.
    pub(crate) fn crew(
        self,
        threads: usize,
        blocks: usize,
        part: impl Fn(&mut Heap<Shared<S>>) -> Report + Copy + Send + 'static,
        own: impl Fn(&mut Heap<S>) -> Report + Copy + Send + 'static,
    ) -> Crew {
        match S::IS_ARENA {
            true => Crew::with_own(threads, move || self.heap(blocks), own),
            false => Crew::with_own(threads, self.shared(blocks), part),
        }
    }
}
