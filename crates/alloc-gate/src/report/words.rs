//! The sentences of all reports. A format has a [`Dialect`] to escape foreign text: names,
//! places and texts of users.

use alloc_requirement::Operator;
use alloc_results::{Location, Metric, Ratio, ReadingPart, mean};

use crate::diagnostic::Place;
use crate::evaluation::{Absence, Evaluation, InBaseline, Judgement, Verdict};
use crate::figure::{Exact, MIN_POINTS, MIN_SPAN, Measure, Statistic};
use crate::printable::one_line;
use crate::requirement::{Comparison, Limit, Requirement};
use crate::rules::BenchFilter;

mod absence;
mod applies;
mod environment;
mod figures;
mod findings;
mod limits;
mod tables;

pub(super) use absence::absence_sentence;
pub(super) use applies::{skip_words, waiver_details};
pub(super) use environment::environment_words;
pub(super) use figures::{idle_figures, joined, listed};
pub(super) use findings::finding_words;
pub(super) use limits::limits_words;

/// How a format writes foreign text in a sentence.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    /// A name, a pattern, a rule.
    pub(super) name: fn(&str) -> String,
    /// A file with its line.
    pub(super) place: fn(&str) -> String,
    /// A text of a user or of a program.
    pub(super) text: fn(&str) -> String,
}

impl Dialect {
    /// For formats without markup: names in backticks, and no line breaks.
    pub(super) const PLAIN: Self = Self {
        name: |text| format!("`{}`", one_line(text)),
        place: one_line,
        text: one_line,
    };

    /// `gates.toml:12:10`.
    pub(super) fn at(self, file: &str, place: Place) -> String {
        (self.place)(&format!("{file}:{place}"))
    }

    /// `benches/bench.rs:7`.
    pub(super) fn location(self, location: &Location) -> String {
        (self.place)(&format!("{}:{}", location.file, location.line))
    }
}

/// A figure as tables show it: `2.00` allocations, `44` bytes.
pub(super) fn figure_of(metric: &Measure, statistic: Statistic, value: Ratio) -> String {
    if metric.is_time() {
        // Times differ in each run, so a tenth of a nanosecond is precise enough.
        return format!("{} ns", nanoseconds(value));
    }
    match statistic {
        Statistic::PerElement | Statistic::Slope | Statistic::Intercept => mean(value, 2),
        Statistic::Mean | Statistic::Growth if !metric.is_bytes() => mean(value, 2),
        Statistic::Mean
        | Statistic::Min
        | Statistic::Max
        | Statistic::P50
        | Statistic::P99
        | Statistic::First
        | Statistic::Total
        | Statistic::Growth => mean(value, 0),
    }
}

/// A time without its unit.
pub(super) fn nanoseconds(value: Ratio) -> String {
    Exact::from(value).decimal(1)
}

/// Advice for a verdict that is not a pass.
pub(super) fn advice(
    judgement: &Judgement,
    evaluation: &Evaluation,
    dialect: Dialect,
) -> Option<String> {
    let config_file = &evaluation.config_file;
    // A waiver in force replaces the limit.
    let waiver = judgement.waiver.as_deref();
    let place = waiver.map_or(judgement.place, |waiver| waiver.place);
    let place = dialect.at(config_file, place);
    Some(match judgement.verdict {
        Verdict::Pass | Verdict::Skipped => return None,
        Verdict::Waived => applies::waived_advice(waiver?, config_file, dialect),
        Verdict::Fail => failure(judgement, evaluation, &place, dialect),
        Verdict::Stale => improvement(judgement, &place),
        Verdict::Missing(Absence::Metric) => unmeasured(&judgement.metric, &place),
        Verdict::Missing(Absence::Unit) => format!(
            "give `{}` the unit in `[metrics]` that {} measures it in, and look at the limit at \
             {place}",
            judgement.metric,
            dialect.location(&judgement.location)
        ),
        Verdict::Missing(Absence::Environment) if has_other_environments(evaluation) => {
            String::from(
                "to compare in this environment too, run `cargo alloc-gate accept` in it, or \
                 `accept --results` with its recorded results, and commit what it writes; to \
                 leave it out, limit the gate by `when`",
            )
        }
        Verdict::Missing(Absence::Environment | Absence::Baseline | Absence::Iterations) => {
            if evaluation.is_acceptable {
                String::from("run `cargo alloc-gate accept`, and commit what it writes")
            } else {
                format!(
                    "run `cargo alloc-gate accept`, and commit what it writes, or name a base that \
                     has the figure, or change the rule at {place}"
                )
            }
        }
        Verdict::Missing(Absence::Scenario | Absence::Unavailable) => pattern_advice(&place),
        Verdict::Missing(Absence::Elements) => format!(
            "declare the number of elements in the bench, `.elements(|&n| n)`, or remove \
             `per-element` at {place}"
        ),
        Verdict::Missing(Absence::Reference) => format!(
            "see `cargo alloc-gate list` for the scenarios, and correct the name in brackets at \
             {place}"
        ),
        Verdict::Missing(Absence::OtherFigure) => {
            let details = judgement.details.as_ref();
            let other = details.and_then(|details| details.computed.reference.as_ref());
            unmeasured(
                other.map_or(&judgement.metric, |other| &other.metric),
                &place,
            )
        }
        Verdict::Missing(Absence::Axis) => format!(
            "sweep the scenario over an axis of whole numbers, and name that axis with \
             `growth-axis` where it has several; or correct the patterns of the gate at {place}"
        ),
        Verdict::Missing(Absence::LinePoints) => {
            String::from("sweep the scenario over at least two values of the axis")
        }
        Verdict::Missing(Absence::Points | Absence::Span) => format!(
            "sweep at least {MIN_POINTS} values of which the largest is {MIN_SPAN} times the \
             smallest"
        ),
    })
}

