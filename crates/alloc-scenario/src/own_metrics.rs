//! The metrics that a scenario reads from its outputs, and their samples.

use std::collections::BTreeMap;

use alloc_results::{CustomMetric, Distribution, Unit};

/// Reads a metric from an output, on the thread that made the output.
pub(crate) type ReadMetric<'a, O> = Box<dyn Fn(&O) -> i64 + Sync + 'a>;

/// The values of all such metrics in all iterations. It grows between windows, never
/// inside one.
#[derive(Debug)]
pub(crate) struct MetricSamples(Vec<Values>);

/// The values of one metric. They have 128 bits, since a sum over threads may not fit
/// 64 bits.
#[derive(Debug)]
struct Values {
    first: i128,
    /// How often each value occurred.
    times: BTreeMap<i128, u64>,
}

impl MetricSamples {
    /// Starts with the values of the first call, one for each metric.
    pub(crate) fn new(first: &[i128]) -> Self {
        let values = first.iter().map(|&first| Values {
            first,
            times: BTreeMap::new(),
        });
        Self(values.collect())
    }

    /// Adds the values of an iteration.
    pub(crate) fn add(&mut self, values: &[i128]) {
        for (metric, &value) in self.0.iter_mut().zip(values) {
            *metric.times.entry(value).or_default() += 1;
        }
    }

    /// The metrics with these names and units, sorted by name.
    pub(crate) fn finish(self, metrics: &[(String, Unit)]) -> Result<Vec<CustomMetric>, String> {
        let samples = self.0.into_iter().zip(metrics);
        let metrics = samples.map(|(values, (name, unit))| {
            values.metric(name, *unit).ok_or_else(|| {
                format!(
                    "the metric `{name}` does not fit 64 bits, in one iteration or in their sum"
                )
            })
        });
        let mut metrics = metrics.collect::<Result<Vec<_>, _>>()?;
        metrics.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(metrics)
    }
}

impl Values {
    /// `None` if a value, or the sum over all iterations, does not fit 64 bits.
    fn metric(self, name: &str, unit: Unit) -> Option<CustomMetric> {
        let narrow = |value: i128| i64::try_from(value).ok();
        let samples = Distribution::new(self.times)?;
        for value in [samples.min(), samples.max(), samples.total()] {
            narrow(value)?;
        }
        Some(CustomMetric {
            name: name.to_owned(),
            unit,
            first: narrow(self.first)?,
            samples,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(first: i128, iterations: &[i128]) -> Option<CustomMetric> {
        let mut samples = MetricSamples::new(&[first]);
        for &value in iterations {
            samples.add(&[value]);
        }
        samples.0.remove(0).metric("rows", Unit::Count)
    }

    #[test]
    fn values_that_do_not_fit_64_bits_are_refused() {
        let most = i128::from(i64::MAX);
        let at_the_edge = metric(most, &[most, 0, -1, 1]).expect("the sum is the largest");
        assert_eq!(at_the_edge.samples.total(), most);
        assert!(metric(most + 1, &[0]).is_none());
        assert!(metric(0, &[most + 1, -1]).is_none());
        assert!(metric(0, &[most, 1]).is_none());
        assert!(metric(0, &[-most, -2]).is_none());
    }
}
