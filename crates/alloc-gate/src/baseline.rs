//! [`Baseline`]: the figures that a workspace accepted, by environment. Its data
//! is TOML, one line a metric, so that a diff reads like a report.

use std::collections::{BTreeMap, BTreeSet};

use alloc_results::{AxisValue, BenchId, CustomFigure, Distribution, Metric, Ratio, Unit};

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Diagnostics;
use crate::figure::{Measure, Statistic};
use crate::results::{Environment, MeasuredScenario, Measurements};

mod past;
mod read;
mod write;

pub use past::{Histories, History, PastBaseline};

/// Accepted figures. No two environments in it are
/// [comparable](Environment::is_comparable_to).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    pub(crate) environments: Vec<Accepted>,
}

/// The figures of one environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// Where and how they were measured.
    pub environment: Environment,
    /// The scenarios by full name, those of a bench together and in its order.
    pub scenarios: IndexMap<String, AcceptedScenario>,
}

/// The figures of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedScenario {
    /// The bench that it belongs to.
    pub bench: BenchId,
    /// Its values on the axes of a sweep; none of a scenario without any, and none in
    /// data of before axes were kept.
    pub axes: Vec<AxisValue>,
    /// Iterations of the counted pass.
    pub iterations: u64,
    /// Iterations before it.
    pub warmup: u64,
    /// The elements that an iteration works on, if the scenario says so.
    pub elements: Option<u64>,
    /// The metrics that were measured.
    pub metrics: BTreeMap<Metric, Summary>,
    /// What the scenario measured itself, by name.
    pub custom: BTreeMap<String, AcceptedFigure>,
}

/// The figures of a metric of the scenario's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedFigure {
    /// What it is measured in.
    pub unit: Unit,
    /// The figures.
    pub summary: Summary,
}

/// The figures of one metric, as many as rules can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The sum over the counted iterations.
    pub total: i64,
    /// The smallest value of an iteration.
    pub min: i64,
    /// The nearest-rank median.
    pub p50: i64,
    /// The nearest-rank 99th percentile.
    pub p99: i64,
    /// The largest value of an iteration.
    pub max: i64,
    /// The value of the first call ever.
    pub first: i64,
}

/// How much of the workspace a run covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All benches: what the baseline has of others is outdated.
    AllBenches,
    /// Some benches: what the baseline has of others stays.
    SomeBenches,
    /// Some scenarios: what the baseline has of others stays, of the same bench
    /// too.
    SomeScenarios,
}

impl Baseline {
    /// Reads the `text` of `file`.
    ///
    /// # Errors
    ///
    /// With the place at which the text is not a baseline.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostics> {
        read::read(file, text)
    }

    /// The text of the data file; equal baselines have equal texts.
    #[must_use]
    pub fn to_toml(&self) -> String {
        write::write(self)
    }

    /// The environments, in the order of the file.
    #[must_use]
    pub fn environments(&self) -> &[Accepted] {
        &self.environments
    }

    /// The figures that were accepted for an environment, whatever versions of
    /// compiler and harness they were measured with.
    #[must_use]
    pub fn accepted_in(&self, environment: &Environment) -> Option<&Accepted> {
        self.environments
            .iter()
            .find(|accepted| accepted.environment.is_comparable_to(environment))
    }

    /// The baseline that has the figures of `measurements` in place of its own.
    /// Other environments stay as they are, and so do scenarios that a run of
    /// less than [`Coverage::AllBenches`] leaves out, and those that could not be
    /// measured here, which are not gone. Whatever `coverage` says,
    /// results behind a filter are those of [`Coverage::SomeScenarios`]: they
    /// can't tell a scenario that is gone from one that was left out.
    #[must_use]
    pub fn accept(&self, measurements: &Measurements, coverage: Coverage) -> Self {
        let coverage = if measurements.is_filtered() {
            Coverage::SomeScenarios
        } else {
            coverage
        };
        let measured = measurements.scenarios();
        let benches: BTreeSet<&BenchId> = measured.iter().map(|measured| &measured.bench).collect();
        let names: BTreeSet<&String> = measured.iter().map(|m| &m.record.name).collect();
        let unavailable = measurements.unavailable().iter();
        let unavailable: BTreeSet<&String> = unavailable.map(|one| &one.scenario.name).collect();
        let mut environments = self.environments.clone();
        for accepted in &mut environments {
            // Whatever allocator a bench had before, it has but one.
            let was_measured = measured
                .iter()
                .any(|measured| accepted.environment.is_built_like(&measured.environment));
            if was_measured {
                accepted.scenarios.retain(|name, scenario| {
                    unavailable.contains(name)
                        || match coverage {
                            Coverage::AllBenches => false,
                            Coverage::SomeBenches => !benches.contains(&scenario.bench),
                            Coverage::SomeScenarios => !names.contains(name),
                        }
                });
            }
        }
        for measured in measured {
            let accepted = match environments
                .iter_mut()
                .find(|accepted| accepted.environment.is_comparable_to(&measured.environment))
            {
                Some(accepted) => accepted,
                None => {
                    environments.push(Accepted {
                        environment: measured.environment.clone(),
                        scenarios: IndexMap::new(),
                    });
                    let last = environments.len() - 1;
                    &mut environments[last]
                }
            };
            accepted.environment = measured.environment.clone();
            accepted
                .scenarios
                .insert(measured.record.name.clone(), AcceptedScenario::of(measured));
        }
        for accepted in &mut environments {
            let before = self.accepted_in(&accepted.environment);
            accepted.sort(before, measured, coverage);
        }
        environments.retain(|accepted| !accepted.scenarios.is_empty());
        environments.sort_by(|a, b| a.environment.cmp(&b.environment));
        Self { environments }
    }
}

