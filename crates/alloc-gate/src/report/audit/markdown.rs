//! The audit in markdown, for a step summary or a comment.

use std::io::{self, Write};

use super::{gate_words, notes, rule_breaches, verdict_line, word};
use crate::audit::{Audit, Standing};
use crate::report::markdown::{DIALECT, IN_CELL, code_in_cell, escape, explain};
use crate::report::wording::rule_words;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "## Audit of the allocation gates\n\n{}\n",
        verdict_line(audit)
    )?;
    if !audit.gates.is_empty() {
        writeln!(out, "| gate | rule | proof | breaches |\n|---|---|---|---|")?;
    }
    for gate in &audit.gates {
        let name = escape(&gate.name);
        if gate.skip.is_some() {
            let words = gate_words(gate, IN_CELL);
            writeln!(out, "| {name} |  | {} | {words} |", word(Standing::Untold))?;
            continue;
        }
        for rule in &gate.rules {
            let words = rule_words(&rule.metric, rule.statistic, &rule.requirement);
            let proof = match rule.standing() {
                Standing::CannotFail => format!("**{}**", word(Standing::CannotFail)),
                standing @ (Standing::Proved | Standing::Failing | Standing::Untold) => {
                    word(standing).to_owned()
                }
            };
            let breaches = escape(&rule_breaches(rule));
            writeln!(
                out,
                "| {name} | {} | {proof} | {breaches} |",
                code_in_cell(&words)
            )?;
        }
    }
    for note in notes(audit, DIALECT) {
        explain(&note, out)?;
    }
    Ok(())
}
