//! The audit as markdown, for a step summary or a comment.

use std::io;
use std::io::Write;

use crate::audit::{Audit, AuditStatus};
use crate::report::audit::{gate_words, notes, rule_breaches, verdict_line, word};
use crate::report::markdown::{DIALECT, IN_CELL, code_in_cell, environment, escape, explain};
use crate::requirement::rule_words;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "## Audit of the allocation gates\n\n{}",
        verdict_line(audit)
    )?;
    environment(&audit.origins, &audit.overrides, out)?;
    writeln!(out)?;
    if !audit.gates.is_empty() {
        writeln!(out, "| gate | rule | proof | breaches |\n|---|---|---|---|")?;
    }
    for gate in &audit.gates {
        let name = escape(&gate.name);
        if gate.skip.is_some() {
            let words = gate_words(gate, IN_CELL);
            writeln!(
                out,
                "| {name} |  | {} | {words} |",
                word(AuditStatus::Inconclusive)
            )?;
            continue;
        }
        for rule in &gate.rules {
            let words = rule_words(&rule.metric, rule.statistic, &rule.requirement);
            let proof = match rule.status() {
                AuditStatus::CannotFail => format!("**{}**", word(AuditStatus::CannotFail)),
                status @ (AuditStatus::Proved
                | AuditStatus::Failing
                | AuditStatus::Inconclusive) => word(status).to_owned(),
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
