//! [`SelectedBenches`]: the benches to measure, of those that gates.toml names; and scenarios that globs select, with the errors about globs that select nothing or too
//! much.

use std::collections::BTreeSet;

use alloc_gate::rules::{Bench, Pattern, Reaction, When};
use alloc_gate::{CfgSets, Config, ScenarioId, Selection, UncheckedBench, nearest};
use alloc_results::BenchId;

use crate::arguments::BuildArguments;
use crate::bench::cargo::{self, Workspace, bench_targets, listed};
use crate::failure::Failure;
use crate::output::shell::{Shell, quoted};

/// The benches to measure; at least one.
#[derive(Clone)]
pub(crate) struct SelectedBenches {
    pub(crate) names: Vec<BenchId>,
    /// Whether these are all known benches.
    pub(crate) selection: Selection,
    /// The benches over alloc-scenario that nothing names. Empty if the user selected
    /// benches.
    pub(crate) unchecked: Vec<UncheckedBench>,
}

impl SelectedBenches {
    pub(crate) fn new(
        workspace: &Workspace,
        config: &Config,
        arguments: &BuildArguments,
    ) -> Result<Self, Failure> {
        let left_out = left_out(config, arguments)?;
        let all = known_benches(workspace, config, &left_out)?;
        if all.is_empty() {
            let what = format!("{} names no bench", config.file());
            let help = "add `[[bench]]` with `package` and `target` to it";
            return Err(Failure::nothing_selected(what).help(help));
        }
        let wanted = |asked: &[Pattern], name: &str| asked.is_empty() || any(asked, name);
        let is_selected = |bench: &BenchId| {
            wanted(&arguments.package, &bench.package)
                && wanted(&arguments.bench, &bench.target)
                && !any(&arguments.exclude, &bench.package)
        };
        let benches: Vec<BenchId> = all
            .iter()
            .filter(|bench| is_selected(bench))
            .cloned()
            .collect();
        refuse_idle_options(workspace, arguments, &all, &benches)?;
        Ok(Self {
            selection: if benches.len() == all.len() {
                Selection::Whole
            } else {
                Selection::Selected
            },
            unchecked: if arguments.selects_all() {
                unlisted(workspace, config, &all)
            } else {
                Vec::new()
            },
            names: benches,
        })
    }
}

/// Warns of benches that were not measured, in commands that don't judge.
pub(crate) fn warn_of_unchecked(unchecked: &[UncheckedBench], config: &Config, shell: &Shell) {
    let file = config.file();
    for bench in unchecked {
        // Recorded results are missed by what judges them.
        if let UncheckedBench::Unlisted(bench) = bench {
            shell.warning(
                &format!("{file} does not list `{bench}`, a bench that uses alloc-scenario"),
                &format!("add a `[[bench]]` for it to {file}, with `run = false` to leave it out"),
            );
        }
    }
}

/// The benches over alloc-scenario that are neither `known` nor left out by the rules.
fn unlisted(workspace: &Workspace, config: &Config, known: &[BenchId]) -> Vec<UncheckedBench> {
    // Without a reader, no source is read.
    if config.policy.unlisted == Reaction::Allow {
        return Vec::new();
    }
    let mut found = workspace.harness_benches();
    found.retain(|bench| !known.contains(bench) && !config.lists(bench));
    found.into_iter().map(UncheckedBench::Unlisted).collect()
}

/// The rules of benches that are left out: those with `run = false`, or with a `when` that
/// does not hold for the target of the build.
pub(crate) fn left_out<'c>(
    config: &'c Config,
    arguments: &BuildArguments,
) -> Result<Vec<&'c Bench>, Failure> {
    let mut conditions = config.benches.iter().filter_map(|rule| rule.when.as_ref());
    let (mut target, mut cfgs) = (String::new(), CfgSets::default());
    if let Some(first) = conditions.next() {
        target = match &arguments.target {
            Some(target) => target.clone(),
            None => cargo::host()?,
        };
        if first.needs_cfgs() || conditions.any(When::needs_cfgs) {
            cfgs = cargo::cfgs_of([target.as_str()], config)?;
        }
    }
    let is_here = |when: &When| when.holds_for(&target, &cfgs);
    let rules = config.benches.iter();
    Ok(rules
        .filter(|rule| !rule.run || !rule.when.as_ref().is_none_or(is_here))
        .collect())
}

fn any(globs: &[Pattern], name: &str) -> bool {
    globs.iter().any(|glob| glob.matches(name))
}

