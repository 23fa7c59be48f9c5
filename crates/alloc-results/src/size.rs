//! [`SizeMetric`]: the metrics of the sizes of an iteration's requests. A bench measures
//! them only where it is asked to, and records them beside the scenario's own figures.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use alloc_requirement::{ByteUnit, Piece, Unit};

/// A metric of the sizes of an iteration's requests: of the calls of `alloc`,
/// `alloc_zeroed`, and `realloc` with its new size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SizeMetric {
    /// `largest-block`: the largest size in bytes; 0 without a request.
    LargestBlock,
    /// `allocs-over-64KiB`: the number of requests of more than so many bytes.
    AllocsOver(u64),
}

/// Why a text is not the name of a [`SizeMetric`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeMetricError {
    /// The text begins like no name of one.
    Unlike,
    /// What follows `allocs-over-` is not a size in whole bytes above 0.
    NotASize {
        /// The text.
        name: String,
    },
    /// The size has to be written in another form, so that each metric has one name.
    OtherForm {
        /// The text.
        name: String,
        /// The metric that it means.
        metric: SizeMetric,
    },
}

impl SizeMetric {
    /// The name of the largest size.
    pub const LARGEST_BLOCK: &str = "largest-block";

    /// What the name of the number of requests over a size begins with.
    pub const OVER: &str = "allocs-over-";

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::LargestBlock => Unit::Bytes,
            Self::AllocsOver(_) => Unit::Count,
        }
    }
}

/// The largest size that a request can have on any platform.
const MOST: u64 = i64::MAX as u64;

/// The largest unit that the size is a multiple of, those of 1,024 first.
fn unit_of(bytes: u64) -> ByteUnit {
    const UNITS: [ByteUnit; 6] = [
        ByteUnit::Gibibyte,
        ByteUnit::Mebibyte,
        ByteUnit::Kibibyte,
        ByteUnit::Gigabyte,
        ByteUnit::Megabyte,
        ByteUnit::Kilobyte,
    ];
    let divides = |unit: &ByteUnit| bytes % unit.bytes() == 0;
    UNITS.into_iter().find(divides).unwrap_or(ByteUnit::Byte)
}

/// The name in rules and files.
impl fmt::Display for SizeMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::LargestBlock => f.write_str(Self::LARGEST_BLOCK),
            Self::AllocsOver(bytes) => {
                let unit = unit_of(bytes);
                write!(f, "{}{}{unit}", Self::OVER, bytes / unit.bytes())
            }
        }
    }
}

impl FromStr for SizeMetric {
    type Err = SizeMetricError;

    fn from_str(name: &str) -> Result<Self, SizeMetricError> {
        if name == Self::LARGEST_BLOCK {
            return Ok(Self::LargestBlock);
        }
        let size = name.strip_prefix(Self::OVER);
        let text = size.ok_or(SizeMetricError::Unlike)?;
        let name = || name.to_owned();
        let amount = Piece { text, begin: 0 }.amount().ok();
        let bytes = amount.and_then(|amount| u64::try_from(amount.value().as_whole()?).ok());
        let metric = match bytes {
            Some(bytes @ 1..=MOST) => Self::AllocsOver(bytes),
            Some(_) | None => return Err(SizeMetricError::NotASize { name: name() }),
        };
        if metric.to_string() == name() {
            Ok(metric)
        } else {
            Err(SizeMetricError::OtherForm {
                name: name(),
                metric,
            })
        }
    }
}

impl fmt::Display for SizeMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlike => f.write_str("not a metric of sizes"),
            Self::NotASize { name } => write!(
                f,
                "`{}` does not end with a size; write whole bytes above 0 with a unit, such as \
                 `{}`",
                name.escape_debug(),
                SizeMetric::AllocsOver(1 << 16)
            ),
            Self::OtherForm { name, metric } => {
                write!(
                    f,
                    "`{}` has one name: write `{metric}`",
                    name.escape_debug()
                )
            }
        }
    }
}

impl Error for SizeMetricError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_metric_has_one_name() {
        for (bytes, name) in [
            (1, "allocs-over-1B"),
            (100, "allocs-over-100B"),
            (1_536, "allocs-over-1536B"),
            (1_000, "allocs-over-1kB"),
            (64_000, "allocs-over-64kB"),
            (1_024, "allocs-over-1KiB"),
            (65_536, "allocs-over-64KiB"),
            (1_024_000, "allocs-over-1000KiB"),
            (1 << 20, "allocs-over-1MiB"),
            (3_000_000, "allocs-over-3MB"),
            (2 << 30, "allocs-over-2GiB"),
        ] {
            let metric = SizeMetric::AllocsOver(bytes);
            assert_eq!(metric.to_string(), name);
            assert_eq!(name.parse(), Ok(metric));
        }
        assert_eq!("largest-block".parse(), Ok(SizeMetric::LargestBlock));
        for (name, metric) in [
            ("allocs-over-65536", SizeMetric::AllocsOver(65_536)),
            ("allocs-over-65536B", SizeMetric::AllocsOver(65_536)),
            ("allocs-over-64 KiB", SizeMetric::AllocsOver(65_536)),
            ("allocs-over-064KiB", SizeMetric::AllocsOver(65_536)),
            ("allocs-over-1.5KiB", SizeMetric::AllocsOver(1_536)),
            ("allocs-over-1024KiB", SizeMetric::AllocsOver(1 << 20)),
        ] {
            let error = name.parse::<SizeMetric>().expect_err("another form");
            let expected = SizeMetricError::OtherForm {
                name: name.to_owned(),
                metric,
            };
            assert_eq!(error, expected);
        }
        let error = "allocs-over-65536".parse::<SizeMetric>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`allocs-over-65536` has one name: write `allocs-over-64KiB`"
        );
    }

    #[test]
    fn other_texts_are_no_sizes() {
        for size in [
            "",
            "0",
            "0B",
            "0KiB",
            "0x",
            "0x10",
            "KiB",
            "64kib",
            "64K",
            "-1B",
            "0.5B",
            "1e3B",
            "99999999999GiB",
            "64KiB ",
            "18446744073709551616B",
            "9223372036854775808B",
        ] {
            let name = format!("allocs-over-{size}");
            let error = name.parse::<SizeMetric>().expect_err(size);
            // White space is another form.
            let is_size = matches!(error, SizeMetricError::OtherForm { .. });
            assert_eq!(is_size, size == "64KiB ", "{size}");
        }
        for name in [
            "allocs-over",
            "allocs",
            "largest-blocks",
            "Largest-block",
            "",
        ] {
            assert_eq!(name.parse::<SizeMetric>(), Err(SizeMetricError::Unlike));
        }
        let error = "allocs-over-0x".parse::<SizeMetric>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`allocs-over-0x` does not end with a size; write whole bytes above 0 with a unit, \
             such as `allocs-over-64KiB`"
        );
    }
}
