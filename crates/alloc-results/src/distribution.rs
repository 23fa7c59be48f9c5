//! [`Distribution`]: the exact distribution of one metric over the iterations
//! of a scenario.

use crate::json::{ToJson, record};
use crate::ratio::Ratio;

/// The values of a metric, each with the number of iterations that had it. Records have those
/// of 64 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "read",
    derive(serde::Deserialize),
    serde(try_from = "Vec<ValueSample>")
)]
pub struct Distribution {
    /// Ascending and distinct, each with a number of iterations above zero;
    /// never empty.
    values: Vec<(i128, u64)>,
}

record! {
    /// A value, and how many iterations had it.
    struct ValueSample {
        value: i64,
        times: u64,
    }
}

impl ToJson for Distribution {
    fn write(&self, out: &mut String) {
        let samples = self.values.iter().filter_map(|&(value, times)| {
            let value = i64::try_from(value).ok()?;
            Some(ValueSample { value, times })
        });
        samples.collect::<Vec<_>>().write(out);
    }
}

#[cfg(feature = "read")]
impl TryFrom<Vec<ValueSample>> for Distribution {
    type Error = &'static str;

    fn try_from(samples: Vec<ValueSample>) -> Result<Self, &'static str> {
        // A distribution sums the iterations without checking for overflow.
        let mut times = samples.iter().map(|sample| sample.times);
        let sum = times.try_fold(0_u64, u64::checked_add);
        let values = samples.iter().map(|one| (one.value.into(), one.times));
        sum.and_then(|_| Self::new(values))
            .ok_or("no iterations, or too many")
    }
}

impl Distribution {
    /// The distribution of `values` with their numbers of iterations, in any
    /// order; `None` when there is no iteration.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = (i128, u64)>) -> Option<Self> {
        Self::from_vec(values.into_iter().collect())
    }

    /// The same, compiled once for all kinds of iterators.
    fn from_vec(mut values: Vec<(i128, u64)>) -> Option<Self> {
        values.retain(|&(_, times)| times > 0);
        values.sort_unstable();
        values.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += later.1;
            }
            same
        });
        (!values.is_empty()).then_some(Self { values })
    }

    /// The values, ascending, each with its number of iterations.
    pub fn values(&self) -> impl Iterator<Item = (i128, u64)> + Clone {
        self.values.iter().copied()
    }

    /// The number of iterations.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.values.iter().map(|&(_, times)| times).sum()
    }

    /// The sum over all iterations.
    #[must_use]
    pub fn total(&self) -> i128 {
        self.values
            .iter()
            .map(|&(value, times)| value * i128::from(times))
            .sum()
    }

    /// The arithmetic mean, exactly.
    #[must_use]
    pub fn mean(&self) -> Ratio {
        Ratio::new(self.total(), self.iterations()).unwrap_or(Ratio::whole(0))
    }

    /// The smallest value of an iteration.
    #[must_use]
    pub fn min(&self) -> i128 {
        self.values.first().map_or(0, |&(value, _)| value)
    }

    /// The largest value of an iteration.
    #[must_use]
    pub fn max(&self) -> i128 {
        self.values.last().map_or(0, |&(value, _)| value)
    }

    /// The nearest-rank percentile: the smallest value that at least `percent`
    /// of a hundred iterations don't exceed. It is always a measured value, never
    /// an interpolated one.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> i128 {
        let needed = (u128::from(self.iterations()) * u128::from(percent)).div_ceil(100);
        let mut seen = 0_u128;
        for &(value, times) in &self.values {
            seen += u128::from(times);
            if seen >= needed {
                return value;
            }
        }
        self.max()
    }

    /// Whether all iterations had the same value.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.values.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_thousand_shows_in_the_mean_and_the_maximum() {
        let distribution = Distribution::new([(1, 10), (0, 9_990)]).unwrap();
        assert_eq!(distribution.iterations(), 10_000);
        assert_eq!(distribution.total(), 10);
        assert_eq!(distribution.mean(), Ratio::new(1, 1_000).unwrap());
        assert_eq!((distribution.min(), distribution.max()), (0, 1));
        assert!(!distribution.is_constant());
    }

    #[test]
    fn percentiles_are_nearest_rank() {
        let distribution = Distribution::new((1..=100).map(|n| (n, 1))).unwrap();
        assert_eq!([50, 99].map(|rank| distribution.percentile(rank)), [50, 99]);
        let three = Distribution::new([(30, 1), (10, 1), (20, 1)]).unwrap();
        assert_eq!([50, 99].map(|rank| three.percentile(rank)), [20, 30]);
    }

    #[test]
    fn equal_values_are_joined_and_no_iteration_is_no_distribution() {
        let distribution = Distribution::new([(2, 1), (2, 4)]).unwrap();
        assert!(distribution.is_constant());
        assert_eq!(distribution.iterations(), 5);
        assert_eq!(Distribution::new([]), None);
        assert_eq!(Distribution::new([(3, 0)]), None);
    }
}
