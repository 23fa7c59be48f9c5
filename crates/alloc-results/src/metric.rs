//! [`Metric`]: the counted metrics and the one table of their properties.
//!
//! To add a metric, add a row of the table. Everything that lists, names or reads
//! metrics reads the table.

use std::fmt;
use std::str::FromStr;

use counting_alloc::{Measured, Tally};

use crate::named::named;

/// The numbers of one iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub struct Reading {
    /// The operations.
    pub counts: Tally,
    /// The most bytes live at once above the level at the beginning; `null`
    /// where it was not measured.
    pub peak_bytes: Option<u64>,
}

impl Reading {
    /// A reading of the calls that were served. A reading has no others.
    #[must_use]
    pub const fn new(tally: Tally, peak_bytes: Option<u64>) -> Self {
        Self {
            counts: Tally { failed: 0, ..tally },
            peak_bytes,
        }
    }
}

impl<T> From<&Measured<T>> for Reading {
    fn from(measured: &Measured<T>) -> Self {
        Self::new(measured.tally, measured.peak_bytes)
    }
}

named! {
    /// The unit of a metric.
    #[cfg_attr(
        feature = "read",
        derive(serde::Deserialize),
        serde(rename_all = "kebab-case")
    )]
    #[non_exhaustive]
    pub enum Unit {
        /// Calls, blocks, or anything else that a scenario counts.
        Count = "count",
        /// Bytes, as requested.
        Bytes = "bytes",
        /// Wall-clock nanoseconds. Only scenarios measure them, and no two
        /// measurements are equal.
        Nanoseconds = "nanoseconds",
    }
}

impl Unit {
    /// The fewest decimals with which tables show a mean.
    #[must_use]
    pub const fn decimals(self) -> usize {
        match self {
            Self::Count => 2,
            Self::Bytes | Self::Nanoseconds => 0,
        }
    }
}

/// The properties of a metric: what is the same for all of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name in rules, files and messages.
    pub name: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// The words for a value in a sentence: `1 allocation` and `3 allocations`.
    pub nouns: [&'static str; 2],
    /// Whether a value can be negative.
    pub is_signed: bool,
}

impl Definition {
    /// `foreign-allocs`: allocations of other threads. Only their sum over all iterations, and
    /// their number in the first call, are measured.
    pub const FOREIGN_ALLOCS: Self = Self::new(
        "foreign-allocs",
        Unit::Count,
        [
            "allocation of other threads",
            "allocations of other threads",
        ],
    );

    const fn new(name: &'static str, unit: Unit, nouns: [&'static str; 2]) -> Self {
        Self {
            name,
            unit,
            nouns,
            is_signed: false,
        }
    }

    const fn signed(self) -> Self {
        Self {
            is_signed: true,
            ..self
        }
    }
}

/// What the table says of one metric: its properties, and its value in a reading.
type Row = (Definition, fn(&Reading) -> Option<i128>);

/// Makes the metrics and the table of their properties from one row each, in the
/// order in which tables and files list them.
macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident = $definition:expr, $value:expr;)*) => {
        /// A count of one iteration, under the name that tables and rules give it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        const TABLE: &[Row] = &[$(($definition, $value),)*];

        impl Metric {
            /// All metrics, in the order of tables and files.
            pub const ALL: [Self; TABLE.len()] = [$(Self::$metric,)*];
        }
    };
}

metrics! {
    /// `allocs`: calls of `alloc`, `alloc_zeroed` and `realloc`.
    Allocs = Definition::new("allocs", Unit::Count, ["allocation", "allocations"]),
        |reading| Some(reading.counts.allocs.into());
    /// `bytes`: bytes requested, by new blocks and by the growth of reallocations.
    Bytes = Definition::new("bytes", Unit::Bytes, ["byte", "bytes"]),
        |reading| Some(reading.counts.bytes.into());
    /// `deallocs`: calls of `dealloc`.
    Deallocs = Definition::new("deallocs", Unit::Count, ["deallocation", "deallocations"]),
        |reading| Some(reading.counts.deallocs.into());
    /// `reallocs`: how many of the `allocs` were calls of `realloc`.
    Reallocs = Definition::new("reallocs", Unit::Count, ["reallocation", "reallocations"]),
        |reading| Some(reading.counts.reallocs.into());
    /// `net-bytes`: what an iteration leaves behind, `bytes` minus the bytes that
    /// deallocations and shrinking reallocations gave back.
    NetBytes = Definition::new("net-bytes", Unit::Bytes, ["net byte", "net bytes"]).signed(),
        |reading| Some(reading.counts.net_bytes().into());
    /// `net-blocks`: `allocs` minus `reallocs` minus `deallocs`.
    NetBlocks = Definition::new("net-blocks", Unit::Count, ["net block", "net blocks"]).signed(),
        |reading| Some(reading.counts.net_blocks().into());
    /// `peak-bytes`: the most bytes live at once above the level at which the
    /// iteration began. Not measured on several threads in thread scope.
    PeakBytes = Definition::new("peak-bytes", Unit::Bytes, ["byte at the peak", "bytes at the peak"]),
        |reading| reading.peak_bytes.map(i128::from);
}

impl Metric {
    /// All properties of the metric.
    #[must_use]
    pub const fn definition(self) -> &'static Definition {
        &TABLE[self as usize].0
    }

    /// The name in rules, files and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.definition().name
    }

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> Unit {
        self.definition().unit
    }

    /// The metric that explains this one best, such as `bytes` for `allocs`.
    #[must_use]
    pub const fn companion(self) -> Option<Self> {
        match self {
            Self::Allocs | Self::Reallocs => Some(Self::Bytes),
            Self::Bytes => Some(Self::Allocs),
            Self::NetBlocks => Some(Self::NetBytes),
            Self::NetBytes => Some(Self::NetBlocks),
            Self::Deallocs | Self::PeakBytes => None,
        }
    }

    /// The value in one reading; `None` when it was not measured, which is
    /// never 0.
    #[must_use]
    pub fn value(self, reading: &Reading) -> Option<i128> {
        (TABLE[self as usize].1)(reading)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By name. The error is `()`, since the caller has the text.
impl FromStr for Metric {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|metric| metric.name() == name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_are_unique() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse(), Ok(metric));
        }
        let foreign = Definition::FOREIGN_ALLOCS.name;
        assert_eq!(foreign.parse::<Metric>(), Err(()));
    }

    #[test]
    fn every_metric_follows_its_definition_and_an_unmeasured_one_has_no_value() {
        let mut reading = Reading {
            counts: Tally {
                allocs: 6,
                reallocs: 3,
                deallocs: 1,
                bytes: 128,
                freed_bytes: 158,
                failed: 0,
            },
            peak_bytes: Some(77),
        };
        let values = [6, 128, 1, 3, -30, 2, 77].map(Some);
        assert_eq!(Metric::ALL.map(|metric| metric.value(&reading)), values);
        reading.peak_bytes = None;
        assert_eq!(Metric::PeakBytes.value(&reading), None);
    }
}
