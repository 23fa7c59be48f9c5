//! Reports of an [`Audit`].

use crate::audit::{Audit, AuditOutcome, AuditStatus, Found, GateAudit};
use crate::evaluation::Verdict;
use crate::figure::counted;
use crate::report::audit::notes::notes;
use crate::report::audit::words::{breach_count, breach_words, found_words, rule_breaches};
use crate::report::document::{Block, Document, Line, Style, left, name, styled, words};
use crate::report::export::json;
use crate::report::export::json::object::Object;
use crate::report::format::Contents;
use crate::report::words::{environment, skip_words};

mod notes;
pub(super) mod words;

/// An audit, and whether a terminal lists all breaches.
#[derive(Clone, Copy, Debug)]
pub struct AuditReport<'a> {
    /// The audit.
    pub audit: &'a Audit,
    /// Whether a terminal lists all breaches, and not one of each rule.
    pub lists_all: bool,
}

impl Contents for AuditReport<'_> {
    fn document(self, _is_page: bool) -> Document {
        let Self { audit, lists_all } = self;
        let title = words!("Audit of the allocation gates");
        let mut blocks = vec![Block::Page(vec![
            Block::Heading(2, title),
            Block::Line(verdict_line(audit).into()),
        ])];
        blocks.extend(environment(&audit.origins, &audit.overrides));
        let gates = audit.gates.iter();
        blocks.extend(gates.map(|gate| Block::Log(gate_lines(gate, lists_all))));
        blocks.push(Block::Page(vec![table(audit)]));
        blocks.extend(notes(audit));
        blocks
    }

    fn json(self) -> Object {
        json::audit::report(self.audit)
    }
}

/// The result of the audit in words, for the last line of a run.
#[must_use]
pub fn verdict_line(audit: &Audit) -> String {
    let injected = audit.breaches().count();
    let with = |verdict| {
        let breaches = audit.breaches();
        breaches.filter(|one| one.verdict == verdict).count()
    };
    let (caught, waived) = (with(Verdict::Fail), with(Verdict::Waived));
    let missed = injected - caught - waived;
    let caught = match (injected, missed + waived) {
        (0, _) => String::new(),
        (_, 0) => String::from(", all seen"),
        (_, _) => format!(", {caught} seen"),
    };
    let rules = |status, words: &str| {
        let rules = audit.rules().filter(|rule| rule.status() == status);
        let count = rules.count();
        (count, format!("{} {words}", counted(count, "rule")))
    };
    let parts = [
        (missed, format!("{missed} not seen")),
        (waived, format!("{waived} waived")),
        rules(AuditStatus::CannotFail, "can't fail"),
        rules(AuditStatus::Failing, "failing already"),
        rules(AuditStatus::Inconclusive, "not proved here"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: String = parts.map(|(_, words)| format!(", {words}")).collect();
    let word = match audit.outcome() {
        AuditOutcome::Proved => "audited",
        AuditOutcome::CannotFail => "AUDIT FAILED",
        AuditOutcome::NothingAudited => "NOTHING AUDITED",
    };
    format!(
        "alloc-gate: {word}: {}, {}, {} injected{caught}{parts}",
        counted(audit.gates.len(), "gate"),
        counted(audit.rules().count(), "rule"),
        breach_count(injected),
    )
}

/// The word for a status.
const fn word(status: AuditStatus) -> &'static str {
    match status {
        AuditStatus::Proved => "proved",
        AuditStatus::Failing => "failing",
        AuditStatus::Inconclusive => "not proved",
        AuditStatus::CannotFail => "CAN'T FAIL",
    }
}

const fn style(status: AuditStatus) -> Style {
    match status {
        AuditStatus::Proved => Style::Good,
        AuditStatus::Failing | AuditStatus::Inconclusive => Style::Doubtful,
        AuditStatus::CannotFail => Style::Bad,
    }
}

/// A line for the gate and a line for each of its rules. With `lists_all`, they have every
/// breach.
fn gate_lines(gate: &GateAudit, lists_all: bool) -> Document {
    let status = gate.status();
    let status = styled(style(status), format!("{:<10}", word(status)));
    let words = match &gate.skip {
        Some(skip) => skip_words(skip),
        None => counted(gate.rules.len(), "rule").into(),
    };
    let mut lines = vec![words!("{} {}: {}", status, &gate.name, words).into()];
    let mut faint = |indent, words: Line| {
        lines.push(words!("{}{}", indent, styled(Style::Faint, words)).into());
    };
    let rules = gate.rules.iter().filter(|_| gate.skip.is_none());
    for rule in rules {
        let breaches = rule_breaches(rule);
        faint("           ", words!("{}: {}", rule.rule.words(), breaches));
        for comparison in rule.comparisons.iter().filter(|_| lists_all) {
            let limit = &comparison.comparison;
            for proof in &comparison.proofs {
                for breach in &proof.breaches {
                    let words = breach_words(rule, proof, breach);
                    let verdict = breach.verdict.name();
                    let words = words!("{}: {}: {}", limit, words, verdict);
                    faint("             ", words);
                }
                if proof.breaches.is_empty() && proof.found != Found::Caught {
                    let scenario = &proof.scenario;
                    let words = words!("{}: {}: {}", limit, scenario, found_words(rule, proof));
                    faint("             ", words);
                }
            }
        }
    }
    lines
}

/// A row for each rule, and one for each gate that is skipped.
fn table(audit: &Audit) -> Block {
    let mut rows = Vec::new();
    for gate in &audit.gates {
        if let Some(skip) = &gate.skip {
            let proof = word(AuditStatus::Inconclusive).into();
            let name = Line::from(&gate.name);
            rows.push(vec![name, Line::default(), proof, skip_words(skip)]);
            continue;
        }
        rows.extend(gate.rules.iter().map(|rule| {
            let status = rule.status();
            let proof = if status == AuditStatus::CannotFail {
                styled(style(status), word(status)).into()
            } else {
                word(status).into()
            };
            let rule_name = name(rule.rule.words()).into();
            vec![
                Line::from(&gate.name),
                rule_name,
                proof,
                rule_breaches(rule),
            ]
        }));
    }
    let titles = ["gate", "rule", "proof", "breaches"];
    Block::table(titles.map(left), rows)
}

#[cfg(test)]
mod tests;