/// Refuses an option that matches nothing, which is a typing error even next to an option that
/// selects something. Without any option all benches are selected.
fn refuse_idle_options(
    workspace: &Workspace,
    arguments: &BuildArguments,
    all: &[BenchId],
    selected: &[BenchId],
) -> Result<(), Failure> {
    let known = workspace.package_names();
    let packages = selected.iter().map(|bench| &*bench.package).collect();
    let targets = selected.iter().map(|bench| &*bench.target).collect();
    let options: [(&str, &[Pattern], &Vec<&str>); 3] = [
        ("--exclude", &arguments.exclude, &known),
        ("--package", &arguments.package, &packages),
        ("--bench", &arguments.bench, &targets),
    ];
    let benches = || {
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        format!("the benches are {}", listed(&names))
    };
    for (option, globs, names) in options {
        let is_idle = |glob: &&Pattern| !names.iter().any(|name| glob.matches(name));
        if let Some(glob) = globs.iter().find(is_idle) {
            let (noun, help) = match option {
                "--exclude" => ("package", format!("the packages are {}", listed(&known))),
                _ => ("bench", benches()),
            };
            let what = format!("{option} {} matches no {noun}", glob.text());
            return Err(Failure::nothing_selected(what).help(help));
        }
    }
    if selected.is_empty() {
        let what = "--exclude leaves out every bench";
        return Err(Failure::nothing_selected(what).help(benches()));
    }
    Ok(())
}

fn known_benches(
    workspace: &Workspace,
    config: &Config,
    left_out: &[&Bench],
) -> Result<Vec<BenchId>, Failure> {
    let mut unknown = Vec::new();
    for bench in &config.benches {
        let package = workspace.package(&bench.package);
        let targets = package.map(bench_targets).unwrap_or_default();
        if targets.contains(&bench.target.as_str()) {
            continue;
        }
        let hint = match package {
            None => format!("the packages are {}", listed(&workspace.package_names())),
            Some(_) if targets.is_empty() => format!(
                "`{}` has no bench; add `[[bench]]` with `name = \"{}\"` and `harness = false` to its \
                 Cargo.toml",
                bench.package, bench.target
            ),
            Some(_) => format!(
                "the benches of `{}` are {}",
                bench.package,
                listed(&targets)
            ),
        };
        unknown.push((bench, hint));
    }
    if !unknown.is_empty() {
        let diagnostics = config.unknown_benches(&unknown);
        let what = format!(
            "{} names benches that the workspace does not have",
            config.file()
        );
        return Err(Failure::underlined(what, &diagnostics));
    }
    let benches = config.benches.iter();
    let benches = benches.filter(|bench| !left_out.contains(bench));
    let benches = benches.map(|bench| BenchId {
        package: bench.package.clone(),
        target: bench.name.clone(),
    });
    Ok(benches.collect())
}

/// The scenarios that globs select. Each glob has to select one. A glob that matches no full
/// name can match `bench/name` or `package/bench/name`.
pub(crate) fn selected(
    wanted: &[Pattern],
    all: &[ScenarioId],
) -> Result<BTreeSet<ScenarioId>, Failure> {
    const FORMS: [fn(&ScenarioId) -> String; 3] = [
        |id| id.name.clone(),
        |id| format!("{}/{}", id.bench.target, id.name),
        |id| format!("{}/{}", id.bench, id.name),
    ];
    let mut selected = BTreeSet::new();
    for glob in wanted {
        let matched_by = |form: fn(&ScenarioId) -> String| -> Vec<&ScenarioId> {
            let matched = all.iter().filter(|id| glob.matches(&form(id)));
            matched.collect()
        };
        let mut forms = FORMS.into_iter().map(matched_by);
        let matched = forms.find(|matched| !matched.is_empty());
        selected.extend(matched.ok_or_else(|| idle(glob, all))?.into_iter().cloned());
    }
    Ok(selected)
}

/// The error for a glob that selects nothing.
fn idle(glob: &Pattern, all: &[ScenarioId]) -> Failure {
    const NAMES: &str =
        "a glob must match the whole name; `cargo alloc-gate list` prints the names";
    let text = glob.text();
    let meant = nearest(&text.replace('*', ""), all.iter().map(|id| &*id.name));
    let help = match meant {
        Some(meant) => format!("{NAMES}; did you mean `{meant}`?"),
        None if text.contains(['*', '/']) => NAMES.to_owned(),
        None => {
            let part = quoted([format!("*{text}*")]);
            format!("{NAMES}; {part} matches a part of the name")
        }
    };
    Failure::nothing_selected(format!("no scenario matches `{text}`")).help(help)
}

pub(crate) fn ids(bench: &BenchId, names: &[String]) -> impl Iterator<Item = ScenarioId> {
    names
        .iter()
        .map(move |name| ScenarioId::from((bench, &**name)))
}