impl Accepted {
    /// Sorts the scenarios by bench, and those of a bench in the order of its code, as far
    /// as the run shows it: scenarios that it left out keep the place that they had
    /// `before`.
    fn sort(&mut self, before: Option<&Self>, measured: &[MeasuredScenario], coverage: Coverage) {
        let old = before
            .into_iter()
            .flat_map(|before| before.scenarios.keys());
        let new = measured.iter().map(|measured| &measured.record.name);
        let order: IndexSet<&String> = match coverage {
            Coverage::AllBenches | Coverage::SomeBenches => new.chain(old).collect(),
            Coverage::SomeScenarios => old.chain(new).collect(),
        };
        self.scenarios.sort_by(|a, in_a, b, in_b| {
            let position = |name: &String| order.get_index_of(name);
            (&in_a.bench, position(a)).cmp(&(&in_b.bench, position(b)))
        });
    }
}

impl Baseline {
    /// What it has of the benches that `keep` keeps.
    #[must_use]
    pub fn restricted_to(&self, keep: impl Fn(&BenchId) -> bool) -> Self {
        let mut environments = self.environments.clone();
        for accepted in &mut environments {
            accepted
                .scenarios
                .retain(|_, scenario| keep(&scenario.bench));
        }
        environments.retain(|accepted| !accepted.scenarios.is_empty());
        Self { environments }
    }
}

impl AcceptedScenario {
    fn of(measured: &MeasuredScenario) -> Self {
        let record = &measured.record;
        let metrics = Metric::ALL
            .into_iter()
            .filter_map(|metric| Some((metric, Summary::of(metric, measured)?)));
        Self {
            bench: measured.bench.clone(),
            axes: record.axes.clone(),
            iterations: record.iterations,
            warmup: record.warmup,
            elements: record.work.elements,
            metrics: metrics.collect(),
            custom: record
                .custom()
                // A time is of its machine, and never the same twice.
                .filter(|(_, figure)| figure.unit() != Unit::Nanoseconds)
                .filter_map(|(name, figure)| Some((name.to_owned(), AcceptedFigure::of(figure)?)))
                .collect(),
        }
    }

    /// A figure of the scenario, if it was measured in the same unit and is kept.
    #[must_use]
    pub fn figure_of(&self, measure: &Measure, statistic: Statistic) -> Option<Ratio> {
        match measure {
            Measure::Counted(metric) => self.figure(*metric, statistic),
            Measure::Custom(custom) => {
                let accepted = self.custom.get(custom.name());
                let accepted = accepted.filter(|accepted| custom.is_in(accepted.unit))?;
                accepted.summary.figure(statistic, self)
            }
            Measure::ForeignAllocs | Measure::Faults | Measure::Time => None,
        }
    }

    /// A figure of the scenario, if it was measured.
    #[must_use]
    pub fn figure(&self, metric: Metric, statistic: Statistic) -> Option<Ratio> {
        self.metrics.get(&metric)?.figure(statistic, self)
    }

    /// A figure of a metric of the scenario's own, if it was measured.
    #[must_use]
    pub fn custom_figure(&self, name: &str, statistic: Statistic) -> Option<Ratio> {
        self.custom.get(name)?.summary.figure(statistic, self)
    }
}

impl AcceptedFigure {
    fn of(figure: &CustomFigure) -> Option<Self> {
        Some(Self {
            unit: figure.unit(),
            summary: Summary::new(figure.distribution(), figure.first().into())?,
        })
    }
}

impl Summary {
    fn of(metric: Metric, measured: &MeasuredScenario) -> Option<Self> {
        let record = &measured.record;
        Self::new(&record.distribution(metric)?, metric.value(&record.first)?)
    }

    /// `None` when the metric is past what 64 bits hold.
    fn new(values: &Distribution, first: i128) -> Option<Self> {
        let narrow = |value: i128| i64::try_from(value).ok();
        Some(Self {
            total: narrow(values.total())?,
            min: narrow(values.min())?,
            p50: narrow(values.percentile(50))?,
            p99: narrow(values.percentile(99))?,
            max: narrow(values.max())?,
            first: narrow(first)?,
        })
    }

    fn figure(&self, statistic: Statistic, of: &AcceptedScenario) -> Option<Ratio> {
        let whole = |value: i64| Some(Ratio::whole(value.into()));
        match statistic {
            Statistic::Mean => Ratio::new(self.total.into(), of.iterations),
            Statistic::Min => whole(self.min),
            Statistic::Max => whole(self.max),
            Statistic::P50 => whole(self.p50),
            Statistic::P99 => whole(self.p99),
            Statistic::First => whole(self.first),
            Statistic::Total => whole(self.total),
            Statistic::PerElement => {
                let times = of.iterations.checked_mul(of.elements?)?;
                Ratio::new(self.total.into(), times)
            }
            Statistic::Growth => None,
        }
    }
}

#[cfg(test)]
mod tests;
