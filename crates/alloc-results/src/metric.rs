//! [`Metric`]: the counted metrics and the one table of their properties.
//!
//! To add a metric, add a variant and a row of the table. Everything that lists,
//! names, reads or changes metrics reads the table.

use std::fmt;
use std::str::FromStr;

use crate::definition::{Definition, Noun};
use crate::field::{Field, counts, native};
use crate::reading::Reading;
use crate::unit::Unit;

/// A figure of one iteration, under the name that tables and rules give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// `allocs`: calls of `alloc` and `alloc_zeroed`.
    Allocs,
    /// `bytes`: bytes requested, by allocations and by the growth of
    /// reallocations.
    Bytes,
    /// `deallocs`: calls of `dealloc`.
    Deallocs,
    /// `freed-bytes`: bytes given back, by deallocations and by the shrinking
    /// of reallocations.
    FreedBytes,
    /// `reallocs`: calls of `realloc`, `grows` and `shrinks` together.
    Reallocs,
    /// `grows`: calls of `realloc` to a larger size.
    Grows,
    /// `shrinks`: calls of `realloc` to a smaller or an equal size.
    Shrinks,
    /// `alloc-calls`: `allocs` and `reallocs` together.
    AllocCalls,
    /// `net-bytes`: `bytes` minus `freed-bytes`, what an iteration leaves
    /// behind.
    NetBytes,
    /// `net-blocks`: `allocs` minus `deallocs`.
    NetBlocks,
    /// `peak-bytes`: the most bytes live at once above the level at which the
    /// iteration began. Not measured on several threads in thread scope.
    PeakBytes,
    /// `failed`: calls for which the inner allocator returned null.
    Failed,
    /// `native-allocs`: blocks that C code allocated with `malloc` by itself.
    /// Measured where the bench asks for it and the platform supports it.
    NativeAllocs,
    /// `native-bytes`: bytes that C code requested from `malloc` by itself, with
    /// the whole new size of each reallocation. Measured with `native-allocs`.
    NativeBytes,
}

/// The part of a [`Reading`] that a metric is computed from. It decides when the
/// metric is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingPart {
    /// The counts, which every reading has.
    Counts,
    /// The peak, which a reading of several threads in thread scope lacks.
    Peak,
    /// The counts of C code, which only the feature `native` measures.
    Native,
}

/// What the table says of one metric.
struct Row {
    metric: Metric,
    definition: Definition,
    part: ReadingPart,
    /// The fields that the value is the sum of.
    adds: &'static [Field],
    /// The fields that are subtracted from it.
    subtracts: &'static [Field],
}

