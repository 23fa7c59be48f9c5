//! [`Applicability`]: whether a gate applies to a scenario. Its `scenarios` must
//! match, its `exclude` must not, and its condition must hold.

use std::collections::BTreeSet;

use semver::Version;

use crate::diagnostic::Place;
use crate::evaluation::{Finding, FindingKind, GateSummary, Skip};
use crate::judge::inputs::Inputs;
use crate::judge::matching::Matching;
use crate::results::scenario_id::IdRef;
use crate::results::{Environment, Selection};
use crate::rules::{Condition, Gate, Pattern};

/// Decides for one scenario after the other whether a gate applies.
pub(crate) struct Applicability<'s> {
    gate: &'s Gate,
    inputs: &'s Inputs<'s>,
    /// For each glob of the gate, whether it matched a scenario that is not excluded.
    matched: Vec<bool>,
    /// Whether the gate applied to any scenario.
    applies: bool,
    /// Why the condition did not hold for the first scenario that matched.
    skip: Option<Skip>,
}

impl<'s> Applicability<'s> {
    pub(crate) fn new(gate: &'s Gate, inputs: &'s Inputs<'s>) -> Self {
        Self {
            gate,
            inputs,
            matched: vec![false; gate.scenarios.len()],
            applies: false,
            skip: None,
        }
    }

    /// Whether the gate applies to this scenario. It may be measured or unavailable.
    pub(crate) fn applies(&mut self, (bench, name): IdRef<'_>, environment: &Environment) -> bool {
        if !self.gate.benches.includes(bench) {
            return false;
        }
        if self.gate.exclude.iter().any(|glob| glob.matches(name)) {
            return false;
        }
        if !mark(&mut self.matched, &self.gate.scenarios, name) {
            return false;
        }
        let condition = &self.gate.condition;
        match unmet(condition, environment, self.inputs) {
            None => self.applies = true,
            Some(unmet) if self.skip.is_none() => {
                self.skip = Some(skip(unmet, condition, environment));
                return false;
            }
            Some(_) => return false,
        }
        true
    }

    /// The globs that matched no scenario, and why the gate is skipped, if it is.
    pub(crate) fn finish(self) -> (Vec<(String, Place)>, Option<Skip>) {
        let unmet = if self.applies {
            None
        } else {
            self.unmet_everywhere()
        };
        let unmatched: Vec<_> = match (self.inputs.selection, &unmet) {
            (Selection::Whole, None) => self
                .gate
                .scenarios
                .iter()
                .zip(&self.matched)
                .filter(|(_, matched)| !**matched)
                .map(|(pattern, _)| (pattern.text().to_owned(), pattern.place()))
                .collect(),
            (Selection::Selected | Selection::Scenarios { .. }, _)
            | (Selection::Whole, Some(_)) => Vec::new(),
        };
        if self.applies || !unmatched.is_empty() {
            return (unmatched, None);
        }
        let skip = self.skip.or(unmet).unwrap_or(Skip::NotSelected);
        (unmatched, Some(skip))
    }

    /// Why the condition holds in no environment of the run, if it does not. The
    /// gate's globs need not match then. `None` for a run without environments.
    fn unmet_everywhere(&self) -> Option<Skip> {
        let condition = &self.gate.condition;
        let mut environments = self.inputs.measurements.environments().iter();
        let first = environments.next()?;
        let unmet = unmet(condition, first, self.inputs)?;
        let applies = environments.any(|other| holds(condition, other, self.inputs));
        (!applies).then(|| skip(unmet, condition, first))
    }
}

/// Marks the patterns that match the name, and says whether any does.
pub(super) fn mark(matched: &mut [bool], patterns: &[Pattern], name: &str) -> bool {
    let mut is_matched = false;
    for (pattern, matched) in patterns.iter().zip(matched) {
        if pattern.matches(name) {
            *matched = true;
            is_matched = true;
        }
    }
    is_matched
}

/// Whether the condition holds in the environment.
pub(crate) fn holds(condition: &Condition, environment: &Environment, inputs: &Inputs<'_>) -> bool {
    unmet(condition, environment, inputs).is_none()
}

/// The part of a condition that does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unmet {
    When,
    Rustc,
    /// The cfgs of the target are unknown.
    UnknownTarget,
    /// The compiler's version can't be read.
    UnknownRustc,
}

