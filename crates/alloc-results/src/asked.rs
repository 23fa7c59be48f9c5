//! [`AskedMetric`]: the metrics that a bench measures only where it is asked to: the peak of
//! live blocks, and those of the sizes of requests. They are recorded beside the scenario's own
//! figures.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use alloc_requirement::{ByteUnit, Definition, Piece, Unit};

/// A metric that a bench measures only where it is asked to. Sizes are those of an iteration's
/// requests: of the calls of `alloc`, `alloc_zeroed`, and `realloc` with its new size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskedMetric {
    /// `peak-blocks`: the most blocks live at once above their number at the begin of the
    /// iteration. Not measured on several threads in thread scope.
    PeakBlocks,
    /// `largest-block`: the largest size in bytes; 0 without a request.
    LargestBlock,
    /// `allocs-over-64KiB`: the number of requests of more than so many bytes.
    AllocsOver(u64),
}

/// Why a text is not the name of a [`AskedMetric`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedMetricError {
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
        metric: AskedMetric,
    },
}

impl AskedMetric {
    /// The name of the peak of live blocks.
    pub const PEAK_BLOCKS: &str = Definition::PEAK_BLOCKS.name;

    /// The name of the largest size.
    pub const LARGEST_BLOCK: &str = "largest-block";

    /// What the name of the number of requests over a size begins with.
    pub const OVER: &str = "allocs-over-";

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::LargestBlock => Unit::Bytes,
            Self::PeakBlocks | Self::AllocsOver(_) => Unit::Count,
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
impl fmt::Display for AskedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PeakBlocks => f.write_str(Self::PEAK_BLOCKS),
            Self::LargestBlock => f.write_str(Self::LARGEST_BLOCK),
            Self::AllocsOver(bytes) => {
                let unit = unit_of(bytes);
                write!(f, "{}{}{unit}", Self::OVER, bytes / unit.bytes())
            }
        }
    }
}

impl FromStr for AskedMetric {
    type Err = AskedMetricError;

    fn from_str(name: &str) -> Result<Self, AskedMetricError> {
        match name {
            Self::PEAK_BLOCKS => return Ok(Self::PeakBlocks),
            Self::LARGEST_BLOCK => return Ok(Self::LargestBlock),
            _ => {}
        }
        let size = name.strip_prefix(Self::OVER);
        let text = size.ok_or(AskedMetricError::Unlike)?;
        let name = || name.to_owned();
        let amount = Piece { text, begin: 0 }.amount().ok();
        let bytes = amount.and_then(|amount| u64::try_from(amount.value().as_whole()?).ok());
        let metric = match bytes {
            Some(bytes @ 1..=MOST) => Self::AllocsOver(bytes),
            Some(_) | None => return Err(AskedMetricError::NotASize { name: name() }),
        };
        if metric.to_string() == name() {
            Ok(metric)
        } else {
            Err(AskedMetricError::OtherForm {
                name: name(),
                metric,
            })
        }
    }
}

impl fmt::Display for AskedMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unlike => write!(
                f,
                "the names are `{}`, `{}` and `{}SIZE`",
                AskedMetric::PEAK_BLOCKS,
                AskedMetric::LARGEST_BLOCK,
                AskedMetric::OVER
            ),
            Self::NotASize { name } => write!(
                f,
                "`{}` does not end with a size; write whole bytes above 0 with a unit, such as \
                 `{}`",
                name.escape_debug(),
                AskedMetric::AllocsOver(1 << 16)
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

impl Error for AskedMetricError {}

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
            let metric = AskedMetric::AllocsOver(bytes);
            assert_eq!(metric.to_string(), name);
            assert_eq!(name.parse(), Ok(metric));
        }
        for (metric, name) in [
            (AskedMetric::LargestBlock, "largest-block"),
            (AskedMetric::PeakBlocks, "peak-blocks"),
        ] {
            assert_eq!((name.parse(), &*metric.to_string()), (Ok(metric), name));
        }
        for (name, metric) in [
            ("allocs-over-65536", AskedMetric::AllocsOver(65_536)),
            ("allocs-over-65536B", AskedMetric::AllocsOver(65_536)),
            ("allocs-over-64 KiB", AskedMetric::AllocsOver(65_536)),
            ("allocs-over-064KiB", AskedMetric::AllocsOver(65_536)),
            ("allocs-over-1.5KiB", AskedMetric::AllocsOver(1_536)),
            ("allocs-over-1024KiB", AskedMetric::AllocsOver(1 << 20)),
        ] {
            let error = name.parse::<AskedMetric>().expect_err("another form");
            let expected = AskedMetricError::OtherForm {
                name: name.to_owned(),
                metric,
            };
            assert_eq!(error, expected);
        }
        let error = "allocs-over-65536".parse::<AskedMetric>().unwrap_err();
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
            let error = name.parse::<AskedMetric>().expect_err(size);
            // White space is another form.
            let is_size = matches!(error, AskedMetricError::OtherForm { .. });
            assert_eq!(is_size, size == "64KiB ", "{size}");
        }
        for name in [
            "allocs-over",
            "allocs",
            "largest-blocks",
            "Largest-block",
            "",
        ] {
            assert_eq!(name.parse::<AskedMetric>(), Err(AskedMetricError::Unlike));
        }
        let error = "allocs-over-0x".parse::<AskedMetric>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`allocs-over-0x` does not end with a size; write whole bytes above 0 with a unit, \
             such as `allocs-over-64KiB`"
        );
    }
}
