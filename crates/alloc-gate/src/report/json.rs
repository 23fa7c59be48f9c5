//! The JSON report. Only this format uses its types, so that the engine's types can change
//! without breaking readers.

use std::io::{self, Write};

use alloc_results::Metric;
use serde::Serialize;

use crate::evaluation::{Evaluation, GateSummary, Judgement, Level, Outcome, Verdict, WaiverNote};
use crate::report::json::fraction::{Fraction, FractionText};
use crate::report::tables::PivotReport;
use crate::report::verdict_line;
use crate::report::words::{Dialect, finding_words, skip_words};
use crate::results::MeasuredScenario;

pub(in crate::report) mod fraction;

/// The version of the format; within it, fields may be added.
const SCHEMA: u32 = 1;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Report::from_evaluation(evaluation))?;
    writeln!(out)
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Report<'r> {
    schema: u32,
    outcome: &'static str,
    verdict: String,
    gates_judged: usize,
    scenarios_measured: usize,
    /// The number of scenarios that the user left out.
    #[serde(skip_serializing_if = "is_zero")]
    scenarios_left_out: usize,
    gates: Vec<Gate<'r>>,
    findings: Vec<Finding>,
    /// The tables of the rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<PivotReport<'r>>,
    scenarios: Vec<Scenario<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Gate<'r> {
    name: &'r str,
    verdict: &'static str,
    reason: Option<&'r str>,
    file: &'r str,
    line: usize,
    column: usize,
    /// Why the gate is skipped, if it is.
    skipped: Option<String>,
    /// Patterns that match no measured scenario.
    unmatched: Vec<&'r str>,
    /// Scenarios that could not be measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unavailable: Vec<Unavailable<'r>>,
    judgements: Vec<JudgementReport<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Unavailable<'r> {
    scenario: &'r str,
    scenario_file: &'r str,
    scenario_line: u32,
    reason: &'r str,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct JudgementReport<'r> {
    scenario: &'r str,
    package: &'r str,
    bench: &'r str,
    scenario_file: &'r str,
    scenario_line: u32,
    metric: &'r str,
    statistic: &'static str,
    requirement: String,
    /// The comparison that decided, if one did.
    decisive: Option<String>,
    line: usize,
    column: usize,
    verdict: &'static str,
    /// Why the judgement is missing, if it is.
    absent: Option<&'static str>,
    measured: Option<Fraction>,
    baseline: Option<Fraction>,
    /// The computed limit, if it is not written as a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<FractionText>,
    /// The other scenario that the limit refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Reference<'r>>,
    /// The growth of the figure, for a requirement on growth.
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth<'r>>,
    /// A tighter requirement, if the figures are far better than this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    tightened: Option<String>,
    /// The waiver in force, if the requirement does not hold.
    waiver: Option<WaiverReport<'r>>,
}

#[derive(Serialize)]
struct Reference<'r> {
    scenario: &'r str,
    measured: Option<Fraction>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Growth<'r> {
    axis: &'r str,
    class: &'static str,
    deviation_permille: u64,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    n: u64,
    measured: Fraction,
}

#[derive(Serialize)]
struct WaiverReport<'r> {
    requirement: String,
    reason: &'r str,
    issue: Option<&'r str>,
    until: Option<String>,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Finding {
    code: &'static str,
    level: &'static str,
    message: String,
    next: String,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Scenario<'r> {
    name: &'r str,
    package: &'r str,
    bench: &'r str,
    iterations: u64,
    deterministic: bool,
    metrics: Vec<MetricReport>,
}

