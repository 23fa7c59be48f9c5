//! [`missing`]: what a verdict lacks, and what to do about it.

use crate::baseline::Baseline;
use crate::diagnostic::{Code, Diagnostic, Level, Where};
use crate::evaluation::Ruling;
use crate::figure::{MIN_POINTS, MIN_SPAN, Measure};
use crate::judge::run::Run;
use crate::printable::quoted;
use crate::requirement::figure_words;
use crate::results::MeasuredScenario;
use crate::rules::Rule;

/// What to do about a pattern that matches nothing.
pub(super) const SEE_LIST: &str =
    "see `cargo alloc-gate list` for the scenarios, and correct the pattern";

/// What to do about figures that the baseline does not have.
const ACCEPT: &str = "run `cargo alloc-gate accept`, and commit what it writes";

/// What `rule` lacks, by the `code` of its verdict, on a scenario, or on a series with this label that
/// begins with the scenario.
pub(super) fn missing(
    code: Code,
    rule: &Rule,
    measured: &MeasuredScenario,
    label: &str,
    ruling: &Ruling,
    run: &Run<'_>,
) -> Diagnostic {
    let figure = quoted(&figure_words(&rule.metric, rule.statistic));
    let (scenario, metric) = (quoted(label), quoted(rule.metric.name()));
    let mut place = run.in_rules(rule.place);
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "`compare` and `series` name no other codes"
    )]
    let (message, help) = match code {
        Code::OtherUnit => (
            format!(
                "{metric} of {scenario} was measured in a unit other than `[metrics]` declares"
            ),
            format!("give {metric} in `[metrics]` the unit of the bench, and look at the limit"),
        ),
        Code::NoEnvironment => {
            // It is not about this figure.
            place = Where::Nowhere;
            no_environment(measured, run)
        }
        Code::NoAcceptedFigure => (
            format!("the baseline does not have {figure} of {scenario}"),
            accept(run),
        ),
        Code::NoElements => (
            format!("{scenario} declares no number of elements above 0, for {figure}"),
            "declare the number of elements in the bench, `.elements(|&n| n)`, or remove \
             `per-element`"
                .into(),
        ),
        Code::NoReference => {
            let details = ruling.details.as_ref();
            let other = details.and_then(|found| found.computed.reference.as_ref());
            let other = quoted(other.map_or("", |other| &other.scenario));
            (
                format!(
                    "{scenario} can't be compared with {other}: it, or {figure} of it, is not in \
                     this run, or several benches have the name"
                ),
                "see `cargo alloc-gate list` for the scenarios, and correct the name in brackets"
                    .into(),
            )
        }
        Code::UncomputableLimit => (
            format!(
                "the limit of {figure} for {scenario} has more digits than can be computed exactly"
            ),
            "write the factor or the tolerance with fewer decimals".into(),
        ),
        Code::NoAxis => (
            format!("{scenario} has no axis of whole numbers, or several"),
            "sweep the scenario over an axis of whole numbers, and name that axis with \
             `growth-axis` where it has several; or correct the patterns of the gate"
                .into(),
        ),
        Code::TooFewPoints => (
            format!("{scenario} has fewer than {MIN_POINTS} points above 0, too few for {figure}"),
            more_points(),
        ),
        Code::PointsTooNear => (
            format!(
                "the largest point of {scenario} is less than {MIN_SPAN} times the smallest, too \
                 near for {figure}"
            ),
            more_points(),
        ),
        _ => (
            format!("{figure} of {scenario} was not measured"),
            match &rule.metric {
                Measure::Custom(_) => format!(
                    "let the scenario measure {metric}, {}, or correct the patterns of the gate",
                    quoted(&format!(".metric(\"{}\", ...)", rule.metric.name()))
                ),
                Measure::ForeignAllocs => {
                    "measure again with the present alloc-scenario, or remove the rule".into()
                }
                Measure::Counted(_) => format!(
                    "{metric} is not measured on several threads in thread scope: give the \
                     scenario process scope, or remove the rule"
                ),
            },
        ),
    };
    Diagnostic::new(code, Level::Deny, place, &message).help(help)
}

fn more_points() -> String {
    format!(
        "sweep at least {MIN_POINTS} values of which the largest is {MIN_SPAN} times the smallest"
    )
}

fn is_acceptable(run: &Run<'_>) -> bool {
    !run.inputs.baseline.is_some_and(Baseline::is_measured)
}

fn accept(run: &Run<'_>) -> String {
    if is_acceptable(run) {
        ACCEPT.into()
    } else {
        format!("{ACCEPT}, or name a base that has the figure, or change the rule")
    }
}

/// That the baseline has no figures of the environment.
fn no_environment(measured: &MeasuredScenario, run: &Run<'_>) -> (String, String) {
    const SHOWN: usize = 2;
    let baseline = run.referred.baseline().into_iter();
    let others = baseline.flat_map(Baseline::environments);
    let others = others.map(|accepted| quoted(&accepted.environment.to_string()));
    let mut others: Vec<String> = others.collect();
    let here = quoted(&measured.environment.to_string());
    let message = format!("the baseline has no figures of {here}");
    if others.is_empty() || !is_acceptable(run) {
        return (message, accept(run));
    }
    if let more @ 1.. = others.len().saturating_sub(SHOWN) {
        others.truncate(SHOWN);
        others.push(format!("{more} more"));
    }
    (
        format!("{message}; it has those of {}", others.join(", ")),
        "to compare in this environment too, run `cargo alloc-gate accept` in it, or `accept \
         --results` with its recorded results, and commit what it writes; to leave it out, limit \
         the gate by `when`"
            .into(),
    )
}
