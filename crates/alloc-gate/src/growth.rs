//! [`Growth`]: how a value grows over an axis, as the simplest class of functions that fits
//! the points, and how well it fits.
//!
//! The points are exact. The fit is computed in binary floating point, from additions,
//! multiplications, divisions and comparisons only, so that it is the same on every
//! platform. Logarithms are computed from those too.

use alloc_results::Ratio;

named! {
    /// How a value grows with `n`, from slow to fast.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum GrowthClass {
        /// `O(1)`: no growth.
        Constant = "O(1)",
        /// `O(log n)`
        Logarithmic = "O(log n)",
        /// `O(n)`
        Linear = "O(n)",
        /// `O(n log n)`
        Linearithmic = "O(n log n)",
        /// `O(n^2)`
        Quadratic = "O(n^2)",
        /// `O(n^3)` or faster. Rules can't require it; it lets a requirement of `O(n^2)` fail.
        Cubic = "O(n^3)",
    }
}

/// The growth class fitted to points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The axis that has the values `n`.
    pub axis: String,
    /// Pairs of `n` and the value, ascending.
    pub points: Vec<(u64, Ratio)>,
    /// The simplest class that fits the points, or the nearest one if none fits.
    pub class: GrowthClass,
    /// The largest difference of a point from the fitted curve, in thousandths of the point,
    /// rounded up. Differences of up to 1 are ignored.
    pub deviation_permille: u64,
}

/// Why no class can be fitted to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FitError {
    /// There are fewer than [`MIN_POINTS`].
    TooFewPoints,
    /// The largest `n` is less than [`MIN_SPAN`] times the smallest.
    SpanTooSmall,
}

/// Several classes fit fewer points.
pub(crate) const MIN_POINTS: usize = 4;

/// Over a smaller span, the classes differ too little.
pub(crate) const MIN_SPAN: u64 = 8;

/// A class fits if no point deviates by more than this from it.
const TOLERANCE_PERMILLE: f64 = 20.0;

impl GrowthClass {
    /// The classes that a rule can require, from slow to fast.
    pub fn requirable() -> impl Iterator<Item = Self> {
        let all = Self::ALL.into_iter();
        all.filter(|class| *class < Self::Cubic)
    }

    /// The value of the class's function at `n`.
    pub(crate) fn at(self, n: u64) -> f64 {
        let x = n as f64;
        match self {
            Self::Constant => 0.0,
            Self::Logarithmic => log2(x),
            Self::Linear => x,
            Self::Linearithmic => x * log2(x),
            Self::Quadratic => x * x,
            Self::Cubic => x * x * x,
        }
    }
}

impl Growth {
    /// Fits a class to `points`, in any order. Points with an `n` of zero are left out; of
    /// several points with one `n`, the one with the largest value is used.
    pub(crate) fn fit(axis: &str, points: &[(u64, Ratio)]) -> Result<Self, FitError> {
        let mut points: Vec<_> = points.iter().copied().filter(|&(n, _)| n > 0).collect();
        points.sort_unstable();
        points.reverse();
        points.dedup_by_key(|&mut (n, _)| n);
        points.reverse();
        if points.len() < MIN_POINTS {
            return Err(FitError::TooFewPoints);
        }
        let (smallest, largest) = (points[0].0, points[points.len() - 1].0);
        if largest / MIN_SPAN < smallest {
            return Err(FitError::SpanTooSmall);
        }
        let deviations = GrowthClass::ALL.map(|class| (class, deviation(class, &points)));
        let fits = |&(class, deviation): &(GrowthClass, f64)| {
            // Values that do not depend on n are equal.
            let is_constant = class == GrowthClass::Constant;
            deviation <= if is_constant { 0.0 } else { TOLERANCE_PERMILLE }
        };
        let found = deviations.into_iter().find(fits);
        let (class, deviation) = found.unwrap_or_else(|| nearest(&points, &deviations));
        Ok(Self {
            axis: axis.to_owned(),
            points,
            class,
            deviation_permille: deviation.ceil() as u64,
        })
    }
}

/// The class whose steepness is nearest to the points. Needed where no class fits:
/// sizes that double, for example, fit no curve well.
fn nearest(points: &[(u64, Ratio)], deviations: &[(GrowthClass, f64)]) -> (GrowthClass, f64) {
    let points_steepness = steepness(points.iter().map(|&(n, value)| (n, value.to_f64())));
    let difference = |class: GrowthClass| {
        let class_steepness = steepness(points.iter().map(|&(n, _)| (n, class.at(n))));
        (class_steepness - points_steepness).abs()
    };
    let mut nearest = deviations[0];
    for &candidate in deviations {
        if difference(candidate.0) < difference(nearest.0) {
            nearest = candidate;
        }
    }
    nearest
}

