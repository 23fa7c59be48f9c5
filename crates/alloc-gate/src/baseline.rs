//! [`Baseline`]: the values that a workspace accepted, by environment.

mod data;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use alloc_results::{AxisValue, BenchId, Distribution, Metric, Ratio, ScenarioRecord, Unit};
use indexmap::{IndexMap, IndexSet};
use serde::Deserialize;

use crate::diagnostic::Diagnostics;
use crate::measure::{Measure, Statistic};
use crate::results::names::{
    IdRef, Named, Qualifiers, ScenarioId, base_name, compare_naturally, moved, sort_naturally,
};
use crate::results::{Environment, MeasuredScenario, Measurements, Unavailable};

/// The version of the data's format.
const VERSION: i64 = 1;

/// Accepted values by environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// No two of them are [comparable](Environment::is_comparable_to).
    pub(crate) environments: Vec<Accepted>,
    /// Whether nobody accepted the values.
    is_measured: bool,
}

/// The values of one environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The environment that they were measured in.
    pub environment: Environment,
    /// The scenarios, grouped by bench, in the order of the bench.
    pub scenarios: IndexMap<ScenarioId, AcceptedScenario>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedScenario {
    /// The values on the axes of a sweep; empty without a sweep.
    pub axes: Vec<AxisValue>,
    /// Iterations of the counted pass.
    pub iterations: u64,
    /// Iterations of the warm-up.
    pub warmup: u64,
    /// The number of elements that an iteration works on, if declared.
    pub elements: Option<u64>,
    /// The metrics that were measured.
    pub metrics: BTreeMap<Metric, Summary>,
    /// The scenario's custom metrics by name.
    pub custom: BTreeMap<String, AcceptedValue>,
}

/// The values of a custom metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedValue {
    /// The metric's unit.
    pub unit: Unit,
    /// The values.
    pub summary: Summary,
}

/// The values of one metric: for every statistic that rules can name, and `p99`, which shows
/// whether a scenario that no longer allocates did so often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// The sum over the counted iterations.
    pub total: i64,
    /// The nearest-rank 99th percentile.
    pub p99: i64,
    /// The largest value of an iteration.
    pub max: i64,
    /// The value of the first call.
    pub first: i64,
}

/// How much of the workspace a run covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All benches: values of other benches are removed from the baseline.
    AllBenches,
    /// Some benches: the values of other benches stay.
    SomeBenches,
    /// Some scenarios: the values of all others stay, even of the same bench.
    SomeScenarios,
}

