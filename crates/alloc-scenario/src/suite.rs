//! [`Suite`]: the scenarios of a bench, and the action that the command line asks
//! for.

use std::mem::ManuallyDrop;
use std::panic::Location;
use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::plan::Plan;
use crate::run::{Run, failed};
use crate::scenario::operation::Swept;
use crate::scenario::{Definition, Scenario};
use crate::selection::{Entry, one_line};

/// The scenarios of a bench target.
///
/// Scenarios are registered by explicit calls, and nothing runs before
/// [`finish`](Self::finish). They can borrow variables that are declared before or after
/// the suite:
///
/// ```no_run
/// use alloc_scenario::Suite;
///
/// fn main() -> std::process::ExitCode {
///     let mut suite = Suite::from_args();
///     let text = std::fs::read_to_string("words.txt").expect("it is there");
///     suite.scenario("split", || text.split(' ').collect::<Vec<_>>());
///     suite.finish()
/// }
/// ```
#[must_use = "nothing runs before `finish`"]
pub struct Suite<'a> {
    arguments: Result<Arguments, String>,
    plan: Plan,
    /// A suite that is not finished leaks them. So dropping it uses nothing that they borrow,
    /// and they can borrow variables that were declared after the suite.
    definitions: ManuallyDrop<Vec<Box<dyn Swept + 'a>>>,
    entries: Vec<Entry>,
    /// The first problem with the names of scenarios' own metrics.
    problem: Option<String>,
}

/// A group of a suite: its scenarios are called `GROUP (NAME)`.
#[must_use = "a group without scenarios does nothing"]
pub struct Group<'s, 'a> {
    suite: &'s mut Suite<'a>,
    name: String,
}

impl<'a> Suite<'a> {
    /// A suite without scenarios, which reads the program's arguments.
    /// [`finish`](Self::finish) reports wrong arguments.
    ///
    /// ```no_run
    /// # #[global_allocator]
    /// # static ALLOC: alloc_scenario::CountingAlloc = alloc_scenario::CountingAlloc::system();
    /// fn main() -> std::process::ExitCode {
    ///     let mut suite = alloc_scenario::Suite::from_args();
    ///     suite.scenario("to_string", || 7_u8.to_string());
    ///     suite.finish()
    /// }
    /// ```
    pub fn from_args() -> Self {
        Self::new(Arguments::of_program())
    }

    fn new(arguments: Result<Arguments, String>) -> Self {
        Self {
            arguments,
            plan: Plan::usual(),
            definitions: ManuallyDrop::new(Vec::new()),
            entries: Vec::new(),
            problem: None,
        }
    }

    /// Iterations before the counted pass of scenarios that don't set their own;
    /// 1,000 by default. `ALLOC_GATE_WARMUP` overrides it.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.warm_up(10).iterations(100);
    /// suite.scenario("slow", || vec![0_u8; 1 << 20]);
    /// ```
    pub fn warm_up(&mut self, iterations: u64) -> &mut Self {
        self.plan.warmup = iterations;
        self
    }

    /// Iterations of the counted pass of scenarios that don't set their own;
    /// 10,000 by default. `ALLOC_GATE_ITERATIONS` overrides it.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.warm_up(10).iterations(100);
    /// suite.scenario("slow", || vec![0_u8; 1 << 20]);
    /// ```
    pub fn iterations(&mut self, iterations: u64) -> &mut Self {
        self.plan.iterations = iterations;
        self
    }

