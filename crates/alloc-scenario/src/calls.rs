//! [`Calls`]: scenarios that are measured where they are called, for adapters of other harnesses,
//! whose closures borrow local variables.

use std::collections::HashSet;
use std::panic::{Location, resume_unwind};
use std::process::ExitCode;

use alloc_results::{AxisValue, ScenarioRecord};

use crate::arguments::Arguments;
use crate::console;
use crate::failure::NotMeasured;
use crate::plan::{Plan, QUICK_ITERATIONS};
use crate::run::{Run, failed};
use crate::scenario::{Definition, Scenario};
use crate::selection::{Entry, Selection, one_line};

/// A bench whose scenarios are measured where they are called, and not by
/// [`Suite::finish`](crate::Suite::finish). It is for adapters of other harnesses: of criterion's
/// in alloc-criterion.
///
/// The same calls are made in two passes. The first pass collects the names and runs no body, so
/// that lists, filters, duplicates, parts and records work as in a suite. The second pass measures.
///
/// ```no_run
/// use std::panic::Location;
///
/// use alloc_scenario::adapter::{Called, Calls};
///
/// fn benches(calls: &mut Calls) {
///     let words = vec!["a", "b"];
///     calls.scenario(Called::new("join", Location::caller()), |call| {
///         call.measure(|b| b.run(|()| words.join(" ")));
///     });
/// }
///
/// fn main() -> std::process::ExitCode {
///     let mut calls = Calls::from_args();
///     benches(&mut calls);
///     if calls.start() {
///         benches(&mut calls);
///     }
///     calls.finish()
/// }
/// ```
#[must_use = "nothing is measured before `start`"]
pub struct Calls {
    arguments: Result<Arguments, String>,
    /// The settings that have no effect.
    without_effect: Vec<&'static str>,
    /// The scenarios of the first pass, and their names.
    entries: Vec<Entry>,
    listed: HashSet<String>,
    /// The names that the second pass had.
    called: HashSet<String>,
    /// The second pass, or the exit code if there is nothing more to do; `None` in the first one.
    second: Option<Result<Box<(Run, Selection)>, ExitCode>>,
}

/// The name and the place of a scenario that is called.
#[derive(Clone, Debug)]
pub struct Called(Entry);

/// A scenario that is called now.
pub struct Call {
    entry: Entry,
    /// `None` in the smoke test.
    plan: Option<Plan>,
    times: u32,
    record: Option<ScenarioRecord>,
}

impl Called {
    /// A scenario of this full name, called at this place.
    #[must_use]
    pub fn new(name: &str, location: &'static Location<'static>) -> Self {
        Self(Entry {
            name: one_line(name),
            group: None,
            axes: Vec::new(),
            location,
            place: Ok((0, 0)),
        })
    }

    /// Sets the group that it belongs to.
    #[must_use]
    pub fn group(mut self, name: &str) -> Self {
        self.0.group = Some(one_line(name));
        self
    }

    /// Adds an axis with the scenario's value on it. The name is not changed.
    #[must_use]
    pub fn axis(mut self, axis: &str, value: &str) -> Self {
        self.0.axes.push(AxisValue {
            axis: one_line(axis),
            value: one_line(value),
        });
        self
    }
}

impl Calls {
    /// A bench without scenarios, which reads the program's arguments. Scenarios have at most 10
    /// iterations of warm-up and 100 counted ones, and by default so many.
    pub fn from_args() -> Self {
        Self {
            arguments: Arguments::of_program(),
            without_effect: Vec::new(),
            entries: Vec::new(),
            listed: HashSet::new(),
            called: HashSet::new(),
            second: None,
        }
    }

