//! What a gate is about: its globs without what it excludes, and where its
//! condition holds. Verdicts on figures are not reached here.

use std::collections::BTreeSet;

use semver::Version;

use crate::config::{Condition, Gate, Pattern};
use crate::diagnostic::Place;
use crate::evaluate::{Inputs, Partiality};
use crate::evaluation::{Finding, GateSummary, Level, Remark, ScopeRemark, Skip};
use crate::measurements::{Environment, Measured};

/// Which scenarios a gate judges, seen one after the other.
pub(crate) struct Reach<'s> {
    gate: &'s Gate,
    inputs: &'s Inputs<'s>,
    /// Per glob of the gate, whether it matches a scenario that is not excluded.
    matched: Vec<bool>,
    /// Whether something is judged.
    judges: bool,
    /// Why the first scenario that the gate is about is not judged.
    skip: Option<Skip>,
}

impl<'s> Reach<'s> {
    pub(crate) fn of(gate: &'s Gate, inputs: &'s Inputs<'s>) -> Self {
        Self {
            gate,
            inputs,
            matched: vec![false; gate.scenarios.len()],
            judges: false,
            skip: None,
        }
    }

    /// Whether the gate judges this scenario.
    pub(crate) fn judges(&mut self, measured: &Measured) -> bool {
        let name = &measured.record.name;
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
        match inapplicable(&self.gate.condition, &measured.environment, self.inputs) {
            None => {
                self.judges = true;
                true
            }
            Some(skip) => {
                self.skip.get_or_insert(skip);
                false
            }
        }
    }

    /// The globs whose scenarios are missing, and why the gate is skipped, if it
    /// is.
    pub(crate) fn finish(self) -> (Vec<(String, Place)>, Option<Skip>) {
        let elsewhere = if self.judges { None } else { self.elsewhere() };
        let unmatched: Vec<_> = match (self.inputs.partiality, &elsewhere) {
            (Partiality::Whole, None) => self
                .gate
                .scenarios
                .iter()
                .zip(&self.matched)
                .filter(|(_, matched)| !**matched)
                .map(|(pattern, _)| (pattern.text().to_owned(), pattern.place()))
                .collect(),
            (Partiality::Selected, _) | (Partiality::Whole, Some(_)) => Vec::new(),
        };
        if self.judges || !unmatched.is_empty() {
            return (unmatched, None);
        }
        let skip = self.skip.or(elsewhere).unwrap_or(Skip::NotSelected);
        (unmatched, Some(skip))
    }

    /// Why the gate applies nowhere in this run, if it does not: then it does not
    /// matter which scenarios there are. Without any, nothing is known.
    fn elsewhere(&self) -> Option<Skip> {
        let condition = &self.gate.condition;
        if condition.is_empty() {
            return None;
        }
        let mut first = None;
        for measured in self.inputs.measurements.scenarios() {
            let skip = inapplicable(condition, &measured.environment, self.inputs)?;
            first.get_or_insert(skip);
        }
        first
    }
}

/// Whether the gate judges this scenario.
pub(crate) fn applies(gate: &Gate, measured: &Measured, inputs: &Inputs<'_>) -> bool {
    gate.is_about(&measured.record.name)
        && inapplicable(&gate.condition, &measured.environment, inputs).is_none()
}

/// Why the condition does not hold in the environment, if it does not.
pub(crate) fn inapplicable(
    condition: &Condition,
    environment: &Environment,
    inputs: &Inputs<'_>,
) -> Option<Skip> {
    if let Some(when) = &condition.when {
        let known = inputs.cfgs.of(&environment.target);
        if known.is_none() && when.asks_compiler() {
            return Some(Skip::Unanswered);
        }
        let debug_assertions = environment.debug_assertions;
        let target = &environment.target;
        if !when.holds(target, known.unwrap_or_default(), debug_assertions) {
            return Some(Skip::When {
                condition: when.text().to_owned(),
                target: target.clone(),
                debug_assertions: when.asks_debug_assertions().then_some(debug_assertions),
            });
        }
    }
    if let Some(required) = &condition.rustc {
        let Some(version) = version(&environment.rustc) else {
            return Some(Skip::Unanswered);
        };
        if !required.holds(&version) {
            return Some(Skip::Rustc {
                requirement: required.text().to_owned(),
                rustc: environment.rustc.clone(),
            });
        }
    }
    None
}

/// The version in what `rustc --version` prints: `rustc 1.95.0 (59807616e
/// 2026-04-14)`.
fn version(rustc: &str) -> Option<Version> {
    let mut words = rustc.split_whitespace();
    words.find_map(|word| Version::parse(word).ok())
}

/// What is wrong with where rules apply: exclusions of nothing, and conditions
/// that nothing answers.
pub(crate) fn findings(inputs: &Inputs<'_>, gates: &[GateSummary]) -> Vec<Finding> {
    let mut remarks = Vec::new();
    for (gate, summary) in inputs.config.gates.iter().zip(gates) {
        if inputs.partiality == Partiality::Whole && summary.skip.is_none() {
            let excluded = gate.exclude.iter();
            let unmatched = excluded.filter(|glob| !excludes_something(glob, gate, inputs));
            remarks.extend(unmatched.map(|glob| ScopeRemark::UnmatchedExclude {
                gate: gate.name.clone(),
                pattern: glob.text().to_owned(),
                place: glob.place(),
            }));
        }
        let owner = || format!("the gate `{}`", gate.name);
        remarks.extend(unanswered(&gate.condition, gate.place, owner, inputs));
    }
    for waiver in &inputs.config.waivers {
        let gate = &inputs.config.gates[waiver.gate];
        let owner = || format!("a waiver of the gate `{}`", gate.name);
        remarks.extend(unanswered(&waiver.condition, waiver.place, owner, inputs));
    }
    let deny = |remark| Finding {
        level: Level::Deny,
        remark: Remark::Scope(remark),
    };
    remarks.into_iter().map(deny).collect()
}

/// Whether the gate would have a scenario that the glob takes away from it.
fn excludes_something(glob: &Pattern, gate: &Gate, inputs: &Inputs<'_>) -> bool {
    let mut measured = inputs.measurements.scenarios().iter();
    measured.any(|measured| {
        let name = &measured.record.name;
        glob.matches(name) && gate.scenarios.iter().any(|pattern| pattern.matches(name))
    })
}

/// What of the environments nothing is known of, where the condition asks for it.
fn unanswered(
    condition: &Condition,
    place: Place,
    owner: impl Fn() -> String,
    inputs: &Inputs<'_>,
) -> Vec<ScopeRemark> {
    if condition.is_empty() {
        return Vec::new();
    }
    let mut unknown = BTreeSet::new();
    for measured in inputs.measurements.scenarios() {
        let environment = &measured.environment;
        if inapplicable(condition, environment, inputs) != Some(Skip::Unanswered) {
            continue;
        }
        let is_known = inputs.cfgs.of(&environment.target).is_some();
        let asks = condition
            .when
            .as_ref()
            .is_some_and(|when| when.asks_compiler());
        unknown.insert(if asks && !is_known {
            &environment.target
        } else {
            &environment.rustc
        });
    }
    unknown
        .into_iter()
        .map(|about| ScopeRemark::Unanswered {
            owner: owner(),
            condition: condition.to_string(),
            about: about.clone(),
            place,
        })
        .collect()
}
