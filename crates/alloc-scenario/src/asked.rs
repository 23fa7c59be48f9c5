//! [`Asked`]: the metrics that the environment asks for, and their values.

use std::env;

use alloc_results::{AskedMetric, AskedMetricError, Unit, protocol};
use counting_alloc::{SizeLimits, Sizes, Window};

/// The metrics to measure where they are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Ascending, each once.
    metrics: Vec<AskedMetric>,
    limits: Option<SizeLimits>,
}

impl Asked {
    /// The metrics that [`protocol::METRICS`] names.
    pub(crate) fn from_environment() -> Result<Self, String> {
        match env::var_os(protocol::METRICS) {
            Some(names) => Self::parse(&names.to_string_lossy()),
            None => Ok(Self::default()),
        }
    }

    fn parse(names: &str) -> Result<Self, String> {
        const NAME: &str = protocol::METRICS;
        let names = names
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let mut metrics = Vec::new();
        for name in names {
            let metric = name.parse().map_err(|error: AskedMetricError| {
                format!("{NAME} names a metric that is unknown to this bench: {error}")
            })?;
            if let Err(at) = metrics.binary_search(&metric) {
                metrics.insert(at, metric);
            }
        }
        let mut of_sizes = metrics
            .iter()
            .filter(|metric| **metric != AskedMetric::PeakBlocks);
        if of_sizes.next().is_none() {
            return Ok(Self {
                metrics,
                limits: None,
            });
        }
        let limits: Vec<u64> = limits_of(&metrics).collect();
        let limits = SizeLimits::new(&limits).ok_or_else(|| {
            format!(
                "{NAME} names {} sizes; at most {} are supported",
                limits.len(),
                SizeLimits::CAPACITY
            )
        })?;
        Ok(Self {
            metrics,
            limits: Some(limits),
        })
    }

    /// The settings of the windows.
    pub(crate) fn settings(&self) -> AskedSettings {
        AskedSettings {
            limits: self.limits,
            peak_blocks: self.metrics.contains(&AskedMetric::PeakBlocks),
        }
    }

    /// The metrics of the [`values`], and whether each is wanted.
    pub(crate) fn all(&self) -> impl Iterator<Item = (AskedMetric, bool)> {
        let largest = self.limits.map(|_| AskedMetric::LargestBlock);
        let over = limits_of(&self.metrics).map(AskedMetric::AllocsOver);
        let blocks = self
            .settings()
            .peak_blocks
            .then_some(AskedMetric::PeakBlocks);
        let all = largest.into_iter().chain(over).chain(blocks);
        all.map(|metric| (metric, self.metrics.contains(&metric)))
    }

    /// The units of the [`values`].
    pub(crate) fn units(&self) -> impl Iterator<Item = Unit> {
        self.all().map(|(metric, _)| metric.unit())
    }
}

/// What windows keep for the metrics that are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AskedSettings {
    /// The limits of sizes; `None` if no sizes are measured.
    limits: Option<SizeLimits>,
    peak_blocks: bool,
}

impl AskedSettings {
    /// The sizes that requests over them are counted.
    pub(crate) fn sizes(&self) -> &[u64] {
        self.limits.as_ref().map_or(&[], SizeLimits::bytes)
    }

    /// A window of a thread among several, with sizes if they are measured. The peak of several
    /// threads is not the sum of their peaks.
    pub(crate) fn of_member(self, window: Window) -> Window {
        match self.limits {
            Some(limits) => window.with_sizes(limits),
            None => window,
        }
    }

    /// A window of all that is measured, with everything that is asked for.
    pub(crate) fn of_whole(self, window: Window) -> Window {
        let window = self.of_member(window);
        if self.peak_blocks {
            window.with_peak_blocks()
        } else {
            window
        }
    }
}

fn limits_of(metrics: &[AskedMetric]) -> impl Iterator<Item = u64> {
    metrics.iter().filter_map(|metric| match *metric {
        AskedMetric::PeakBlocks | AskedMetric::LargestBlock => None,
        AskedMetric::AllocsOver(bytes) => Some(bytes),
    })
}

/// The values of an iteration: the largest size, and the number of requests over each
/// limit, if sizes are measured; and the peak of live blocks, if that is.
pub(crate) fn values(sizes: Option<&Sizes>, peak_blocks: Option<u64>) -> Vec<i128> {
    let largest = sizes.map(|sizes| sizes.largest);
    let over = sizes.map_or(&[][..], Sizes::over);
    let all = largest.into_iter().chain(over.iter().copied());
    all.chain(peak_blocks).map(i128::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_asked_for_by_name() {
        let asked = Asked::parse("allocs-over-1MiB, peak-blocks, allocs-over-64KiB,").unwrap();
        assert_eq!(asked.limits, SizeLimits::new(&[1 << 16, 1 << 20]));
        assert!(asked.settings().peak_blocks);
        let all: Vec<_> = asked
            .all()
            .map(|(m, wanted)| (m.to_string(), wanted))
            .collect();
        let expected = [
            ("largest-block", false),
            ("allocs-over-64KiB", true),
            ("allocs-over-1MiB", true),
            ("peak-blocks", true),
        ];
        assert_eq!(
            all,
            expected.map(|(name, wanted)| (name.to_owned(), wanted))
        );
        let largest = Asked::parse("largest-block").unwrap();
        assert_eq!(largest.limits, Some(SizeLimits::NONE));
        assert!(!largest.settings().peak_blocks);
        let blocks = Asked::parse("peak-blocks").unwrap();
        assert_eq!((blocks.limits, blocks.all().count()), (None, 1));
        let none = Asked::parse(" ").unwrap();
        assert_eq!((none.limits, none.all().count()), (None, 0));
    }

    #[test]
    fn wrong_names_and_too_many_are_errors() {
        let error = Asked::parse("largest-block,allocs-over-0B").unwrap_err();
        assert_eq!(
            error,
            "ALLOC_GATE_METRICS names a metric that is unknown to this bench: `allocs-over-0B` does \
             not end with a size; write whole bytes above 0 with a unit, such as \
             `allocs-over-64KiB`"
        );
        assert_eq!(
            Asked::parse("peak").unwrap_err(),
            "ALLOC_GATE_METRICS names a metric that is unknown to this bench: the names are \
             `peak-blocks`, `largest-block` and `allocs-over-SIZE`"
        );
        let many: Vec<_> = (1..=17)
            .map(|size| format!("allocs-over-{size}B"))
            .collect();
        assert!(Asked::parse(&many[..16].join(",")).is_ok());
        assert_eq!(
            Asked::parse(&many.join(",")).unwrap_err(),
            "ALLOC_GATE_METRICS names 17 sizes; at most 16 are supported"
        );
    }
}
