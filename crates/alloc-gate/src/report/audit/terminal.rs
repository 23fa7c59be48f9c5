//! The audit for a terminal or a CI log, with ANSI styles that the caller may strip.

use std::io;
use std::io::Write;

use crate::audit::{Audit, AuditStatus, Found, GateAudit};
use crate::printable::one_line;
use crate::report::audit::{breach_words, found_words, gate_words, notes, rule_breaches, word};
use crate::report::terminal::{BAD, DOUBTFUL, FAINT, GOOD, environment, explain};
use crate::report::words::Dialect;
use crate::requirement::rule_words;

/// Writes the whole report except the last line. With `all`, it has every breach.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(audit: &Audit, all: bool, out: &mut dyn Write) -> io::Result<()> {
    environment(&audit.origins, &audit.overrides, out)?;
    for gate in &audit.gates {
        self::gate(gate, all, out)?;
    }
    for note in notes(audit, Dialect::PLAIN) {
        explain(&note, out)?;
    }
    Ok(())
}

fn gate(gate: &GateAudit, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let status = gate.status();
    let style = match status {
        AuditStatus::Proved => GOOD,
        AuditStatus::Failing | AuditStatus::Inconclusive => DOUBTFUL,
        AuditStatus::CannotFail => BAD,
    };
    let (word, name) = (word(status), one_line(&gate.name));
    let words = gate_words(gate, Dialect::PLAIN);
    writeln!(out, "{style}{word:<10}{style:#} {name}: {words}")?;
    if gate.skip.is_some() {
        return Ok(());
    }
    for rule in &gate.rules {
        let words = rule_words(&rule.metric, rule.statistic, &rule.requirement);
        let breaches = one_line(&rule_breaches(rule));
        writeln!(out, "           {FAINT}{words}: {breaches}{FAINT:#}")?;
        if !all {
            continue;
        }
        for comparison in &rule.comparisons {
            for proof in &comparison.proofs {
                let limit = &comparison.comparison;
                for breach in &proof.breaches {
                    let words = one_line(&breach_words(rule, proof, breach));
                    let verdict = breach.verdict;
                    writeln!(
                        out,
                        "             {FAINT}{limit}: {words}: {verdict}{FAINT:#}"
                    )?;
                }
                if proof.breaches.is_empty() && proof.found != Found::Caught {
                    let words =
                        one_line(&format!("{}: {}", proof.scenario, found_words(rule, proof)));
                    writeln!(out, "             {FAINT}{limit}: {words}{FAINT:#}")?;
                }
            }
        }
    }
    Ok(())
}
