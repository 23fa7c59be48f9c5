//! The search of `bisect`: it measures commits and halves those that are left.

use std::collections::BTreeMap;
use std::fmt::Write;

use alloc_gate::counted;
use alloc_gate::one_line;
use alloc_gate::report::plain_figure;
use alloc_gate::sites::{Explained, Side};
use alloc_gate::{Measure, Measurements, Statistic};
use alloc_results::{BenchId, Ratio, ScenarioRecord};

use super::BisectArguments;
use crate::children;
use crate::exit_code::Code;
use crate::explain::{BaseCommit, beside};
use crate::failure::Failure;
use crate::git::{Git, short};
use crate::git_base::GitBase;
use crate::selection::SelectedBenches;
use crate::shell::Shell;
use crate::worktree::{Worktree, label};

/// A search for the first changed commit.
pub(super) struct Search<'s> {
    pub(super) arguments: &'s BisectArguments,
    pub(super) base: GitBase<'s>,
    pub(super) tree: Worktree<'s>,
    pub(super) git: &'s Git,
    pub(super) shell: &'s Shell,
}

/// The test of a commit.
enum Tested {
    Figure(Ratio),
    /// The commit could not be measured, and why.
    Unknown(Failure),
}

/// The good end.
struct Start {
    figure: Ratio,
    iterations: u64,
    /// The full name of the scenario.
    scenario: String,
    /// The bench that has it.
    benches: SelectedBenches,
}

/// The result of a search.
pub(super) struct FirstChange {
    pub(super) text: String,
    /// The lines behind the figure, at the commit and at its parent.
    pub(super) explained: Vec<Explained>,
    pub(super) line: Result<String, Failure>,
}