impl Baseline {
    /// Reads the `text` of `file`.
    ///
    /// # Errors
    ///
    /// If the text is not a baseline, with the place of the first mistake.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostics> {
        data::read(file, text)
    }

    /// The values of a commit, which nobody accepted: a better value is no reason to accept
    /// anything.
    #[must_use]
    pub fn measured(measurements: &Measurements) -> Self {
        Self {
            is_measured: true,
            ..Self::default().accept(measurements, Coverage::AllBenches)
        }
    }

    /// Whether the values were measured at a commit; see [`Baseline::measured`].
    pub(crate) const fn is_measured(&self) -> bool {
        self.is_measured
    }

    /// Whether the scenario is newer than the commit whose values these are.
    pub(crate) fn is_older_than(&self, id: IdRef<'_>) -> bool {
        let mut environments = self.environments.iter();
        self.is_measured && !environments.any(|one| one.scenarios.contains_key(&id))
    }

    /// The text of the data file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        data::write(self)
    }

    /// The environments, in the order of the file.
    #[must_use]
    pub fn environments(&self) -> &[Accepted] {
        &self.environments
    }

    /// The values that were accepted for an environment, with any version of the compiler
    /// and of the harness.
    #[must_use]
    pub fn accepted_in(&self, environment: &Environment) -> Option<&Accepted> {
        self.environments
            .iter()
            .find(|accepted| accepted.environment.is_comparable_to(environment))
    }

    /// This baseline with the values of `measurements` in place of its own. It keeps other
    /// environments, scenarios that `coverage` leaves out, and scenarios that were
    /// unavailable in this run.
    ///
    /// Filtered results always count as [`Coverage::SomeScenarios`], since a scenario that
    /// was filtered out can't be told from a removed one.
    #[must_use]
    pub fn accept(&self, measurements: &Measurements, coverage: Coverage) -> Self {
        let coverage = if measurements.is_filtered() {
            Coverage::SomeScenarios
        } else {
            coverage
        };
        let measured = measurements.scenarios();
        let before = match coverage {
            Coverage::AllBenches => self.moved_to(measurements),
            Coverage::SomeBenches | Coverage::SomeScenarios => Cow::Borrowed(self),
        };
        let mut environments = before.environments.clone();
        remove_outdated(&mut environments, measurements, coverage);
        for measured in measured {
            let mut known = environments.iter();
            let comparable =
                |known: &Accepted| known.environment.is_comparable_to(&measured.environment);
            let number = known.position(comparable).unwrap_or_else(|| {
                environments.push(Accepted {
                    environment: measured.environment.clone(),
                    scenarios: IndexMap::new(),
                });
                environments.len() - 1
            });
            let accepted = &mut environments[number];
            accepted.environment = measured.environment.clone();
            accepted.scenarios.insert(
                measured.id().into(),
                AcceptedScenario::from_record(&measured.record),
            );
        }
        for accepted in &mut environments {
            let before = before.accepted_in(&accepted.environment);
            accepted.sort(before, measured, coverage);
        }
        environments.retain(|accepted| !accepted.scenarios.is_empty());
        self.with_sorted(environments)
    }

    /// These values in place of its own, by environment.
    pub(crate) fn with_sorted(&self, mut environments: Vec<Accepted>) -> Self {
        environments.sort_by(|a, b| a.environment.cmp(&b.environment));
        self.with(environments)
    }

    /// These values in place of its own.
    fn with(&self, environments: Vec<Accepted>) -> Self {
        Self {
            environments,
            is_measured: self.is_measured,
        }
    }

    /// This baseline with only the benches that `keep` returns true for.
    #[must_use]
    pub fn restricted_to(&self, keep: impl Fn(&BenchId) -> bool) -> Self {
        let mut environments = self.environments.clone();
        for accepted in &mut environments {
            accepted.scenarios.retain(|id, _| keep(&id.bench));
        }
        environments.retain(|accepted| !accepted.scenarios.is_empty());
        self.with(environments)
    }

    /// This baseline with the benches of `measurements`, which has to be of all benches: a
    /// scenario whose name both have once keeps its values in another bench. Environments
    /// that were not measured stay.
    #[must_use]
    pub fn moved_to(&self, measurements: &Measurements) -> Cow<'_, Self> {
        let mut all = Cow::Borrowed(self);
        for (number, accepted) in self.environments.iter().enumerate() {
            let mut environments = measurements.environments().iter();
            if environments.any(|here| accepted.environment.is_built_like(here))
                && let Cow::Owned(accepted) = accepted.moved_to(measurements.ids())
            {
                all.to_mut().environments[number] = accepted;
            }
        }
        all
    }
}

/// Removes the values that the run replaces or shows to be gone.
fn remove_outdated(environments: &mut [Accepted], measurements: &Measurements, coverage: Coverage) {
    let measured = measurements.scenarios();
    let benches: HashSet<&BenchId> = measured.iter().map(|measured| &measured.bench).collect();
    let ids: HashSet<IdRef<'_>> = measured.iter().map(MeasuredScenario::id).collect();
    let unavailable = measurements.unavailable().iter();
    let unavailable: HashSet<IdRef<'_>> = unavailable.map(Unavailable::id).collect();
    let is_kept = |id: &ScenarioId| match coverage {
        Coverage::AllBenches => false,
        Coverage::SomeBenches => !benches.contains(&id.bench),
        Coverage::SomeScenarios => !ids.contains(&id.borrowed()),
    };
    for accepted in environments {
        // A bench has one allocator, so values with another one are outdated.
        let mut here = measured.iter().map(|measured| &measured.environment);
        if here.any(|here| accepted.environment.is_built_like(here)) {
            let scenarios = &mut accepted.scenarios;
            scenarios.retain(|id, _| unavailable.contains(&id.borrowed()) || is_kept(id));
        }
    }
}

impl Accepted {
    /// These values with the benches of `other`: a scenario whose name both have once keeps
    /// its values in another bench.
    #[must_use]
    pub fn moved_like<'s>(&'s self, other: &'s Self) -> Cow<'s, Self> {
        self.moved_to(other.ids())
    }

    fn moved_to<'o>(&'o self, others: impl Iterator<Item = IdRef<'o>>) -> Cow<'o, Self> {
        let moved = moved(self.ids(), others);
        if moved.is_empty() {
            return Cow::Borrowed(self);
        }
        let scenarios = self.scenarios.iter().map(|(id, scenario)| {
            let bench = moved.get(&id.borrowed()).copied();
            let id = ScenarioId {
                bench: bench.unwrap_or(&id.bench).clone(),
                name: id.name.clone(),
            };
            (id, scenario.clone())
        });
        Cow::Owned(Self {
            environment: self.environment.clone(),
            scenarios: scenarios.collect(),
        })
    }

