//! Measures what to accept, or reads recorded results.

use alloc_gate::baseline::Coverage;
use alloc_gate::{Measurements, Selection};
use alloc_results::BenchId;

use super::AcceptArguments;
use crate::failure::Failure;
use crate::measurements::no_scenario;
use crate::project::Project;
use crate::recorded::{Recorded, refuse_others};
use crate::shell::Shell;

/// The measurements of each environment, with how much of it they cover. There is at
/// least one, and each has a scenario.
pub(super) fn measure(
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
        return read(&recorded, &benches.names, arguments.limits);
    }
    let (results, coverage) = if arguments.scenario.is_empty() {
        let coverage = match benches.selection {
            Selection::Whole => Coverage::AllBenches,
            Selection::Selected | Selection::Scenarios { .. } => Coverage::SomeBenches,
        };
        (run.measure_all(shell)?, coverage)
    } else {
        let results = run.measure_each_of(&arguments.scenario, shell)?;
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
    needs_all: bool,
) -> Result<Vec<(Measurements, Coverage)>, Failure> {
    let mut accepted = Vec::new();
    for (measurements, benches) in recorded.read_for_baseline()? {
        refuse_others(&benches, known, Selection::Whole)?;
        let absent = known.iter().find(|name| !benches.contains(name));
        let coverage = match absent {
            None => Coverage::AllBenches,
            Some(_) => Coverage::SomeBenches,
        };
        // Without a scenario, the results do not say where they are from.
        let Some(first) = measurements.scenarios().first() else {
            continue;
        };
        if let Some(absent) = absent.filter(|_| needs_all) {
            let environment = &first.environment;
            return Err(Failure::bench_failed(format!(
                "--limits needs the results of all benches; those of {} on {environment} are \
                 missing",
                absent
            ))
            .help(
                "add the result file that `cargo alloc-gate run` writes, or leave out --limits",
            ));
        }
        accepted.push((measurements, coverage));
    }
    if accepted.is_empty() {
        return Err(no_scenario());
    }
    Ok(accepted)
}
