//! [`Measure`]: what a rule is about: a counted metric, one of the three that come
//! from elsewhere in a record, or one that a scenario defines.

use std::fmt;
use std::sync::Arc;

use alloc_results::{Distribution, Metric, Ratio, ScenarioRecord, Unit};

use crate::Statistic;

/// Something that can be judged, under its name in rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// What the counter counted, per iteration.
    Counted(Metric),
    /// `foreign-allocs`: what other threads allocated during the counted pass,
    /// by iteration.
    ForeignAllocs,
    /// `faults`: what went wrong of all that the scenario asked for, in all passes
    /// together.
    Faults,
    /// `time`: wall-clock nanoseconds of an iteration, from the timed pass, or of
    /// the first call. Only to be compared with another scenario of the same run.
    Time,
    /// What a scenario measures itself.
    Custom(Custom),
}

/// A metric that scenarios define, as `[metrics]` declares it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Custom {
    name: Arc<str>,
    unit: Unit,
}

impl Custom {
    pub(crate) fn new(name: &str, unit: Unit) -> Self {
        Self {
            name: name.into(),
            unit,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is measured in `unit`. What is in another one is not this metric:
    /// 900 bytes are not more than 5 of something.
    pub(crate) fn is_in(&self, unit: Unit) -> bool {
        self.unit == unit
    }
}

impl Measure {
    /// The names that are known without `[metrics]`, in the order in which
    /// messages list them.
    pub fn known() -> impl Iterator<Item = &'static str> {
        let counted = Metric::ALL.into_iter().map(Metric::name);
        counted.chain([Self::FOREIGN_ALLOCS, Self::FAULTS, Self::TIME])
    }

    const FOREIGN_ALLOCS: &'static str = "foreign-allocs";
    const FAULTS: &'static str = "faults";
    const TIME: &'static str = "time";

    /// The one of this name that needs no declaration.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            Self::FOREIGN_ALLOCS => Some(Self::ForeignAllocs),
            Self::FAULTS => Some(Self::Faults),
            Self::TIME => Some(Self::Time),
            _ => name.parse().ok().map(Self::Counted),
        }
    }

    /// The name in rules.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Counted(metric) => metric.name(),
            Self::ForeignAllocs => Self::FOREIGN_ALLOCS,
            Self::Faults => Self::FAULTS,
            Self::Time => Self::TIME,
            Self::Custom(custom) => custom.name(),
        }
    }

    /// The counted metric that this is, if it is one.
    #[must_use]
    pub const fn counted(&self) -> Option<Metric> {
        match self {
            Self::Counted(metric) => Some(*metric),
            Self::ForeignAllocs | Self::Faults | Self::Time | Self::Custom(_) => None,
        }
    }

    /// Whether it is measured in bytes, so that limits may have their units.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        match self {
            Self::Counted(metric) => metric.unit() == Unit::Bytes,
            Self::ForeignAllocs | Self::Faults | Self::Time => false,
            Self::Custom(custom) => custom.unit == Unit::Bytes,
        }
    }

    /// Whether it is measured by a clock, in nanoseconds.
    #[must_use]
    pub fn is_time(&self) -> bool {
        match self {
            Self::Counted(_) | Self::ForeignAllocs | Self::Faults => false,
            Self::Time => true,
            Self::Custom(custom) => custom.unit == Unit::Nanoseconds,
        }
    }

    /// The statistic that is meant where none is named.
    #[must_use]
    pub const fn default_statistic(&self) -> Statistic {
        match self {
            Self::Counted(_) | Self::ForeignAllocs | Self::Time | Self::Custom(_) => {
                Statistic::Mean
            }
            Self::Faults => Statistic::Total,
        }
    }

    /// Whether a value can be below zero.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Counted(metric) => metric.is_signed(),
            Self::ForeignAllocs | Self::Faults | Self::Time => false,
            Self::Custom(_) => true,
        }
    }

    /// Whether a single iteration's value can lie between two whole numbers.
    pub(crate) const fn is_fractional(&self) -> bool {
        matches!(self, Self::Time)
    }

    /// Whether a record has this statistic of it, where it has the metric.
    pub(crate) fn has(&self, statistic: Statistic) -> bool {
        match (self, statistic) {
            (Self::Custom(_), Statistic::Growth) => !self.is_time(),
            (Self::Counted(_) | Self::Custom(_), _) => true,
            // Only the sum over all iterations is known.
            (
                Self::ForeignAllocs,
                Statistic::Mean | Statistic::Total | Statistic::PerElement | Statistic::Growth,
            ) => true,
            (
                Self::ForeignAllocs,
                Statistic::Min
                | Statistic::Max
                | Statistic::P50
                | Statistic::P99
                | Statistic::First,
            ) => false,
            // No pass has them alone, and of no iteration they are known.
            (Self::Faults, statistic) => matches!(statistic, Statistic::Total),
            // Of the batches, and of the first call. Times are no counts that could be
            // fitted.
            (
                Self::Time,
                Statistic::Mean
                | Statistic::Min
                | Statistic::Max
                | Statistic::P50
                | Statistic::P99
                | Statistic::First
                | Statistic::PerElement,
            ) => true,
            (Self::Time, Statistic::Total | Statistic::Growth) => false,
        }
    }

    /// The figure in a scenario's record; `None` when it was not measured, or in
    /// another unit, or is of several scenarios, as growth is.
    #[must_use]
    pub fn figure(&self, statistic: Statistic, record: &ScenarioRecord) -> Option<Ratio> {
        if statistic == Statistic::PerElement {
            return per_element(self.figure(Statistic::Mean, record)?, record);
        }
        let of_all = |first: Option<Ratio>, values: Option<Distribution>| {
            if statistic == Statistic::First {
                first
            } else {
                of_values(statistic, &values?)
            }
        };
        match self {
            Self::Counted(metric) => of_all(
                metric.value(&record.first).map(Ratio::whole),
                record.distribution(*metric),
            ),
            Self::ForeignAllocs => match statistic {
                Statistic::Total => Some(Ratio::whole(record.foreign_allocs().into())),
                Statistic::Mean => record.foreign_allocs_mean(),
                Statistic::Min
                | Statistic::Max
                | Statistic::P50
                | Statistic::P99
                | Statistic::First
                | Statistic::PerElement
                | Statistic::Growth => None,
            },
            Self::Faults => match (statistic, &record.outcome) {
                (Statistic::Total, Some(outcome)) => {
                    Some(Ratio::whole(i128::try_from(outcome.faults()).ok()?))
                }
                (_, Some(_) | None) => None,
            },
            Self::Time => time(statistic, record),
            Self::Custom(custom) => {
                let found = record.custom_figure(custom.name());
                let found = found.filter(|found| custom.is_in(found.unit()))?;
                of_all(
                    Some(Ratio::whole(found.first().into())),
                    Some(found.distribution().clone()),
                )
            }
        }
    }
}

