//! [`Unit`]: the unit of a metric.

use std::fmt;
use std::str::FromStr;

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Calls, blocks, or anything else that a scenario counts.
    Count,
    /// Bytes, as requested.
    Bytes,
    /// Wall-clock nanoseconds. Only scenarios measure them, and no two
    /// measurements are equal.
    Nanoseconds,
}

impl Unit {
    /// All units.
    pub const ALL: [Self; 3] = [Self::Count, Self::Bytes, Self::Nanoseconds];

    /// The name in records and baselines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Bytes => "bytes",
            Self::Nanoseconds => "nanoseconds",
        }
    }

    /// The fewest decimals with which tables show a mean.
    #[must_use]
    pub const fn decimals(self) -> usize {
        match self {
            Self::Count => 2,
            Self::Bytes | Self::Nanoseconds => 0,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By name. The error is `()`, since the caller has the text.
impl FromStr for Unit {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|unit| unit.name() == name)
            .ok_or(())
    }
}
