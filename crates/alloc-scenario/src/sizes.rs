//! [`AskedSizes`]: the metrics of sizes that the environment asks for, and their values.

use std::env;

use alloc_results::{SizeMetric, SizeMetricError, Unit, protocol};
use counting_alloc::{SizeLimits, Sizes};

/// The metrics of sizes to measure.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedSizes {
    /// Ascending, each once.
    metrics: Vec<SizeMetric>,
    limits: Option<SizeLimits>,
}

impl AskedSizes {
    /// The metrics that [`protocol::SIZES`] names.
    pub(crate) fn from_environment() -> Result<Self, String> {
        match env::var_os(protocol::SIZES) {
            Some(names) => Self::parse(&names.to_string_lossy()),
            None => Ok(Self::default()),
        }
    }

    fn parse(names: &str) -> Result<Self, String> {
        const NAME: &str = protocol::SIZES;
        let names = names
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let mut metrics = Vec::new();
        for name in names {
            let metric = name.parse().map_err(|error: SizeMetricError| {
                format!("{NAME} names a metric that is unknown to this bench: {error}")
            })?;
            if let Err(at) = metrics.binary_search(&metric) {
                metrics.insert(at, metric);
            }
        }
        if metrics.is_empty() {
            return Ok(Self::default());
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

    /// The limits of the windows; `None` if no sizes are measured.
    pub(crate) const fn limits(&self) -> Option<SizeLimits> {
        self.limits
    }

    /// The metrics of the [`values`], and whether each is wanted.
    pub(crate) fn all(&self) -> impl Iterator<Item = (SizeMetric, bool)> {
        let largest = self.limits.map(|_| SizeMetric::LargestBlock);
        let over = limits_of(&self.metrics).map(SizeMetric::AllocsOver);
        let all = largest.into_iter().chain(over);
        all.map(|metric| (metric, self.metrics.contains(&metric)))
    }

    /// The units of the [`values`].
    pub(crate) fn units(&self) -> impl Iterator<Item = Unit> {
        self.all().map(|(metric, _)| metric.unit())
    }
}

fn limits_of(metrics: &[SizeMetric]) -> impl Iterator<Item = u64> {
    metrics.iter().filter_map(|metric| match *metric {
        SizeMetric::LargestBlock => None,
        SizeMetric::AllocsOver(bytes) => Some(bytes),
    })
}

/// The values of an iteration: the largest size, and the number of requests over each
/// limit. Empty if no sizes are measured.
pub(crate) fn values(sizes: Option<&Sizes>) -> Vec<i128> {
    let Some(sizes) = sizes else {
        return Vec::new();
    };
    let all = [sizes.largest]
        .into_iter()
        .chain(sizes.over().iter().copied());
    all.map(i128::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_asked_for_by_name() {
        let asked = AskedSizes::parse("allocs-over-1MiB, allocs-over-64KiB,").unwrap();
        assert_eq!(asked.limits(), SizeLimits::new(&[1 << 16, 1 << 20]));
        let all: Vec<_> = asked
            .all()
            .map(|(m, wanted)| (m.to_string(), wanted))
            .collect();
        let expected = [
            ("largest-block", false),
            ("allocs-over-64KiB", true),
            ("allocs-over-1MiB", true),
        ];
        assert_eq!(
            all,
            expected.map(|(name, wanted)| (name.to_owned(), wanted))
        );
        let largest = AskedSizes::parse("largest-block").unwrap();
        assert_eq!(largest.limits(), Some(SizeLimits::NONE));
        let none = AskedSizes::parse(" ").unwrap();
        assert_eq!((none.limits(), none.all().count()), (None, 0));
    }

    #[test]
    fn wrong_names_and_too_many_are_errors() {
        let error = AskedSizes::parse("largest-block,allocs-over-0B").unwrap_err();
        assert_eq!(
            error,
            "ALLOC_GATE_SIZES names a metric that is unknown to this bench: `allocs-over-0B` does \
             not end with a size; write whole bytes above 0 with a unit, such as \
             `allocs-over-64KiB`"
        );
        let many: Vec<_> = (1..=17)
            .map(|size| format!("allocs-over-{size}B"))
            .collect();
        assert!(AskedSizes::parse(&many[..16].join(",")).is_ok());
        assert_eq!(
            AskedSizes::parse(&many.join(",")).unwrap_err(),
            "ALLOC_GATE_SIZES names 17 sizes; at most 16 are supported"
        );
    }
}
