//! `bisect`: the first commit that changed a figure, found by halving as
//! `git bisect` does. The search is our own, in a worktree of its own, so that
//! nothing of it is in the user's repository.

use std::collections::BTreeMap;
use std::fmt::Write;

use alloc_gate::report::counted;
use alloc_gate::{Measure, Measurements, Statistic};
use alloc_results::{Ratio, ScenarioRecord, Unit, mean};

use crate::arguments::BisectArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::git::{Git, short};
use crate::past::{self, Past};
use crate::results::Job;
use crate::rules::Rules;
use crate::selection::Selection;
use crate::shell::Shell;
use crate::worktree::{Worktree, label};

pub(crate) fn bisect(arguments: &BisectArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load_if_there(&workspace, &arguments.workspace)?
        .unwrap_or_else(|| Rules::none(&workspace));
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let git = Git::open(workspace.root())?;
    let (good, bad) = (git.commit(&arguments.good)?, git.commit(&arguments.bad)?);
    if good == bad {
        return Err(usage(format!(
            "{} and {} are one commit",
            arguments.good, arguments.bad
        ))
        .next("name a commit before the change and one after it"));
    }
    if !git.is_ancestor(&good, &bad)? {
        return Err(usage(format!(
            "{} is not in the history of {}",
            label(&arguments.good, &good),
            label(&arguments.bad, &bad)
        ))
        .next("name the older commit first; `git merge-base` finds one that both have"));
    }
    let held = past::hold(&workspace, &arguments.build, &git, shell)?;
    let search = Search {
        arguments,
        past: Past::new(
            &workspace,
            &rules.config,
            &git,
            &arguments.build,
            &arguments.workspace,
            &held,
        ),
        tree: Worktree::new(&git, &good, &held, shell)?,
        git: &git,
        shell,
    };
    let found = search.run(&good, &bad, job.selection())?;
    drop(search);
    shell.report(found.text.as_bytes())?;
    found.conclude(shell)
}

/// The search for a first commit.
struct Search<'s> {
    arguments: &'s BisectArguments,
    past: Past<'s>,
    tree: Worktree<'s>,
    git: &'s Git,
    shell: &'s Shell,
}

/// What a commit has to say.
enum Tested {
    Figure(Ratio),
    /// It can't be told, and why; with the code that it is elsewhere.
    Unknown(Failure),
}

/// What came of a search.
struct Found {
    text: String,
    line: Result<String, Failure>,
}

