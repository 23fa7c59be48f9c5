//! `accept`: measures or reads results, and makes them the baseline. Each file is replaced whole,
//! the data first; `check` names a page that is behind it. What another `accept` wrote meanwhile
//! stays.

use std::path::PathBuf;

use alloc_gate::baseline::{Baseline, Coverage};
use alloc_gate::rules::BaselineFiles;
use alloc_gate::{Measurements, Selection, counted, one_line};
use alloc_results::BenchId;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, ScenarioArguments, StaleArguments};
use crate::baseline_diff::{changes, keeps, same_figures};
use crate::bench_run::no_scenario;
use crate::children;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{Prepared, shown};
use crate::project::Project;
use crate::recorded::{Recorded, refuse_others};
use crate::rules::{self, Rules};
use crate::scratch;
use crate::shell::Shell;

/// A gate on each scenario's accepted figures.
const GATE: &str = "
[[gate]]
name = \"no-worse\"
scenarios = [\"*\"]
allocs = \"<= baseline\"
bytes = \"<= baseline\"
";

/// Measure, and make the results the baseline: its data and its page
#[derive(Debug, Args)]
#[command(mut_arg("quick", |quick| quick.hide(true)))]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    build: BuildArguments,
    /// Write nothing; fail if a committed file is out of date
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    selection: ScenarioArguments,
    /// Accept recorded results, and run no bench
    ///
    /// The results of several machines can be accepted at once.
    #[arg(
        long = "results",
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["package", "exclude", "bench", "scenarios"],
        help_heading = "Results"
    )]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

impl Runnable for AcceptArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let (workspace, shell) = (call.workspace, call.shell);
        if self.build.quick {
            return Err(Failure::usage("`accept` can't be used with --quick")
                .help("run `accept` without --quick; a baseline needs all iterations"));
        }
        let project = if self.check {
            Project::load(workspace, shell)?
        } else {
            Project::load_with(workspace, shell, Rules::load_with_baseline)?
        };
        let rules = &project.rules;
        let Some(files) = rules.config.baseline.clone() else {
            return Err(Failure::invalid_rules(format!(
                "{} has no `[baseline]`",
                rules.config.file()
            ))
            .help(
                "run `cargo alloc-gate accept`, which adds `[baseline]` and writes its \
                     files",
            ));
        };
        // A page that can't be updated is found before the benches run.
        let data = rules.data(&files)?;
        let before = parsed(&files, data.as_deref())?;
        new_page(rules, &files, &before)?;
        let measured = measure(self, &project, shell)?;

        let accepted = |before: Baseline| {
            let after = measured
                .iter()
                .fold(before.clone(), |after, (all, coverage)| {
                    let kept = all.restricted_to(|id| files.keeps(&id.name));
                    after.accept(&kept, *coverage)
                });
            Acceptance {
                changes: changes(&before, &after, measured.len() > 1),
                before,
                after,
            }
        };
        if self.check {
            return compare(rules, &files, accepted(before), shell);
        }
        // Where the lock can't be made, only the last instant before writing is unguarded.
        let _alone = scratch::alone(self.build.target(&project.workspace));
        let now = rules.data(&files)?;
        if now == data {
            return write(rules, &files, &accepted(before), shell);
        }
        // Another `accept` ran meanwhile, or somebody edited the file.
        let acceptance = accepted(parsed(&files, now.as_deref())?);
        let is_edited = now.is_some_and(|text| text != acceptance.before.to_toml());
        if is_edited || !keeps(&before, &acceptance.before, &acceptance.after) {
            return Err(rules::changed(&files.data));
        }
        write(rules, &files, &acceptance, shell)
    }
}

/// The baseline in a text; an empty one without a text.
fn parsed(files: &BaselineFiles, text: Option<&str>) -> Result<Baseline, Failure> {
    text.map_or_else(
        || Ok(Baseline::default()),
        |text| rules::parse_data(files, text),
    )
}

/// The measurements of each environment, with how much of it they cover. There is at
/// least one, and each has a scenario.
fn measure(
    arguments: &AcceptArguments,
    project: &Project<'_>,
    shell: &Shell,
) -> Result<Vec<(Measurements, Coverage)>, Failure> {
    let run = project.bench_run(&arguments.build)?;
    let benches = &run.benches;
    if !arguments.results.is_empty() {
        let recorded = Recorded {
            paths: &arguments.results,
            allow_stale: arguments.stale.allow_stale,
            workspace: &project.workspace,
            rules: &project.rules,
            shell,
        };
        return read(&recorded, &benches.names);
    }
    let (results, coverage) = if arguments.selection.scenarios.is_empty() {
        let coverage = match benches.selection {
            Selection::Whole => Coverage::AllBenches,
            Selection::Selected | Selection::Scenarios { .. } => Coverage::SomeBenches,
        };
        (run.measure_all(shell)?, coverage)
    } else {
        let results = run.measure_each_of(&arguments.selection.scenarios, shell)?;
        (results, Coverage::SomeScenarios)
    };
    if results.measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    Ok(vec![(results.measurements, coverage)])
}

