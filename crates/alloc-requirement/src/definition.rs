//! [`Definition`]: the properties of a metric that rules, tables, baselines and
//! messages need.

use crate::unit::Unit;

/// The properties of a metric: what is the same for all of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name in rules, files and messages.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// The word for its values in a sentence.
    pub noun: Noun,
    /// Whether a value can be negative.
    pub is_signed: bool,
    /// Whether a baseline keeps it.
    pub is_in_baseline: bool,
    /// Whether its growth along an axis can be fitted.
    pub fits_growth: bool,
}

/// A noun, for messages such as `1 allocation` and `3 allocations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// The singular.
    pub one: &'static str,
    /// The plural.
    pub many: &'static str,
}

/// The metrics of a record that are not counted in each iteration.
impl Definition {
    /// `foreign-allocs`: allocations of other threads; only the sum over all
    /// iterations is recorded.
    pub const FOREIGN_ALLOCS: Self = Self {
        is_in_baseline: false,
        ..Self::count(
            "foreign-allocs",
            "allocation of other threads",
            "allocations of other threads",
        )
    };

    /// `time`: wall-clock time of an iteration in the timed pass.
    pub const TIME: Self = Self {
        unit: Unit::Nanoseconds,
        is_in_baseline: false,
        fits_growth: false,
        ..Self::count("time", "nanosecond", "nanoseconds")
    };

    /// All definitions of metrics that are not counted in each iteration.
    pub const NOT_COUNTED: [Self; 2] = [Self::FOREIGN_ALLOCS, Self::TIME];
}

impl Definition {
    /// A number of calls or blocks, with every property of a counted metric.
    pub(crate) const fn count(name: &'static str, one: &'static str, many: &'static str) -> Self {
        Self {
            name,
            unit: Unit::Count,
            noun: Noun { one, many },
            is_signed: false,
            is_in_baseline: true,
            fits_growth: true,
        }
    }

    /// A number of bytes, with every property of a counted metric.
    pub(crate) const fn bytes(name: &'static str, one: &'static str, many: &'static str) -> Self {
        Self {
            unit: Unit::Bytes,
            ..Self::count(name, one, many)
        }
    }

    /// The same, with values that can be negative.
    pub(crate) const fn signed(self) -> Self {
        Self {
            is_signed: true,
            ..self
        }
    }
}
