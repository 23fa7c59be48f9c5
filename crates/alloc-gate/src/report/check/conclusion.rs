//! The end of a report on failures: how many scenarios and gates failed, why these gates
//! exist, and what to do, each once.

use std::cmp::Reverse;

use indexmap::IndexSet;

use crate::evaluation::{Evaluation, GateSummary, Judgement, Subjects, Verdict};
use crate::evaluation::{subject, worse};
use crate::figure::{counted, thousands};
use crate::report::document::{Inline, Line, at, name, place, words};
use crate::report::view::{Detail, View};
use crate::report::words::{accept_fixes, advice, joined};
use crate::requirement::Limit;
use crate::sites::Found;

/// `3 of 9 scenarios failed, 2 of 4 gates (gates.toml:31, gates.toml:41)`; `None` if no gate
/// failed.
pub(super) fn summary_line(evaluation: &Evaluation) -> Option<Line> {
    let failed: Vec<&GateSummary> = failed_gates(evaluation).collect();
    if failed.is_empty() {
        return None;
    }
    let gates = format!(
        "{} of {}",
        thousands(failed.len()),
        counted(evaluation.tally().judged, "gate")
    );
    let places = failed
        .iter()
        .map(|gate| place(format!("{}:{}", evaluation.config_file, gate.place.line)));
    let places = match failed.len() {
        0..=5 => Line::joined(places, ", "),
        _ => joined(places),
    };
    Some(match evaluation.failed.len() {
        0 => words!("{} failed ({})", gates, places),
        count => words!(
            "{} of {} failed, {} ({})",
            thousands(count),
            counted(evaluation.scenarios.len(), "scenario"),
            gates,
            places
        ),
    })
}

pub(super) fn failed_gates(evaluation: &Evaluation) -> impl Iterator<Item = &GateSummary> {
    let gates = evaluation.gates.iter();
    gates.filter(|gate| evaluation.fails(gate.verdict))
}

/// Why the failed gates exist, `R12: fewer than 5 allocations`; and how much of them the report
/// leaves out.
pub(super) fn reasons(evaluation: &Evaluation) -> Vec<Line> {
    let left_out: usize = failed_gates(evaluation).map(|gate| gate.left_out).sum();
    let left_out = (left_out > 0).then(|| {
        let words = "are not listed: a report has the worst of very many";
        words!("{} {}", counted(left_out, "more verdict"), words)
    });
    failed_gates(evaluation)
        .filter_map(|gate| Some(words!("{}: {}", &gate.name, gate.reason.as_ref()?)))
        .chain(left_out)
        .collect()
}

/// What to do about the verdicts, each advice once: about failures, missing figures, and then
/// stale ones.
pub(super) fn help(evaluation: &Evaluation, subjects: &Subjects<'_>, view: View<'_>) -> Vec<Line> {
    let mut failed = Failures::default();
    let worse = worse(evaluation, subjects);
    // By the verdict, the worst first.
    let mut others: Vec<(Verdict, Line)> = Vec::new();
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            let is_stale = judgement.verdict == Verdict::Stale;
            if view.detail == Detail::Quiet && !evaluation.fails(judgement.verdict)
                || is_stale && worse.contains(&subject(judgement, subjects))
            {
                continue;
            }
            if judgement.verdict == Verdict::Fail && judgement.growth().is_none() {
                failed.add(judgement, evaluation);
            } else {
                let advice = advice(judgement, evaluation);
                others.extend(advice.map(|advice| (judgement.verdict, advice)));
            }
        }
    }
    others.sort_by_key(|(verdict, _)| Reverse(*verdict));
    let all: IndexSet<Line> = failed
        .help(evaluation, view.base)
        .into_iter()
        .chain(others.into_iter().map(|(_, advice)| advice))
        .collect();
    all.into_iter().collect()
}

/// The command that shows the difference to a branch, or to `base` if the lines of failures are
/// known; `None` if the report has that difference.
fn difference_help(evaluation: &Evaluation, branch: &str, base: &str) -> Option<Line> {
    let mut found = evaluation.explained.iter().flat_map(|one| &one.found);
    let is_compared = |one: &Found| matches!(one, Found::Compared { .. });
    if found.clone().any(is_compared) {
        return None;
    }
    let has_lines = found.any(|one| matches!(one, Found::Sites { no_base: None, .. }));
    let (command, what) = if has_lines {
        (format!("check --base {base}"), "which lines")
    } else {
        (format!("compare {branch}"), "what")
    };
    let command = name(format!("cargo alloc-gate {command}"));
    Some(words!("; {} shows {} changed", command, what))
}

/// Comparisons that do not hold, by what makes them hold.
#[derive(Default)]
struct Failures {
    /// The places of limits that `accept` does not change.
    limits: IndexSet<Inline>,
    /// Whether `accept` makes a comparison hold.
    is_acceptable: bool,
    /// Advice on other failures.
    others: IndexSet<Line>,
}

impl Failures {
    fn add(&mut self, judgement: &Judgement, evaluation: &Evaluation) {
        let place = judgement.place;
        if accept_fixes(judgement).is_none() {
            let advice = advice(judgement, evaluation);
            self.others.extend(advice);
            return;
        }
        for comparison in judgement.broken() {
            match comparison.limit {
                Limit::Baseline(_) => self.is_acceptable = true,
                Limit::Number(_) | Limit::Scenario(_) | Limit::Growth(_) => {
                    let place = at(&evaluation.config_file, place);
                    self.limits.insert(place);
                }
            }
        }
    }

    fn help(self, evaluation: &Evaluation, base: Option<&str>) -> Vec<Line> {
        let approves = if evaluation.is_acceptable {
            ""
        } else {
            ", and commit what it writes, which approves the change"
        };
        let accept = self
            .is_acceptable
            .then(|| words!("run `cargo alloc-gate accept`{}", approves));
        let noun = if self.limits.len() == 1 {
            "limit"
        } else {
            "limits"
        };
        let limits = (!self.limits.is_empty())
            .then(|| words!("change the {} at {}", noun, joined(self.limits)));
        let steps: Vec<Line> = accept.into_iter().chain(limits).collect();
        let mut help = Vec::new();
        if !steps.is_empty() {
            let base = base.and_then(|branch| {
                let base = if evaluation.is_acceptable && self.is_acceptable {
                    // It stands for the commits that accepted the figures.
                    "baseline"
                } else {
                    branch
                };
                difference_help(evaluation, branch, base)
            });
            let steps = Line::joined(steps, ", and ");
            help.push(words!("if this is intended, {}{}", steps, base));
        }
        help.extend(self.others);
        help
    }
}
