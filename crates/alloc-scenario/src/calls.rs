//! [`Calls`]: scenarios that are measured where they are called, for adapters of other harnesses,
//! whose closures borrow local variables.

use std::collections::HashSet;
use std::mem;
use std::panic::{Location, resume_unwind};
use std::process::ExitCode;

use alloc_results::AxisValue;

use crate::arguments::{Arguments, UsageError};
use crate::console;
use crate::failure::{NotMeasured, attempt, catch};
use crate::recording::recorded;
use crate::run::{Run, failed};
use crate::scenario::operation::{Defaults, Measurement};
use crate::scenario::{Definition, Kind, Scenario};
use crate::selection::{Entry, Selection};
use crate::suite::{one_line, program_arguments, usual_defaults};

/// A bench whose scenarios are measured where they are called, and not by
/// [`Suite::finish`](crate::Suite::finish). It is for adapters of other harnesses: of criterion's
/// in alloc-criterion.
///
/// The same calls are made in two passes. In the first one, names are taken down and no body runs,
/// so that lists, filters, duplicates, parts and records are those of a suite. The second pass
/// measures.
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
    phase: Phase,
}

enum Phase {
    Listing(Box<Listing>),
    Running(Box<Running>),
    Done(ExitCode),
}

/// The first pass.
struct Listing {
    arguments: Result<Arguments, UsageError>,
    defaults: Defaults,
    entries: Vec<Entry>,
    /// The settings that have no effect.
    without_effect: Vec<&'static str>,
}

/// The second pass.
struct Running {
    run: Run,
    selection: Selection,
    /// All names of the first pass.
    registered: HashSet<String>,
    /// The names that the second pass had.
    called: HashSet<String>,
    /// What ended the run, or went wrong besides scenarios.
    problem: Option<String>,
}

/// The name and the place of a scenario that is called.
#[derive(Clone, Debug)]
pub struct Called {
    name: String,
    group: Option<String>,
    axes: Vec<AxisValue>,
    location: &'static Location<'static>,
}

/// A scenario that is called now.
pub struct Call {
    /// `None` in the smoke test.
    defaults: Option<Defaults>,
    times: u32,
    result: Result<Option<Measurement>, NotMeasured>,
}

/// What unwinds from a scenario that failed: the failure is known already.
struct Abandoned;

impl Called {
    /// A scenario of this full name, called at this place.
    #[must_use]
    pub fn new(name: &str, location: &'static Location<'static>) -> Self {
        Self {
            name: one_line(name),
            group: None,
            axes: Vec::new(),
            location,
        }
    }

    /// Sets the group that it belongs to.
    #[must_use]
    pub fn group(mut self, name: &str) -> Self {
        self.group = Some(one_line(name));
        self
    }

    /// Adds an axis with the scenario's value on it. The name is not changed.
    #[must_use]
    pub fn axis(mut self, axis: &str, value: &str) -> Self {
        self.axes.push(AxisValue {
            axis: one_line(axis),
            value: one_line(value),
        });
        self
    }

    /// Adds a number to a name that is taken.
    fn number(&mut self, is_taken: impl Fn(&str) -> bool) {
        if is_taken(&self.name) {
            let names = (2_u64..).map(|number| format!("{} #{number}", self.name));
            self.name = names
                .into_iter()
                .find(|name| !is_taken(name))
                .unwrap_or_default();
        }
    }
}

impl Calls {
    /// A bench without scenarios, which reads the program's arguments. Scenarios have at most 10
    /// iterations of warm-up and 100 counted ones, and by default so many.
    pub fn from_args() -> Self {
        Self {
            phase: Phase::Listing(Box::new(Listing {
                arguments: program_arguments(),
                defaults: Defaults {
                    warmup: 10,
                    iterations: 100,
                    is_called: true,
                    ..usual_defaults()
                },
                entries: Vec::new(),
                without_effect: Vec::new(),
            })),
        }
    }

    /// Takes down a scenario in the first pass. In the second one, runs the body if the scenario
    /// is selected; the body has to call [`Call::measure`]. A name that was called before gets a
    /// number, such as `NAME #2`, as in criterion.
    pub fn scenario(&mut self, mut called: Called, body: impl FnOnce(&mut Call)) {
        match &mut self.phase {
            Phase::Listing(listing) => {
                let entries = &listing.entries;
                called.number(|name| entries.iter().any(|entry| entry.name == name));
                let Called {
                    name,
                    group,
                    axes,
                    location,
                } = called;
                listing.entries.push(Entry {
                    name,
                    group,
                    axes,
                    location,
                    place: Ok((0, 0)),
                });
            }
            Phase::Running(running) => {
                called.number(|name| running.called.contains(name));
                running.scenario(&called, body);
            }
            Phase::Done(_) => {}
        }
    }

    /// Notes that a setting of the bench has no effect here. [`start`](Self::start) reports it.
    pub fn no_effect(&mut self, setting: &'static str) {
        let Phase::Listing(listing) = &mut self.phase else {
            return;
        };
        if !listing.without_effect.contains(&setting) {
            listing.without_effect.push(setting);
        }
    }

    /// Ends the first pass: reports wrong arguments and names that are used twice, and lists the
    /// scenarios if the arguments ask for that. Returns whether to make all calls again.
    pub fn start(&mut self) -> bool {
        let Phase::Listing(listing) = &mut self.phase else {
            return false;
        };
        let phase = listing.start();
        self.phase = phase;
        matches!(self.phase, Phase::Running(_))
    }