    /// Takes down a scenario in the first pass. In the second one, runs the body if the scenario
    /// is selected; the body has to call [`Call::measure`]. A name that was called before gets a
    /// number, such as `NAME #2`, as in criterion.
    pub fn scenario(&mut self, Called(mut entry): Called, body: impl FnOnce(&mut Call)) {
        let taken = match self.second {
            None => &mut self.listed,
            Some(_) => &mut self.called,
        };
        let mut number = 2_u64;
        let name = entry.name.clone();
        while !taken.insert(entry.name.clone()) {
            entry.name = format!("{name} #{number}");
            number += 1;
        }
        match &mut self.second {
            None => self.entries.push(entry),
            Some(Ok(second)) => {
                let (run, selection) = &mut **second;
                let name = &entry.name;
                let done = if self.listed.contains(name) {
                    let mut entries = selection.entries.iter();
                    let Some(entry) = entries.find(|entry| entry.name == *name) else {
                        return;
                    };
                    run.scenario(entry, false, |plan| Call::run(entry, plan, body))
                } else {
                    Err(format!(
                        "the scenario `{name}` (at {}) was not there when the bench listed its \
                         scenarios; {SAME_CALLS}",
                        entry.location
                    ))
                };
                if let Err(error) = done {
                    self.second = Some(Err(failed(&error)));
                }
            }
            Some(Err(_)) => {}
        }
    }

    /// Notes that a setting of the bench has no effect here. [`start`](Self::start) reports it.
    pub fn no_effect(&mut self, setting: &'static str) {
        if !self.without_effect.contains(&setting) {
            self.without_effect.push(setting);
        }
    }

    /// Ends the first pass: reports wrong arguments and names that are used twice, and lists the
    /// scenarios if the arguments ask for that. Returns whether to make all calls again.
    pub fn start(&mut self) -> bool {
        if !self.without_effect.is_empty() {
            console::note(&format!(
                "settings that are not about allocations have no effect on this bench: `{}`",
                self.without_effect.join("`, `")
            ));
        }
        let arguments = self.arguments.clone();
        let begun = Run::begin(arguments, &self.entries, None, Plan::of_calls());
        self.second = Some(begun.map(Box::new));
        matches!(self.second, Some(Ok(_)))
    }

    /// Ends the second pass and returns the exit code for `main`.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(self) -> ExitCode {
        let (mut run, selection) = match self.second {
            None => return failed("the bench was not started"),
            Some(Err(code)) => return code,
            Some(Ok(second)) => *second,
        };
        for entry in &selection.entries {
            if self.called.contains(&entry.name) {
                continue;
            }
            let not_called = format!(
                "was not measured: the bench listed it and then did not call it; {SAME_CALLS}"
            );
            if let Err(error) = run.scenario(entry, false, |_| Err(not_called.into())) {
                return failed(&error);
            }
        }
        run.end(&selection)
    }
}

const SAME_CALLS: &str = "the bench has to make the same calls with the same names each time";

impl Call {
    fn run(
        entry: &Entry,
        plan: Option<&Plan>,
        body: impl FnOnce(&mut Self),
    ) -> Result<Option<ScenarioRecord>, NotMeasured> {
        let mut call = Self {
            entry: entry.clone(),
            plan: plan.copied(),
            times: 0,
            record: None,
        };
        body(&mut call);
        if call.times == 0 {
            return Err("measured nothing: its function has to call an `iter` method".into());
        }
        Ok(call.record)
    }

    /// The counted iterations of a scenario that runs all of them in one call: those that it asks
    /// for, or the usual number. `None` in the smoke test, in which each scenario runs once.
    pub fn iterations(&self, own: Option<u64>) -> Option<u64> {
        let plan = self.plan.as_ref()?;
        Some(plan.capped(own.unwrap_or(plan.iterations), QUICK_ITERATIONS))
    }

    /// Measures what `build` makes, or runs it once in the smoke test. If that fails, the call
    /// unwinds to the scenario's end. The last of several measurements is the scenario's, as in
    /// criterion.
    pub fn measure<'a, D: Into<Definition<'a>>>(&mut self, build: impl FnOnce(Scenario<'a>) -> D) {
        // A body that stops the unwinding leaves no record.
        self.record = None;
        let run = match build(Scenario::new()).into().body {
            Ok(mut swept) => swept.run(0, &self.entry, self.plan.as_ref()),
            Err(reason) => Err(format!("can't be measured: {reason}").into()),
        };
        match run {
            Ok(record) => self.record = record,
            Err(reason) => resume_unwind(Box::new(reason)),
        }
        self.times += 1;
        if let (2.., Some(record)) = (self.times, &mut self.record) {
            let others = format!("only the last of {} `iter` calls is counted", self.times);
            record.note = Some(Box::new(match record.note.take() {
                Some(note) => format!("{note}; {others}"),
                None => others,
            }));
        }
    }
}
