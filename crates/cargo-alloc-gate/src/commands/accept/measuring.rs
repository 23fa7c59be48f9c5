//! What there is to accept: measured here, or recorded anywhere.

use std::collections::BTreeSet;
use std::path::PathBuf;

use alloc_gate::baseline::Coverage;
use alloc_gate::{Config, Measurements, Partiality};
use alloc_results::BenchId;

use crate::arguments::AcceptArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::recorded;
use crate::results::{Job, no_scenario};
use crate::selection::BenchName;
use crate::shell::Shell;

/// The measurements of each way of building, with how much of it they cover; at
/// least one, and none without a scenario.
pub(super) fn measure(
    arguments: &AcceptArguments,
    workspace: &Workspace,
    config: &Config,
    shell: &Shell,
) -> Result<Vec<(Measurements, Coverage)>, Failure> {
    let job = Job::new(workspace, config, &arguments.build, &arguments.workspace)?;
    if !arguments.from.is_empty() {
        return read(&arguments.from, job.benches(), arguments.limits);
    }
    let (run, coverage) = if arguments.scenario.is_empty() {
        let coverage = match job.partiality() {
            Partiality::Whole => Coverage::AllBenches,
            Partiality::Selected | Partiality::Scenarios { .. } => Coverage::SomeBenches,
        };
        (job.run(shell)?, coverage)
    } else {
        let run = job.run_scenarios(&arguments.scenario, shell)?;
        (run, Coverage::SomeScenarios)
    };
    if run.measurements.scenarios().is_empty() {
        return Err(no_scenario());
    }
    Ok(vec![(run.measurements, coverage)])
}

fn read(
    paths: &[PathBuf],
    known: &[BenchName],
    needs_all: bool,
) -> Result<Vec<(Measurements, Coverage)>, Failure> {
    let mut accepted = Vec::new();
    for (measurements, benches) in recorded::read_by_environment(paths)? {
        refuse_unknown(&benches, known)?;
        let absent = known
            .iter()
            .find(|name| !benches.iter().any(|b| is(b, name)));
        let coverage = match absent {
            None => Coverage::AllBenches,
            Some(_) => Coverage::SomeBenches,
        };
        // A bench may have no scenario, and then nothing of it says where it ran.
        let Some(first) = measurements.scenarios().first() else {
            continue;
        };
        if let Some(absent) = absent.filter(|_| needs_all) {
            let environment = &first.environment;
            return Err(Failure::new(
                Code::BenchFailed,
                format!(
                    "--limits needs the figures of all benches, and there are none of {} on \
                     {environment}",
                    absent.shown()
                ),
            )
            .next(
                "add the file that `cargo alloc-gate run` recorded of it, or leave out --limits",
            ));
        }
        accepted.push((measurements, coverage));
    }
    if accepted.is_empty() {
        return Err(no_scenario());
    }
    Ok(accepted)
}

/// Nobody would measure such a bench again, and so `check` would miss it.
fn refuse_unknown(benches: &BTreeSet<BenchId>, known: &[BenchName]) -> Result<(), Failure> {
    let unknown = |bench: &&BenchId| !known.iter().any(|name| is(bench, name));
    let Some(bench) = benches.iter().find(unknown) else {
        return Ok(());
    };
    Err(Failure::new(
        Code::BenchFailed,
        format!(
            "the results are of a bench that no rule names: {}/{}",
            bench.package, bench.target
        ),
    )
    .next("add it to gates.toml as `[[bench]]`, or leave out its file; nothing was written"))
}

fn is(bench: &BenchId, name: &BenchName) -> bool {
    bench.package == name.package && bench.target == name.target
}
