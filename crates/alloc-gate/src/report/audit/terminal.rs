//! The audit for people at a terminal and for CI logs, with ANSI styles, which
//! whoever prints it takes out where they are not wanted.

use std::io::{self, Write};

use super::{breach_words, found_words, gate_words, notes, rule_breaches, word};
use crate::audit::{Audit, Found, GateAudit, Standing};
use crate::report::terminal::{BAD, DOUBTFUL, FAINT, GOOD, explain};
use crate::report::wording::{Dialect, one_line, rule_words};

/// Writes the whole report, but for the last line; with `all`, each breach.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(audit: &Audit, all: bool, out: &mut dyn Write) -> io::Result<()> {
    for gate in &audit.gates {
        self::gate(gate, all, out)?;
    }
    for note in notes(audit, Dialect::PLAIN) {
        explain(&note, out)?;
    }
    Ok(())
}

fn gate(gate: &GateAudit, all: bool, out: &mut dyn Write) -> io::Result<()> {
    let standing = gate.standing();
    let style = match standing {
        Standing::Proved => GOOD,
        Standing::Failing | Standing::Untold => DOUBTFUL,
        Standing::CannotFail => BAD,
    };
    let (word, name) = (word(standing), one_line(&gate.name));
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
                if proof.breaches.is_empty() && proof.found != Found::Seen {
                    let words =
                        one_line(&format!("{}: {}", proof.scenario, found_words(rule, proof)));
                    writeln!(out, "             {FAINT}{limit}: {words}{FAINT:#}")?;
                }
            }
        }
    }
    Ok(())
}