impl Search<'_> {
    fn run(&self, good: &str, bad: &str, selection: &Selection) -> Result<Found, Failure> {
        let (before, iterations, selection) = self.begin(good, selection)?;
        let after = self.end(bad, iterations, &selection)?;
        if before == after {
            return Err(usage(format!(
                "nothing changed: {} is {} at {} and at {}",
                self.figure_words(),
                self.shown(before),
                label(&self.arguments.good, good),
                label(&self.arguments.bad, bad)
            ))
            .next("name commits between which it changed; `compare` shows what did"));
        }
        let mut unchanged = vec![good.to_owned()];
        let (mut changed, mut figure) = (bad.to_owned(), after);
        let mut unknown: BTreeMap<String, Failure> = BTreeMap::new();
        let mut steps = 2;
        loop {
            let suspects = self.git.suspects(&changed, &unchanged)?;
            let next = suspects
                .iter()
                .find(|commit| **commit != changed && !unknown.contains_key(*commit));
            let Some(commit) = next else {
                return if suspects.len() <= 1 {
                    self.found(&changed, before, figure, steps)
                } else {
                    self.ambiguous(&suspects, &changed, &unknown)
                };
            };
            steps += 1;
            self.shell.status(
                "Bisecting",
                &format!("{} left to tell apart", counted(suspects.len(), "commit")),
            );
            self.tree.switch(commit)?;
            match self.test(short(commit), iterations, &selection)? {
                Tested::Figure(here) => {
                    let is_changed = here != before;
                    self.tell(
                        commit,
                        here,
                        if is_changed { "changed" } else { "unchanged" },
                    );
                    if is_changed {
                        (changed, figure) = (commit.clone(), here);
                    } else {
                        unchanged.push(commit.clone());
                    }
                }
                Tested::Unknown(failure) => {
                    self.shell.error(&failure);
                    self.shell
                        .status("Skipping", &format!("{}, as above", short(commit)));
                    unknown.insert(commit.clone(), failure);
                }
            }
        }
    }

    /// The figure at the good end, over how many iterations, and the one bench
    /// that has it.
    fn begin(&self, good: &str, selection: &Selection) -> Result<(Ratio, u64, Selection), Failure> {
        let label = label(&self.arguments.good, good);
        self.shell.status("Checking out", &label);
        let measurements = self
            .past
            .measure(self.tree.path(), &label, selection, self.shell)?;
        let figure = self.figure(&measurements, &label, None)?;
        let measured = measurements
            .scenarios()
            .iter()
            .find(|measured| measured.record.name == self.arguments.scenario);
        let iterations = measured.map_or(0, |measured| measured.record.iterations);
        let mut selection = selection.clone();
        selection.benches.retain(|bench| {
            measured.is_some_and(|measured| {
                bench.package == measured.bench.package && bench.target == measured.bench.target
            })
        });
        self.tell(good, figure, "the good end");
        Ok((figure, iterations, selection))
    }

    /// The figure at the bad end.
    fn end(&self, bad: &str, iterations: u64, selection: &Selection) -> Result<Ratio, Failure> {
        let label = label(&self.arguments.bad, bad);
        self.shell.status("Checking out", &label);
        self.tree.switch(bad)?;
        match self.test(&label, iterations, selection)? {
            Tested::Figure(figure) => {
                self.tell(bad, figure, "the bad end");
                Ok(figure)
            }
            Tested::Unknown(failure) => Err(failure),
        }
    }

    /// Measures what is checked out. Whatever is the commit's own fault is
    /// unknown; what concerns us ends the search.
    fn test(&self, label: &str, iterations: u64, selection: &Selection) -> Result<Tested, Failure> {
        let figure = self
            .past
            .measure(self.tree.path(), label, selection, self.shell)
            .and_then(|measurements| self.figure(&measurements, label, Some(iterations)));
        match figure {
            Ok(figure) => Ok(Tested::Figure(figure)),
            Err(failure) if failure.code == Code::OutputFailed => Err(failure),
            Err(failure) => Ok(Tested::Unknown(failure)),
        }
    }

    /// The figure that is searched for; all iterations have to agree on it.
    fn figure(
        &self,
        measurements: &Measurements,
        label: &str,
        iterations: Option<u64>,
    ) -> Result<Ratio, Failure> {
        let BisectArguments {
            scenario,
            metric,
            statistic,
            ..
        } = self.arguments;
        let mut scenarios = measurements.scenarios().iter();
        let Some(measured) = scenarios.find(|measured| measured.record.name == *scenario) else {
            return Err(Failure::new(
                Code::NothingSelected,
                format!("at {label}: no bench has the scenario `{scenario}`"),
            )
            .next("`cargo alloc-gate list` prints the names of scenarios"));
        };
        let record = &measured.record;
        let Some(figure) = Measure::Counted(*metric).figure(*statistic, record) else {
            return Err(Failure::new(
                Code::NothingSelected,
                format!("at {label}: `{metric}` of `{scenario}` was not measured"),
            )
            .next("name another metric, or commits that measure it"));
        };
        if *statistic != Statistic::First && !is_constant(self.arguments, record) {
            return Err(usage(format!(
                "at {label}: the iterations of `{scenario}` differ in `{metric}`, and what is not \
                 deterministic can't be searched for"
            ))
            .next("make the input the same each time, or name another metric"));
        }
        if *statistic == Statistic::Total && iterations.is_some_and(|n| n != record.iterations) {
            return Err(usage(format!(
                "at {label}: the total of `{scenario}` is over another number of iterations"
            ))
            .next("search with `--statistic mean`"));
        }
        Ok(figure)
    }

    fn found(
        &self,
        commit: &str,
        before: Ratio,
        after: Ratio,
        steps: usize,
    ) -> Result<Found, Failure> {
        let (date, subject) = self.git.described(commit)?;
        let figure = self.figure_words();
        let (before, after) = (self.shown(before), self.shown(after));
        Ok(Found {
            text: format!(
                "the first commit that changed {figure}:\n\n\
                 commit:  {commit}\n\
                 date:    {date}\n\
                 subject: {}\n\
                 before:  {before}\n\
                 after:   {after}\n",
                one_line(&subject)
            ),
            line: Ok(format!(
                "alloc-gate: found: {} changed {figure} from {before} to {after}; {} measured",
                short(commit),
                counted(steps, "commit")
            )),
        })
    }

    /// What is left when the commits that could be told apart are not enough.
    fn ambiguous(
        &self,
        suspects: &[String],
        changed: &str,
        unknown: &BTreeMap<String, Failure>,
    ) -> Result<Found, Failure> {
        let mut text = format!(
            "{} was changed by one of these commits:\n\n",
            self.figure_words()
        );
        for commit in suspects {
            let (date, subject) = self.git.described(commit)?;
            let why = match unknown.get(commit) {
                Some(failure) => {
                    let what = failure.what.lines().next().unwrap_or_default();
                    format!("skipped: {}", one_line(what))
                }
                None if commit == changed => String::from("changed, or comes after the change"),
                None => String::from("not looked at"),
            };
            // Writing to a string can't fail.
            let _ = writeln!(text, "{commit} {date} {}\n  {why}", one_line(&subject));
        }
        let is_build = |failure: &Failure| failure.code == Code::BuildFailed;
        let skipped = suspects.iter().filter_map(|commit| unknown.get(commit));
        let code = if skipped.clone().any(is_build) {
            Code::BuildFailed
        } else {
            Code::BenchFailed
        };
        let what = format!(
            "the first commit that changed {} is not known: {} could not be measured",
            self.figure_words(),
            counted(skipped.count(), "commit")
        );
        Ok(Found {
            text,
            line: Err(Failure::new(code, what)
                .next("it is one of those above; look at their differences")),
        })
    }

    /// `allocs of `one box``.
    fn figure_words(&self) -> String {
        let BisectArguments {
            scenario,
            metric,
            statistic,
            ..
        } = self.arguments;
        let scenario = one_line(scenario);
        if *statistic == Statistic::Mean {
            format!("{metric} of `{scenario}`")
        } else {
            format!("{metric} {statistic} of `{scenario}`")
        }
    }

    fn shown(&self, figure: Ratio) -> String {
        let is_mean_of_counts = self.arguments.statistic == Statistic::Mean
            && self.arguments.metric.unit() == Unit::Count;
        mean(figure, if is_mean_of_counts { 2 } else { 0 })
    }

    fn tell(&self, commit: &str, figure: Ratio, what: &str) {
        let words = format!(
            "{} {} {}: {what}",
            short(commit),
            self.arguments.metric,
            self.shown(figure)
        );
        self.shell.status("Measured", &words);
    }
}

impl Found {
    fn conclude(self, shell: &Shell) -> Result<Code, Failure> {
        let line = self.line?;
        shell.verdict(&line);
        Ok(Code::Held)
    }
}

fn is_constant(arguments: &BisectArguments, record: &ScenarioRecord) -> bool {
    let values = record.distribution(arguments.metric);
    values.is_some_and(|values| values.is_constant())
}

/// In a log, what a commit says must not begin a line or a colour of its own.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn usage(what: String) -> Failure {
    Failure::new(Code::Usage, what)
}
