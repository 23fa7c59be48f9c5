//! The machine-readable report: one JSON object. Its types are of this format
//! alone, so that the engine's can change without breaking a reader.

use std::io;
use std::io::Write;

use alloc_results::{Metric, Ratio, integer, mean};
use serde::Serialize;

use crate::evaluation::{Evaluation, GateSummary, Judgement, Level, Outcome, Verdict, WaiverNote};
use crate::figure::Exact;
use crate::report::tables::PivotReport;
use crate::report::verdict_line;
use crate::report::words::{Dialect, remark_words, skip_words};
use crate::results::MeasuredScenario;

/// The version of the format; within it, fields may be added.
const SCHEMA: u32 = 1;

/// Writes the whole report.
///
/// # Errors
///
/// When `out` can't be written.
pub fn write(evaluation: &Evaluation, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Report::of(evaluation))?;
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
    /// How many a person left out.
    #[serde(skip_serializing_if = "is_none")]
    scenarios_left_out: usize,
    gates: Vec<Gate<'r>>,
    findings: Vec<Finding>,
    /// The tables that the rules ask for.
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
    /// Why, where the verdict is `skipped`.
    skipped: Option<String>,
    /// Patterns whose scenarios are missing.
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
    /// The comparison that decided, where one did.
    decisive: Option<String>,
    line: usize,
    column: usize,
    verdict: &'static str,
    /// What is absent, where the verdict is `missing`.
    absent: Option<&'static str>,
    measured: Option<Fraction>,
    baseline: Option<Fraction>,
    /// What the limit comes to, where it has to be worked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<FractionText>,
    /// The other scenario that the limit refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Reference<'r>>,
    /// How the figure grows, of a requirement on growth.
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth<'r>>,
    /// The requirement to write instead, where the figures are far better.
    #[serde(skip_serializing_if = "Option::is_none")]
    tightened: Option<String>,
    /// The waiver that was asked, where the requirement does not hold and one is
    /// in force.
    waiver: Option<WaiverReport<'r>>,
}

/// A rational number of any size: its parts are texts.
#[derive(Serialize)]
pub(super) struct FractionText {
    numerator: String,
    denominator: String,
    text: String,
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

/// A rational number, exactly and as text.
#[derive(Serialize)]
pub(super) struct Fraction {
    numerator: i128,
    denominator: u64,
    text: String,
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
    reason = "serde hands a reference to it"
)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl<'r> Report<'r> {
    pub(super) fn of(evaluation: &'r Evaluation) -> Self {
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
                .map(|gate| Gate::of(gate, file))
                .collect(),
            findings: evaluation
                .findings
                .iter()
                .map(|finding| {
                    let (message, next) =
                        remark_words(&finding.remark, evaluation.into(), Dialect::PLAIN);
                    Finding {
                        code: finding.remark.code(),
                        level: match finding.level {
                            Level::Deny => "deny",
                            Level::Warn => "warn",
                        },
                        message,
                        next,
                    }
                })
                .collect(),
            tables: evaluation.tables.iter().map(PivotReport::of).collect(),
            scenarios: evaluation.scenarios.iter().map(Scenario::of).collect(),
        }
    }
}

impl<'r> Gate<'r> {
    fn of(gate: &'r GateSummary, file: &'r str) -> Self {
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
            judgements: gate.judgements.iter().map(JudgementReport::of).collect(),
        }
    }
}

impl<'r> JudgementReport<'r> {
    fn of(judgement: &'r Judgement) -> Self {
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
            measured: judgement.measured.map(Fraction::of),
            baseline: judgement.baseline.map(Fraction::of),
            limit: details
                .and_then(|d| d.limit.as_ref())
                .map(|limit| FractionText::of(limit, limit.to_string())),
            reference: details
                .and_then(|d| d.reference.as_ref())
                .map(|(scenario, measured)| Reference {
                    scenario,
                    measured: measured.map(Fraction::of),
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
                        measured: Fraction::of(measured),
                    })
                    .collect(),
            }),
            tightened: details
                .and_then(|d| d.tightened.as_ref())
                .map(ToString::to_string),
            waiver: judgement.waiver.as_deref().map(WaiverReport::of),
        }
    }
}

impl<'r> WaiverReport<'r> {
    fn of(waiver: &'r WaiverNote) -> Self {
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

impl FractionText {
    pub(super) fn of(value: &Exact, text: String) -> Self {
        let (numerator, denominator) = value.parts();
        Self {
            numerator,
            denominator,
            text,
        }
    }
}

impl Fraction {
    pub(super) fn of(value: Ratio) -> Self {
        Self {
            numerator: value.numerator(),
            denominator: value.denominator(),
            text: value.as_whole().map_or_else(|| mean(value, 2), integer),
        }
    }
}

impl<'r> Scenario<'r> {
    fn of(measured: &'r MeasuredScenario) -> Self {
        let record = &measured.record;
        let metrics = Metric::ALL.into_iter().filter_map(|metric| {
            let values = record.distribution(metric)?;
            Some(MetricReport {
                metric: metric.name(),
                mean: Fraction::of(values.mean()),
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
