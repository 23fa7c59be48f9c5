//! `list`: the scenarios, their gates, and what is ungated. Nothing is measured.

use std::fmt::Write;

use alloc_gate::config::Gate;
use alloc_gate::report::counted;

use crate::arguments::ListArguments;
use crate::cargo::Workspace;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::results::{Job, no_scenario};
use crate::rules::Rules;
use crate::shell::Shell;

pub(crate) fn list(arguments: &ListArguments, shell: &Shell) -> Result<Code, Failure> {
    let workspace = Workspace::load(&arguments.workspace)?;
    let rules = Rules::load_if_there(&workspace, &arguments.workspace)?
        .unwrap_or_else(|| Rules::none(&workspace));
    let job = Job::new(
        &workspace,
        &rules.config,
        &arguments.build,
        &arguments.workspace,
    )?;
    let benches = job.list(shell)?;
    let (text, ungated) = table(&benches, &rules.config.gates);
    shell.report(text.as_bytes())?;
    let scenarios: usize = benches.iter().map(|(_, scenarios)| scenarios.len()).sum();
    if scenarios == 0 {
        return Err(no_scenario());
    }
    shell.verdict(&format!(
        "alloc-gate: nothing judged, as asked: {}, {ungated} of them ungated",
        counted(scenarios, "scenario")
    ));
    Ok(Code::Held)
}

/// The list, and the number of ungated scenarios in it.
fn table(benches: &[(String, Vec<String>)], gates: &[Gate]) -> (String, usize) {
    let mut text = String::new();
    let mut ungated = 0;
    for (bench, scenarios) in benches {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{bench}");
        for scenario in scenarios {
            let names: Vec<&str> = gates
                .iter()
                .filter(|gate| gate.scenarios.iter().any(|p| p.matches(scenario)))
                .map(|gate| gate.name.as_str())
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
    let all: Vec<&String> = benches
        .iter()
        .flat_map(|(_, scenarios)| scenarios)
        .collect();
    for gate in gates {
        for pattern in &gate.scenarios {
            if !all.iter().any(|scenario| pattern.matches(scenario)) {
                let _ = writeln!(
                    text,
                    "no scenario matches `{}` of the gate {}",
                    pattern.text(),
                    gate.name
                );
            }
        }
    }
    (text, ungated)
}
