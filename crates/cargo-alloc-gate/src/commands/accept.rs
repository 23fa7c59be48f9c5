//! `accept`: measures or reads results, and makes them the baseline. Each file is replaced whole,
//! the data first; `check` names a page that is behind it. What another `accept` wrote meanwhile
//! is not overwritten. It prints the differences between both baselines.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::baseline::{Accepted, AcceptedScenario, Baseline, Coverage};
use alloc_gate::report::{change, is_implied};
use alloc_gate::rules::BaselineFiles;
use alloc_gate::{
    Config, GateSummary, Inputs, Measurements, ScenarioId, Selection, Statistic, Verdict,
    compare_naturally, counted, enumerated, evaluate,
};
use alloc_results::Metric;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, ResultsArguments, ScenarioArguments};
use crate::bench::cargo;
use crate::bench::run::no_scenario;
use crate::children;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files::{self, Prepared, shown};
use crate::output::shell::Shell;
use crate::project::{self, Project, Rules};

/// Make the measured values the baseline
#[derive(Debug, Args)]
#[command(
    mut_arg("quick", |quick| quick.hide(true)),
    mut_arg("paths", |paths| {
        paths.conflicts_with_all(["package", "exclude", "bench", "scenarios"])
    })
)]
pub(crate) struct AcceptArguments {
    /// Fail if the baseline is out of date, and write nothing
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    #[command(flatten)]
    results: ResultsArguments,
}

impl Runnable for AcceptArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let (workspace, shell) = (call.workspace, call.shell);
        if self.build.quick {
            return Err(Failure::usage("`accept` can't be used with --quick")
                .help("run `accept` without --quick; a baseline needs all iterations"));
        }
        let read = match self.check {
            true => Rules::load,
            false => Rules::load_with_baseline,
        };
        let project = Project::load(workspace, shell, read)?;
        let rules = &project.rules;
        let Some(files) = &rules.config.baseline else {
            let what = format!("{} has no `[baseline]`", rules.config.file());
            let help =
                "run `cargo alloc-gate accept`, which adds `[baseline]` and writes its files";
            return Err(Failure::invalid_rules(what).help(help));
        };
        let data = rules.data(files)?;
        let before = match &data {
            Some(text) => project::parse_data(files, text)?,
            None => Baseline::default(),
        };
        // A page that can't be updated is found before the benches run.
        rules.page(&before)?;
        let measured = self.measure(&project)?;
        let mut after = before.clone();
        for (measurements, coverage) in &measured {
            let kept = measurements.restricted_to(|id| files.keeps(&id.name));
            after = after.accept(&kept, *coverage);
        }
        let changes = changes(&before, &after, measured.len() > 1);
        if self.check {
            return compare(rules, &before, changes, shell);
        }
        // Where the lock can't be made, only the last instant before writing is unguarded.
        let _alone = files::alone(rules.folder());
        // Another `accept` ran meanwhile, or somebody edited the file.
        if rules.data(files)? != data {
            return Err(project::changed(&files.data));
        }
        write(&project, files, &measured, &after, &changes)
    }
}

impl AcceptArguments {
    /// The measurements of each environment, with how much of it they cover. There is at least
    /// one, and each has a scenario.
    fn measure(&self, project: &Project<'_>) -> Result<Vec<(Measurements, Coverage)>, Failure> {
        let run = project.bench_run(&self.build)?;
        let benches = &run.benches;
        let wanted = &self.selection.scenarios;
        let mut accepted = if self.results.paths.is_empty() {
            let results = run.measure(wanted)?.whole(project.shell)?;
            let coverage = match benches.selection {
                _ if !wanted.is_empty() => Coverage::SomeScenarios,
                Selection::Whole => Coverage::AllBenches,
                Selection::Selected | Selection::Scenarios { .. } => Coverage::SomeBenches,
            };
            vec![(results.measurements, coverage)]
        } else {
            self.results.read_for_baseline(&benches.names, project)?
        };
        // Without a scenario, the results do not say where they are from.
        accepted.retain(|(measurements, _)| !measurements.scenarios().is_empty());
        if accepted.is_empty() {
            return Err(no_scenario());
        }
        Ok(accepted)
    }
}

