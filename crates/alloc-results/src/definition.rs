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
}

/// A noun, for messages such as `1 allocation` and `3 allocations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// The singular.
    pub one: &'static str,
    /// The plural.
    pub many: &'static str,
}

impl Definition {
    /// `foreign-allocs`: allocations of other threads. Only their sum over all iterations, and
    /// their number in the first call, are measured.
    pub const FOREIGN_ALLOCS: Self = Self::count(
        "foreign-allocs",
        "allocation of other threads",
        "allocations of other threads",
    );

    /// A number of calls or blocks, with every property of a counted metric.
    pub(crate) const fn count(name: &'static str, one: &'static str, many: &'static str) -> Self {
        Self {
            name,
            unit: Unit::Count,
            noun: Noun { one, many },
            is_signed: false,
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
