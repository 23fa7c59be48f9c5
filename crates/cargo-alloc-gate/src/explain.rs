//! [`Explainer`]: the lines of code behind values. The executables that were measured run
//! again for these scenarios, and record call stacks. A failure on the way is a sentence in the report.

mod base;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alloc_gate::sites::{Code, Explained, Found, Members, ScenarioSites, Side, Sites, Unexplained};
use alloc_gate::{Evaluation, Outcome, counted, to_explain};
use alloc_results::{BenchId, Stream};
use alloc_symbols::{Error, Executable, Problem};
use clap::{Args, ValueEnum};

use crate::bench::build::Built;
use crate::bench::run::RunResults;
use crate::failure::Failure;
use crate::files;
use crate::output::shell::Shell;
use crate::project::BenchRun;
pub(crate) use base::{BaseArguments, BaseCommit, LinesBefore, beside};

/// Which values are explained.
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

/// Whether the lines behind values are shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct LineArguments {
    /// Show the lines that allocate: auto (for the 40 worst scenarios), all or never
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

    /// The worst of these values, which come first, unless all are asked for. `noun` is what
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
    /// and a message says so. `run` makes a run of the benches that were measured.
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
            note_missing_lines(&results.built, shell);
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
fn note_missing_lines(built: &[Built], shell: &Shell) {
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

/// Explains values.
pub(crate) struct Explainer<'e> {
    pub(crate) run: &'e BenchRun<'e>,
    /// The benches, which run again.
    pub(crate) built: &'e [Built],
}

impl Explainer<'_> {
    /// Explains values, with one run of each bench. They stay in order. `sides` has
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
            return Ok(Err(not_measured("the executable was rebuilt; run again")));
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
    Unexplained::Because(why.to_owned())
}

/// The call stacks of a bench's scenarios, by name.
type Captured = BTreeMap<String, Result<ScenarioSites, Unexplained>>;

/// The call stacks of a stream, with the frames that the executable at `path` names, which
/// recorded them. `source` is the file of the bench.
fn captured(
    stream: &Stream,
    (path, source): (&Path, &str),
    members: &Members,
) -> Result<Captured, Unexplained> {
    let Some(anchor) = &stream.environment.anchor else {
        return Err(not_measured(
            "its version of alloc-scenario records no call stacks",
        ));
    };
    let unreadable = |error: Error| not_measured(&error.to_string());
    let missing = |name: &String| {
        let mut failures = stream.failures.iter();
        not_measured(if failures.any(|failure| failure.name == *name) {
            "the scenario failed in the second run"
        } else {
            "there was no time for it in the second run; raise `timeout` under `[run]`"
        })
    };
    let planned = stream.environment.planned.iter();
    let mut captured: Captured = planned
        .map(|name| (name.clone(), Err(missing(name))))
        .collect();
    let (with_stacks, without): (Vec<_>, Vec<_>) = stream
        .scenarios
        .iter()
        .partition(|scenario| scenario.sites.is_some());
    for scenario in without {
        let why = match scenario.sites_unavailable.as_deref() {
            Some(reason) if reason.starts_with("not exact") => not_measured(reason),
            _ => {
                let target = &stream.environment.target;
                not_measured(&format!("call stacks are not available on {target}"))
            }
        };
        captured.insert(scenario.name.clone(), Err(why));
    }
    // Scenarios without stacks need no executable.
    if with_stacks.is_empty() {
        return Ok(captured);
    }
    let executable = Executable::open(path).map_err(unreadable)?;
    let mut symbols = executable.symbols(anchor).map_err(unreadable)?;
    let root = symbols.folder_of(source);
    let mut files: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    let mut relative = |file: Arc<str>| {
        let relative = files.entry(file);
        let root = root.as_deref();
        Arc::clone(relative.or_insert_with_key(|file| members.relative(file, root).into()))
    };
    let mut hidden = None;
    let mut with_frames = Vec::new();
    for scenario in with_stacks {
        let Some(sites) = &scenario.sites else {
            continue;
        };
        let stacks = sites.stacks.0.iter().map(|stack| {
            let mut frames = symbols.frames(stack);
            for frame in &mut frames {
                frame.file = frame.file.take().map(&mut relative);
            }
            let mut all = frames.iter();
            hidden = hidden.take().or_else(|| {
                let frame = all.find(|frame| members.is_hidden(frame))?;
                frame.file.clone()
            });
            frames
        });
        let sites = ScenarioSites::new(scenario, sites, stacks.collect());
        with_frames.push((scenario.name.clone(), sites));
    }
    let problem = symbols.problem();
    let problem = problem.filter(|problem| **problem != Problem::NoLineTables);
    let problem = problem.map(ToString::to_string).or_else(|| {
        let file = hidden?;
        Some(format!(
            "line tables name `{file}`, which is no file of the workspace; build without \
             `--remap-path-prefix`"
        ))
    });
    for (name, mut sites) in with_frames {
        sites.problem.clone_from(&problem);
        captured.insert(name, Ok(sites));
    }
    Ok(captured)
}