#[derive(Serialize)]
struct MetricReport {
    metric: &'static str,
    mean: Fraction,
    min: i128,
    max: i128,
    total: i128,
    first: Option<i128>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl<'r> Report<'r> {
    pub(super) fn from_evaluation(evaluation: &'r Evaluation) -> Self {
        let tally = evaluation.tally();
        let file = evaluation.config_file.as_str();
        Self {
            schema: SCHEMA,
            outcome: match evaluation.outcome() {
                Outcome::Held => "held",
                Outcome::Failed => "failed",
                Outcome::NothingJudged => "nothing-judged",
            },
            verdict: verdict_line(evaluation),
            gates_judged: tally.judged,
            scenarios_measured: tally.scenarios,
            scenarios_left_out: evaluation.left_out,
            gates: evaluation
                .gates
                .iter()
                .map(|gate| Gate::from_summary(gate, file))
                .collect(),
            findings: evaluation
                .findings
                .iter()
                .map(|finding| {
                    let (message, next) =
                        finding_words(&finding.kind, evaluation.into(), Dialect::PLAIN);
                    Finding {
                        code: finding.kind.code(),
                        level: match finding.level {
                            Level::Deny => "deny",
                            Level::Warn => "warn",
                        },
                        message,
                        next,
                    }
                })
                .collect(),
            tables: evaluation
                .tables
                .iter()
                .map(PivotReport::from_table)
                .collect(),
            scenarios: evaluation
                .scenarios
                .iter()
                .map(Scenario::from_measured)
                .collect(),
        }
    }
}

impl<'r> Gate<'r> {
    fn from_summary(gate: &'r GateSummary, file: &'r str) -> Self {
        Self {
            name: &gate.name,
            verdict: gate.verdict.name(),
            reason: gate.reason.as_deref(),
            file,
            line: gate.place.line,
            column: gate.place.column,
            skipped: gate
                .skip
                .as_ref()
                .map(|skip| skip_words(skip, Dialect::PLAIN)),
            unmatched: gate
                .unmatched
                .iter()
                .map(|(text, _)| text.as_str())
                .collect(),
            unavailable: gate
                .unavailable
                .iter()
                .map(|scenario| Unavailable {
                    scenario: &scenario.name,
                    scenario_file: &scenario.location.file,
                    scenario_line: scenario.location.line,
                    reason: &scenario.reason,
                })
                .collect(),
            judgements: gate
                .judgements
                .iter()
                .map(JudgementReport::from_judgement)
                .collect(),
        }
    }
}

impl<'r> JudgementReport<'r> {
    fn from_judgement(judgement: &'r Judgement) -> Self {
        let details = judgement.details.as_deref();
        Self {
            scenario: &judgement.scenario,
            package: &judgement.bench.package,
            bench: &judgement.bench.target,
            scenario_file: &judgement.location.file,
            scenario_line: judgement.location.line,
            metric: judgement.metric.name(),
            statistic: judgement.statistic.name(),
            requirement: judgement.requirement.to_string(),
            decisive: judgement.decisive().map(ToString::to_string),
            line: judgement.place.line,
            column: judgement.place.column,
            verdict: judgement.verdict.name(),
            absent: match judgement.verdict {
                Verdict::Missing(absence) => Some(absence.name()),
                Verdict::Skipped
                | Verdict::Pass
                | Verdict::Waived
                | Verdict::Stale
                | Verdict::Fail => None,
            },
            measured: judgement.measured.map(Fraction::from_ratio),
            baseline: judgement.baseline.map(Fraction::from_ratio),
            limit: details
                .and_then(|d| d.limit.as_ref())
                .map(|limit| FractionText::from_exact(limit, limit.to_string())),
            reference: details
                .and_then(|d| d.reference.as_ref())
                .map(|(scenario, measured)| Reference {
                    scenario,
                    measured: measured.map(Fraction::from_ratio),
                }),
            growth: judgement.growth().map(|growth| Growth {
                axis: &growth.axis,
                class: growth.class.name(),
                deviation_permille: growth.deviation_permille,
                points: growth
                    .points
                    .iter()
                    .map(|&(n, measured)| Point {
                        n,
                        measured: Fraction::from_ratio(measured),
                    })
                    .collect(),
            }),
            tightened: details
                .and_then(|d| d.tightened.as_ref())
                .map(ToString::to_string),
            waiver: judgement.waiver.as_deref().map(WaiverReport::from_note),
        }
    }
}

impl<'r> WaiverReport<'r> {
    fn from_note(waiver: &'r WaiverNote) -> Self {
        Self {
            requirement: waiver.requirement.to_string(),
            reason: &waiver.reason,
            issue: waiver.issue.as_deref(),
            until: waiver.until.map(|until| until.to_string()),
            line: waiver.place.line,
            column: waiver.place.column,
        }
    }
}

impl<'r> Scenario<'r> {
    fn from_measured(measured: &'r MeasuredScenario) -> Self {
        let record = &measured.record;
        let metrics = Metric::ALL.into_iter().filter_map(|metric| {
            let values = record.distribution(metric)?;
            Some(MetricReport {
                metric: metric.name(),
                mean: Fraction::from_ratio(values.mean()),
                min: values.min(),
                max: values.max(),
                total: values.total(),
                first: metric.value(&record.first),
            })
        });
        Self {
            name: &record.name,
            package: &measured.bench.package,
            bench: &measured.bench.target,
            iterations: record.iterations,
            deterministic: record.is_deterministic(),
            metrics: metrics.collect(),
        }
    }
}