fn write(
    project: &Project<'_>,
    files: &BaselineFiles,
    measured: &[(Measurements, Coverage)],
    baseline: &Baseline,
    changes: &[String],
) -> Result<Code, Failure> {
    let (rules, shell) = (&project.rules, project.shell);
    let mut written = vec![(rules.data_path(files), baseline.to_toml())];
    if rules.has_new_baseline() {
        let path = rules.unchanged_file()?.to_path_buf();
        written.push((path, rules.config.text().to_owned()));
    }
    let page = rules.page(baseline)?;
    written.extend(page.map(|page| (page.path, page.text)));
    let prepare = |(path, text): &(PathBuf, String)| Prepared::new(path, text.as_bytes());
    let prepared = written.iter().map(prepare);
    let prepared = prepared.collect::<Result<Vec<_>, _>>()?;
    children::check()?;
    // If the changes can't be shown, nothing is accepted.
    shell.sentences(changes)?;
    for file in prepared {
        file.persist()?;
    }
    for (path, _) in &written {
        shell.status("Wrote", &shown(path));
    }
    let failing = |(of, _): &(_, _)| failing(&rules.config, of, baseline);
    let failing: BTreeSet<String> = measured.iter().flat_map(failing).collect();
    if !failing.is_empty() {
        let what = format!("gates that still fail: {}", enumerated(failing));
        shell.warning(
            &what,
            "change their limits at these lines, or improve the code",
        );
    }
    let what = match changes.len() {
        0 => String::from("no value changed"),
        changes => counted(changes, "change") + "; review the diff and commit it",
    };
    shell.verdict(&format!("alloc-gate: accepted: {what}"));
    Ok(Code::Held)
}

/// The gates that fail with the accepted values, such as `no-copies (gates.toml:9)`.
fn failing(config: &Config, measurements: &Measurements, baseline: &Baseline) -> Vec<String> {
    let cfgs = cargo::needed_cfgs(config, measurements).unwrap_or_default();
    let mut inputs = Inputs::new(config, measurements, &cfgs);
    inputs.baseline = Some(baseline);
    let gates = evaluate(&inputs).gates.into_iter();
    let gates = gates.filter(|gate| gate.verdict == Verdict::Fail);
    let place = |it: GateSummary| format!("{} ({}:{})", it.name, config.file(), it.place.line);
    gates.map(place).collect()
}

fn compare(
    rules: &Rules,
    before: &Baseline,
    mut differences: Vec<String>,
    shell: &Shell,
) -> Result<Code, Failure> {
    if let Some(page) = rules.page(before)?
        && !page.is_current()
    {
        differences.push(format!("{} is out of date", shown(&page.path)));
    }
    shell.sentences(&differences)?;
    if differences.is_empty() {
        shell.verdict("alloc-gate: passed: the baseline is up to date");
        return Ok(Code::Held);
    }
    shell.verdict(
        "alloc-gate: FAILED: the baseline is out of date; run `cargo alloc-gate accept` \
         and review the diff",
    );
    Ok(Code::GateFailed)
}

/// A line for each scenario that is new, gone or different in `after`. Where
/// `several` environments were measured, it says in which.
fn changes(before: &Baseline, after: &Baseline, several: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for now in after.environments() {
        let then = before.accepted_in(&now.environment);
        if then.is_none() {
            lines.push(format!("new environment: {}", now.environment));
        }
        let place = match several {
            true => format!(" (on {})", now.environment),
            false => String::new(),
        };
        let here = in_environment(then, now).into_iter();
        lines.extend(here.map(|line| line + &place));
    }
    for then in before.environments() {
        if after.accepted_in(&then.environment).is_none() {
            lines.push(format!("removed environment: {}", then.environment));
        }
    }
    lines
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
/// others; or a line that says that other values differ.
fn changed(then: &AcceptedScenario, now: &AcceptedScenario) -> Vec<String> {
    let counted = Metric::ALL.into_iter().filter_map(|metric| {
        let value = |scenario: &AcceptedScenario| scenario.value(metric, Statistic::Mean);
        let (old, new) = (value(then), value(now));
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
        let value = |scenario: &AcceptedScenario| scenario.custom_metric(name, Statistic::Mean);
        let (old, new) = (value(then), value(now));
        let unit = now.custom.get(name).or(then.custom.get(name))?.unit;
        (old != new).then(|| format!("{name} {}", change(unit, old, new)))
    });
    let mut changed: Vec<String> = counted.chain(custom).collect();
    if changed.is_empty() && then != now {
        changed.push("the number of iterations or single values changed".into());
    }
    changed
}
