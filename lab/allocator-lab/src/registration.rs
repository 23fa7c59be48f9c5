//! [`SubjectSuite`], to which a workload adds its scenarios on one subject.

use alloc_scenario::builder::{Axes, Definition, Operation};
use alloc_scenario::{Scenario, Suite, Unit};

use crate::entry::{Entry, Need, Opener};
use crate::plan::Plan;
use crate::report::{Figures, Found};
use crate::subject::Subject;

/// The first subject of a bench of times, which is a control.
pub(crate) const FIRST: &str = "floor";

/// The suite of a bench, for scenarios on one subject. Each has a process of its own:
/// earlier allocations change what an allocator does, and for how long.
pub struct SubjectSuite<'s, S> {
    suite: &'s mut Suite<'static>,
    /// The scenario that this process was started for, if any. It needs no other: making all
    /// of them, and opening their subjects, takes longer than many scenarios.
    only: Option<&'s str>,
    entry: &'s Entry<S>,
}

/// Whether a process that was started for a scenario may measure those of this name on the
/// subject.
fn is_needed(only: &str, name: &str, subject: &str) -> bool {
    let axes = only.strip_prefix(name);
    let value = axes.and_then(|axes| axes.strip_prefix("/subject="));
    let rest = value.and_then(|value| value.strip_prefix(subject));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
}

impl<'s, S: Subject + 'static> SubjectSuite<'s, S> {
    pub(crate) fn new(
        suite: &'s mut Suite<'static>,
        only: Option<&'s str>,
        entry: &'s Entry<S>,
    ) -> Self {
        Self { suite, only, entry }
    }

    /// The subject's name.
    pub(crate) fn subject(&self) -> &str {
        self.entry.name()
    }

    /// The suite for scenarios without a subject: once, for the first one.
    pub fn alone(&mut self) -> Option<&mut Suite<'static>> {
        (self.subject() == FIRST).then_some(&mut *self.suite)
    }

    /// Adds a scenario, whose first axis is `subject`: `axes` adds the others, `set_up` makes what
    /// a call works on, and what `call` returns has these figures. Where a need is not met, it is
    /// recorded as unavailable.
    #[track_caller]
    #[expect(clippy::too_many_arguments, reason = "all that a scenario is")]
    pub fn found<A: Axes, T: 'static, F: Into<Found>>(
        &mut self,
        name: &str,
        needs: &[Need],
        plan: Plan,
        figures: Figures,
        axes: impl FnOnce(Scenario<'static, (String,)>) -> Scenario<'static, A>,
        set_up: impl Fn(Opener<S>, &A::Point) -> T + 'static,
        call: impl Fn(&mut T) -> F + Clone + 'static,
    ) where
        A::Point: 'static,
    {
        let entry = self.entry;
        let is_other = |only| !is_needed(only, name, entry.name());
        if self.only.is_some_and(is_other) {
            return;
        }
        let open = entry.opening();
        let make = move |point: &A::Point| -> Call {
            let mut state = set_up(open, point);
            let call = call.clone();
            Box::new(move || call(&mut state).into())
        };
        // Behind a pointer, so that the suite's part is compiled once.
        let build: Build<'_> = Box::new(|b| {
            let subject = b.fresh_process().axis("subject", [entry.name().to_owned()]);
            let b = axes(subject)
                .warm_up(plan.warmup)
                .iterations(plan.iterations);
            match entry.unavailable(needs) {
                Some(reason) => b.unavailable(reason),
                None => of_any_subject(b, Box::new(make), figures),
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
        figures: Figures,
        axes: impl FnOnce(Scenario<'static, (String,)>) -> Scenario<'static, A>,
        measure: impl Fn(Opener<S>, &A::Point) -> Found + 'static,
    ) where
        A::Point: 'static,
    {
        let axes = |b| axes(b).untimed();
        self.found(name, needs, Plan::ONCE, figures, axes, measure, |found| {
            *found
        });
    }
}

/// Records the figures of a workload.
#[inline(never)]
pub(crate) fn recorded<P: 'static>(
    calls: Operation<'static, P, Found>,
    figures: Figures,
) -> Definition<'static> {
    let figures = figures.iter().enumerate();
    let add = |calls: Operation<'static, P, Found>,
               (nth, &(name, unit)): (usize, &(&str, Unit))| {
        calls.metric(name, unit, move |found| found.figures[nth])
    };
    figures.fold(calls, add).into()
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
    figures: Figures,
) -> Definition<'static>
where
    A::Point: 'static,
{
    // In each pass: the timed one takes no figures.
    let calls = scenario.setup(make).run(|call| call().without_faults());
    recorded(calls, figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_of_a_scenario_registers_it_and_its_siblings_alone() {
        let pair = "pair/subject=system,size=64";
        assert!(is_needed(pair, "pair", "system"));
        assert!(!is_needed(pair, "pair", "talc"));
        assert!(!is_needed(pair, "pair-2", "system"));
        assert!(!is_needed(pair, "pa", "system"));
        assert!(!is_needed("pair/subject=system-again", "pair", "system"));
        let again = "burst/subject=system-again";
        assert!(is_needed(again, "burst", "system-again"));
    }
}
