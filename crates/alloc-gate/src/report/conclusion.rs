//! The end of a report on failures: how many scenarios and gates failed, why these gates
//! exist, and what to do, each once.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use indexmap::IndexSet;

use crate::evaluation::{Absence, Evaluation, GateSummary, Judgement, Verdict};
use crate::figure::{counted, thousands};
use crate::report::explanation::UNAVAILABLE_ADVICE;
use crate::report::subjects::Subjects;
use crate::report::view::{Detail, View};
use crate::report::words::{Dialect, accept_fixes, advice, joined, pattern_advice};
use crate::requirement::Limit;
use crate::rules::Reaction;
use crate::sites::Found;

/// Whether a verdict fails the check.
pub(super) fn fails(verdict: Verdict, evaluation: &Evaluation) -> bool {
    match verdict {
        Verdict::Fail | Verdict::Missing(_) => true,
        Verdict::Stale => evaluation.stale == Reaction::Deny,
        Verdict::Skipped | Verdict::Pass | Verdict::Waived => false,
    }
}

/// `3 of 9 scenarios failed, 2 of 4 gates (gates.toml:31, gates.toml:41)`; `None` if no gate
/// failed.
pub(super) fn summary_line(evaluation: &Evaluation, subjects: &Subjects<'_>) -> Option<String> {
    let failed: Vec<&GateSummary> = failed_gates(evaluation).collect();
    if failed.is_empty() {
        return None;
    }
    let judgements = failed.iter().flat_map(|gate| &gate.judgements);
    let judgements = judgements.filter(|one| fails(one.verdict, evaluation));
    let scenarios: BTreeSet<usize> = judgements.flat_map(|one| subjects.of(one)).collect();
    let gates = format!(
        "{} of {}",
        thousands(failed.len()),
        counted(evaluation.tally().judged, "gate")
    );
    let places: Vec<String> = failed
        .iter()
        .map(|gate| format!("{}:{}", evaluation.config_file, gate.place.line))
        .collect();
    let places = joined_plainly(&places);
    Some(match scenarios.len() {
        0 => format!("{gates} failed ({places})"),
        count => format!(
            "{} of {} failed, {gates} ({places})",
            thousands(count),
            counted(evaluation.scenarios.len(), "scenario")
        ),
    })
}

fn failed_gates(evaluation: &Evaluation) -> impl Iterator<Item = &GateSummary> {
    let gates = evaluation.gates.iter();
    gates.filter(|gate| fails(gate.verdict, evaluation))
}

/// The first places, `a, b and 7 more`.
fn joined_plainly(places: &[String]) -> String {
    match places.len() {
        0..=5 => places.join(", "),
        _ => joined(places),
    }
}

/// Why the failed gates exist: `R12: fewer than 5 allocations`.
pub(super) fn reasons(evaluation: &Evaluation) -> Vec<String> {
    failed_gates(evaluation)
        .filter_map(|gate| Some(format!("{}: {}", gate.name, gate.reason.as_ref()?)))
        .collect()
}

/// What to do about the verdicts, each advice once: about failures, missing figures, and then
/// stale and waived ones.
pub(super) fn help(evaluation: &Evaluation, view: View<'_>) -> Vec<String> {
    let mut failed = Failures::default();
    // By the verdict, the worst first.
    let mut others: Vec<(Verdict, String)> = Vec::new();
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            if view.detail == Detail::Quiet && !fails(judgement.verdict, evaluation) {
                continue;
            }
            if judgement.verdict == Verdict::Fail && judgement.growth().is_none() {
                failed.add(judgement, evaluation);
            } else {
                let advice = advice(judgement, evaluation, Dialect::PLAIN);
                others.extend(advice.map(|advice| (judgement.verdict, advice)));
            }
        }
        for (_, place) in &gate.unmatched {
            let place = Dialect::PLAIN.at(&evaluation.config_file, *place);
            others.push((Verdict::Missing(Absence::Scenario), pattern_advice(&place)));
        }
        if !gate.unavailable.is_empty() {
            let verdict = Verdict::Missing(Absence::Unavailable);
            others.push((verdict, UNAVAILABLE_ADVICE.to_owned()));
        }
    }
    others.sort_by_key(|(verdict, _)| Reverse(*verdict));
    let all: IndexSet<String> = failed
        .help(evaluation, view.base)
        .into_iter()
        .chain(others.into_iter().map(|(_, advice)| advice))
        .collect();
    all.into_iter().collect()
}

/// The base that stands for the commits that accepted the figures.
const BASELINE: &str = "baseline";

/// The command that shows the difference to a branch, or to `base` if the lines of failures are
/// known; `None` if the report has that difference.
fn difference_help(evaluation: &Evaluation, branch: &str, base: &str) -> Option<String> {
    let mut found = evaluation.explained.iter().flat_map(|one| &one.found);
    if found
        .clone()
        .any(|one| matches!(one, Found::Compared { .. }))
    {
        return None;
    }
    Some(
        match found.any(|one| matches!(one, Found::Sites { no_base: None, .. })) {
            true => format!("; `cargo alloc-gate check --base {base}` shows which lines changed"),
            false => format!("; `cargo alloc-gate compare {branch}` shows what changed"),
        },
    )
}

/// Comparisons that do not hold, by what makes them hold.
#[derive(Default)]
struct Failures {
    /// The places of limits that `accept` does not change.
    limits: IndexSet<String>,
    /// Whether `accept` makes a comparison hold.
    is_acceptable: bool,
    /// Advice on other failures.
    others: IndexSet<String>,
}

impl Failures {
    fn add(&mut self, judgement: &Judgement, evaluation: &Evaluation) {
        let place = judgement.waiver.as_deref();
        let place = place.map_or(judgement.place, |waiver| waiver.place);
        if accept_fixes(judgement).is_none() {
            let advice = advice(judgement, evaluation, Dialect::PLAIN);
            self.others.extend(advice);
            return;
        }
        for comparison in judgement.broken() {
            match comparison.limit {
                Limit::Baseline(_) => self.is_acceptable = true,
                Limit::Number(_) | Limit::Scenario(_) | Limit::Figure(_) | Limit::Growth(_) => {
                    let place = Dialect::PLAIN.at(&evaluation.config_file, place);
                    self.limits.insert(place);
                }
            }
        }
    }

    fn help(self, evaluation: &Evaluation, base: Option<&str>) -> Vec<String> {
        let accept = match evaluation.is_acceptable {
            true => "run `cargo alloc-gate accept`",
            false => {
                "run `cargo alloc-gate accept`, and commit what it writes, which approves the change"
            }
        };
        let accept = self.is_acceptable.then(|| accept.to_owned());
        let limits: Vec<String> = self.limits.into_iter().collect();
        let noun = if limits.len() == 1 { "limit" } else { "limits" };
        let limits = (!limits.is_empty()).then(|| {
            let places = joined(&limits);
            format!("change the {noun} at {places}")
        });
        let steps: Vec<String> = accept.into_iter().chain(limits).collect();
        let mut help = Vec::new();
        if !steps.is_empty() {
            let base = base.and_then(
                |base| match evaluation.is_acceptable && self.is_acceptable {
                    true => difference_help(evaluation, base, BASELINE),
                    false => difference_help(evaluation, base, base),
                },
            );
            help.push(format!(
                "if this is intended, {}{}",
                steps.join(", and "),
                base.unwrap_or_default()
            ));
        }
        help.extend(self.others);
        help
    }
}