    /// Ends the second pass and returns the exit code for `main`.
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(self) -> ExitCode {
        match self.phase {
            Phase::Listing(_) => failed("the bench was not started"),
            Phase::Running(running) => running.finish(),
            Phase::Done(code) => code,
        }
    }
}

impl Listing {
    /// What comes after the first pass.
    fn start(&mut self) -> Phase {
        if !self.without_effect.is_empty() {
            console::note(&format!(
                "settings that are not about allocations have no effect on this bench: `{}`",
                self.without_effect.join("`, `")
            ));
        }
        let arguments = mem::replace(&mut self.arguments, Arguments::parse([]));
        let begun = Run::begin(arguments, &self.entries, None, self.defaults.clone());
        let (run, selection) = match begun {
            Ok(begun) => begun,
            Err(code) => return Phase::Done(code),
        };
        let entries = self.entries.iter();
        Phase::Running(Box::new(Running {
            run,
            selection,
            registered: entries.map(|entry| entry.name.clone()).collect(),
            called: HashSet::new(),
            problem: None,
        }))
    }
}

impl Running {
    fn scenario(&mut self, called: &Called, body: impl FnOnce(&mut Call)) {
        let name = &called.name;
        if self.problem.is_some() {
            return;
        }
        if !self.registered.contains(name) {
            self.problem = Some(format!(
                "the scenario `{name}` (at {}) was not there when the bench listed its scenarios; \
                 the bench has to make the same calls with the same names each time",
                called.location
            ));
            return;
        }
        self.called.insert(name.clone());
        let entries = &self.selection.entries;
        let Some(entry) = entries.iter().find(|entry| entry.name == *name) else {
            return;
        };
        match &mut self.run {
            Run::Smoke(run) => run.scenario(entry, || Call::run(None, body).map(|_| ())),
            Run::Measure(run) => {
                let measured = run.scenario(entry, |defaults| {
                    let measurement = Call::run(Some(defaults.clone()), body)?;
                    let measurement = measurement.ok_or_else(|| String::from(NOT_CALLED))?;
                    Ok(recorded(entry, measurement, defaults, false))
                });
                self.problem = measured.err();
            }
        }
    }

    fn finish(mut self) -> ExitCode {
        if let Some(problem) = self.problem {
            return failed(&problem);
        }
        for entry in &self.selection.entries {
            if self.called.contains(&entry.name) {
                continue;
            }
            let not_called = || NotMeasured::from(String::from(NOT_AGAIN));
            match &mut self.run {
                Run::Smoke(run) => run.scenario(entry, || Err(not_called())),
                Run::Measure(run) => {
                    if let Err(error) = run.scenario(entry, |_| Err(not_called())) {
                        return failed(&error);
                    }
                }
            }
        }
        self.run.end(&self.selection)
    }
}

const NOT_AGAIN: &str = "was not measured: the bench listed it and then did not call it; it has to \
                         make the same calls with the same names each time";

const NOT_CALLED: &str = "measured nothing: its function has to call an `iter` method";

impl Call {
    fn run(
        defaults: Option<Defaults>,
        body: impl FnOnce(&mut Call),
    ) -> Result<Option<Measurement>, NotMeasured> {
        let mut call = Call {
            defaults,
            times: 0,
            result: Ok(None),
        };
        let ended = catch(|| body(&mut call));
        let measurement = call.result?;
        if let Err(message) = ended {
            return Err(format!("panicked: {message}").into());
        }
        if call.times == 0 {
            return Err(String::from(NOT_CALLED).into());
        }
        Ok(measurement)
    }

    /// The counted iterations of a scenario that runs all of them in one call: those that it asks
    /// for, or the usual number. `None` in the smoke test, in which each scenario runs once.
    pub fn iterations(&self, own: Option<u64>) -> Option<u64> {
        let defaults = self.defaults.as_ref()?;
        Some(defaults.most_iterations(own.unwrap_or(defaults.iterations)))
    }

    /// Measures what `build` makes, or runs it once in the smoke test. If that fails, the call
    /// unwinds to the scenario's end. The last of several measurements is the scenario's, as in
    /// criterion.
    pub fn measure<'a, D: Into<Definition<'a>>>(&mut self, build: impl FnOnce(Scenario<'a>) -> D) {
        self.times += 1;
        self.result = self.measure_kind(build(Scenario::new()).into().kind);
        if let (2.., Ok(Some(measurement))) = (self.times, &mut self.result) {
            let times = self.times;
            let note = measurement
                .note
                .take()
                .map_or_else(String::new, |note| note + "; ");
            measurement.note = Some(format!(
                "{note}only the last of {times} `iter` calls is counted"
            ));
        }
        if self.result.is_err() {
            resume_unwind(Box::new(Abandoned));
        }
    }

    fn measure_kind(&self, kind: Kind<'_>) -> Result<Option<Measurement>, NotMeasured> {
        let mut swept = match kind {
            Kind::Measurable(swept) => swept,
            Kind::Unavailable(unavailable) => {
                let reason = unavailable.reason;
                return Err(format!("can't be measured: {reason}").into());
            }
        };
        match &self.defaults {
            Some(defaults) => attempt(|| swept.measure(0, defaults)).map(Some),
            None => attempt(|| swept.smoke(0)).map(|()| None),
        }
    }
}
