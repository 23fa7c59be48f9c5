//! What a gate is about: its globs without what it excludes, and where its
//! condition holds. Verdicts on figures are not reached here.

use std::collections::BTreeSet;

use semver::Version;

use crate::diagnostic::Place;
use crate::evaluation::{Finding, FindingKind, GateSummary, Level, Skip};
use crate::judge::inputs::Inputs;
use crate::judge::matching::Matching;
use crate::results::{Environment, Selection};
use crate::rules::{Condition, Gate};

/// Which scenarios a gate applies to, seen one after the other.
pub(crate) struct Applicability<'s> {
    gate: &'s Gate,
    inputs: &'s Inputs<'s>,
    /// Per glob of the gate, whether it matches a scenario that is not excluded.
    matched: Vec<bool>,
    /// Whether it applies to something.
    applies: bool,
    /// Why the first scenario that the gate is about is not judged.
    skip: Option<Skip>,
}

impl<'s> Applicability<'s> {
    pub(crate) fn of(gate: &'s Gate, inputs: &'s Inputs<'s>) -> Self {
        Self {
            gate,
            inputs,
            matched: vec![false; gate.scenarios.len()],
            applies: false,
            skip: None,
        }
    }

    /// Whether the gate applies to the scenario of this name, measured or not.
    pub(crate) fn applies(&mut self, name: &str, environment: &Environment) -> bool {
        if self.gate.exclude.iter().any(|glob| glob.matches(name)) {
            return false;
        }
        let mut is_about = false;
        for (pattern, matched) in self.gate.scenarios.iter().zip(&mut self.matched) {
            if pattern.matches(name) {
                *matched = true;
                is_about = true;
            }
        }
        if !is_about {
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

    /// The globs whose scenarios are missing, and why the gate is skipped, if it
    /// is.
    pub(crate) fn finish(self) -> (Vec<(String, Place)>, Option<Skip>) {
        let elsewhere = if self.applies { None } else { self.elsewhere() };
        let unmatched: Vec<_> = match (self.inputs.selection, &elsewhere) {
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
        let skip = self.skip.or(elsewhere).unwrap_or(Skip::NotSelected);
        (unmatched, Some(skip))
    }

    /// Why the gate applies nowhere in this run, if it does not: then it does not
    /// matter which scenarios there are. Without any, nothing is known.
    fn elsewhere(&self) -> Option<Skip> {
        let condition = &self.gate.condition;
        let mut environments = self.inputs.measurements.environments().iter();
        let first = environments.next()?;
        let unmet = unmet(condition, first, self.inputs)?;
        let applies = environments.any(|other| holds(condition, other, self.inputs));
        (!applies).then(|| skip(unmet, condition, first))
    }
}

/// Whether the condition holds in the environment.
pub(crate) fn holds(condition: &Condition, environment: &Environment, inputs: &Inputs<'_>) -> bool {
    unmet(condition, environment, inputs).is_none()
}

/// Which part of a condition does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unmet {
    When,
    Rustc,
    /// The target is not known.
    UnknownTarget,
    /// The compiler has no version.
    UnknownRustc,
}

/// Which part of the condition does not hold in the environment, if one does not.
fn unmet(condition: &Condition, environment: &Environment, inputs: &Inputs<'_>) -> Option<Unmet> {
    if let Some(when) = &condition.when {
        let known = inputs.cfgs.of(&environment.target);
        if known.is_none() && when.asks_compiler() {
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

fn skip(unmet: Unmet, condition: &Condition, environment: &Environment) -> Skip {
    match (unmet, &condition.when, &condition.rustc) {
        (Unmet::When, Some(when), _) => Skip::When {
            condition: when.text().to_owned(),
            target: environment.target.clone(),
            debug_assertions: when
                .asks_debug_assertions()
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

/// The version in what `rustc --version` prints: `rustc 1.95.0 (59807616e
/// 2026-04-14)`.
fn version(rustc: &str) -> Option<Version> {
    let mut words = rustc.split_whitespace();
    words.find_map(|word| Version::parse(word).ok())
}

/// What is wrong with where rules apply: exclusions of nothing, and conditions
/// that nothing answers.
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
                        glob.matches(name) && own.any(|own| own.matches(name))
                    })
            });
            kinds.extend(unmatched.map(|glob| FindingKind::UnmatchedExclude {
                gate: gate.name.clone(),
                pattern: glob.text().to_owned(),
                place: glob.place(),
            }));
        }
        let owner = || format!("the gate `{}`", gate.name);
        kinds.extend(unanswered(&gate.condition, gate.place, owner, inputs));
    }
    for waiver in &inputs.config.waivers {
        let gate = &inputs.config.gates[waiver.gate];
        let owner = || format!("a waiver of the gate `{}`", gate.name);
        kinds.extend(unanswered(&waiver.condition, waiver.place, owner, inputs));
    }
    let deny = |kind| Finding {
        level: Level::Deny,
        kind,
    };
    kinds.into_iter().map(deny).collect()
}

/// What of the environments nothing is known of, where the condition asks for it.
fn unanswered(
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
