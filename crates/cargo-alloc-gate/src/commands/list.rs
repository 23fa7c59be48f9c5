//! `list`: prints the scenarios, their gates, and what is ungated. It measures nothing.

use std::fmt::Write;
use std::path::PathBuf;

use alloc_gate::report::measured;
use alloc_gate::rules::Pattern;
use alloc_gate::{Config, ScenarioId, one_line};
use alloc_results::{BenchId, EnvironmentRecord, UnavailableScenario};
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, ScenarioArguments, StaleArguments};
use crate::bench::recorded::Recorded;
use crate::bench::run::no_scenario;
use crate::bench::selection::{ids, selected, warn_of_unchecked};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::output::shell::Shell;
use crate::project::Project;

/// List the scenarios, their gates, and what is ungated
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    /// List recorded results, and run no bench
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Results")]
    results: Vec<PathBuf>,
    #[command(flatten)]
    stale: StaleArguments,
}

/// The scenarios of a bench.
struct ListedBench {
    name: BenchId,
    scenarios: Vec<String>,
    /// The scenarios that can't be measured on this machine, with the reasons.
    unavailable: Vec<UnavailableScenario>,
}

impl Runnable for ListArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load_with_optional_rules(call.workspace, shell)?;
        let config = &project.rules.config;
        let (benches, left_out) = if self.results.is_empty() {
            self.built(&project, shell)?
        } else {
            self.recorded(&project, shell)?
        };
        let (text, ungated) = table(&benches, left_out == 0, config);
        shell.list(&text)?;
        let scenarios: usize = benches.iter().map(|bench| bench.scenarios.len()).sum();
        if scenarios == 0 {
            return Err(no_scenario());
        }
        shell.verdict(&format!(
            "alloc-gate: listed {}, {ungated} of them ungated",
            measured(scenarios, left_out)
        ));
        Ok(Code::Held)
    }
}

impl ListArguments {
    /// The scenarios of benches that are built, and how many were left out.
    fn built(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<(Vec<ListedBench>, usize), Failure> {
        let run = project.bench_run(&self.build)?;
        warn_of_unchecked(&run.benches.unchecked, &project.rules.config, shell);
        let matching = run.matching(&self.selection.scenarios, shell)?;
        let mut benches = Vec::new();
        for (bench, scenarios) in matching.benches {
            let mut unavailable = run.unavailable_of(&bench, shell)?;
            unavailable.retain(|one| scenarios.contains(&one.name));
            benches.push(ListedBench {
                name: bench.name,
                scenarios,
                unavailable,
            });
        }
        Ok((benches, matching.left_out.len()))
    }

    /// The scenarios of recorded results, each once, and how many were left out.
    fn recorded(
        &self,
        project: &Project<'_>,
        shell: &Shell,
    ) -> Result<(Vec<ListedBench>, usize), Failure> {
        let recorded = Recorded {
            paths: &self.results,
            allow_stale: self.stale.allow_stale,
            workspace: &project.workspace,
            rules: &project.rules,
            shell,
        };
        let mut benches: Vec<ListedBench> = Vec::new();
        for stream in recorded.read_all()? {
            let EnvironmentRecord {
                bench, unavailable, ..
            } = stream.environment;
            let measured = stream.scenarios.into_iter().map(|scenario| scenario.name);
            let others = unavailable.iter().map(|one| one.name.clone());
            let names: Vec<String> = measured.chain(others).collect();
            if let Some(known) = benches.iter_mut().find(|known| known.name == bench) {
                let new = names
                    .into_iter()
                    .filter(|name| !known.scenarios.contains(name));
                known.scenarios.extend(new.collect::<Vec<_>>());
            } else {
                benches.push(ListedBench {
                    name: bench,
                    scenarios: names,
                    unavailable,
                });
            }
        }
        let wanted = &self.selection.scenarios;
        if wanted.is_empty() {
            return Ok((benches, 0));
        }
        let all = benches.iter();
        let all = all.flat_map(|bench| ids(&bench.name, &bench.scenarios));
        let all: Vec<ScenarioId> = all.collect();
        let matched = selected(wanted, &all)?;
        for bench in &mut benches {
            let is_kept = |name: &str| matched.contains(&(&bench.name, name).into());
            bench.scenarios.retain(|name| is_kept(name));
            bench.unavailable.retain(|one| is_kept(&one.name));
        }
        benches.retain(|bench| !bench.scenarios.is_empty());
        Ok((benches, all.len() - matched.len()))
    }
}

/// The list, and the number of ungated scenarios in it. If it `is_whole`, it also names
/// the patterns that match nothing.
fn table(benches: &[ListedBench], is_whole: bool, config: &Config) -> (String, usize) {
    let gates = &config.gates;
    let mut text = String::new();
    let mut ungated = 0;
    for bench in benches {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{}", bench.name);
        for scenario in &bench.scenarios {
            let names: Vec<String> = gates
                .iter()
                .filter(|gate| gate.filter.includes(&bench.name, scenario))
                .map(|gate| {
                    if gate.condition.is_empty() {
                        gate.name.clone()
                    } else {
                        format!("{} ({})", gate.name, gate.condition)
                    }
                })
                .collect();
            let gated = if names.is_empty() {
                ungated += 1;
                String::from("(ungated)")
            } else {
                names.join(", ")
            };
            let _ = writeln!(text, "  {scenario}: {gated}");
        }
    }
    unavailable(&mut text, benches);
    scopes(&mut text, config);
    if is_whole {
        unmatched(&mut text, benches, config);
    }
    (text, ungated)
}

/// Adds a line for each reason why scenarios can't be measured here, in the order of
/// the scenarios.
fn unavailable(text: &mut String, benches: &[ListedBench]) {
    let all: Vec<_> = benches
        .iter()
        .flat_map(|bench| &bench.unavailable)
        .collect();
    for (index, one) in all.iter().enumerate() {
        let is_alike = |other: &&&UnavailableScenario| other.reason == one.reason;
        if all[..index].iter().any(|other| is_alike(&other)) {
            continue;
        }
        let more = match all[index + 1..].iter().filter(is_alike).count() {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let (name, reason) = (&one.name, one_line(&one.reason));
        let _ = writeln!(text, "not measured here: {name}{more} ({reason})");
    }
}

/// Adds a line for each pattern that no scenario matches.
fn unmatched(text: &mut String, benches: &[ListedBench], config: &Config) {
    let gates = &config.gates;
    let all = benches.iter();
    let all = all.flat_map(|bench| bench.scenarios.iter().map(|name| (&bench.name, &**name)));
    for gate in gates {
        let idle = gate.filter.idle(all.clone());
        for pattern in idle.chain(gate.filter.idle_exceptions(all.clone())) {
            let _ = writeln!(
                text,
                "no scenario matches `{}` of the gate {}",
                pattern.text(),
                gate.name
            );
        }
    }
}

/// Adds the exclusions of gates.
fn scopes(text: &mut String, config: &Config) {
    let quoted = |patterns: &[Pattern]| {
        let quoted: Vec<String> = patterns.iter().map(|p| format!("`{}`", p.text())).collect();
        quoted.join(", ")
    };
    for gate in config
        .gates
        .iter()
        .filter(|gate| !gate.filter.exclude.is_empty())
    {
        let _ = writeln!(
            text,
            "the gate {} excludes {}",
            gate.name,
            quoted(&gate.filter.exclude)
        );
    }
}
