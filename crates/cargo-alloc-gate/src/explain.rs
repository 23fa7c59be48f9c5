//! [`Explainer`]: the lines of code behind figures. The executables that were measured run
//! again for these scenarios, and record call stacks. A failure on the way is a sentence in the report.

mod base;
mod frames;
mod since;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use alloc_gate::sites::{Code, Explained, Found, Members, Side, Sites, Unexplained};
use alloc_gate::{Evaluation, Outcome, counted, to_explain};
use alloc_results::BenchId;
use alloc_symbols::Executable;
use clap::{Args, ValueEnum};

use crate::bench::build::Built;
use crate::bench::run::RunResults;
use crate::failure::Failure;
use crate::files;
use crate::output::shell::Shell;
use crate::project::BenchRun;
pub(crate) use base::{BaseCommit, beside};
use frames::{Captured, captured};
pub(crate) use since::{BaseArguments, LinesBefore};

/// Which figures are explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum When {
    Never,
    /// The worst ones.
    #[default]
    Auto,
    All,
}

/// The scenarios that are explained at most, unless all are asked for.
const MOST: usize = 40;

/// Whether the lines behind figures are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct LineArguments {
    /// Show the lines that allocate: auto, all or never
    ///
    /// By default those of the 40 worst scenarios.
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true
    )]
    explain: When,
}

impl LineArguments {
    /// Whether no lines are shown.
    pub(crate) fn is_never(&self) -> bool {
        self.explain == When::Never
    }

    /// The worst of these figures, which come first, unless all are asked for. `noun` is what
    /// each is: a failing scenario.
    pub(crate) fn worst(
        &self,
        mut wanted: Vec<Explained>,
        noun: &str,
        shell: &Shell,
    ) -> Vec<Explained> {
        let all = wanted.len();
        let mut what = counted(all, noun);
        if self.explain == When::Auto && all > MOST {
            wanted.truncate(MOST);
            what = format!("{MOST} of {what}; `--explain all` explains each");
        }
        shell.status("Explaining", &what);
        wanted
    }

    /// The lines behind the failures of an evaluation of these results. Recorded ones have none,
    /// and the user is told. `run` makes a run of the benches that were measured.
    pub(crate) fn explain<'r>(
        &self,
        evaluation: &Evaluation,
        results: &RunResults,
        before: &LinesBefore<'_>,
        run: impl FnOnce() -> Result<BenchRun<'r>, Failure>,
    ) -> Result<Vec<Explained>, Failure> {
        let shell = before.project.shell;
        if self.is_never() {
            return Ok(Vec::new());
        }
        let wanted = if evaluation.outcome() == Outcome::Failed {
            to_explain(evaluation)
        } else {
            tell_of_missing_lines(&results.built, shell);
            Vec::new()
        };
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        if results.built.is_empty() {
            let why = "the lines that allocate: recorded results have none; `cargo alloc-gate` on \
                       the machine that measured shows them";
            shell.status("Skipping", why);
            return Ok(Vec::new());
        }
        let wanted = self.worst(wanted, "failing scenario", shell);
        let run = run()?;
        before.explain(wanted, &run, &results.built)
    }
}

/// Says that a failure would show no lines, so that nobody learns it from a failure.
fn tell_of_missing_lines(built: &[Built], shell: &Shell) {
    let problem = |bench: &Built| {
        let executable = Executable::open(&bench.executable).ok()?;
        match executable.line_problem() {
            Ok(problem) => problem.map(|problem| problem.to_string()),
            Err(error) => Some(error.to_string()),
        }
    };
    let found = built
        .iter()
        .find_map(|bench| Some((bench, problem(bench)?)));
    if let Some((bench, problem)) = found {
        let what = format!("a failure of {} would show no lines: {problem}", bench.name);
        shell.status("Note", &what);
    }
}

/// Explains figures.
pub(crate) struct Explainer<'e> {
    pub(crate) run: &'e BenchRun<'e>,
    /// The benches, which run again.
    pub(crate) built: &'e [Built],
}

