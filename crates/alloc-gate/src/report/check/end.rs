//! The end of a report on failures: why the failed gates exist, and what to do, each once.

use alloc_results::Operator;
use indexmap::IndexSet;

use crate::evaluation::{Evaluation, GateSummary, Judgement, Subjects, Verdict, subject, worse};
use crate::measure::{counted, enumerated};
use crate::report::{Detail, View};
use crate::requirement::Limit;
use crate::sites::Found;

pub(in crate::report) fn failed_gates(
    evaluation: &Evaluation,
) -> impl Iterator<Item = &GateSummary> {
    let gates = evaluation.gates.iter();
    gates.filter(|gate| evaluation.fails(gate.verdict))
}

/// Why the failed gates exist, `R12 (gates.toml:9): fewer than 5 allocations`; and how much of them
/// the report leaves out.
pub(super) fn reasons(evaluation: &Evaluation) -> Vec<String> {
    let left_out: usize = failed_gates(evaluation).map(|gate| gate.left_out).sum();
    let left_out = (left_out > 0).then(|| {
        let verdicts = counted(left_out, "more verdict");
        format!("{verdicts} are not listed: a report shows only the worst")
    });
    failed_gates(evaluation)
        .filter_map(|gate| {
            let (name, file, line) = (&gate.name, &evaluation.config_file, gate.place.line);
            Some(format!("{name} ({file}:{line}): {}", gate.reason.as_ref()?))
        })
        .chain(left_out)
        .collect()
}

/// What to do about failures, and then about stale values, each advice once.
pub(super) fn help(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    view: View<'_>,
) -> Vec<String> {
    let worse = worse(evaluation, subjects);
    // The places of limits that `accept` does not change, and whether it makes one hold.
    let mut limits: IndexSet<String> = IndexSet::new();
    let mut accepts = false;
    let (mut failed, mut stale) = (IndexSet::new(), IndexSet::new());
    for judgement in evaluation.gates.iter().flat_map(|gate| &gate.judgements) {
        let place = format!("{}:{}", evaluation.config_file, judgement.place);
        match judgement.verdict {
            Verdict::Pass | Verdict::Skipped | Verdict::Missing(_) => {}
            Verdict::Stale => {
                let is_shown = view.detail != Detail::Quiet || evaluation.fails(Verdict::Stale);
                if is_shown && !worse.contains(&subject(judgement, subjects)) {
                    stale.insert(improvement(judgement, &place));
                }
            }
            Verdict::Fail => {
                if let Some(growth) = judgement.growth() {
                    let (file, line) = (&judgement.location.file, judgement.location.line);
                    failed.insert(format!(
                        "make the code that {file}:{line} measures grow slower with {}, or allow \
                         `{}` at {place}",
                        growth.axis, growth.class
                    ));
                } else if asks_for_better(judgement) && judgement.measured == judgement.baseline {
                    failed.insert(format!(
                        "nothing changed since the baseline, and the gate requires better: \
                         improve the code, or change the requirement at {place}"
                    ));
                } else {
                    for comparison in judgement.broken() {
                        match comparison.limit {
                            Limit::Baseline(_) => accepts = true,
                            Limit::Number(_) | Limit::Scenario(..) | Limit::Growth(_) => {
                                limits.insert(place.clone());
                            }
                        }
                    }
                }
            }
        }
    }
    let accept = accepts.then(|| {
        let approves = ", and commit what it writes, which approves the change";
        let approves = if evaluation.is_acceptable {
            ""
        } else {
            approves
        };
        format!("run `cargo alloc-gate accept`{approves}")
    });
    let limits = (!limits.is_empty()).then(|| {
        let noun = if limits.len() == 1 { "limit" } else { "limits" };
        format!("change the {noun} at {}", enumerated(limits))
    });
    let steps: Vec<String> = accept.into_iter().chain(limits).collect();
    let intended = (!steps.is_empty()).then(|| {
        let difference = view.base.and_then(|branch| {
            let is_baseline = evaluation.is_acceptable && accepts;
            // The baseline stands for the commits that accepted the values.
            difference_help(
                evaluation,
                branch,
                if is_baseline { "baseline" } else { branch },
            )
        });
        let difference = difference.unwrap_or_default();
        format!("if this is intended, {}{difference}", steps.join(", and "))
    });
    intended.into_iter().chain(failed).chain(stale).collect()
}

/// The command that shows the difference to a branch, or to `base` if the lines of failures are
/// known; `None` if the report has that difference, or marks an edited line.
fn difference_help(evaluation: &Evaluation, branch: &str, base: &str) -> Option<String> {
    let mut found = evaluation.explained.iter().flat_map(|one| &one.found);
    let has_difference =
        |one: &Found| matches!(one, Found::Compared { .. }) || one.sites().has_edits();
    if found.clone().any(has_difference) {
        return None;
    }
    Some(
        if found.any(|one| matches!(one, Found::Sites { no_base: None, .. })) {
            format!("; `cargo alloc-gate check --base {base}` shows which lines changed")
        } else {
            format!("; `cargo alloc-gate compare {branch}` shows what changed")
        },
    )
}

/// Advice for a value that is better than required.
fn improvement(judgement: &Judgement, place: &str) -> String {
    let rest = if asks_for_better(judgement) {
        format!(
            "; the gate at {place} then requires better still, unless its limit is written with `=`"
        )
    } else {
        String::from(", so that it can't get lost unnoticed")
    };
    format!(
        "check that the scenario still does its work; `cargo alloc-gate accept` makes the better \
         value the baseline{rest}"
    )
}

/// Whether the decisive comparison excludes the baseline's own value, and no other limit is
/// broken.
fn asks_for_better(judgement: &Judgement) -> bool {
    let mut broken = judgement.broken();
    broken.all(|one| matches!(one.limit, Limit::Baseline(_)))
        && judgement
            .decisive()
            .is_some_and(|one| matches!(one.operator, Operator::Less | Operator::Greater))
}
