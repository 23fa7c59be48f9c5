//! The audit as JSON: one object, with types of its own.

use std::io::{self, Write};

use alloc_results::Location;
use serde::Serialize;

use crate::audit::{
    Audit, AuditOutcome, AuditStatus, ComparisonAudit, Figure, Found, GateAudit, LooseLimit,
    Mutation, Proof, RuleAudit,
};
use crate::diagnostic::Place;
use crate::report::audit::{found_words, verdict_line};
use crate::report::json::fraction::Fraction;
use crate::report::words::{Dialect, skip_words};

/// The version of the format. Adding a field does not change it.
const SCHEMA: u32 = 1;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Report::from_audit(audit))?;
    writeln!(out)
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Report<'r> {
    schema: u32,
    outcome: &'static str,
    verdict: String,
    file: &'r str,
    scenarios_measured: usize,
    breaches: usize,
    gates: Vec<Gate<'r>>,
    ungated: Vec<Ungated<'r>>,
    idle_waivers: Vec<Waiver<'r>>,
    far_limits: Vec<LooseLimitReport<'r>>,
}

#[derive(Serialize)]
struct Gate<'r> {
    name: &'r str,
    line: usize,
    column: usize,
    standing: &'static str,
    /// Why the gate is skipped, if it is.
    skipped: Option<String>,
    rules: Vec<Rule<'r>>,
}

#[derive(Serialize)]
struct Rule<'r> {
    metric: &'r str,
    statistic: &'static str,
    requirement: String,
    line: usize,
    column: usize,
    standing: &'static str,
    comparisons: Vec<Comparison<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Comparison<'r> {
    comparison: String,
    standing: &'static str,
    /// The number of scenarios for which nothing was tried.
    left_out: usize,
    proofs: Vec<ProofReport<'r>>,
}

#[derive(Serialize)]
struct ProofReport<'r> {
    scenario: &'r str,
    found: &'static str,
    why: String,
    breaches: Vec<MutationReport>,
}

#[derive(Serialize)]
struct MutationReport {
    before: FigureReport,
    after: FigureReport,
    changed: u64,
    verdict: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FigureReport {
    Value(Fraction),
    Growth(&'static str),
}

#[derive(Serialize)]
struct Ungated<'r> {
    scenario: &'r str,
    file: &'r str,
    line: u32,
}

#[derive(Serialize)]
struct Waiver<'r> {
    gate: &'r str,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct LooseLimitReport<'r> {
    gate: &'r str,
    metric: &'r str,
    statistic: &'static str,
    requirement: String,
    line: usize,
    column: usize,
    scenario: &'r str,
    worst: Fraction,
    tightened: Option<String>,
}

impl<'r> Report<'r> {
    fn from_audit(audit: &'r Audit) -> Self {
        let ungated = audit.ungated.iter();
        let waivers = audit.idle_waivers.iter();
        Self {
            schema: SCHEMA,
            outcome: match audit.outcome() {
                AuditOutcome::Proved => "proved",
                AuditOutcome::CannotFail => "cannot-fail",
                AuditOutcome::NothingAudited => "nothing-audited",
            },
            verdict: verdict_line(audit),
            file: &audit.config_file,
            scenarios_measured: audit.scenarios,
            breaches: audit.mutations().count(),
            gates: audit.gates.iter().map(Gate::from_audit).collect(),
            ungated: ungated
                .map(|(scenario, Location { file, line })| Ungated {
                    scenario,
                    file,
                    line: *line,
                })
                .collect(),
            idle_waivers: waivers
                .map(|(gate, Place { line, column })| Waiver {
                    gate,
                    line: *line,
                    column: *column,
                })
                .collect(),
            far_limits: audit
                .loose_limits
                .iter()
                .map(LooseLimitReport::from_limit)
                .collect(),
        }
    }
}

impl<'r> Gate<'r> {
    fn from_audit(gate: &'r GateAudit) -> Self {
        Self {
            name: &gate.name,
            line: gate.place.line,
            column: gate.place.column,
            standing: status_word(gate.status()),
            skipped: gate
                .skip
                .as_ref()
                .map(|skip| skip_words(skip, Dialect::PLAIN)),
            rules: gate.rules.iter().map(Rule::from_audit).collect(),
        }
    }
}

impl<'r> Rule<'r> {
    fn from_audit(rule: &'r RuleAudit) -> Self {
        let comparisons = rule.comparisons.iter();
        Self {
            metric: rule.metric.name(),
            statistic: rule.statistic.name(),
            requirement: rule.requirement.to_string(),
            line: rule.place.line,
            column: rule.place.column,
            standing: status_word(rule.status()),
            comparisons: comparisons
                .map(|c| Comparison::from_audit(rule, c))
                .collect(),
        }
    }
}

impl<'r> Comparison<'r> {
    fn from_audit(rule: &RuleAudit, audit: &'r ComparisonAudit) -> Self {
        let proof = |proof: &'r Proof| ProofReport {
            scenario: &proof.scenario,
            found: found_word(&proof.found),
            why: found_words(rule, proof),
            breaches: proof
                .mutations
                .iter()
                .map(MutationReport::from_mutation)
                .collect(),
        };
        Self {
            comparison: audit.comparison.to_string(),
            standing: status_word(audit.status()),
            left_out: audit.left_out,
            proofs: audit.proofs.iter().map(proof).collect(),
        }
    }
}

impl MutationReport {
    fn from_mutation(mutation: &Mutation) -> Self {
        let figure = |figure| match figure {
            Figure::Value(value) => FigureReport::Value(Fraction::from_ratio(value)),
            Figure::Growth(class) => FigureReport::Growth(class.name()),
        };
        Self {
            before: figure(mutation.before),
            after: figure(mutation.after),
            changed: mutation.changed,
            verdict: mutation.verdict.name(),
        }
    }
}

impl<'r> LooseLimitReport<'r> {
    fn from_limit(limit: &'r LooseLimit) -> Self {
        Self {
            gate: &limit.gate,
            metric: limit.metric.name(),
            statistic: limit.statistic.name(),
            requirement: limit.requirement.to_string(),
            line: limit.place.line,
            column: limit.place.column,
            scenario: &limit.scenario,
            worst: Fraction::from_ratio(limit.worst),
            tightened: limit.tightened.as_ref().map(ToString::to_string),
        }
    }
}

const fn status_word(status: AuditStatus) -> &'static str {
    match status {
        AuditStatus::Proved => "proved",
        AuditStatus::Failing => "failing",
        AuditStatus::Inconclusive => "not-proved",
        AuditStatus::CannotFail => "cannot-fail",
    }
}

const fn found_word(found: &Found) -> &'static str {
    match found {
        Found::Caught => "seen",
        Found::Failing => "failing",
        Found::Missed => "unseen",
        Found::Unbreakable(_) => "out-of-reach",
        Found::Inconclusive(_) => "not-proved",
    }
}