/// Whether the baseline has figures, and only of other environments than some scenario's.
fn has_other_environments(evaluation: &Evaluation) -> bool {
    let mut accepted = evaluation.accepted.iter();
    evaluation.is_acceptable
        && accepted
            .any(|one| matches!(one, InBaseline::NoEnvironment { others } if !others.is_empty()))
}

/// Advice for a metric that was not measured.
fn unmeasured(metric: &Measure, place: &str) -> String {
    match metric {
        Measure::Time => {
            return String::from(
                "the timed pass is switched off or failed, or the rules did not name `time` when \
                 this was measured; measure again",
            );
        }
        Measure::Custom(custom) if custom.is_of_peak() => {
            return format!(
                "measure again with these rules and the present alloc-scenario: a bench measures \
                 `{metric}` only where the rules name it. A scenario on several threads has it \
                 only in process scope"
            );
        }
        Measure::Custom(custom) if custom.is_asked_for() => {
            return String::from(
                "measure again with these rules and the present alloc-scenario: a bench measures \
                 metrics of sizes only where the rules name them",
            );
        }
        Measure::Custom(_) => {
            return format!(
                "let the scenario measure `{metric}`, `.metric(\"{metric}\", ...)`, or correct the \
                 patterns of the gate at {place}"
            );
        }
        Measure::Faults => {
            return format!(
                "let the scenario report its requests and faults with `.outcome(...)`, or correct \
                 the patterns of the gate at {place}"
            );
        }
        Measure::Summed(_) => {
            return format!(
                "measure again with the present alloc-scenario, or remove the rule at {place}"
            );
        }
        Measure::Counted(_) => {}
    }
    if metric.counted().map(Metric::part) == Some(ReadingPart::Native) {
        return format!(
            "`{metric}` is measured with the feature `native` of alloc-scenario, on Linux with \
             glibc: enable the feature in the bench's package, or remove the rule at {place}"
        );
    }
    format!(
        "`{metric}` is not measured on several threads in thread scope: give the scenario \
         process scope, or remove the rule at {place}"
    )
}

/// The benches of a filter, behind what they have: ` of the package `codec``. Empty for all.
pub(super) fn benches_of(filter: &BenchFilter, dialect: Dialect) -> String {
    let keys = filter.keys();
    let keys = keys.map(|(key, glob)| format!("the {key} {}", (dialect.name)(glob.text())));
    let keys: Vec<String> = keys.collect();
    match &keys[..] {
        [] => String::new(),
        keys => format!(" of {}", keys.join(" and ")),
    }
}

/// Advice for a pattern that matches nothing.
pub(super) fn pattern_advice(place: &str) -> String {
    format!("see `cargo alloc-gate list` for the scenarios, and correct the pattern at {place}")
}

