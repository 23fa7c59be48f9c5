//! [`Baseline::ratchet`]: takes only the measured scenarios that make no gated figure
//! worse. All figures of a scenario are taken or none, so that each scenario has the
//! figures of one run.

use std::fmt;

use alloc_requirement::Operator;
use alloc_results::{Ratio, mean};

use crate::baseline::{Accepted, AcceptedScenario, Baseline};
use crate::figure::{Measure, Statistic};
use crate::requirement::{Comparison, Limit};
use crate::results::{Environment, ScenarioId};
use crate::rules::{Gate, Rule};

/// The result of [`Baseline::ratchet`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratchet {
    /// The old baseline with the scenarios that are not worse.
    pub baseline: Baseline,
    /// The scenarios whose old figures stay, by environment and name.
    pub kept: Vec<KeptScenario>,
}

/// A scenario whose old figures stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptScenario {
    /// The environment of the figures.
    pub environment: Environment,
    /// The scenario's name as reports show it.
    pub scenario: String,
    /// Why they stay.
    pub because: KeptBecause,
}

/// Why old figures stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptBecause {
    /// The gated figures that would be worse; at least one.
    Worse(Vec<Worse>),
    /// The scenario was not measured in the environment. A ratchet removes nothing.
    Unmeasured,
}

/// A figure that would be worse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worse {
    /// The metric.
    pub metric: Measure,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// The figure that stays.
    pub old: Ratio,
    /// The figure that is not taken; `None` if it was not measured.
    pub new: Option<Ratio>,
}

impl Baseline {
    /// This baseline with the scenarios of `measured` that are not worse. `measured` is
    /// the result of [`accept`](Self::accept) on this baseline.
    ///
    /// A figure is compared if a gate that matches the scenario has a rule on it. If no
    /// gate matches the scenario, all its figures are compared. The conditions of gates
    /// are not checked, because the baseline also has other environments than the run.
    ///
    /// Lower is better. Higher is better if all limits on a figure that refer to the
    /// baseline are lower limits; for a metric of the scenario's own, limits that are
    /// numbers count too. New scenarios are taken, and none is removed.
    #[must_use]
    pub fn ratchet(&self, measured: &Self, gates: &[Gate]) -> Ratchet {
        let mut environments = Vec::new();
        let mut kept = Vec::new();
        for old in &self.environments {
            environments.push(match measured.accepted_in(&old.environment) {
                Some(new) => tighter(old, new, gates, &mut kept),
                None => {
                    let labels = Accepted::labels(&[old]);
                    let ids = old.scenarios.keys();
                    kept.extend(ids.map(|id| unmeasured(old, &labels[id])));
                    old.clone()
                }
            });
        }
        let is_new = |new: &&Accepted| self.accepted_in(&new.environment).is_none();
        environments.extend(measured.environments.iter().filter(is_new).cloned());
        Ratchet {
            baseline: self.with_sorted(environments),
            kept,
        }
    }
}

fn unmeasured(old: &Accepted, label: &str) -> KeptScenario {
    KeptScenario {
        environment: old.environment.clone(),
        scenario: label.to_owned(),
        because: KeptBecause::Unmeasured,
    }
}

/// The figures of one environment: the new ones, except for scenarios that would be
/// worse, which are added to `kept`.
fn tighter(
    old: &Accepted,
    new: &Accepted,
    gates: &[Gate],
    kept: &mut Vec<KeptScenario>,
) -> Accepted {
    let old = &*old.moved_like(new);
    let labels = Accepted::labels(&[old, new]);
    let mut scenarios = new.scenarios.clone();
    let (mut takes, mut refuses) = (false, false);
    for (id, now) in &new.scenarios {
        let then = old.scenarios.get(id);
        let worse = match then {
            Some(then) => worse(id, then, now, gates),
            None => Vec::new(),
        };
        if worse.is_empty() {
            takes |= then != Some(now);
        } else {
            refuses = true;
            kept.push(KeptScenario {
                environment: old.environment.clone(),
                scenario: labels[id].clone(),
                because: KeptBecause::Worse(worse),
            });
            scenarios.extend(then.map(|then| (id.clone(), then.clone())));
        }
    }
    for (id, then) in &old.scenarios {
        if !new.scenarios.contains_key(id) {
            kept.push(unmeasured(old, &labels[id]));
            scenarios.insert(id.clone(), then.clone());
        }
    }
    Accepted {
        // The versions of compiler and harness are those of the run, unless all its
        // changes are refused.
        environment: if takes || !refuses { new } else { old }
            .environment
            .clone(),
        scenarios,
    }
}

