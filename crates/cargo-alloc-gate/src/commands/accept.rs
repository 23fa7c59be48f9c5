//! `accept`: measures or reads results, and makes them the baseline. Each file is replaced whole,
//! the data first; `check` names a page that is behind it. What another `accept` wrote meanwhile
//! stays. It prints the differences between both baselines.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::baseline::{Accepted, AcceptedScenario, Baseline, Coverage};
use alloc_gate::report::{change, is_implied};
use alloc_gate::rules::BaselineFiles;
use alloc_gate::{
    Environment, Measurements, ScenarioId, Selection, Statistic, compare_naturally, counted,
    one_line,
};
use alloc_results::{BenchId, Metric};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, ScenarioArguments, StaleArguments};
use crate::bench::recorded::{Recorded, refuse_others};
use crate::bench::run::no_scenario;
use crate::children;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, Prepared, shown};
use crate::output::shell::Shell;
use crate::project::{self, Project, Rules};

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
        let _alone = files::alone(self.build.target(&project.workspace));
        let now = rules.data(&files)?;
        if now == data {
            return write(rules, &files, &accepted(before), shell);
        }
        // Another `accept` ran meanwhile, or somebody edited the file.
        let acceptance = accepted(parsed(&files, now.as_deref())?);
        let is_edited = now.is_some_and(|text| text != acceptance.before.to_toml());
        if is_edited || !keeps(&before, &acceptance.before, &acceptance.after) {
            return Err(project::changed(&files.data));
        }
        write(rules, &files, &acceptance, shell)
    }
}