    fn ids(&self) -> impl Iterator<Item = IdRef<'_>> {
        self.scenarios.keys().map(ScenarioId::borrowed)
    }

    /// The scenarios with their axes, for the names that reports show.
    pub(crate) fn named(&self) -> impl Iterator<Item = Named<'_>> {
        let all = self.scenarios.iter();
        all.map(|(id, scenario)| (&id.bench, &*id.name, &*scenario.axes))
    }

    /// The names of the scenarios of `sides` as reports show them. The sides are baselines of
    /// one environment.
    #[must_use]
    pub fn labels<'s>(sides: &[&'s Self]) -> BTreeMap<&'s ScenarioId, String> {
        let qualifiers = Qualifiers::new(sides.iter().map(|side| side.named()));
        let all = sides.iter().flat_map(|side| &side.scenarios);
        all.map(|(id, scenario)| {
            let label = qualifiers.label((&id.bench, &id.name, &scenario.axes));
            (id, label)
        })
        .collect()
    }

    /// Adds a scenario to the `order`: a point of a sweep next to its sweep, and any other
    /// at the end.
    fn insert<'i>(&self, id: IdRef<'i>, order: &mut IndexSet<IdRef<'i>>) {
        let sweep = |id: &IdRef<'i>| {
            let scenario = self.scenarios.get(id)?;
            (!scenario.axes.is_empty()).then(|| (id.0, base_name(id.1, &scenario.axes)))
        };
        let own = sweep(&id);
        let is_sibling = |other: &IdRef<'i>| own.is_some() && sweep(other) == own;
        let is_later =
            |other: &IdRef<'i>| is_sibling(other) && compare_naturally(other.1, id.1).is_gt();
        let last = order.iter().rposition(is_sibling);
        let place = order
            .iter()
            .position(is_later)
            .or(last.map(|last| last + 1));
        if !order.contains(&id) {
            order.shift_insert(place.unwrap_or(order.len()), id);
        }
    }

    /// Sorts the scenarios by bench, and within a bench in the order of its code, as far
    /// as the run shows it: scenarios that it left out keep the place that they had
    /// `before`. New points of a sweep then follow the order of the numbers.
    fn sort(&mut self, before: Option<&Self>, measured: &[MeasuredScenario], coverage: Coverage) {
        let old = before.into_iter().flat_map(Self::ids);
        let new = measured.iter().map(MeasuredScenario::id);
        let order: IndexSet<IdRef<'_>> = match coverage {
            Coverage::AllBenches | Coverage::SomeBenches => new.chain(old).collect(),
            Coverage::SomeScenarios => {
                let mut order = old.collect();
                for id in new {
                    self.insert(id, &mut order);
                }
                order
            }
        };
        self.scenarios.sort_by(|a, _, b, _| {
            let position = |id: &ScenarioId| order.get_index_of(&id.borrowed());
            (&a.bench, position(a)).cmp(&(&b.bench, position(b)))
        });
    }
}

impl AcceptedScenario {
    fn from_record(record: &ScenarioRecord) -> Self {
        let metrics = Metric::ALL.into_iter().filter_map(|metric| {
            let first = metric.value(&record.first)?;
            Some((metric, Summary::new(&record.distribution(metric)?, first)?))
        });
        Self {
            axes: record.axes.clone(),
            iterations: record.iterations,
            warmup: record.warmup,
            elements: record.work.elements,
            metrics: metrics.collect(),
            custom: record
                .metrics
                .iter()
                // Times depend on the machine and differ in each run.
                .filter(|value| value.unit != Unit::Nanoseconds)
                .filter_map(|value| {
                    let unit = value.unit;
                    let summary = Summary::new(&value.samples, value.first.into())?;
                    Some((value.name.clone(), AcceptedValue { unit, summary }))
                })
                .collect(),
        }
    }

    /// A value of any metric, if the baseline has it in the same unit.
    #[must_use]
    pub fn value_of(&self, measure: &Measure, statistic: Statistic) -> Option<Ratio> {
        match measure {
            Measure::Counted(metric) => self.value(*metric, statistic),
            Measure::Custom(custom) => {
                let accepted = self.custom.get(custom.name());
                let accepted = accepted.filter(|accepted| custom.is_in(accepted.unit))?;
                accepted.summary.value(statistic, self)
            }
            Measure::ForeignAllocs => None,
        }
    }

