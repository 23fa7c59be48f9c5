//! `explain`: measures scenarios with call stacks, and shows the lines that allocate. It judges
//! nothing.

use alloc_gate::report::explain::folded;
use alloc_gate::rules::Pattern;
use alloc_gate::sites::Explained;
use alloc_gate::{Measurements, Statistic, counted};
use alloc_results::Metric;
use clap::Args;

use super::{Call, Runnable};
use crate::arguments::{BuildArguments, OutputArguments, glob, named};
use crate::bench::build::Built;
use crate::bench::run::MatchingScenarios;
use crate::bench::run::no_scenario;
use crate::exit_code::Code;
use crate::explain::{BaseArguments, LinesBefore};
use crate::failure::Failure;
use crate::output::reports;
use crate::output::shell::Shell;
use crate::project::{Project, Rules};

/// Show the lines that allocate, without checking gates
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ExplainArguments {
    /// Scenarios to explain [default: all]
    #[arg(value_name = "GLOB", value_parser = glob)]
    scenarios: Vec<Pattern>,
    /// Metric to explain, such as bytes, net-blocks or peak-bytes
    #[arg(
        long,
        value_name = "METRIC",
        default_value = Metric::Allocs.name(),
        value_parser = named(Metric::ALL, Metric::name),
        hide_possible_values = true)]
    metric: Metric,
    /// Statistic to explain, such as max or first
    #[arg(
        long,
        value_name = "NAME",
        default_value = Statistic::Mean.name(),
        value_parser = named(of_one(), Statistic::name),
        hide_possible_values = true)]
    statistic: Statistic,
    #[command(flatten)]
    base: BaseArguments,
    /// Also show the call stacks of each line
    #[arg(long)]
    stacks: bool,
    /// Print the call stacks of one scenario as folded stacks, for flame graphs
    #[arg(long, conflicts_with_all = ["format", "stacks"])]
    folded: bool,
    #[command(flatten)]
    build: BuildArguments,
    #[command(flatten)]
    output: OutputArguments,
}

const HELP: &str = "\
Benches are built with line tables for the workspace's own code, unless their
profile sets `debug`. A base is built in its own worktree, as for `compare`. The
exit code is 0 if all scenarios were measured.";

/// The statistics of a scenario by itself.
fn of_one() -> impl Iterator<Item = Statistic> {
    let all = Statistic::ALL.into_iter();
    all.filter(|statistic| *statistic != Statistic::Growth)
}

impl ExplainArguments {
    /// The value of each scenario. A name that several benches have gets its bench.
    fn wanted(&self, benches: &[(Built, Vec<String>)]) -> Vec<Explained> {
        let mut wanted = Vec::new();
        for (bench, names) in benches {
            for name in names {
                let mut others = benches.iter().filter(|(other, _)| other.name != bench.name);
                let is_shared = others.any(|(_, names)| names.contains(name));
                let mut one = Explained::new(&bench.name, name, self.metric, self.statistic);
                if is_shared {
                    one.label = format!("{}/{name}", bench.name);
                }
                one.shows_stacks = self.stacks;
                wanted.push(one);
            }
        }
        wanted
    }
}

impl Runnable for ExplainArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let shell = call.shell;
        let project = Project::load(call.workspace, shell, Rules::load_if_there)?;
        reports::prepare(&self.output, false, &project, &[])?;
        let asked = self.base.find(&project)?;
        let run = project.bench_run(&self.build)?;
        let MatchingScenarios { benches, .. } = run.matching(&self.scenarios)?;
        let wanted = self.wanted(&benches);
        let built: Vec<Built> = benches.into_iter().map(|(bench, _)| bench).collect();
        if wanted.is_empty() {
            return Err(no_scenario());
        }
        if self.folded && wanted.len() > 1 {
            // The sum of their stacks would mean nothing.
            let all = counted(wanted.len(), "scenario");
            let what = format!("--folded needs one scenario, and {all} were selected");
            return Err(Failure::usage(what).help(format!("name one, such as {}", wanted[0].label)));
        }
        shell.status("Explaining", &counted(wanted.len(), "scenario"));
        let baseline = project.rules.baseline()?;
        let before = LinesBefore {
            asked: asked.as_ref(),
            project: &project,
            measurements: &Measurements::default(),
            baseline: baseline.as_ref(),
        };
        let explained = before.explain(wanted, &run, &built)?;
        let failures = if self.folded {
            print_folded(&explained[0], shell)?;
            reports::write_files(&explained[..], &self.output, shell)
        } else {
            reports::write(&explained[..], &self.output, shell)
        };
        reports::all_written(failures, shell)?;
        let all = counted(explained.len(), "scenario");
        let failed = explained.iter().filter(|one| one.found.is_err()).count();
        if failed > 0 {
            let what = format!("failed to explain {failed} of {all}");
            return Err(Failure::bench_failed(what).help("the report says why"));
        }
        shell.verdict(&format!(
            "alloc-gate: explained {all} (`explain` checks no gates)"
        ));
        Ok(Code::Held)
    }
}

/// Prints the stacks of a value, and says what a reader of them has to know.
fn print_folded(explained: &Explained, shell: &Shell) -> Result<(), Failure> {
    if explained.found.is_err() {
        // The run fails, and says why.
        return Ok(());
    }
    let Some(folded) = folded(explained) else {
        let metric = explained.metric;
        return Err(Failure::usage(format!("call stacks have no {metric}")));
    };
    if folded.iterations != 1 {
        let iterations = folded.iterations;
        shell.say(&format!(
            "note: the values are sums of {iterations} iterations"
        ));
    }
    if folded.below_zero > 0 {
        let stacks = counted(folded.below_zero, "stack");
        shell.say(&format!("note: {stacks} below zero left out"));
    }
    shell.report(&folded.text)
}
