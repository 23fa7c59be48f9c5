//! [`Metric`]: the counted metrics and the one table of their properties.
//!
//! To add a metric, add a row of the table. Everything that lists, names, reads or
//! changes metrics reads the table.

use std::fmt;
use std::str::FromStr;

use crate::definition::{Definition, Noun};
use crate::field::{Field, counts};
use crate::reading::Reading;
use crate::unit::Unit;

/// What the table says of one metric.
struct Row {
    definition: Definition,
    /// The fields that the value is the sum of.
    adds: &'static [Field],
    /// The fields that are subtracted from it.
    subtracts: &'static [Field],
}

/// Makes the metrics and the table of their properties from one row each, in the
/// order in which tables and files list them: the definition, the fields that are added
/// and those that are subtracted.
macro_rules! metrics {
    ($($(#[$doc:meta])* $metric:ident = $definition:expr,
        [$($added:expr),*] - [$($subtracted:expr),*];)*) => {
        /// A figure of one iteration, under the name that tables and rules give it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Metric {
            $($(#[$doc])* $metric,)*
        }

        const TABLE: &[Row] = &[$(Row {
            definition: $definition,
            adds: &[$($added),*],
            subtracts: &[$($subtracted),*],
        },)*];

        impl Metric {
            /// All metrics, in the order of tables and files.
            pub const ALL: [Self; TABLE.len()] = [$(Self::$metric,)*];
        }
    };
}

metrics! {
    /// `allocs`: calls of `alloc`, `alloc_zeroed` and `realloc`.
    Allocs = Definition::count("allocs", "allocation", "allocations"),
        [counts!(allocs)] - [];
    /// `bytes`: bytes requested, by new blocks and by the growth of reallocations.
    Bytes = Definition::bytes("bytes", "byte", "bytes"),
        [counts!(bytes)] - [];
    /// `deallocs`: calls of `dealloc`.
    Deallocs = Definition::count("deallocs", "deallocation", "deallocations"),
        [counts!(deallocs)] - [];
    /// `reallocs`: how many of the `allocs` were calls of `realloc`.
    Reallocs = Definition::count("reallocs", "reallocation", "reallocations"),
        [counts!(reallocs)] - [];
    /// `net-bytes`: what an iteration leaves behind, `bytes` minus the bytes that
    /// deallocations and shrinking reallocations gave back.
    NetBytes = Definition::bytes("net-bytes", "net byte", "net bytes").signed(),
        [counts!(bytes)] - [counts!(freed_bytes)];
    /// `net-blocks`: `allocs` minus `reallocs` minus `deallocs`.
    NetBlocks = Definition::count("net-blocks", "net block", "net blocks").signed(),
        [counts!(allocs)] - [counts!(reallocs), counts!(deallocs)];
    /// `peak-bytes`: the most bytes live at once above the level at which the
    /// iteration began. Not measured on several threads in thread scope.
    PeakBytes = Definition::bytes("peak-bytes", "byte at the peak", "bytes at the peak"),
        [Field::PEAK_BYTES] - [];
}

impl Metric {
    const fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// All properties of the metric.
    #[must_use]
    pub const fn definition(self) -> &'static Definition {
        &self.row().definition
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

    /// The word for its values in a sentence.
    #[must_use]
    pub const fn noun(self) -> Noun {
        self.definition().noun
    }

    /// Whether a value can be negative.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.definition().is_signed
    }

    /// The fields of a reading that the value is the sum of.
    #[must_use]
    pub const fn adds(self) -> &'static [Field] {
        self.row().adds
    }

    /// The fields of a reading that are subtracted from it.
    #[must_use]
    pub const fn subtracts(self) -> &'static [Field] {
        self.row().subtracts
    }

    /// The metric that tells most beside this one, such as the `bytes` of `allocs`.
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
        let sum = |fields: &[Field]| {
            fields.iter().try_fold(0_i128, |sum, field| {
                Some(sum + i128::from(field.get(reading)?))
            })
        };
        Some(sum(self.adds())? - sum(self.subtracts())?)
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
        Self::ALL
            .into_iter()
            .find(|metric| metric.name() == name)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counting_alloc::Tally;

    /// A reading in which all fields that metrics use differ.
    fn reading() -> Reading {
        Reading {
            counts: Tally {
                allocs: 6,
                reallocs: 3,
                deallocs: 1,
                bytes: 128,
                freed_bytes: 158,
                ..Tally::ZERO
            },
            peak_bytes: Some(77),
        }
    }

    #[test]
    fn names_read_back_and_are_unique() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse(), Ok(metric));
        }
        assert_eq!("alocs".parse::<Metric>(), Err(()));
        let foreign = Definition::FOREIGN_ALLOCS.name;
        assert_eq!(foreign.parse::<Metric>(), Err(()));
    }

    #[test]
    fn every_metric_follows_its_definition() {
        let reading = reading();
        let values = Metric::ALL.map(|metric| metric.value(&reading).unwrap());
        assert_eq!(values, [6, 128, 1, 3, -30, 2, 77]);
    }

    #[test]
    fn a_metric_follows_a_change_of_each_of_its_fields() {
        for metric in Metric::ALL {
            for (fields, by) in [(metric.adds(), 9), (metric.subtracts(), -9)] {
                for field in fields {
                    let mut changed = reading();
                    *field.get_mut(&mut changed).unwrap() += 9;
                    let [before, after] = [&reading(), &changed].map(|one| metric.value(one));
                    assert_eq!(after, before.map(|value| value + by), "{metric}");
                }
            }
        }
    }

    #[test]
    fn a_metric_that_was_not_measured_has_no_value() {
        for metric in Metric::ALL {
            let value = metric.value(&Reading::default());
            assert_eq!(value.is_some(), metric != Metric::PeakBytes);
        }
    }

    #[test]
    fn what_is_subtracted_makes_a_metric_signed() {
        for metric in Metric::ALL {
            assert_eq!(metric.is_signed(), !metric.subtracts().is_empty());
        }
    }
}