    /// A value of a counted metric, if it was measured.
    #[must_use]
    pub fn value(&self, metric: Metric, statistic: Statistic) -> Option<Ratio> {
        self.metrics.get(&metric)?.value(statistic, self)
    }

    /// Whether at least one of 100 iterations is above zero in a counted metric.
    pub(crate) fn is_often_above_zero(&self, metric: Metric) -> bool {
        self.metrics.get(&metric).is_some_and(|value| value.p99 > 0)
    }

    /// A value of a custom metric, if it was measured.
    #[must_use]
    pub fn custom_metric(&self, name: &str, statistic: Statistic) -> Option<Ratio> {
        self.custom.get(name)?.summary.value(statistic, self)
    }
}

impl Summary {
    /// The values of `iterations` that all have the `value`, as the first call has. `None` if
    /// their sum does not fit into 64 bits.
    fn constant(value: i64, iterations: u64) -> Option<Self> {
        Some(Self {
            total: value.checked_mul(i64::try_from(iterations).ok()?)?,
            p99: value,
            max: value,
            first: value,
        })
    }

    /// The one value of all iterations and the first call, if they agree.
    fn constant_value(&self, iterations: u64) -> Option<i64> {
        (Self::constant(self.first, iterations).as_ref() == Some(self)).then_some(self.first)
    }

    /// `None` if a value does not fit into 64 bits.
    fn new(values: &Distribution, first: i128) -> Option<Self> {
        let narrow = |value: i128| i64::try_from(value).ok();
        Some(Self {
            total: narrow(values.total())?,
            p99: narrow(values.percentile(99))?,
            max: narrow(values.max())?,
            first: narrow(first)?,
        })
    }

    fn value(&self, statistic: Statistic, scenario: &AcceptedScenario) -> Option<Ratio> {
        let whole = |value: i64| Some(Ratio::whole(value.into()));
        match statistic {
            Statistic::Mean => Ratio::new(self.total.into(), scenario.iterations),
            Statistic::Max => whole(self.max),
            Statistic::First => whole(self.first),
            Statistic::PerElement => {
                let times = scenario.iterations.checked_mul(scenario.elements?)?;
                Ratio::new(self.total.into(), times)
            }
            Statistic::Growth => None,
        }
    }
}

impl Baseline {
    /// These values of a base, with those that the `head` approves in their place: the
    /// accepted values of a scenario that differ between the data of the base, `before`,
    /// and the data of the head, `after`. A scenario that the head neither measures nor has in
    /// its data any more is removed. Returns the names of the scenarios whose values are
    /// others now, too.
    #[must_use]
    pub fn approved_by(
        &self,
        before: &Self,
        after: &Self,
        head: &Measurements,
    ) -> (Self, Vec<String>) {
        let measured = head.scenarios().iter().map(MeasuredScenario::id);
        let measured: HashSet<IdRef<'_>> = measured.collect();
        let mut approved = self.clone();
        let mut names: Vec<String> = Vec::new();
        for (base, now) in self.environments.iter().zip(&mut approved.environments) {
            let Some(after) = after.accepted_in(&base.environment) else {
                continue;
            };
            let before = before.accepted_in(&base.environment);
            let labels = Accepted::labels(&[base, after]);
            for (id, new) in &after.scenarios {
                let old = before.and_then(|before| before.scenarios.get(id));
                if old.is_some_and(|old| old.has_values_of(new)) {
                    continue;
                }
                let replaced = now.scenarios.insert(id.clone(), new.clone());
                if replaced.is_some_and(|replaced| !replaced.has_values_of(new)) {
                    names.extend(labels.get(id).cloned());
                }
            }
            let removed = before
                .into_iter()
                .flat_map(|before| before.scenarios.keys());
            for id in removed {
                let is_gone =
                    !after.scenarios.contains_key(id) && !measured.contains(&id.borrowed());
                if is_gone && now.scenarios.shift_remove(id).is_some() {
                    names.extend(labels.get(id).cloned());
                }
            }
        }
        sort_naturally(&mut names);
        names.dedup();
        (approved, names)
    }
}

impl AcceptedScenario {
    /// Whether all that rules compare with is the same.
    #[must_use]
    pub fn has_values_of(&self, other: &Self) -> bool {
        let values = |one: &Self| (one.iterations, one.elements);
        values(self) == values(other)
            && self.metrics == other.metrics
            && self.custom == other.custom
    }
}

#[cfg(test)]
mod tests;