fn read(
    recorded: &Recorded<'_>,
    known: &[BenchId],
) -> Result<Vec<(Measurements, Coverage)>, Failure> {
    let mut accepted = Vec::new();
    for (measurements, benches) in recorded.read_for_baseline()? {
        refuse_others(&benches, known, Selection::Whole)?;
        let coverage = if known.iter().all(|name| benches.contains(name)) {
            Coverage::AllBenches
        } else {
            Coverage::SomeBenches
        };
        // Without a scenario, the results do not say where they are from.
        if measurements.scenarios().is_empty() {
            continue;
        }
        accepted.push((measurements, coverage));
    }
    if accepted.is_empty() {
        return Err(no_scenario());
    }
    Ok(accepted)
}

/// The result of accepting, before anything is written.
struct Acceptance {
    before: Baseline,
    after: Baseline,
    /// All changes for a person to read, a line each.
    changes: Vec<String>,
}

fn write(
    rules: &Rules,
    files: &BaselineFiles,
    acceptance: &Acceptance,
    shell: &Shell,
) -> Result<Code, Failure> {
    let mut written = vec![(rules.data_path(files), acceptance.after.to_toml())];
    if rules.has_new_baseline() {
        let path = rules.unchanged_file()?.to_path_buf();
        written.push((path, rules.config.text().to_owned()));
    }
    let changes = &acceptance.changes;
    written.extend(new_page(rules, files, &acceptance.after)?);
    let prepare = |(path, text): &(PathBuf, String)| Prepared::new(path, text.as_bytes());
    let prepared = written.iter().map(prepare);
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    children::check()?;
    // If the changes can't be shown, nothing is accepted.
    report(changes, shell)?;
    for file in prepared {
        file.persist()?;
    }
    for (path, _) in &written {
        shell.status("Wrote", &shown(path));
    }
    let config = &rules.config;
    if !config.compares_with_baseline() {
        let file = config.file();
        let what = format!("no gate compares with the baseline yet, as this one in {file} would:");
        shell.note(&what, GATE);
    }
    shell.verdict(&acceptance.line());
    Ok(Code::Held)
}

impl Acceptance {
    /// The last line of a run that wrote the baseline.
    fn line(&self) -> String {
        if self.changes.is_empty() {
            return String::from("alloc-gate: accepted: no figure changed");
        }
        format!(
            "alloc-gate: accepted: {}; review the diff and commit it",
            counted(self.changes.len(), "change")
        )
    }
}

/// The path and the new text of the page, if the rules name one.
fn new_page(
    rules: &Rules,
    files: &BaselineFiles,
    baseline: &Baseline,
) -> Result<Option<(PathBuf, String)>, Failure> {
    let Some(page) = rules.page()? else {
        return Ok(None);
    };
    let text = rules.updated_page(files, &page, baseline)?;
    Ok(Some((page.path, text)))
}

fn compare(
    rules: &Rules,
    files: &BaselineFiles,
    acceptance: Acceptance,
    shell: &Shell,
) -> Result<Code, Failure> {
    let Acceptance {
        before,
        after,
        changes: mut differences,
        ..
    } = acceptance;
    if differences.is_empty() && !same_figures(&before, &after) {
        differences.push(String::from("the data has figures that were not measured"));
    }
    if let Some(page) = rules.page()? {
        let text = rules.updated_page(files, &page, &before)?;
        if page.text.as_ref() != Some(&text) {
            differences.push(format!("{} is out of date", shown(&page.path)));
        }
    }
    report(&differences, shell)?;
    if differences.is_empty() {
        shell.verdict("alloc-gate: passed: the committed baseline is up to date");
        return Ok(Code::Held);
    }
    shell.verdict(
        "alloc-gate: FAILED: the committed baseline is out of date; run `cargo alloc-gate accept` \
         and review the diff",
    );
    Ok(Code::GateFailed)
}

fn report(changes: &[String], shell: &Shell) -> Result<(), Failure> {
    let lines = changes.iter();
    let text: String = lines.map(|line| format!("{}\n", one_line(line))).collect();
    shell.list(&text)
}
