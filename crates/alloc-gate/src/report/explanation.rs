//! [`Explanation`]: a problem with the facts and the advice that a reader needs to fix it.

use alloc_results::integer;

use crate::evaluation::{Evaluation, Finding, GateSummary, Judgement, Level, Verdict};
use crate::figure::{GrowthClass, Line};
use crate::report::words::{
    Dialect, FindingContext, absence_words, advice, finding_words, measured_words, pattern_advice,
    plain_figure, waiver_details,
};
use crate::requirement::rule_words;
use crate::results::Unavailable;
use crate::rules::Reaction;

/// A problem: a verdict other than a pass, or a finding.
pub(super) struct Explanation {
    /// Whether it fails the check.
    pub(super) level: Level,
    /// The verdict, or the finding's level, in a word.
    pub(super) word: &'static str,
    /// The finding's code; `None` for a verdict.
    pub(super) code: Option<&'static str>,
    /// The gate and the scenario, or the finding in a sentence.
    pub(super) about: String,
    /// Labelled facts, and the advice at the end.
    pub(super) details: Vec<(&'static str, String)>,
}

/// All problems: the gates' in the order of the file, and then the findings.
pub(super) fn explanations(evaluation: &Evaluation, dialect: Dialect) -> Vec<Explanation> {
    let mut explanations = Vec::new();
    for gate in &evaluation.gates {
        let judgements = gate.judgements.iter();
        explanations
            .extend(judgements.filter_map(|j| judgement_explanation(j, gate, evaluation, dialect)));
        explanations.extend(unmatched_patterns(gate, evaluation, dialect));
        explanations.extend(unavailable_scenarios(gate, dialect));
    }
    let findings = evaluation.findings.iter();
    explanations
        .extend(findings.map(|finding| finding_explanation(finding, evaluation.into(), dialect)));
    explanations
}

fn judgement_explanation(
    judgement: &Judgement,
    gate: &GateSummary,
    evaluation: &Evaluation,
    dialect: Dialect,
) -> Option<Explanation> {
    let advice = advice(judgement, evaluation, dialect)?;
    let mut details = vec![
        ("measured", (dialect.text)(&measured_words(judgement))),
        ("required", required(judgement, evaluation, dialect)),
    ];
    details.extend(waiver_details(judgement, &evaluation.config_file, dialect));
    if let Some(accepted) = judgement.baseline {
        let accepted = plain_figure(&judgement.metric, accepted);
        details.push(("baseline", (dialect.text)(&accepted)));
    }
    details.extend(computed(judgement, dialect));
    if let Verdict::Missing(absence) = judgement.verdict {
        let environment = evaluation
            .scenarios
            .iter()
            .find(|measured| measured.id() == judgement.id())
            .map(|measured| (dialect.text)(&measured.environment.to_string()));
        details.push(("missing", absence_words(absence, environment)));
    }
    if let Some(reason) = &gate.reason {
        details.push(("reason", (dialect.text)(reason)));
    }
    details.push(("scenario", dialect.location(&judgement.location)));
    details.push(("next", advice));
    let (level, word) = match (judgement.verdict, evaluation.stale) {
        (Verdict::Stale, Reaction::Deny) => (Level::Deny, "stale (denied)"),
        (Verdict::Stale, Reaction::Warn | Reaction::Allow) => (Level::Warn, "stale"),
        (Verdict::Waived, _) => (Level::Warn, "waived"),
        (Verdict::Fail, _) => (Level::Deny, "FAIL"),
        (Verdict::Missing(_), _) => (Level::Deny, "missing"),
        // There is no advice for these.
        (Verdict::Pass | Verdict::Skipped, _) => return None,
    };
    Some(Explanation {
        level,
        word,
        code: None,
        about: format!(
            "{}: {}",
            (dialect.text)(&gate.name),
            (dialect.text)(&judgement.label())
        ),
        details,
    })
}

/// The computed limits of the comparisons that fail, with the scenarios that they refer to,
/// and the points of a requirement on growth.
fn computed(judgement: &Judgement, dialect: Dialect) -> Vec<(&'static str, String)> {
    let Some(found) = &judgement.details else {
        return Vec::new();
    };
    let mut details = Vec::new();
    let others = found.also_broken.iter();
    let others = others.map(|other| (Some(other.number), &other.computed));
    let all = [(judgement.decisive, &found.computed)].into_iter();
    for (number, computed) in all.chain(others) {
        if let Some(other) = &computed.reference {
            let figure = other.value.map_or_else(
                || String::from("not measured in this run"),
                |value| (dialect.text)(&plain_figure(&other.metric, value)),
            );
            let name = match &other.scenario {
                Some(scenario) => (dialect.name)(scenario),
                None => (dialect.name)(&format!("{} {}", other.metric, other.statistic)),
            };
            details.push(("other", format!("{name}: {figure}")));
        }
        if let Some(limit) = &computed.value {
            let mut text = (dialect.text)(&limit.to_string());
            let comparison = number.and_then(|n| judgement.requirement.comparisons().get(n));
            if let (Some(comparison), false) = (comparison, found.also_broken.is_empty()) {
                text.push_str(&format!(" for {}", (dialect.name)(&comparison.to_string())));
            }
            details.push(("limit", text));
        }
    }
    if let Some(points) = points_words(judgement) {
        details.push(("points", (dialect.text)(&points)));
    }
    if let Some(line) = shown_line(judgement) {
        details.push(("line", (dialect.text)(&line.to_string())));
    }
    details
}

/// The points of a requirement on a series: `3 at 10, 3 at 100`; `None` without any.
pub(super) fn points_words(judgement: &Judgement) -> Option<String> {
    let found = judgement.details.as_ref()?;
    let points = found
        .growth
        .as_ref()
        .map_or(&found.points, |growth| &growth.points);
    let points: Vec<String> = points
        .iter()
        .map(|&(n, value)| {
            let figure = plain_figure(&judgement.metric, value);
            format!("{figure} at {}", integer(n.into()))
        })
        .collect();
    (!points.is_empty()).then(|| points.join(", "))
}

/// The line through the points, if it is about the verdict or fits the growth.
pub(super) fn shown_line(judgement: &Judgement) -> Option<&Line> {
    let is_line = judgement
        .growth()
        .is_none_or(|growth| growth.class == GrowthClass::Linear);
    judgement.line().filter(|_| is_line)
}

/// The rule with its place, and the comparisons that do not hold if it has several.
fn required(judgement: &Judgement, evaluation: &Evaluation, dialect: Dialect) -> String {
    let rule = rule_words(
        &judgement.metric,
        judgement.statistic,
        &judgement.requirement,
    );
    let mut text = format!(
        "{} ({})",
        (dialect.name)(&rule),
        dialect.at(&evaluation.config_file, judgement.place)
    );
    if judgement.verdict == Verdict::Fail && judgement.requirement.comparisons().len() > 1 {
        let broken: Vec<String> = judgement
            .broken()
            .map(|comparison| (dialect.name)(&comparison.to_string()))
            .collect();
        text.push_str(&match broken.split_last() {
            None => String::new(),
            Some((only, [])) => format!(", of which {only} does not hold"),
            Some((last, others)) => {
                format!(", of which {} and {last} do not hold", others.join(", "))
            }
        });
    }
    text
}

fn unmatched_patterns(
    gate: &GateSummary,
    evaluation: &Evaluation,
    dialect: Dialect,
) -> Vec<Explanation> {
    gate.unmatched
        .iter()
        .map(|(pattern, place)| {
            let mut details = Vec::new();
            if let Some(reason) = &gate.reason {
                details.push(("reason", (dialect.text)(reason)));
            }
            let place = dialect.at(&evaluation.config_file, *place);
            details.push(("next", pattern_advice(&place)));
            Explanation {
                level: Level::Deny,
                word: "missing",
                code: None,
                about: format!(
                    "{}: {}",
                    (dialect.text)(&gate.name),
                    unmatched_words(gate, pattern, dialect)
                ),
                details,
            }
        })
        .collect()
}

/// Says that a pattern of the gate matches no scenario.
pub(super) fn unmatched_words(gate: &GateSummary, pattern: &str, dialect: Dialect) -> String {
    let benches = gate.benches.keys();
    let benches: Vec<String> = benches
        .map(|(key, glob)| format!("the {key} {}", (dialect.name)(glob.text())))
        .collect();
    let benches = match benches.is_empty() {
        true => String::new(),
        false => format!("of {} ", benches.join(" and ")),
    };
    let not_excluded = match gate.excludes {
        true => "that is not excluded ",
        false => "",
    };
    format!(
        "no measured scenario {benches}{not_excluded}matches {}",
        (dialect.name)(pattern)
    )
}

/// Advice on scenarios that could not be measured.
pub(super) const UNAVAILABLE_ADVICE: &str = "measure where it is available, limit the gate with \
     `when`, or leave the scenario out with `exclude`";

fn unavailable_scenarios(gate: &GateSummary, dialect: Dialect) -> Vec<Explanation> {
    let explain = |unavailable: &Unavailable| {
        let scenario = &unavailable.scenario;
        let mut details = vec![("missing", (dialect.text)(&scenario.reason))];
        if let Some(reason) = &gate.reason {
            details.push(("reason", (dialect.text)(reason)));
        }
        details.push(("scenario", dialect.location(&scenario.location)));
        details.push(("next", UNAVAILABLE_ADVICE.to_owned()));
        Explanation {
            level: Level::Deny,
            word: "missing",
            code: None,
            about: format!(
                "{}: {} could not be measured",
                (dialect.text)(&gate.name),
                (dialect.name)(&unavailable.label())
            ),
            details,
        }
    };
    gate.unavailable.iter().map(explain).collect()
}

pub(super) fn finding_explanation(
    finding: &Finding,
    context: FindingContext<'_>,
    dialect: Dialect,
) -> Explanation {
    let (about, next) = finding_words(&finding.kind, context, dialect);
    Explanation {
        level: finding.level,
        word: match finding.level {
            Level::Deny => "error",
            Level::Warn => "warning",
        },
        code: Some(finding.kind.code()),
        about,
        details: vec![("next", next)],
    }
}