/// The exponent of the power of n that fits the values best: the slope of the regression line
/// through the logarithms.
fn steepness(values: impl Iterator<Item = (u64, f64)>) -> f64 {
    let (mut count, mut sx, mut sy, mut sxx, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (n, value) in values {
        let (x, y) = (log2(n as f64), log2(value));
        count += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    // There are at least four different n, so this does not divide by 0.
    (count * sxy - sx * sy) / (count * sxx - sx * sx)
}

/// The largest difference of a point from the best curve `a + b * class(n)`, in thousandths
/// of the point. Infinite if the curve falls.
fn deviation(class: GrowthClass, points: &[(u64, Ratio)]) -> f64 {
    let values: Vec<(f64, f64)> = points
        .iter()
        .map(|&(n, value)| (class.at(n), value.to_f64()))
        .collect();
    let (a, b, slack) = if class == GrowthClass::Constant {
        // Values that differ by at most 1 count as equal.
        let low = values.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
        let high = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
        if high - low <= 1.0 {
            return 0.0;
        }
        ((low + high) / 2.0, 0.0, 0.0)
    } else {
        let (a, b) = least_squares(&values);
        if b <= 0.0 {
            return f64::INFINITY;
        }
        (a, b, 1.0)
    };
    values
        .iter()
        .map(|&(x, y)| ((a + b * x - y).abs() - slack).max(0.0) * 1000.0 / y.abs().max(1.0))
        .fold(0.0, f64::max)
}

/// The line `(a, b)` through the points by least squares. Each difference is relative to its
/// point, so that small n weigh as much as large ones.
fn least_squares(values: &[(f64, f64)]) -> (f64, f64) {
    let (mut s, mut sx, mut sy, mut sxx, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(x, y) in values {
        let size = y.abs().max(1.0);
        let weight = 1.0 / (size * size);
        s += weight;
        sx += weight * x;
        sy += weight * y;
        sxx += weight * x * x;
        sxy += weight * x * y;
    }
    let determinant = s * sxx - sx * sx;
    if determinant <= 0.0 {
        return (sy / s, 0.0);
    }
    let b = (s * sxy - sx * sy) / determinant;
    ((sy - b * sx) / s, b)
}

/// The binary logarithm, or 0 for `x` below 1. Computes the whole part first, and then one
/// binary digit after the other by squaring.
fn log2(x: f64) -> f64 {
    let mut rest = x.max(1.0);
    let mut log = 0.0;
    while rest >= 2.0 {
        rest /= 2.0;
        log += 1.0;
    }
    let mut digit = 0.5;
    for _ in 0..40 {
        rest *= rest;
        if rest >= 2.0 {
            rest /= 2.0;
            log += digit;
        }
        digit /= 2.0;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    use GrowthClass::{Constant, Cubic, Linear, Linearithmic, Logarithmic, Quadratic};

    fn fit(points: &[(u64, i128)]) -> Result<(GrowthClass, u64), FitError> {
        let points: Vec<_> = points.iter().map(|&(n, y)| (n, Ratio::whole(y))).collect();
        Growth::fit("n", &points).map(|growth| (growth.class, growth.deviation_permille))
    }

    #[test]
    fn the_simplest_fitting_class_is_found() {
        type Value = fn(u64) -> i128;
        let values: [(Value, GrowthClass); 11] = [
            (|_| 3, Constant),
            (|n| (n > 500).into(), Constant),
            (|n| 10_000 - i128::from(n), Constant),
            (|n| n.ilog2().into(), Logarithmic),
            (|n| 2 + i128::from(n), Linear),
            (|n| (7 * n).into(), Linear),
            (|n| (n as f64 * (n as f64).log2()) as i128, Linearithmic),
            (|n| (n * n).into(), Quadratic),
            (|n| (n * n / 2 + n).into(), Quadratic),
            (|n| i128::from(n).pow(3), Cubic),
            (|n| i128::from(n).pow(4), Cubic),
        ];
        for axis in [[10, 100, 1_000, 10_000], [125, 250, 500, 1_000]] {
            for (nth, (value, class)) in values.into_iter().enumerate() {
                let found = fit(&axis.map(|n| (n, value(n)))).map(|(class, _)| class);
                assert_eq!(found, Ok(class), "{nth} over {axis:?}");
            }
        }
        let slow = fit(&[(1, 100), (10, 101), (100, 102), (1_000, 103)]);
        assert_eq!(slow.unwrap().0, Logarithmic);
    }

    #[test]
    fn doubling_sizes_are_linear_with_a_large_deviation() {
        // All bytes that a vector requests while it grows by doubling.
        let points = [
            (100, 128),
            (1_000, 1_024),
            (10_000, 16_384),
            (100_000, 131_072),
        ];
        let (class, deviation) = fit(&points.map(|(n, last)| (n, 2 * last - 4))).unwrap();
        assert_eq!(class, Linear);
        assert!((100..400).contains(&deviation), "{deviation}");
    }

    #[test]
    fn too_few_points_or_too_small_a_span_is_an_error() {
        let fitted = |axis: &[u64]| {
            let points: Vec<_> = axis.iter().map(|&n| (n, 1)).collect();
            fit(&points).map(|(class, _)| class)
        };
        for (axis, expected) in [
            (&[1, 10, 100][..], Err(FitError::TooFewPoints)),
            (&[0, 1, 10, 100, 100], Err(FitError::TooFewPoints)),
            (&[10, 20, 40, 79], Err(FitError::SpanTooSmall)),
            (&[10, 20, 40, 80], Ok(Constant)),
        ] {
            assert_eq!(fitted(axis), expected, "{axis:?}");
        }
    }

    #[test]
    fn logarithms_match_the_standard_library() {
        for x in [1.0, 1.5, 2.0, 3.0, 10.0, 1e3, 12_345_678.0, 2e19, 1e300] {
            assert!((log2(x) - f64::log2(x)).abs() < 1e-9, "{x}");
        }
    }
}
