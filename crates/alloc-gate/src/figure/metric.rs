//! [`Measure`]: a metric that a rule can limit.

use std::fmt;
use std::sync::Arc;

use alloc_results::{Distribution, Metric, Ratio, ScenarioRecord, Unit};

use crate::figure::statistic::Statistic;

/// A metric that a rule can limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// A count of the allocator's counter, per iteration.
    Counted(Metric),
    /// `foreign-allocs`: the allocations of other threads during the counted pass, per
    /// iteration.
    ForeignAllocs,
    /// `faults`: how many of the scenario's operations went wrong, in all passes together.
    Faults,
    /// `time`: wall-clock nanoseconds of an iteration of the timed pass, or of the first call.
    /// Comparable only with other scenarios of the same run.
    Time,
    /// A metric that a scenario defines and measures.
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

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the metric is measured in `unit`. Figures in different units can't be compared.
    pub(crate) fn is_in(&self, unit: Unit) -> bool {
        self.unit == unit
    }
}

impl Measure {
    /// The built-in names, which need no `[metrics]`, in the order of messages.
    pub fn known() -> impl Iterator<Item = &'static str> {
        let counted = Metric::ALL.into_iter().map(Metric::name);
        counted.chain([Self::FOREIGN_ALLOCS, Self::FAULTS, Self::TIME])
    }

    const FOREIGN_ALLOCS: &'static str = "foreign-allocs";
    const FAULTS: &'static str = "faults";
    const TIME: &'static str = "time";

    /// The built-in measure of this name.
    pub(crate) fn from_builtin_name(name: &str) -> Option<Self> {
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

    /// The metric of the counter, if this is one.
    #[must_use]
    pub const fn counted(&self) -> Option<Metric> {
        match self {
            Self::Counted(metric) => Some(*metric),
            Self::ForeignAllocs | Self::Faults | Self::Time | Self::Custom(_) => None,
        }
    }

    /// Whether the unit is bytes, so that limits may have a unit of bytes.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        match self {
            Self::Counted(metric) => metric.unit() == Unit::Bytes,
            Self::ForeignAllocs | Self::Faults | Self::Time => false,
            Self::Custom(custom) => custom.unit == Unit::Bytes,
        }
    }

    /// Whether the unit is nanoseconds.
    #[must_use]
    pub fn is_time(&self) -> bool {
        match self {
            Self::Counted(_) | Self::ForeignAllocs | Self::Faults => false,
            Self::Time => true,
            Self::Custom(custom) => custom.unit == Unit::Nanoseconds,
        }
    }

    /// The statistic of a rule that names none.
    #[must_use]
    pub const fn default_statistic(&self) -> Statistic {
        match self {
            Self::Counted(_) | Self::ForeignAllocs | Self::Time | Self::Custom(_) => {
                Statistic::Mean
            }
            Self::Faults => Statistic::Total,
        }
    }

    /// Whether a value can be negative.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        match self {
            Self::Counted(metric) => metric.is_signed(),
            Self::ForeignAllocs | Self::Faults | Self::Time => false,
            Self::Custom(_) => true,
        }
    }

    /// Whether the value of a single iteration can be a fraction.
    pub(crate) const fn is_fractional(&self) -> bool {
        matches!(self, Self::Time)
    }

    /// Whether `statistic` is defined for this measure.
    pub(crate) fn has(&self, statistic: Statistic) -> bool {
        match (self, statistic) {
            (Self::Custom(_), Statistic::Growth) => !self.is_time(),
            (Self::Counted(_) | Self::Custom(_), _) => true,
            // Only the sum over all iterations is measured.
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
            // Faults are counted over all passes, not per pass or iteration.
            (Self::Faults, statistic) => matches!(statistic, Statistic::Total),
            // Times are measured per batch and for the first call. They are too noisy for
            // growth.
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

    /// The figure in a scenario's record; `None` if it was not measured, was measured in
    /// another unit, or is the growth over several scenarios.
    #[must_use]
    pub fn figure(&self, statistic: Statistic, record: &ScenarioRecord) -> Option<Ratio> {
        if statistic == Statistic::PerElement {
            return per_element(self.figure(Statistic::Mean, record)?, record);
        }
        let select = |first: Option<Ratio>, values: Option<Distribution>| {
            if statistic == Statistic::First {
                first
            } else {
                distribution_figure(statistic, &values?)
            }
        };
        match self {
            Self::Counted(metric) => select(
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
                select(
                    Some(Ratio::whole(found.first().into())),
                    Some(found.distribution().clone()),
                )
            }
        }
    }
}

fn distribution_figure(statistic: Statistic, values: &Distribution) -> Option<Ratio> {
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

/// Nanoseconds of an iteration over the batches of the timed pass, or of the first call.
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
    let figure = distribution_figure(statistic, &values)?;
    let iterations = figure.denominator().checked_mul(time.batch)?;
    Ratio::new(figure.numerator(), iterations)
}

/// The mean divided by the number of elements that an iteration works on.
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
