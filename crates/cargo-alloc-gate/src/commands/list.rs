//! `list`: prints the scenarios, their gates, and what is ungated. It measures nothing.

use std::collections::BTreeSet;

use alloc_gate::report::measured;
use alloc_gate::{Config, ScenarioId, grouped};
use alloc_results::BenchId;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, ResultsArguments, ScenarioArguments};
use crate::bench::run::{RunResults, no_scenario};
use crate::bench::selection::{SelectedBenches, warn_of_unchecked};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::project::{Project, Rules};

/// List the scenarios and their gates
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    selection: ScenarioArguments,
    #[command(flatten)]
    results: ResultsArguments,
}

/// The names of a bench's scenarios.
type Listed = (BenchId, Vec<String>);

impl Runnable for ListArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell, Rules::load_if_there)?;
        let (config, wanted) = (&project.rules.config, &self.selection.scenarios);
        let (benches, left_out) = if self.results.paths.is_empty() {
            let run = project.bench_run(&self.build)?;
            warn_of_unchecked(&run.benches.unchecked, config, shell);
            let matching = run.matching(wanted)?;
            let benches = matching.benches.into_iter();
            let benches = benches.map(|(bench, names)| (bench.name, names));
            (benches.collect(), matching.left_out.len())
        } else {
            let benches = SelectedBenches::new(&project.workspace, config, &self.build)?;
            let runs = self.results.read(&benches, wanted, &project)?;
            let left_out: BTreeSet<&ScenarioId> =
                runs.iter().flat_map(|run| &run.left_out).collect();
            (each_once(&runs), left_out.len())
        };
        let (text, ungated) = table(&benches, config);
        shell.list(&text)?;
        let scenarios: usize = benches.iter().map(|(_, names)| names.len()).sum();
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

/// The scenarios of recorded results, each once.
fn each_once(runs: &[RunResults]) -> Vec<Listed> {
    let mut seen = BTreeSet::new();
    let ids = runs.iter().flat_map(|run| run.measurements.ids());
    let ids = ids.filter(|id| seen.insert(*id));
    let benches = grouped(ids, |group, (bench, _)| group[0].0 == *bench).into_iter();
    let listed = benches.map(|ids| {
        let names = ids.iter().map(|(_, name)| (*name).to_owned());
        (ids[0].0.clone(), names.collect())
    });
    listed.collect()
}

/// The list, and the number of ungated scenarios in it.
fn table(benches: &[Listed], config: &Config) -> (String, usize) {
    let mut text = String::new();
    let mut ungated = 0;
    for (bench, scenarios) in benches {
        text.push_str(&format!("{bench}\n"));
        for scenario in scenarios {
            let gates = config.gates.iter();
            let gates = gates.filter(|gate| gate.filter.includes(bench, scenario));
            let names = gates.map(|gate| match &*gate.condition.to_string() {
                "" => gate.name.clone(),
                condition => format!("{} ({condition})", gate.name),
            });
            let gated = match &*names.collect::<Vec<_>>().join(", ") {
                "" => String::from("ungated"),
                names => format!("gated by {names}"),
            };
            ungated += usize::from(gated == "ungated");
            text.push_str(&format!("  {scenario}: {gated}\n"));
        }
    }
    (text, ungated)
}
