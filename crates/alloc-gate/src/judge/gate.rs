//! [`judge`]: applies a gate to the scenarios that match it.

use crate::diagnostic::Place;
use crate::evaluation::{Absence, GateSummary, Ruling, Skip, Verdict};
use crate::judge::kept::Kept;
use crate::judge::notes::Notes;
use crate::judge::rule::{self, Numbered};
use crate::judge::run::Run;
use crate::results::{Environment, Selection, Unavailable};
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
    let mut judged: Vec<Numbered<'i>> = Vec::new();
    for &number in matched {
        let measured = &run.scenarios()[number];
        let is_excluded = gate.filter.excludes(&measured.record.name);
        if !is_excluded && applicability.applies(&measured.environment) {
            judged.push((number, measured));
            notes.note(gate, number, measured, &run.policy);
            // A control scenario needs no limit of its own.
            for other in run.referred.numbers(gate, measured) {
                notes.scenarios[other].is_gated = true;
            }
        }
    }
    let mut kept = Kept::new(run.inputs.config.gates.len(), gate.rules.len());
    let mut judged_any = false;
    let is_part = matches!(run.inputs.selection, Selection::Scenarios { .. });
    rule::judge(gate, &judged, run, &mut |rule, members, series, ruling| {
        judged_any = true;
        if is_part && lacks_others(&ruling, run) {
            return;
        }
        for &(number, _) in members.iter().filter(|_| run.fails(ruling.verdict)) {
            notes.scenarios[number].is_failed = true;
        }
        kept.add(rule, members[0].1, series, ruling);
    });
    let unavailable = run.inputs.measurements.unavailable().iter();
    let unavailable: Vec<Unavailable> = unavailable
        .filter(|one| {
            let (bench, name) = one.id();
            gate.filter.includes(bench, name) && applicability.applies(&one.environment)
        })
        .cloned()
        .collect();
    let (unmatched, mut skip) = applicability.finish(matched);
    if kept.count == 0 && judged_any {
        skip = Some(Skip::OthersNotSelected);
    }
    let missing = (!unmatched.is_empty()).then_some(Verdict::Missing(Absence::Scenario));
    let is_available = unavailable.is_empty();
    let missing_here = (!is_available).then_some(Verdict::Missing(Absence::Unavailable));
    let worst = kept.verdict.max(missing).max(missing_here);
    let count = kept.count;
    let judgements = kept.judgements();
    GateSummary {
        name: gate.name.clone(),
        reason: gate.reason.clone(),
        place: gate.place,
        verdict: worst.unwrap_or(Verdict::Skipped),
        scenarios: judged.len(),
        left_out: count - judgements.len(),
        judgements,
        unmatched,
        benches: gate.filter.benches.clone(),
        unavailable,
        excludes: !gate.filter.exclude.is_empty(),
        skip,
    }
}

/// Whether the verdict is missing because other scenarios, which it needs, were
/// not measured.
fn lacks_others(ruling: &Ruling, run: &Run<'_>) -> bool {
    let absence = ruling.verdict.absence();
    if absence == Some(Absence::Reference) {
        let details = ruling.details.as_deref();
        let other = details.and_then(|details| details.computed.reference.as_ref());
        let named = |name: &str| run.inputs.measurements.named(name);
        return other.is_some_and(|other| named(&other.scenario).is_empty());
    }
    matches!(absence, Some(Absence::Points | Absence::Span))
}

/// Decides for one scenario after the other whether a gate applies: its `scenarios` must match,
/// its `exclude` must not, and its condition must hold.
struct Applicability<'s, 'i> {
    gate: &'s Gate,
    run: &'s Run<'i>,
    /// Whether the gate applied to any scenario.
    applies: bool,
    /// Why the condition did not hold for the first scenario that matched.
    skip: Option<Skip>,
}

impl Applicability<'_, '_> {
    /// Whether the gate applies to a scenario that matches. It may be measured or unavailable.
    fn applies(&mut self, environment: &Environment) -> bool {
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
