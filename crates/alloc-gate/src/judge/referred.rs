//! [`ReferredFigures`]: the figures that limits refer to, of the baseline and of other scenarios.

use std::borrow::Cow;
use std::collections::HashMap;

use alloc_results::Ratio;

use crate::baseline::Baseline;
use crate::diagnostic::Code;
use crate::judge::inputs::Inputs;
use crate::requirement::Reference;
use crate::results::MeasuredScenario;
use crate::results::scenario_id::qualified;
use crate::rules::{Config, Gate, Rule};

/// The figures that limits refer to, of the baseline and of other scenarios.
pub(super) struct ReferredFigures<'i> {
    scenarios: &'i [MeasuredScenario],
    /// The numbers of the scenarios of each name, if a limit refers to a scenario.
    by_name: HashMap<&'i str, Vec<usize>>,
    /// With scenarios in the benches that have them now.
    baseline: Option<Cow<'i, Baseline>>,
}

impl<'i> ReferredFigures<'i> {
    pub(super) fn new(inputs: &Inputs<'i>) -> Self {
        let scenarios = inputs.measurements.scenarios();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        if refers_to_scenarios(inputs.config) {
            for (number, measured) in scenarios.iter().enumerate() {
                let of_name = by_name.entry(measured.record.name.as_str());
                of_name.or_default().push(number);
            }
        }
        Self {
            scenarios,
            by_name,
            baseline: inputs.moved_baseline(),
        }
    }

    /// The baseline, with scenarios in the benches that have them now.
    pub(super) fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_deref()
    }

    /// The accepted figure that `rule` compares with, or why there is none.
    pub(super) fn accepted(&self, rule: &Rule, measured: &MeasuredScenario) -> Result<Ratio, Code> {
        let accepted = self
            .baseline()
            .and_then(|baseline| baseline.accepted_in(&measured.environment))
            .ok_or(Code::NoEnvironment)?;
        let scenario = accepted.scenarios.get(&measured.id());
        let scenario = scenario.ok_or(Code::NoAcceptedFigure)?;
        let figure = scenario.figure_of(&rule.metric, rule.statistic);
        figure.ok_or(Code::NoAcceptedFigure)
    }

    /// The number of the scenario that a limit of `measured` refers to. It was built like
    /// `measured`, and is the one of the same bench, or else the only one. Without one, the name
    /// that was looked for.
    pub(super) fn number(
        &self,
        reference: &Reference,
        measured: &MeasuredScenario,
    ) -> Result<usize, String> {
        let name = reference.resolve(&measured.record.axes);
        let name = name.map_err(|_| reference.text().to_owned())?;
        let alike = |name: &str| {
            let of_name = self.by_name.get(name).into_iter().flatten().copied();
            of_name.filter(|&number| {
                let other = &self.scenarios[number];
                other.environment.is_built_like(&measured.environment)
            })
        };
        let mut found: Vec<usize> = alike(&name).collect();
        if found.is_empty() {
            let is_it = |number: usize, id| self.scenarios[number].is_called(id);
            found.extend(
                qualified(&name)
                    .flat_map(|id| alike(id.name).filter(move |&number| is_it(number, id))),
            );
        }
        let is_beside = |number: &&usize| self.scenarios[**number].bench == measured.bench;
        let one = match &found[..] {
            [only] => Some(only),
            several => several.iter().find(is_beside),
        };
        one.copied().ok_or(name)
    }

    /// The numbers of the scenarios that limits of `gate` refer to, for `measured`.
    pub(super) fn numbers<'g>(
        &'g self,
        gate: &'g Gate,
        measured: &'g MeasuredScenario,
    ) -> impl Iterator<Item = usize> + 'g {
        let rules = gate.rules.iter();
        let references = rules.flat_map(|rule| rule.requirement.references());
        references.filter_map(|reference| self.number(reference, measured).ok())
    }
}

fn refers_to_scenarios(config: &Config) -> bool {
    let mut rules = config.gates.iter().flat_map(|gate| &gate.rules);
    rules.any(|rule| rule.requirement.references().next().is_some())
}