/// The baseline in a text; an empty one without a text.
fn parsed(files: &BaselineFiles, text: Option<&str>) -> Result<Baseline, Failure> {
    text.map_or_else(
        || Ok(Baseline::default()),
        |text| project::parse_data(files, text),
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
        (run.measure(&[], shell)?.whole(shell)?, coverage)
    } else {
        let results = run
            .measure(&arguments.selection.scenarios, shell)?
            .whole(shell)?;
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

/// A line for each scenario that is new, gone or different in `after`. Where
/// `several` environments were measured, it says in which.
pub(crate) fn changes(before: &Baseline, after: &Baseline, several: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for now in after.environments() {
        let then = before.accepted_in(&now.environment);
        if then.is_none() {
            lines.push(format!("new environment: {}", now.environment));
        }
        let here = in_environment(then, now).into_iter();
        lines.extend(here.map(|line| labelled(line, &now.environment, several)));
    }
    for then in before.environments() {
        if after.accepted_in(&then.environment).is_none() {
            lines.push(format!("removed environment: {}", then.environment));
        }
    }
    lines
}

fn labelled(line: String, environment: &Environment, several: bool) -> String {
    if several {
        format!("{line} (on {environment})")
    } else {
        line
    }
}

/// Whether both have the same figures. The versions of compiler and harness may differ,
/// and older data has no axes.
pub(crate) fn same_figures(before: &Baseline, after: &Baseline) -> bool {
    let figures = |baseline: &Baseline| -> Vec<_> {
        let environments = baseline.environments().iter();
        environments
            .map(|accepted| {
                let mut scenarios = accepted.scenarios.clone();
                scenarios
                    .values_mut()
                    .for_each(|scenario| scenario.axes.clear());
                scenarios
            })
            .collect()
    };
    changes(before, after, false).is_empty() && figures(before) == figures(after)
}

/// Whether all that differs between `before` and `now` is in `after` as it is in `now`.
pub(crate) fn keeps(before: &Baseline, now: &Baseline, after: &Baseline) -> bool {
    let all = before.environments().iter().chain(now.environments());
    let mut rows = all.flat_map(|all| all.scenarios.keys().map(|id| (&all.environment, id)));
    rows.all(|(environment, id)| {
        let row = |side: &Baseline| {
            let here = side.accepted_in(environment)?;
            here.scenarios.get(id).cloned()
        };
        let now = row(now);
        row(before) == now || row(after) == now
    })
}

fn in_environment(before: Option<&Accepted>, now: &Accepted) -> Vec<String> {
    let then = before.map(|before| before.moved_like(now));
    let sides: Vec<&Accepted> = then.as_deref().into_iter().chain([now]).collect();
    let mut labels: Vec<(&ScenarioId, String)> = Accepted::labels(&sides).into_iter().collect();
    labels.sort_by(|(_, one), (_, other)| compare_naturally(one, other));
    let moved = before.into_iter().zip(then.as_deref());
    let moved = moved.flat_map(|(old, new)| old.scenarios.keys().zip(new.scenarios.keys()));
    let moved = moved
        .filter(|(old, new)| old != new)
        .map(|(old, new)| format!("moved: {} from {} to {}", old.name, old.bench, new.bench));
    let mut lines: Vec<String> = moved.collect();
    let changed = labels.into_iter().filter_map(|(id, name)| {
        let before = then.as_deref().and_then(|then| then.scenarios.get(id));
        match (before, now.scenarios.get(id)) {
            (None, Some(_)) => Some(format!("new: {name}")),
            (Some(_), None) => Some(format!("gone: {name}")),
            (Some(then), Some(now)) => {
                let changed = changed(then, now);
                (!changed.is_empty()).then(|| format!("{name}: {}", changed.join(", ")))
            }
            (None, None) => None,
        }
    });
    lines.extend(changed);
    lines
}

/// The metrics with another mean, such as `allocs 4 -> 3 (-1)`, without those that follow from
/// others; or a line that says that other figures differ.
fn changed(then: &AcceptedScenario, now: &AcceptedScenario) -> Vec<String> {
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        let figure = |scenario: &AcceptedScenario| scenario.figure(metric, Statistic::Mean);
        let (old, new) = (figure(then), figure(now));
        (old != new).then(|| (metric, change(metric.unit(), old, new)))
    });
    let counted: Vec<(Metric, String)> = counted.collect();
    let metrics: Vec<Metric> = counted.iter().map(|(metric, _)| *metric).collect();
    let counted = counted.into_iter();
    let counted = counted
        .filter(|(metric, _)| !is_implied(*metric, &metrics))
        .map(|(metric, words)| format!("{metric} {words}"));
    let names: BTreeSet<&String> = then.custom.keys().chain(now.custom.keys()).collect();
    let custom = names.into_iter().filter_map(|name| {
        let figure = |scenario: &AcceptedScenario| scenario.custom_figure(name, Statistic::Mean);
        let (old, new) = (figure(then), figure(now));
        let unit = now.custom.get(name).or(then.custom.get(name))?.unit;
        (old != new).then(|| format!("{name} {}", change(unit, old, new)))
    });
    let mut changed: Vec<String> = counted.chain(custom).collect();
    if changed.is_empty() && then != now {
        changed.push(String::from(
            "the number of iterations or single values changed",
        ));
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(custom: &str) -> Baseline {
        let text = format!(
            "version = 1\n[[environment]]\ntarget = \"t\"\nprofile = \"bench\"\nfeatures = []\n\
             allocator = \"a\"\ndebug-assertions = false\nrustc = \"r\"\nharness = \"h\"\n\
             [[environment.scenario]]\nname = \"encode\"\n\
             bench = {{ package = \"p\", target = \"b\" }}\niterations = 2\nwarmup = 0\n\
             [environment.scenario.metrics]\n{custom}"
        );
        Baseline::parse("b.toml", &text).expect("it is well written")
    }

    #[test]
    fn changes_of_custom_metrics_are_shown() {
        let figures = |name: &str, total: i64| {
            let half = total / 2;
            format!(
                "{name} = {{ unit = \"bytes\", total = {total}, min = {half}, p50 = {half}, \
                 p99 = {half}, max = {half}, first = {half} }}\n"
            )
        };
        let table = "[environment.scenario.custom]\n";
        let before = format!("{table}{}{}", figures("body", 80), figures("head", 10));
        let after = format!("{table}{}{}", figures("body", 84), figures("tail", 2));
        let lines = changes(&baseline(&before), &baseline(&after), false);
        assert_eq!(
            lines,
            ["encode: body 40 -> 42 (1.05x), head 5 -> not measured, tail not measured -> 1"]
        );
        assert_eq!(
            changes(&baseline(&after), &baseline(&after), false),
            [""; 0]
        );
    }
}
