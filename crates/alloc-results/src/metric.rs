//! [`Metric`]: what a number is of. The definitions of the counting model, in
//! the one place where records, tables and rules look them up.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::record::Reading;

/// A figure of one iteration, under the name that tables and rules give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// `allocs`: calls of `alloc` and `alloc_zeroed`.
    Allocs,
    /// `bytes`: bytes asked for, by allocations and by the growth of
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
    /// `native-allocs`: blocks that C code took from `malloc` by itself. Only
    /// measured where the bench asks for it and the platform can.
    NativeAllocs,
    /// `native-bytes`: bytes that C code asked `malloc` for by itself, with the
    /// whole new size of each reallocation. Measured with `native-allocs`.
    NativeBytes,
}

/// What a metric is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Calls or blocks, or whatever else a scenario counts itself.
    Count,
    /// Bytes, as requested.
    Bytes,
    /// Wall-clock nanoseconds, which only scenarios measure themselves: never the
    /// same twice, and no count of an iteration.
    Nanoseconds,
}

impl Metric {
    /// All metrics, in the order in which tables and files list them.
    pub const ALL: [Self; 14] = [
        Self::Allocs,
        Self::Bytes,
        Self::Deallocs,
        Self::FreedBytes,
        Self::Reallocs,
        Self::Grows,
        Self::Shrinks,
        Self::AllocCalls,
        Self::NetBytes,
        Self::NetBlocks,
        Self::PeakBytes,
        Self::Failed,
        Self::NativeAllocs,
        Self::NativeBytes,
    ];

    /// The name in rules, files and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allocs => "allocs",
            Self::Bytes => "bytes",
            Self::Deallocs => "deallocs",
            Self::FreedBytes => "freed-bytes",
            Self::Reallocs => "reallocs",
            Self::Grows => "grows",
            Self::Shrinks => "shrinks",
            Self::AllocCalls => "alloc-calls",
            Self::NetBytes => "net-bytes",
            Self::NetBlocks => "net-blocks",
            Self::PeakBytes => "peak-bytes",
            Self::Failed => "failed",
            Self::NativeAllocs => "native-allocs",
            Self::NativeBytes => "native-bytes",
        }
    }

    /// What it is measured in.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Bytes
            | Self::FreedBytes
            | Self::NetBytes
            | Self::PeakBytes
            | Self::NativeBytes => Unit::Bytes,
            Self::Allocs
            | Self::Deallocs
            | Self::Reallocs
            | Self::Grows
            | Self::Shrinks
            | Self::AllocCalls
            | Self::NetBlocks
            | Self::Failed
            | Self::NativeAllocs => Unit::Count,
        }
    }

    /// Whether a value can be below zero.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        match self {
            Self::NetBytes | Self::NetBlocks => true,
            Self::Allocs
            | Self::Bytes
            | Self::Deallocs
            | Self::FreedBytes
            | Self::Reallocs
            | Self::Grows
            | Self::Shrinks
            | Self::AllocCalls
            | Self::PeakBytes
            | Self::Failed
            | Self::NativeAllocs
            | Self::NativeBytes => false,
        }
    }

    /// The value in one reading; `None` when it was not measured, which is
    /// never 0.
    #[must_use]
    pub fn of(self, reading: &Reading) -> Option<i128> {
        let counts = &reading.counts;
        let sum = |a: u64, b: u64| i128::from(a) + i128::from(b);
        let reallocs = sum(counts.grows, counts.shrinks);
        let bytes = sum(counts.alloc_bytes, counts.grow_bytes);
        let freed_bytes = sum(counts.dealloc_bytes, counts.shrink_bytes);
        Some(match self {
            Self::Allocs => counts.allocs.into(),
            Self::Bytes => bytes,
            Self::Deallocs => counts.deallocs.into(),
            Self::FreedBytes => freed_bytes,
            Self::Reallocs => reallocs,
            Self::Grows => counts.grows.into(),
            Self::Shrinks => counts.shrinks.into(),
            Self::AllocCalls => i128::from(counts.allocs) + reallocs,
            Self::NetBytes => bytes - freed_bytes,
            Self::NetBlocks => i128::from(counts.allocs) - i128::from(counts.deallocs),
            Self::PeakBytes => return reading.peak_bytes.map(i128::from),
            Self::Failed => counts.failed.into(),
            Self::NativeAllocs => reading.native.as_ref()?.allocs.into(),
            Self::NativeBytes => {
                let native = reading.native.as_ref()?;
                sum(native.bytes, native.realloc_bytes)
            }
        })
    }
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
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By its name; the error is the unit type, since the caller knows the text.
impl FromStr for Unit {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL
            .into_iter()
            .find(|unit| unit.name() == name)
            .ok_or(())
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By its name; the error is the unit, since the caller knows the text.
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
    use crate::{Counts, NativeCounts};

    #[test]
    fn names_read_back_and_are_unique() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse(), Ok(metric));
        }
        assert_eq!("alocs".parse::<Metric>(), Err(()));
    }

    #[test]
    fn every_metric_follows_its_definition() {
        let reading = Reading {
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
        };
        let values = Metric::ALL.map(|metric| metric.of(&reading).unwrap());
        assert_eq!(values, [3, 128, 1, 158, 3, 2, 1, 6, -30, 2, 77, 5, 4, 396]);
    }

    #[test]
    fn what_was_not_measured_is_not_zero() {
        for metric in [Metric::PeakBytes, Metric::NativeAllocs, Metric::NativeBytes] {
            assert_eq!(metric.of(&Reading::default()), None, "{metric}");
        }
    }
}
