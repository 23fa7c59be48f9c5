//! [`judge`]: applies a gate to the scenarios that match it.

use crate::diagnostic::Place;
use crate::evaluation::{Absence, GateSummary, Judgement, Skip, Verdict};
use crate::judge::notes::Notes;
use crate::judge::rule;
use crate::judge::run::Run;
use crate::results::scenario_id::IdRef;
use crate::results::{Environment, MeasuredScenario, Selection};
use crate::rules::{Gate, Unmet};

/// Judges those of the `matched` scenarios that the gate applies to, and adds to the `notes`.
pub(super) fn judge<'i>(
    gate: &'i Gate,
    matched: &[usize],
    run: &Run<'i>,
    notes: &mut Notes<'i>,
) -> GateSummary {
    let mut applicability = Applicability {
        gate,
        run,
        applies: false,
        skip: None,
    };
    let mut judged: Vec<&MeasuredScenario> = Vec::new();
    for &number in matched {
        let measured = &run.scenarios()[number];
        if applicability.applies(measured.id(), &measured.environment) {
            judged.push(measured);
            notes.note(gate, number, measured, &run.policy);
            // A control scenario needs no limit of its own.
            for other in run.referred.numbers(gate, measured) {
                notes.scenarios[other].is_gated = true;
            }
        }
    }
    let mut judgements = rule::judge(gate, &judged, run);
    let judged_any = !judgements.is_empty();
    if let Selection::Scenarios { .. } = run.inputs.selection {
        judgements.retain(|judgement| !lacks_others(judgement, run));
    }
    let unavailable = run.inputs.measurements.unavailable().iter();
    let unavailable = unavailable
        .filter(|one| applicability.applies(one.id(), &one.environment))
        .cloned()
        .collect();
    let (unmatched, mut skip) = applicability.finish(matched);
    if judgements.is_empty() && judged_any {
        skip = Some(Skip::OthersNotSelected);
    }
    let mut summary = GateSummary {
        name: gate.name.clone(),
        reason: gate.reason.clone(),
        place: gate.place,
        verdict: Verdict::Skipped,
        scenarios: judged.len(),
        judgements,
        unmatched,
        benches: gate.filter.benches.clone(),
        unavailable,
        excludes: !gate.filter.exclude.is_empty(),
        skip,
    };
    summary.verdict = summary.worst();
    summary
}

/// Whether the judgement is missing because other scenarios, which it needs, were
/// not measured.
fn lacks_others(judgement: &Judgement, run: &Run<'_>) -> bool {
    let absence = judgement.verdict.absence();
    if absence == Some(Absence::Reference) {
        let details = judgement.details.as_deref();
        let other = details.and_then(|details| details.computed.reference.as_ref());
        let named = |name: &str| run.inputs.measurements.named(name);
        return other.is_some_and(|other| named(&other.scenario).is_empty());
    }
    matches!(absence, Some(Absence::Points | Absence::Span))
}

/// Decides for one scenario after the other whether a gate applies: its `scenarios` must match,
/// its `exclude` must not, and its condition must hold.
struct Applicability<'s> {
    gate: &'s Gate,
    run: &'s Run<'s>,
    /// Whether the gate applied to any scenario.
    applies: bool,
    /// Why the condition did not hold for the first scenario that matched.
    skip: Option<Skip>,
}

impl<'s> Applicability<'s> {
    /// Whether the gate applies to this scenario. It may be measured or unavailable.
    fn applies(&mut self, (bench, name): IdRef<'_>, environment: &Environment) -> bool {
        if !self.gate.filter.includes(bench, name) {
            return false;
        }
        let condition = &self.gate.condition;
        let Some(unmet) = condition.unmet(environment, self.run.inputs.cfgs) else {
            self.applies = true;
            return true;
        };
        self.skip.get_or_insert_with(|| skip(unmet, environment));
        false
    }

    /// The globs that matched no scenario, and why the gate is skipped, if it is.
    fn finish(self, matched: &[usize]) -> (Vec<(String, Place)>, Option<Skip>) {
        let unmet = if self.applies {
            None
        } else {
            self.unmet_everywhere()
        };
        let mut unmatched = Vec::new();
        if self.run.selects_all() && unmet.is_none() {
            let filter = &self.gate.filter;
            let ids = self.run.ids(matched);
            let idle = filter.idle(ids.filter(|(_, name)| !filter.excludes(name)));
            unmatched.extend(idle.map(|glob| (glob.text().to_owned(), glob.place())));
        }
        let is_skipped = !self.applies && unmatched.is_empty();
        let why = self.skip.or(unmet).unwrap_or(Skip::NotSelected);
        (unmatched, is_skipped.then_some(why))
    }

    /// Why the condition holds in no environment of the run, if it does not. The
    /// gate's globs need not match then. `None` for a run without environments.
    fn unmet_everywhere(&self) -> Option<Skip> {
        let condition = &self.gate.condition;
        let cfgs = self.run.inputs.cfgs;
        let mut environments = self.run.inputs.measurements.environments().iter();
        let first = environments.next()?;
        let unmet = condition.unmet(first, cfgs)?;
        let applies = environments.any(|other| condition.holds(other, cfgs));
        (!applies).then(|| skip(unmet, first))
    }
}

/// The reason for skipping a gate whose condition is unmet in the environment.
fn skip(unmet: Unmet<'_>, environment: &Environment) -> Skip {
    match unmet {
        Unmet::When(when) => Skip::When {
            condition: when.text().to_owned(),
            target: environment.target.clone(),
            debug_assertions: when
                .depends_on_debug_assertions()
                .then_some(environment.debug_assertions),
        },
        Unmet::Rustc(required) => Skip::Rustc {
            requirement: required.text().to_owned(),
            rustc: environment.rustc.clone(),
        },
        Unmet::UnknownTarget | Unmet::UnknownRustc => Skip::Unanswered,
    }
}