impl Explainer<'_> {
    /// Explains figures, those of each bench in one run of it. They stay in order. `sides` has
    /// for each one, by its index, the diffs that can tell which lines were edited, with the labels
    /// of their other sides; the first with an edited line counts.
    pub(crate) fn explain<'s>(
        &self,
        wanted: Vec<Explained>,
        sides: &dyn Fn(usize) -> Vec<(&'s str, Side<'s>)>,
    ) -> Result<Vec<Explained>, Failure> {
        let mut benches: BTreeMap<&BenchId, Result<Captured, Unexplained>> = BTreeMap::new();
        let members = self.members();
        for bench in self.built {
            let here = wanted.iter().filter(|one| one.bench == bench.name);
            let names: BTreeSet<&String> = here.map(|one| &one.scenario).collect();
            if !names.is_empty() {
                let names: Vec<String> = names.into_iter().cloned().collect();
                benches.insert(&bench.name, self.capture(bench, &names, &members)?);
            }
        }
        let missing = || not_measured("the bench has no such scenario");
        let root = self.run.workspace.root();
        let sources = |file: &str| files::read(&root.join(file)).ok();
        let explained = wanted.into_iter().enumerate().map(|(number, one)| {
            let captured = match benches.get(&one.bench) {
                Some(Ok(captured)) => match captured.get(&one.scenario) {
                    Some(sites) => sites.as_ref().map_err(Clone::clone),
                    None => Err(missing()),
                },
                Some(Err(why)) => Err(why.clone()),
                None => Err(missing()),
            };
            let found = captured.and_then(|captured| {
                if let Some(why) = Unexplained::of_metric(one.metric, captured) {
                    return Err(why);
                }
                let attributed = |side| {
                    let code = Code {
                        members: &members,
                        sources: &sources,
                        side,
                    };
                    Sites::new(captured.clone(), one.metric, one.statistic, code)
                };
                let diffs = sides(number).into_iter();
                let told = diffs.map(|(label, side)| (attributed(side), Some(label.to_owned())));
                let mut told: Vec<_> = told
                    .filter(|(sites, _)| sites.has_edits() || !sites.elsewhere.is_empty())
                    .collect();
                told.sort_by_key(|(sites, _)| !sites.has_edits());
                let told = told.into_iter().next();
                let (sites, since) = told.unwrap_or_else(|| (attributed(Side::Unknown), None));
                Ok(Found::Sites {
                    sites: Box::new(sites),
                    since,
                    no_base: None,
                })
            });
            Explained { found, ..one }
        });
        Ok(explained.collect())
    }

    /// The call stacks of scenarios of one bench.
    fn capture(
        &self,
        bench: &Built,
        names: &[String],
        members: &Members,
    ) -> Result<Result<Captured, Unexplained>, Failure> {
        let stream = match self.run.capture(bench, names)? {
            Ok(stream) => stream,
            Err(why) => return Ok(Err(why)),
        };
        if bench.is_rebuilt() {
            return Ok(Err(Unexplained::Rebuilt));
        }
        let root = self.run.workspace.root();
        let source = bench.source.strip_prefix(root).unwrap_or(&bench.source);
        let source = source.to_string_lossy().replace('\\', "/");
        Ok(captured(&stream, (&bench.executable, &source), members))
    }

    /// Which files are the workspace's own.
    fn members(&self) -> Members {
        let workspace = self.run.workspace;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let packages = workspace.packages();
        let manifests = packages.iter().map(|package| &package.manifest_path);
        let folders = manifests.filter_map(|manifest| Some(text(manifest.parent()?.as_ref())));
        let targets = packages.iter().flat_map(|package| &package.targets);
        let target = workspace.target_directory();
        let others = self.built.iter().flat_map(|bench| bench.others.iter());
        let others = others.map(PathBuf::as_path).chain([target]);
        let mut others: Vec<String> = others.map(text).collect();
        others.extend(workspace.build_directory().map(text));
        Members::new(
            &text(workspace.root()),
            &folders.collect::<Vec<_>>(),
            &others,
            &targets
                .map(|target| target.name.clone())
                .collect::<Vec<_>>(),
        )
    }
}

fn not_measured(why: &str) -> Unexplained {
    Unexplained::NotMeasured(why.to_owned())
}