/// The part of the condition that does not hold in the environment, if any.
fn unmet(condition: &Condition, environment: &Environment, inputs: &Inputs<'_>) -> Option<Unmet> {
    if let Some(when) = &condition.when {
        let known = inputs.cfgs.get(&environment.target);
        if known.is_none() && when.needs_cfgs() {
            return Some(Unmet::UnknownTarget);
        }
        let cfgs = known.unwrap_or_default();
        if !when.holds(&environment.target, cfgs, environment.debug_assertions) {
            return Some(Unmet::When);
        }
    }
    if let Some(required) = &condition.rustc {
        let Some(version) = version(&environment.rustc) else {
            return Some(Unmet::UnknownRustc);
        };
        if !required.holds(&version) {
            return Some(Unmet::Rustc);
        }
    }
    None
}

/// The reason for skipping a gate whose condition is unmet in the environment.
fn skip(unmet: Unmet, condition: &Condition, environment: &Environment) -> Skip {
    match (unmet, &condition.when, &condition.rustc) {
        (Unmet::When, Some(when), _) => Skip::When {
            condition: when.text().to_owned(),
            target: environment.target.clone(),
            debug_assertions: when
                .depends_on_debug_assertions()
                .then_some(environment.debug_assertions),
        },
        (Unmet::Rustc, _, Some(required)) => Skip::Rustc {
            requirement: required.text().to_owned(),
            rustc: environment.rustc.clone(),
        },
        (Unmet::When | Unmet::Rustc | Unmet::UnknownTarget | Unmet::UnknownRustc, _, _) => {
            Skip::Unanswered
        }
    }
}

/// The version in the output of `rustc --version`, such as `rustc 1.95.0 (59807616e
/// 2026-04-14)`.
fn version(rustc: &str) -> Option<Version> {
    let mut words = rustc.split_whitespace();
    words.find_map(|word| Version::parse(word).ok())
}

/// The findings about scopes: excludes that match nothing, and conditions that can't
/// be decided.
pub(crate) fn findings(
    inputs: &Inputs<'_>,
    gates: &[GateSummary],
    matching: &Matching,
) -> Vec<Finding> {
    let scenarios = inputs.measurements.scenarios();
    let mut kinds = Vec::new();
    for (number, (gate, summary)) in inputs.config.gates.iter().zip(gates).enumerate() {
        if inputs.selection == Selection::Whole && summary.skip.is_none() {
            let excluded = gate.exclude.iter();
            let unmatched = excluded.filter(|glob| {
                let mut matched = matching.scenarios_of(number).iter();
                let mut unavailable = inputs.measurements.unavailable().iter();
                !matched.any(|&scenario| glob.matches(&scenarios[scenario].record.name))
                    && !unavailable.any(|one| {
                        let name = &one.scenario.name;
                        let mut own = gate.scenarios.iter();
                        glob.matches(name)
                            && gate.benches.includes(&one.bench)
                            && own.any(|own| own.matches(name))
                    })
            });
            kinds.extend(unmatched.map(|glob| FindingKind::UnmatchedExclude {
                gate: gate.name.clone(),
                pattern: glob.text().to_owned(),
                place: glob.place(),
            }));
        }
        let owner = || format!("the gate `{}`", gate.name);
        kinds.extend(undecided(&gate.condition, gate.place, owner, inputs));
    }
    for waiver in &inputs.config.waivers {
        let gate = &inputs.config.gates[waiver.gate];
        let owner = || format!("a waiver of the gate `{}`", gate.name);
        kinds.extend(undecided(&waiver.condition, waiver.place, owner, inputs));
    }
    kinds.into_iter().map(Finding::denied).collect()
}

/// The remarks on a condition that can't be decided in some environments.
fn undecided(
    condition: &Condition,
    place: Place,
    owner: impl Fn() -> String,
    inputs: &Inputs<'_>,
) -> Vec<FindingKind> {
    let mut unknown = BTreeSet::new();
    for environment in inputs.measurements.environments() {
        match unmet(condition, environment, inputs) {
            Some(Unmet::UnknownTarget) => unknown.insert(&environment.target),
            Some(Unmet::UnknownRustc) => unknown.insert(&environment.rustc),
            Some(Unmet::When | Unmet::Rustc) | None => continue,
        };
    }
    unknown
        .into_iter()
        .map(|about| FindingKind::UnansweredCondition {
            owner: owner(),
            condition: condition.to_string(),
            about: about.clone(),
            place,
        })
        .collect()
}