    /// Adds a scenario that consists of a closure. Its output passes through
    /// `black_box` and is dropped as part of the operation.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario("to_string", || alloc_scenario::black_box(7_u8).to_string());
    /// ```
    #[track_caller]
    pub fn scenario<O: 'a>(&mut self, name: &str, mut body: impl FnMut() -> O + 'a) -> &mut Self {
        self.add(None, name, |b| b.run(move |()| body()).into())
    }

    /// Adds a scenario with axes, settings or a set-up; see [`Scenario`].
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("repeat", |b| {
    ///     b.axis("times", [10_usize, 100]).run(|&times| "ab".repeat(times))
    /// });
    /// ```
    #[track_caller]
    pub fn scenario_with<D: Into<Definition<'a>>>(
        &mut self,
        name: &str,
        build: impl FnOnce(Scenario<'a>) -> D,
    ) -> &mut Self {
        self.add(None, name, |b| build(b).into())
    }

    /// Begins a group for the cases of one operation: its scenarios are called
    /// `GROUP (NAME)`.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// use alloc_scenario::black_box;
    ///
    /// // Measures `to_string (u8)` and `to_string (u64)`.
    /// suite
    ///     .group("to_string")
    ///     .scenario("u8", || black_box(7_u8).to_string())
    ///     .scenario("u64", || black_box(u64::MAX).to_string());
    /// ```
    pub fn group<'s>(&'s mut self, name: &str) -> Group<'s, 'a> {
        Group {
            name: one_line(name),
            suite: self,
        }
    }

    /// Does what the command line requests, and returns the exit code for `main`.
    ///
    /// The code is 0 when all selected scenarios ran; 101 when a scenario panicked or
    /// could not be measured, when the counter is not installed, when two scenarios
    /// have the same name, when the name of a metric is not allowed, or when results
    /// could not be written; 2 when the arguments are wrong.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     let mut suite = alloc_scenario::Suite::from_args();
    ///     suite.scenario("to_string", || 7_u8.to_string());
    ///     suite.finish()
    /// }
    /// ```
    #[must_use = "`main` has to return it, or a failure looks like a success"]
    pub fn finish(self) -> ExitCode {
        let mut definitions = ManuallyDrop::into_inner(self.definitions);
        let begun = Run::begin(self.arguments, &self.entries, self.problem, self.plan);
        let (mut run, selection) = match begun {
            Ok(begun) => begun,
            Err(code) => return code,
        };
        for entry in &selection.entries {
            let done = match entry.place {
                Ok((at, point)) => {
                    let swept = &mut definitions[at];
                    run.scenario(entry, swept.is_fresh(), |plan| {
                        swept.run(point, entry, plan)
                    })
                }
                Err(ref reason) => {
                    run.ignore(entry, reason);
                    Ok(())
                }
            };
            if let Err(error) = done {
                return failed(&error);
            }
        }
        run.end(&selection)
    }

    #[track_caller]
    fn add(
        &mut self,
        group: Option<&str>,
        name: &str,
        build: impl FnOnce(Scenario<'a>) -> Definition<'a>,
    ) -> &mut Self {
        self.register(group, name, Location::caller(), build(Scenario::new()));
        self
    }

    /// Adds what a closure built. Not generic, so that it is compiled once.
    fn register(
        &mut self,
        group: Option<&str>,
        name: &str,
        location: &'static Location<'static>,
        Definition { points, body }: Definition<'a>,
    ) {
        let name = match group {
            Some(group) => format!("{group} ({})", one_line(name)),
            None => one_line(name),
        };
        let body = body.map_err(|reason| one_line(&reason));
        let first = self.entries.len();
        for (point, axes) in points.into_iter().enumerate() {
            let values = axes.iter().map(|one| format!("{}={}", one.axis, one.value));
            let suffix = one_line(&values.collect::<Vec<_>>().join(","));
            self.entries.push(Entry {
                name: if axes.is_empty() {
                    name.clone()
                } else {
                    format!("{name}/{suffix}")
                },
                group: group.map(str::to_owned),
                axes,
                location,
                place: match &body {
                    Ok(_) => Ok((self.definitions.len(), point)),
                    Err(reason) => Err(reason.clone()),
                },
            });
        }
        let Ok(swept) = body else { return };
        if let (None, Some(entry), Some(error)) =
            (&self.problem, self.entries.get(first), swept.misnamed())
        {
            self.problem = Some(format!(
                "the scenario `{}` (at {location}) can't be measured: {error}",
                entry.name
            ));
        }
        self.definitions.push(swept);
    }
}

impl<'a> Group<'_, 'a> {
    /// Adds a scenario that consists of a closure; see [`Suite::scenario`].
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite
    ///     .group("to_string")
    ///     .scenario("u8", || alloc_scenario::black_box(7_u8).to_string());
    /// ```
    #[track_caller]
    pub fn scenario<O: 'a>(&mut self, name: &str, mut body: impl FnMut() -> O + 'a) -> &mut Self {
        self.suite
            .add(Some(&self.name), name, |b| b.run(move |()| body()).into());
        self
    }

    /// Adds a scenario with axes, settings or a set-up; see [`Scenario`].
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.group("repeat").scenario_with("long", |b| {
    ///     b.axis("times", [10_usize, 100]).run(|&times| "ab".repeat(times))
    /// });
    /// ```
    #[track_caller]
    pub fn scenario_with<D: Into<Definition<'a>>>(
        &mut self,
        name: &str,
        build: impl FnOnce(Scenario<'a>) -> D,
    ) -> &mut Self {
        self.suite.add(Some(&self.name), name, |b| build(b).into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::name_problem;

    fn names(fill: impl FnOnce(&mut Suite<'_>)) -> Vec<String> {
        let mut suite = Suite::new(Arguments::parse([]));
        fill(&mut suite);
        suite.entries.into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn a_sweep_makes_one_scenario_per_point_and_the_last_axis_runs_fastest() {
        let names = names(|suite| {
            suite
                .group("encode")
                .scenario("Int32", || 1)
                .scenario_with("rows", |b| b.axis("n", [1, 2]).run(|&n| n));
            suite.scenario_with("parse", |b| {
                b.axis("impl", ["old", "new"])
                    .axis("rows", [10, 20])
                    .run(|&(name, rows)| name.len() + rows)
            });
        });
        assert_eq!(
            names,
            [
                "encode (Int32)",
                "encode (rows)/n=1",
                "encode (rows)/n=2",
                "parse/impl=old,rows=10",
                "parse/impl=old,rows=20",
                "parse/impl=new,rows=10",
                "parse/impl=new,rows=20",
            ]
        );
    }

    #[test]
    fn values_on_an_axis_can_have_labels() {
        type Length = fn(&str) -> usize;
        let names = names(|suite| {
            suite.scenario_with("length", |b| {
                b.labeled_axis("of", [("text", str::len as Length)])
                    .labeled_axis("by", [(1, None::<u8>), (2, Some(7))])
                    .run(|&(length, _)| length("four"))
            });
        });
        assert_eq!(names, ["length/of=text,by=1", "length/of=text,by=2"]);
    }

    #[test]
    fn control_characters_in_names_are_escaped() {
        assert_eq!(
            names(|suite| _ = suite.scenario("a\nb\u{7}|c", || ())),
            ["a\\nb\\u{7}|c"]
        );
    }

    #[test]
    fn scenarios_of_one_name_are_a_problem_that_names_both_places() {
        let mut suite = Suite::new(Arguments::parse([]));
        suite.scenario("same", || ());
        let (first, line) = (suite.entries[0].location, line!() + 2);
        // Also if it is unavailable.
        suite.scenario_with("same", |b| b.unavailable("there is one"));
        let problem = name_problem(&suite.entries).unwrap();
        assert!(problem.starts_with(&format!("two scenarios are called `same`: at {first}")));
        assert!(problem.contains(&format!("suite.rs:{line}")), "{problem}");
    }
}