/// Advice for a comparison that does not hold.
fn failure(
    judgement: &Judgement,
    evaluation: &Evaluation,
    place: &str,
    dialect: Dialect,
) -> String {
    if let Some(growth) = judgement.growth() {
        format!(
            "fix how the code that {} measures grows with {}, or allow `{}` at {place}",
            dialect.location(&judgement.location),
            (dialect.text)(&growth.axis),
            growth.class
        )
    } else if accept_fixes(judgement) == Some(false) {
        format!(
            "fix the code that {} measures, or change the limit at {place}",
            dialect.location(&judgement.location)
        )
    } else if accept_fixes(judgement).is_none() {
        format!(
            "nothing changed since the baseline, and the rule asks for better: improve the code, \
             or change the rule at {place}"
        )
    } else if !evaluation.is_acceptable {
        format!(
            "find what changed since the base; if the change is intended, run `cargo alloc-gate \
             accept`, and commit what it writes, which approves it, or change the rule at {place}"
        )
    } else {
        format!(
            "find what changed since the baseline; if the change is intended, run `cargo alloc-gate \
             accept`, or change the rule at {place}"
        )
    }
}

/// Whether a new baseline makes a failed judgement hold; `None` if nothing changed since the
/// baseline, and the rule asks for better.
pub(super) fn accept_fixes(judgement: &Judgement) -> Option<bool> {
    let is_against_baseline = judgement
        .broken()
        .all(|comparison| matches!(comparison.limit, Limit::Baseline(_)));
    let is_unchanged = asks_for_better(judgement) && judgement.measured == judgement.baseline;
    match (is_against_baseline, is_unchanged) {
        (false, _) => Some(false),
        (true, true) => None,
        (true, false) => Some(true),
    }
}

/// The line of a rule in gates.toml, with another requirement.
pub(super) fn rule_line(
    metric: &Measure,
    statistic: Statistic,
    requirement: &Requirement,
) -> String {
    if statistic == metric.default_statistic() {
        format!("{metric} = \"{requirement}\"")
    } else {
        format!("{metric} = {{ {statistic} = \"{requirement}\" }}")
    }
}

/// Advice for a figure that is better than required.
fn improvement(judgement: &Judgement, place: &str) -> String {
    let tightened = judgement
        .details
        .as_ref()
        .and_then(|d| d.tightened.as_ref());
    if let Some(tightened) = tightened {
        let line = rule_line(&judgement.metric, judgement.statistic, tightened);
        return format!(
            "check that the scenario still does its work; `{line}` at {place} keeps the improvement"
        );
    }
    let is_number = |comparison: &Comparison| matches!(comparison.limit, Limit::Number(_));
    if judgement.decisive().is_some_and(is_number) {
        return format!(
            "check that the scenario still does its work; a limit at {place} that is nearer to the \
             figure keeps the improvement"
        );
    }
    let rest = if asks_for_better(judgement) {
        format!("; the rule at {place} then asks for better still, and one with `=` keeps it")
    } else {
        String::from(", so that it can't get lost unnoticed")
    };
    format!(
        "check that the scenario still does its work; `cargo alloc-gate accept` makes the better \
         figure the baseline{rest}"
    )
}

/// Whether the decisive comparison excludes the baseline's own figure.
fn asks_for_better(judgement: &Judgement) -> bool {
    judgement
        .decisive()
        .is_some_and(|comparison| match comparison.operator {
            Operator::Less | Operator::Greater => true,
            Operator::LessOrEqual | Operator::Equal | Operator::GreaterOrEqual => false,
        })
}

/// Why a judgement is missing, in words. `environment` is the scenario's.
pub(super) fn absence_words(absence: Absence, environment: Option<String>) -> String {
    match absence {
        Absence::Metric => String::from("the metric was not measured"),
        Absence::Unit => {
            String::from("the scenario measures it in a unit other than `[metrics]` declares")
        }
        Absence::Environment => format!(
            "the baseline has no figures of {}",
            environment
                .as_deref()
                .unwrap_or("this target, profile, features and allocator")
        ),
        Absence::Baseline => String::from("the baseline does not have this figure of the scenario"),
        Absence::Iterations => {
            String::from("the baseline's total is of another number of iterations")
        }
        Absence::Scenario => String::from("no measured scenario matches"),
        Absence::Unavailable => String::from("the scenario could not be measured"),
        Absence::Elements => String::from("the scenario declares no number of elements, or 0"),
        Absence::Reference => String::from(
            "the other scenario, or this figure of it, is not in this run, or several benches \
                 have the name",
        ),
        Absence::OtherFigure => {
            String::from("the figure that the limit is computed from was not measured")
        }
        Absence::Axis => String::from("the scenario has no axis of whole numbers, or several"),
        Absence::LinePoints => String::from("a line needs points at two values of the axis"),
        Absence::Points => format!("there are fewer than {MIN_POINTS} points above 0"),
        Absence::Span => {
            format!("the largest point is less than {MIN_SPAN} times the smallest")
        }
    }
}
