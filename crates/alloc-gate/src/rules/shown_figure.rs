//! [`ShownFigure`]: a figure that a table shows for each scenario: a metric, or an expression
//! over several figures.

use std::fmt;

use crate::figure::{Measure, Statistic};
use crate::named::named;
use crate::rules::expression::Expression;

/// A figure that a table shows for each scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFigure {
    /// The metric or the expression.
    pub quantity: Quantity,
    /// The statistic of the metric, or of each metric in the expression; never growth, which
    /// needs several scenarios. `None` for the default of each metric.
    pub statistic: Option<Statistic>,
    /// The heading, if the rules give one.
    pub label: Option<String>,
}

/// The source of a shown figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A metric.
    Metric(Measure),
    /// An expression over several figures of the scenario.
    Derived {
        /// The expression.
        expression: Expression,
        /// The unit of the result.
        unit: DerivedUnit,
    },
}

named! {
    /// The unit of a derived figure, which decides its format.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum DerivedUnit {
        /// A plain number.
        #[default]
        Number = "number",
        /// A time in nanoseconds.
        Nanoseconds = "nanoseconds",
        /// A size in bytes.
        Bytes = "bytes",
        /// A count, such as calls or blocks.
        Count = "count",
        /// A percentage.
        Percent = "percent",
    }
}

impl DerivedUnit {
    /// The units that rules can name.
    pub const NAMED: [Self; 4] = [Self::Nanoseconds, Self::Bytes, Self::Count, Self::Percent];
}

impl ShownFigure {
    /// Whether a time is part of the figure.
    #[must_use]
    pub fn is_time(&self) -> bool {
        match &self.quantity {
            Quantity::Metric(metric) => metric.is_time(),
            Quantity::Derived { expression, .. } => expression.measures().any(Measure::is_time),
        }
    }
}

/// The label, or else the metric, as in `allocs` or `bytes max`, or the expression.
impl fmt::Display for ShownFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.label, &self.quantity) {
            (Some(label), _) => f.write_str(label),
            (None, Quantity::Metric(metric)) => {
                let default = metric.default_statistic();
                match self.statistic.filter(|statistic| *statistic != default) {
                    Some(statistic) => write!(f, "{metric} {statistic}"),
                    None => write!(f, "{metric}"),
                }
            }
            (None, Quantity::Derived { expression, .. }) => f.write_str(expression.text()),
        }
    }
}
