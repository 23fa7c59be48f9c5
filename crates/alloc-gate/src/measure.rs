//! Values: [`Measure`], a metric that a rule can limit, and [`Statistic`], which value of it; and how
//! numbers are written in sentences.

use std::fmt;
use std::sync::Arc;

use alloc_results::{Definition, Distribution, Metric, Ratio, ScenarioRecord, Unit, integer};

/// A metric that a rule can limit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// A count of the allocator's counter, per iteration.
    Counted(Metric),
    /// `foreign-allocs`: allocations of other threads, per iteration of the counted pass or in
    /// the first call.
    ForeignAllocs,
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

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the metric is measured in `unit`. Values in different units can't be compared.
    pub(crate) fn is_in(&self, unit: Unit) -> bool {
        self.unit == unit
    }
}

impl Measure {
    /// The built-in names, which need no `[metrics]`, in the order of messages.
    pub fn known() -> impl Iterator<Item = &'static str> {
        let counted = Metric::ALL.into_iter().map(Metric::name);
        counted.chain([Definition::FOREIGN_ALLOCS.name])
    }

    /// The row of the table of metrics; the custom metric if it is one.
    const fn definition(&self) -> Result<&'static Definition, &Custom> {
        match self {
            Self::Counted(metric) => Ok(metric.definition()),
            Self::ForeignAllocs => Ok(&Definition::FOREIGN_ALLOCS),
            Self::Custom(custom) => Err(custom),
        }
    }

    pub(crate) fn unit(&self) -> Unit {
        match self.definition() {
            Ok(definition) => definition.unit,
            Err(custom) => custom.unit,
        }
    }

    /// The built-in measure of this name.
    pub(crate) fn from_builtin_name(name: &str) -> Option<Self> {
        if name == Definition::FOREIGN_ALLOCS.name {
            return Some(Self::ForeignAllocs);
        }
        name.parse().ok().map(Self::Counted)
    }

    #[must_use]
    pub fn name(&self) -> &str {
        match self.definition() {
            Ok(definition) => definition.name,
            Err(custom) => custom.name(),
        }
    }

    /// The metric of the counter, if this is one: call stacks can explain it.
    #[must_use]
    pub const fn counted(&self) -> Option<Metric> {
        match self {
            Self::Counted(metric) => Some(*metric),
            Self::ForeignAllocs | Self::Custom(_) => None,
        }
    }

    /// Whether the unit is bytes, so that limits may have a unit of bytes.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        self.unit() == Unit::Bytes
    }

    /// Whether `statistic` is defined for this measure.
    pub(crate) fn has(&self, statistic: Statistic) -> bool {
        // Of the other threads, only the sum is measured.
        statistic != Statistic::Max || *self != Self::ForeignAllocs
    }

    /// The smallest and the largest value of an iteration, if the iterations of the counted
    /// pass differ. `None` for metrics that are not measured for each iteration of it.
    pub(crate) fn range_if_varying(&self, record: &ScenarioRecord) -> Option<(i128, i128)> {
        let values = match self {
            Self::Counted(metric) => record.distribution(*metric)?,
            Self::Custom(custom) => record.custom_metric(custom.name())?.samples.clone(),
            Self::ForeignAllocs => return None,
        };
        (!values.is_constant()).then(|| (values.min(), values.max()))
    }

    /// Whether the scenario measures it in a unit other than the rules declare.
    pub(crate) fn is_in_other_unit(&self, record: &ScenarioRecord) -> bool {
        let Self::Custom(custom) = self else {
            return false;
        };
        let value = record.custom_metric(custom.name());
        value.is_some_and(|value| !custom.is_in(value.unit))
    }

    /// The value in a scenario's record; `None` if it was not measured, was measured in
    /// another unit, or is of several scenarios.
    #[must_use]
    pub fn value(&self, statistic: Statistic, record: &ScenarioRecord) -> Option<Ratio> {
        if statistic == Statistic::PerElement {
            return per_element(self.value(Statistic::Mean, record)?, record);
        }
        let select = |first: Option<Ratio>, values: Option<Distribution>| {
            if statistic == Statistic::First {
                first
            } else {
                distribution_value(statistic, &values?)
            }
        };
        match self {
            Self::Counted(metric) => select(
                metric.value(&record.first).map(Ratio::whole),
                record.distribution(*metric),
            ),
            Self::ForeignAllocs => match statistic {
                Statistic::Mean => Ratio::new(record.foreign.allocs.into(), record.iterations),
                Statistic::First => Some(record.outside.foreign_first.allocs.into()),
                Statistic::Max | Statistic::PerElement | Statistic::Growth => None,
            },
            Self::Custom(custom) => {
                let found = record.custom_metric(custom.name());
                let found = found.filter(|found| custom.is_in(found.unit))?;
                select(
                    Some(Ratio::whole(found.first.into())),
                    Some(found.samples.clone()),
                )
            }
        }
    }
}

fn distribution_value(statistic: Statistic, values: &Distribution) -> Option<Ratio> {
    match statistic {
        Statistic::Mean => Some(values.mean()),
        Statistic::Max => Some(Ratio::whole(values.max())),
        Statistic::First | Statistic::PerElement | Statistic::Growth => None,
    }
}

/// The mean divided by the number of elements that an iteration works on.
fn per_element(mean: Ratio, record: &ScenarioRecord) -> Option<Ratio> {
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

named! {
    /// A value of the distribution over the counted iterations.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Statistic {
        /// `mean`: the exact arithmetic mean over the counted iterations; the default.
        #[default]
        Mean = "mean",
        /// `max`: the largest value of an iteration.
        Max = "max",
        /// `first`: the value of the cold first call, which is not part of the distribution.
        First = "first",
        /// `per-element`: the mean divided by the number of elements that the scenario declares
        /// for an iteration.
        PerElement = "per-element",
        /// `growth`: how the mean grows over an axis, across several scenarios.
        Growth = "growth",
    }
}

impl Statistic {
    /// The phrase for messages.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mean => "per iteration",
            Self::Max => "in the worst iteration",
            Self::First => "in the first call",
            Self::PerElement => "per element",
            Self::Growth => "over the axis",
        }
    }
}

/// `1 gate`, `2,000 gates`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    counted_exactly(u64::try_from(count).unwrap_or(u64::MAX), noun)
}

/// The same of a number that is exact on every machine.
pub(crate) fn counted_exactly(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", integer(count.into()))
}

/// `a`, `a and b`, or `a, b, c, d and 12 more`.
#[must_use]
pub fn enumerated(items: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 5;
    let mut items: Vec<String> = items.into_iter().collect();
    if items.len() > SHOWN {
        let more = items.split_off(SHOWN - 1).len();
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// A count with the separators of values: `2,000`.
pub(crate) fn thousands(count: usize) -> String {
    integer(i128::try_from(count).unwrap_or(i128::MAX))
}