fn of_values(statistic: Statistic, values: &Distribution) -> Option<Ratio> {
    match statistic {
        Statistic::Mean => Some(values.mean()),
        Statistic::Min => Some(Ratio::whole(values.min())),
        Statistic::Max => Some(Ratio::whole(values.max())),
        Statistic::P50 => Some(Ratio::whole(values.percentile(50))),
        Statistic::P99 => Some(Ratio::whole(values.percentile(99))),
        Statistic::Total => Some(Ratio::whole(values.total())),
        Statistic::First | Statistic::PerElement | Statistic::Growth => None,
    }
}

/// Nanoseconds of an iteration, of the batches of the timed pass; or of the first
/// call.
fn time(statistic: Statistic, record: &ScenarioRecord) -> Option<Ratio> {
    if statistic == Statistic::Mean {
        return record.time_mean();
    }
    let time = record.time.as_ref()?;
    if statistic == Statistic::First {
        return time.first.map(Ratio::from);
    }
    let batches = time.nanoseconds.iter();
    let values = Distribution::new(batches.map(|&nanoseconds| (nanoseconds.into(), 1)))?;
    let figure = of_values(statistic, &values)?;
    let iterations = figure.denominator().checked_mul(time.batch)?;
    Ratio::new(figure.numerator(), iterations)
}

/// By the number of elements that an iteration works on.
pub(crate) fn per_element(mean: Ratio, record: &ScenarioRecord) -> Option<Ratio> {
    let elements = record.work.elements?;
    Ratio::new(mean.numerator(), mean.denominator().checked_mul(elements)?)
}

impl From<Metric> for Measure {
    fn from(metric: Metric) -> Self {
        Self::Counted(metric)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