/// The properties of all metrics: a row each, in the order in which tables and
/// files list them.
const TABLE: &[Row] = &[
    Row {
        metric: Metric::Allocs,
        definition: Definition::count("allocs", "allocation", "allocations"),
        part: ReadingPart::Counts,
        adds: &[counts!(allocs)],
        subtracts: &[],
    },
    Row {
        metric: Metric::Bytes,
        definition: Definition::bytes("bytes", "byte", "bytes"),
        part: ReadingPart::Counts,
        adds: &[counts!(alloc_bytes), counts!(grow_bytes)],
        subtracts: &[],
    },
    Row {
        metric: Metric::Deallocs,
        definition: Definition::count("deallocs", "deallocation", "deallocations"),
        part: ReadingPart::Counts,
        adds: &[counts!(deallocs)],
        subtracts: &[],
    },
    Row {
        metric: Metric::FreedBytes,
        definition: Definition::bytes("freed-bytes", "freed byte", "freed bytes"),
        part: ReadingPart::Counts,
        adds: &[counts!(dealloc_bytes), counts!(shrink_bytes)],
        subtracts: &[],
    },
    Row {
        metric: Metric::Reallocs,
        definition: Definition::count("reallocs", "reallocation", "reallocations"),
        part: ReadingPart::Counts,
        adds: &[counts!(grows), counts!(shrinks)],
        subtracts: &[],
    },
    Row {
        metric: Metric::Grows,
        definition: Definition::count("grows", "growing reallocation", "growing reallocations"),
        part: ReadingPart::Counts,
        adds: &[counts!(grows)],
        subtracts: &[],
    },
    Row {
        metric: Metric::Shrinks,
        definition: Definition::count(
            "shrinks",
            "shrinking reallocation",
            "shrinking reallocations",
        ),
        part: ReadingPart::Counts,
        adds: &[counts!(shrinks)],
        subtracts: &[],
    },
    Row {
        metric: Metric::AllocCalls,
        definition: Definition::count("alloc-calls", "allocating call", "allocating calls"),
        part: ReadingPart::Counts,
        adds: &[counts!(allocs), counts!(grows), counts!(shrinks)],
        subtracts: &[],
    },
    Row {
        metric: Metric::NetBytes,
        definition: Definition::bytes("net-bytes", "net byte", "net bytes").signed(),
        part: ReadingPart::Counts,
        adds: &[counts!(alloc_bytes), counts!(grow_bytes)],
        subtracts: &[counts!(dealloc_bytes), counts!(shrink_bytes)],
    },
    Row {
        metric: Metric::NetBlocks,
        definition: Definition::count("net-blocks", "net block", "net blocks").signed(),
        part: ReadingPart::Counts,
        adds: &[counts!(allocs)],
        subtracts: &[counts!(deallocs)],
    },
    Row {
        metric: Metric::PeakBytes,
        definition: Definition::bytes("peak-bytes", "byte at the peak", "bytes at the peak"),
        part: ReadingPart::Peak,
        adds: &[Field::PEAK_BYTES],
        subtracts: &[],
    },
    Row {
        metric: Metric::Failed,
        definition: Definition::count("failed", "failed call", "failed calls"),
        part: ReadingPart::Counts,
        adds: &[counts!(failed)],
        subtracts: &[],
    },
    Row {
        metric: Metric::NativeAllocs,
        definition: Definition::count("native-allocs", "native allocation", "native allocations"),
        part: ReadingPart::Native,
        adds: &[native!(allocs)],
        subtracts: &[],
    },
    Row {
        metric: Metric::NativeBytes,
        definition: Definition::bytes("native-bytes", "native byte", "native bytes"),
        part: ReadingPart::Native,
        adds: &[native!(bytes), native!(realloc_bytes)],
        subtracts: &[],
    },
];

// A metric finds its row by its place in the enum.
const _: () = {
    let mut index = 0;
    while index < TABLE.len() {
        assert!(
            TABLE[index].metric as usize == index,
            "the rows have to be in the order of the enum"
        );
        index += 1;
    }
};

impl Metric {
    /// All metrics, in the order in which tables and files list them.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Allocs; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].metric;
            index += 1;
        }
        all
    };

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

    /// The part of a reading that it is computed from.
    #[must_use]
    pub const fn part(self) -> ReadingPart {
        self.row().part
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
    use crate::reading::{Counts, NativeCounts};

    /// A reading in which all fields that metrics use differ.
    fn reading() -> Reading {
        Reading {
            counts: Counts {
                allocs: 3,
                alloc_bytes: 100,
                deallocs: 1,
                dealloc_bytes: 150,
                grows: 2,
                grow_bytes: 28,
                shrinks: 1,
                shrink_bytes: 8,
                failed: 5,
            },
            peak_bytes: Some(77),
            native: Some(Box::new(NativeCounts {
                allocs: 4,
                bytes: 96,
                reallocs: 2,
                realloc_bytes: 300,
                frees: 6,
                failed: 7,
            })),
        }
    }

    #[test]
    fn names_read_back_and_are_unique() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse(), Ok(metric));
        }
        assert_eq!("alocs".parse::<Metric>(), Err(()));
        for definition in Definition::NOT_COUNTED {
            assert_eq!(definition.name.parse::<Metric>(), Err(()));
        }
    }

    #[test]
    fn every_metric_follows_its_definition() {
        let reading = reading();
        let values = Metric::ALL.map(|metric| metric.value(&reading).unwrap());
        assert_eq!(values, [3, 128, 1, 158, 3, 2, 1, 6, -30, 2, 77, 5, 4, 396]);
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
            assert_eq!(value.is_some(), metric.part() == ReadingPart::Counts);
        }
    }

    #[test]
    fn what_is_subtracted_makes_a_metric_signed() {
        for metric in Metric::ALL {
            assert_eq!(metric.is_signed(), !metric.subtracts().is_empty());
        }
    }
}