impl Search<'_> {
    pub(super) fn run(
        &self,
        good: &str,
        bad: &str,
        benches: &SelectedBenches,
    ) -> Result<FirstChange, Failure> {
        let start = self.begin(good, benches)?;
        let before = start.figure;
        let after = self.end(bad, &start)?;
        if before == after {
            return Err(self.nothing_changed(good, bad, before));
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
                    self.found(&changed, &start, figure, steps)
                } else {
                    self.ambiguous(&suspects, &changed, &unknown)
                };
            };
            steps += 1;
            // Each commit halves the rest, so far as it can be measured.
            let more = suspects.len().next_power_of_two().ilog2() as usize;
            let words = format!(
                "commit {steps} of about {}: {} left to tell apart",
                steps - 1 + more,
                counted(suspects.len(), "commit")
            );
            self.shell.status("Bisecting", &words);
            self.tree.switch(commit)?;
            match self.test(short(commit), &start)? {
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

    /// The error for ends with the same figure.
    fn nothing_changed(&self, good: &str, bad: &str, figure: Ratio) -> Failure {
        Failure::usage(format!(
            "nothing changed: {} is {} at {} and at {}",
            self.figure_words(),
            self.shown(figure),
            label(&self.arguments.good, good),
            label(&self.arguments.bad, bad)
        ))
        .help("choose commits between which it changed; `cargo alloc-gate compare` shows what did")
    }

    /// Measures the good end.
    fn begin(&self, good: &str, benches: &SelectedBenches) -> Result<Start, Failure> {
        let label = label(&self.arguments.good, good);
        self.shell.status("Checking out", &label);
        let measurements = self.base.measure(&self.tree, &label, benches, self.shell)?;
        let measurements = measurements.measurements();
        let figure = self.figure(measurements, &label, None)?;
        let measured = measurements
            .named(&self.arguments.scenario)
            .into_iter()
            .next();
        let record = measured.map(|measured| &measured.record);
        let mut benches = benches.clone();
        let has_it = |bench: &BenchId| measured.is_some_and(|measured| measured.bench == *bench);
        benches.names.retain(has_it);
        self.tell(good, figure, "the good end");
        Ok(Start {
            figure,
            iterations: record.map_or(0, |record| record.iterations),
            scenario: record.map_or_else(String::new, |record| record.name.clone()),
            benches,
        })
    }

    /// The figure at the bad end.
    fn end(&self, bad: &str, start: &Start) -> Result<Ratio, Failure> {
        let label = label(&self.arguments.bad, bad);
        self.shell.status("Checking out", &label);
        self.tree.switch(bad)?;
        match self.test(&label, start)? {
            Tested::Figure(figure) => {
                self.tell(bad, figure, "the bad end");
                Ok(figure)
            }
            Tested::Unknown(failure) => Err(failure),
        }
    }

    /// Measures the commit that is checked out. A failure of the commit makes it
    /// unknown; a file that can't be written ends the search.
    fn test(&self, label: &str, start: &Start) -> Result<Tested, Failure> {
        let figure = self
            .base
            .measure(&self.tree, label, &start.benches, self.shell)
            .and_then(|base| self.figure(base.measurements(), label, Some(start.iterations)));
        match figure {
            Ok(figure) => Ok(Tested::Figure(figure)),
            Err(failure) if failure.code == Code::OutputFailed => Err(failure),
            Err(failure) => Ok(Tested::Unknown(failure)),
        }
    }

    /// The figure to search for. It has to be the same in all iterations.
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
        let measured = match measurements.named(scenario)[..] {
            [measured] => measured,
            [] => {
                return Err(Failure::nothing_selected(format!(
                    "at {label}: no bench has the scenario `{scenario}`"
                ))
                .help("`cargo alloc-gate list` prints the names of scenarios"));
            }
            [first, second, ..] => {
                return Err(Failure::usage(format!(
                    "at {label}: several benches have the scenario `{scenario}`: {} and {}",
                    first.bench, second.bench
                ))
                .help(format!(
                    "write `{}`, or select a bench with -p and --bench",
                    first.label()
                )));
            }
        };
        let record = &measured.record;
        let Some(figure) = Measure::Counted(*metric).figure(*statistic, record) else {
            return Err(Failure::nothing_selected(format!(
                "at {label}: `{metric}` of `{scenario}` was not measured"
            ))
            .help("choose another metric, or commits that measure it"));
        };
        if *statistic != Statistic::First && !is_constant(self.arguments, record) {
            return Err(Failure::usage(format!(
                "at {label}: `{metric}` of `{scenario}` varies between iterations, and bisect \
                 needs a deterministic figure"
            ))
            .help("use the same input in every iteration, or choose another metric"));
        }
        if *statistic == Statistic::Total && iterations.is_some_and(|n| n != record.iterations) {
            return Err(Failure::usage(format!(
                "at {label}: `{scenario}` ran another number of iterations, so its totals can't be \
                 compared"
            ))
            .help("search with `--statistic mean`"));
        }
        Ok(figure)
    }

    fn found(
        &self,
        commit: &str,
        start: &Start,
        after: Ratio,
        steps: usize,
    ) -> Result<FirstChange, Failure> {
        let (date, subject) = self.git.described(commit)?;
        let figure = self.figure_words();
        let (before, after) = (self.shown(start.figure), self.shown(after));
        Ok(FirstChange {
            explained: self.explain(commit, start)?,
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

    /// The lines behind the figure at the commit, beside those at its parent.
    fn explain(&self, commit: &str, start: &Start) -> Result<Vec<Explained>, Failure> {
        let [bench] = &start.benches.names[..] else {
            return Ok(Vec::new());
        };
        if self.arguments.lines.is_never() {
            return Ok(Vec::new());
        }
        self.shell.status("Explaining", short(commit));
        let (metric, statistic) = (self.arguments.metric, self.arguments.statistic);
        let wanted = vec![Explained {
            label: self.arguments.scenario.clone(),
            ..Explained::new(bench, &start.scenario, metric, statistic)
        }];
        let parent = BaseCommit::new("its parent", self.git.parent(commit)?);
        let changes = self.git.changes(&parent.commit, Some(commit))?;
        let at = |commit: &str, label: &str, side| -> Result<Vec<Explained>, Failure> {
            self.tree.switch(commit)?;
            let (tree, benches) = (&self.tree, &start.benches);
            let explained =
                (self.base).explain(tree, (label, side), benches, wanted.clone(), self.shell);
            children::check()?;
            explained
        };
        let mut explained = match at(commit, short(commit), Side::New(&changes)) {
            Ok(explained) => explained,
            // The commit is found all the same.
            Err(failure) => {
                children::check()?;
                self.shell.error(&failure);
                return Ok(Vec::new());
            }
        };
        let there = at(&parent.commit, &parent.label, Side::Old(&changes));
        let there = there.map(|there| (there, &changes));
        beside(&mut explained, &parent.label, there);
        Ok(explained)
    }

    /// The result when skipped commits leave several that may be the first.
    fn ambiguous(
        &self,
        suspects: &[String],
        changed: &str,
        unknown: &BTreeMap<String, Failure>,
    ) -> Result<FirstChange, Failure> {
        let mut text = format!(
            "{} was changed by one of these commits:\n\n",
            self.figure_words()
        );
        for commit in suspects {
            let (date, subject) = self.git.described(commit)?;
            let why = match unknown.get(commit) {
                Some(failure) => format!("skipped: {}", one_line(failure.in_short())),
                None if commit == changed => String::from("changed, or comes after the change"),
                None => String::from("not measured"),
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
            "failed to find the first commit that changed {}: {} could not be measured",
            self.figure_words(),
            counted(skipped.count(), "commit")
        );
        Ok(FirstChange {
            text,
            explained: Vec::new(),
            line: Err(Failure::new(code, what)
                .help("it is one of the commits above; inspect them with `git show`")),
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
        plain_figure(self.arguments.metric.unit(), figure)
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

fn is_constant(arguments: &BisectArguments, record: &ScenarioRecord) -> bool {
    let values = record.distribution(arguments.metric);
    values.is_some_and(|values| values.is_constant())
}
