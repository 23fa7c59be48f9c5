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
        return read(&recorded, &benches.names);
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
