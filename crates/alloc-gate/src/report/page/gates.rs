//! The scenarios of gates and the waivers, as parts of the page.

use std::fmt::Write;

use crate::report::markdown::{code, code_in_cell, escape};
use crate::rules::{BenchFilter, Config, Gate, Pattern, Waiver};

/// The cell with the scenarios of a gate: `*` but not `slow*`, `package = "codec"`,
/// `cfg(unix)`.
pub(super) fn scenarios(gate: &Gate) -> String {
    let mut cell = listed(&gate.scenarios);
    if !gate.exclude.is_empty() {
        cell.push_str(" but not ");
        cell.push_str(&listed(&gate.exclude));
    }
    cell.push_str(&benches(&gate.benches));
    if !gate.condition.is_empty() {
        cell.push_str(", ");
        cell.push_str(&code_in_cell(&gate.condition.to_string()));
    }
    cell
}

/// Writes the table of waivers, if there are any. It includes expired waivers, so that the
/// page depends on no date.
pub(super) fn waivers(config: &Config, is_shown: impl Fn(&Gate) -> bool, text: &mut String) {
    let waivers = config.waivers.iter();
    let waivers: Vec<&Waiver> = waivers
        .filter(|waiver| is_shown(&config.gates[waiver.gate]))
        .collect();
    if waivers.is_empty() {
        return;
    }
    // Writing to a `String` can't fail.
    let _ = write!(
        text,
        "\nWaivers, which allow more than a gate does ({}):\n\n\
         | gate | scenarios | allows | until | reason |\n|---|---|---|---|---|\n",
        code("[[waiver]]")
    );
    for waiver in waivers {
        let mut scenarios = listed(&waiver.scenarios);
        scenarios.push_str(&benches(&waiver.benches));
        if !waiver.condition.is_empty() {
            scenarios.push_str(", ");
            scenarios.push_str(&code_in_cell(&waiver.condition.to_string()));
        }
        let issue = waiver
            .issue
            .as_deref()
            .map(|issue| format!(", {}", escape(issue)));
        let until = waiver.until.map(|until| until.to_string());
        let _ = writeln!(
            text,
            "| {} | {scenarios} | {} | {} | {}{} |",
            escape(&config.gates[waiver.gate].name),
            code_in_cell(&waiver.to_string()),
            until.unwrap_or_default(),
            escape(&waiver.reason),
            issue.unwrap_or_default()
        );
    }
}

fn benches(filter: &BenchFilter) -> String {
    let keys = filter.keys();
    keys.map(|(key, glob)| format!(", {}", code_in_cell(&format!("{key} = {:?}", glob.text()))))
        .collect()
}

fn listed(patterns: &[Pattern]) -> String {
    let listed: Vec<String> = patterns.iter().map(|p| code_in_cell(p.text())).collect();
    listed.join(", ")
}