/// The gated figures of a scenario that would be worse; of all figures if no gate matches it.
fn worse(
    id: &ScenarioId,
    old: &AcceptedScenario,
    new: &AcceptedScenario,
    gates: &[Gate],
) -> Vec<Worse> {
    let applies = |gate: &&Gate| gate.filter.includes(&id.bench, &id.name);
    let applying = gates.iter().filter(applies);
    let rules: Vec<&Rule> = applying.flat_map(|gate| &gate.rules).collect();
    let mut figures: Vec<(Measure, Statistic)> = rules.iter().map(|rule| judged(rule)).collect();
    figures.sort();
    figures.dedup();
    if rules.is_empty() {
        let of = |metric: Measure| Statistic::ALL.map(|statistic| (metric.clone(), statistic));
        figures = old.measures().flat_map(of).collect();
    }
    let compare = |figure: (Measure, Statistic)| {
        let is_higher_better = is_higher_better(&figure, &rules);
        let (metric, mut statistic) = figure;
        // Totals over different numbers of iterations can't be compared.
        if statistic == Statistic::Total && old.iterations != new.iterations {
            statistic = Statistic::Mean;
        }
        let before = old.figure_of(&metric, statistic)?;
        let after = new.figure_of(&metric, statistic);
        let holds = after.is_some_and(|after| {
            if is_higher_better {
                after >= before
            } else {
                after <= before
            }
        });
        (!holds).then_some(Worse {
            metric,
            statistic,
            old: before,
            new: after,
        })
    };
    figures.into_iter().filter_map(compare).collect()
}

/// Whether all limits on the figure that say what is better are lower limits.
fn is_higher_better(figure: &(Measure, Statistic), rules: &[&Rule]) -> bool {
    let about = rules.iter().filter(|rule| judged(rule) == *figure);
    let limits = about.flat_map(|rule| rule.requirement.comparisons());
    let mut telling = limits.filter(|comparison| match comparison.limit {
        Limit::Baseline(_) => true,
        // A custom metric may count something useful, such as hits. A lower limit on a counted
        // metric does not make it useful.
        Limit::Number(_) => {
            matches!(&figure.0, Measure::Custom(custom) if !custom.is_asked_for())
        }
        Limit::Scenario(_) | Limit::Figure(_) | Limit::Growth(_) => false,
    });
    let is_lower_limit = |comparison: &Comparison| match comparison.operator {
        Operator::Greater | Operator::GreaterOrEqual => true,
        Operator::Less | Operator::LessOrEqual | Operator::Equal => false,
    };
    telling.next().is_some_and(is_lower_limit) && telling.all(is_lower_limit)
}

/// The figure of a rule; for a series, the mean, to which a curve is fitted.
fn judged(rule: &Rule) -> (Measure, Statistic) {
    let statistic = if rule.statistic.is_of_series() {
        Statistic::Mean
    } else {
        rule.statistic
    };
    (rule.metric.clone(), statistic)
}

/// `encode: allocs mean 6 is worse than 5`
impl fmt::Display for KeptScenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.scenario)?;
        match &self.because {
            KeptBecause::Unmeasured => {
                f.write_str("not measured; accept without a ratchet removes it")
            }
            KeptBecause::Worse(figures) => {
                let figures: Vec<String> = figures.iter().map(Worse::to_string).collect();
                f.write_str(&figures.join(", "))
            }
        }
    }
}

impl fmt::Display for Worse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            metric, statistic, ..
        } = self;
        let old = mean(self.old, 0);
        match self.new {
            Some(new) => write!(
                f,
                "{metric} {statistic} {} is worse than {old}",
                mean(new, 0)
            ),
            None => write!(
                f,
                "{metric} {statistic} is no longer measured; it was {old}"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
