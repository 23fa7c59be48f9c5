//! [`ShownFigure`]: what a table shows of each scenario, a metric or a figure that is
//! derived from several.

use std::fmt;

use crate::figure::{Measure, Statistic};
use crate::rules::expression::Expression;

/// A figure that a table shows of each scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownFigure {
    /// What it is of.
    pub quantity: Quantity,
    /// Which figure of it, or of each metric that it is derived from; of one
    /// scenario, so never growth. `None` leaves each metric the one that is meant
    /// where none is named.
    pub statistic: Option<Statistic>,
    /// What people call it.
    pub label: Option<String>,
}

/// What a figure is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// What is measured.
    Metric(Measure),
    /// What is worked out from several figures of a scenario.
    Derived {
        /// How.
        expression: Expression,
        /// What it is in.
        unit: DerivedUnit,
    },
}

/// What a derived figure is in, which decides how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DerivedUnit {
    /// A number alone.
    #[default]
    Number,
    /// A time.
    Nanoseconds,
    /// Bytes.
    Bytes,
    /// Calls or blocks or whatever else is counted.
    Count,
    /// A share.
    Percent,
}

impl DerivedUnit {
    /// Those that have a name in rules.
    pub const NAMED: [Self; 4] = [Self::Nanoseconds, Self::Bytes, Self::Count, Self::Percent];

    /// The name in rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Nanoseconds => "nanoseconds",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Percent => "percent",
        }
    }
}

impl ShownFigure {
    /// Whether a clock has a part in it.
    #[must_use]
    pub fn is_of_time(&self) -> bool {
        match &self.quantity {
            Quantity::Metric(metric) => metric.is_time(),
            Quantity::Derived { expression, .. } => expression.measures().any(Measure::is_time),
        }
    }
}

/// The label, or `allocs`, `bytes max`.
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
