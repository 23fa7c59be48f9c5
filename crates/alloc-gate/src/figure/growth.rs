//! [`Growth`]: how a figure grows over an axis: the simplest class that explains
//! the points, and how well it does.
//!
//! The points are exact. The fit is made in binary floating point, with nothing
//! but additions, multiplications, divisions and comparisons, which come to the
//! same on every platform: logarithms are made of those.

use std::fmt;

use alloc_results::Ratio;

/// How a figure grows with `n`, from slow to fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrowthClass {
    /// `O(1)`: it does not.
    Constant,
    /// `O(log n)`
    Logarithmic,
    /// `O(n)`
    Linear,
    /// `O(n log n)`
    Linearithmic,
    /// `O(n^2)`
    Quadratic,
    /// `O(n^3)`, or faster still; told apart so that `O(n^2)` can be broken, and not
    /// to be required.
    Cubic,
}

/// A class that was fitted to points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The axis that `n` is the value of.
    pub axis: String,
    /// `n` and the figure there, ascending.
    pub points: Vec<(u64, Ratio)>,
    /// The simplest class that explains the points, or the one that comes
    /// nearest.
    pub class: GrowthClass,
    /// By how much a point differs from the fitted curve at most, in thousandths
    /// of the point, rounded up. A difference of one is none.
    pub deviation_permille: u64,
}

/// Why points say nothing about growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooLittle {
    /// There are fewer than [`LEAST_POINTS`].
    Points,
    /// The largest `n` is not [`LEAST_SPAN`] times the smallest.
    Span,
}

/// With fewer points, several classes explain them.
pub(crate) const LEAST_POINTS: usize = 4;

/// Over a smaller span, the classes lie too near to each other.
pub(crate) const LEAST_SPAN: u64 = 8;

/// A class explains points that differ from it by no more than these thousandths.
const TOLERANCE_PERMILLE: f64 = 20.0;

impl GrowthClass {
    /// The classes that a rule can require, from slow to fast.
    pub const ALL: [Self; 5] = [
        Self::Constant,
        Self::Logarithmic,
        Self::Linear,
        Self::Linearithmic,
        Self::Quadratic,
    ];

    /// The classes that are told apart.
    pub(crate) const TOLD_APART: [Self; 6] = [
        Self::Constant,
        Self::Logarithmic,
        Self::Linear,
        Self::Linearithmic,
        Self::Quadratic,
        Self::Cubic,
    ];

    /// As rules write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constant => "O(1)",
            Self::Logarithmic => "O(log n)",
            Self::Linear => "O(n)",
            Self::Linearithmic => "O(n log n)",
            Self::Quadratic => "O(n^2)",
            Self::Cubic => "O(n^3)",
        }
    }

    /// The value at `n` of the curve of this class.
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

impl fmt::Display for GrowthClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Growth {
    /// Fits `points`, in any order. An `n` of zero says nothing of growth and is
    /// left out; of several points of one `n` the largest figure counts.
    pub(crate) fn fit(axis: &str, points: &[(u64, Ratio)]) -> Result<Self, TooLittle> {
        let mut points: Vec<_> = points.iter().copied().filter(|&(n, _)| n > 0).collect();
        points.sort_unstable();
        points.reverse();
        points.dedup_by_key(|&mut (n, _)| n);
        points.reverse();
        if points.len() < LEAST_POINTS {
            return Err(TooLittle::Points);
        }
        let (smallest, largest) = (points[0].0, points[points.len() - 1].0);
        if largest / LEAST_SPAN < smallest {
            return Err(TooLittle::Span);
        }
        let deviations = GrowthClass::TOLD_APART.map(|class| (class, deviation(class, &points)));
        let explains = |class: GrowthClass, deviation: f64| match class {
            // What does not depend on n is the same everywhere.
            GrowthClass::Constant => deviation <= 0.0,
            GrowthClass::Logarithmic
            | GrowthClass::Linear
            | GrowthClass::Linearithmic
            | GrowthClass::Quadratic
            | GrowthClass::Cubic => deviation <= TOLERANCE_PERMILLE,
        };
        let found = deviations
            .iter()
            .find(|&&(class, deviation)| explains(class, deviation))
            .copied()
            .unwrap_or_else(|| nearest(&points, &deviations));
        let (class, deviation) = found;
        Ok(Self {
            axis: axis.to_owned(),
            points,
            class,
            deviation_permille: deviation.ceil() as u64,
        })
    }
}

/// The class that is about as steep as the points are, where none explains them:
/// sizes that double, for example, fit no curve well.
fn nearest(points: &[(u64, Ratio)], deviations: &[(GrowthClass, f64)]) -> (GrowthClass, f64) {
    let of_points = steepness(points.iter().map(|&(n, figure)| (n, float(figure))));
    let off = |class: GrowthClass| {
        let of_class = steepness(points.iter().map(|&(n, _)| (n, class.at(n))));
        (of_class - of_points).abs()
    };
    let mut nearest = deviations[0];
    for &candidate in deviations {
        if off(candidate.0) < off(nearest.0) {
            nearest = candidate;
        }
    }
    nearest
}

/// The exponent of the power of n that the values follow best.
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
    // The n are at least four and differ.
    (count * sxy - sx * sy) / (count * sxx - sx * sx)
}

/// By how much a point differs at most from the curve `a + b * class(n)` that
/// fits best, in thousandths of the point. Infinite for a curve that falls.
fn deviation(class: GrowthClass, points: &[(u64, Ratio)]) -> f64 {
    let values: Vec<(f64, f64)> = points
        .iter()
        .map(|&(n, figure)| (class.at(n), float(figure)))
        .collect();
    let (a, b) = match class {
        GrowthClass::Constant => {
            // Half way between the extremes, so that one more or less is none.
            let low = values.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
            let high = values.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
            if high - low <= 1.0 {
                return 0.0;
            }
            ((low + high) / 2.0, 0.0)
        }
        GrowthClass::Logarithmic
        | GrowthClass::Linear
        | GrowthClass::Linearithmic
        | GrowthClass::Quadratic
        | GrowthClass::Cubic => least_squares(&values),
    };
    if class != GrowthClass::Constant && b <= 0.0 {
        return f64::INFINITY;
    }
    let slack = match class {
        GrowthClass::Constant => 0.0,
        GrowthClass::Logarithmic
        | GrowthClass::Linear
        | GrowthClass::Linearithmic
        | GrowthClass::Quadratic
        | GrowthClass::Cubic => 1.0,
    };
    values
        .iter()
        .map(|&(x, y)| ((a + b * x - y).abs() - slack).max(0.0) * 1000.0 / y.abs().max(1.0))
        .fold(0.0, f64::max)
}

/// The line that differs least from the points, each difference taken relative
/// to its point: the smallest n says as much as the largest.
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

fn float(figure: Ratio) -> f64 {
    figure.numerator() as f64 / figure.denominator() as f64
}

/// The binary logarithm of what is at least 1, and 0 of what is below: its whole
/// part, and then digit by digit, by squaring.
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

    fn fit(points: &[(u64, i128)]) -> Result<(GrowthClass, u64), TooLittle> {
        let points: Vec<_> = points.iter().map(|&(n, y)| (n, Ratio::whole(y))).collect();
        Growth::fit("n", &points).map(|growth| (growth.class, growth.deviation_permille))
    }

    fn of(figure: impl Fn(u64) -> i128, axis: &[u64]) -> GrowthClass {
        let points: Vec<_> = axis.iter().map(|&n| (n, figure(n))).collect();
        fit(&points).expect("there is enough").0
    }

    const DECADES: [u64; 4] = [10, 100, 1_000, 10_000];
    const OCTAVES: [u64; 4] = [125, 250, 500, 1_000];

    #[test]
    fn the_simplest_class_that_explains_the_points_is_found() {
        for axis in [DECADES, OCTAVES] {
            assert_eq!(of(|_| 3, &axis), GrowthClass::Constant);
            assert_eq!(of(|n| (n > 500).into(), &axis), GrowthClass::Constant);
            assert_eq!(of(|n| n.ilog2().into(), &axis), GrowthClass::Logarithmic);
            assert_eq!(of(|n| 2 + i128::from(n), &axis), GrowthClass::Linear);
            assert_eq!(of(|n| (7 * n).into(), &axis), GrowthClass::Linear);
            let n_log_n = |n: u64| (n as f64 * (n as f64).log2()).round() as i128;
            assert_eq!(of(n_log_n, &axis), GrowthClass::Linearithmic);
            assert_eq!(of(|n| (n * n).into(), &axis), GrowthClass::Quadratic);
            assert_eq!(
                of(|n| (n * n / 2 + n).into(), &axis),
                GrowthClass::Quadratic
            );
            assert_eq!(of(|n| i128::from(n).pow(3), &axis), GrowthClass::Cubic);
            assert_eq!(of(|n| i128::from(n).pow(4), &axis), GrowthClass::Cubic);
        }
    }

    #[test]
    fn sizes_that_double_are_linear_and_say_how_badly() {
        // What a vector that grows by doubling asks for in all.
        let (class, deviation) = fit(&[
            (100, 128 * 2 - 4),
            (1_000, 1_024 * 2 - 4),
            (10_000, 16_384 * 2 - 4),
            (100_000, 131_072 * 2 - 4),
        ])
        .unwrap();
        assert_eq!(class, GrowthClass::Linear);
        assert!((100..400).contains(&deviation), "{deviation}");
    }

    #[test]
    fn what_falls_is_constant() {
        assert_eq!(
            of(|n| 10_000 - i128::from(n), &DECADES),
            GrowthClass::Constant
        );
    }

    #[test]
    fn a_slow_creep_is_not_constant() {
        assert_eq!(
            fit(&[(1, 100), (10, 101), (100, 102), (1_000, 103)])
                .unwrap()
                .0,
            GrowthClass::Logarithmic
        );
    }

    #[test]
    fn too_few_points_and_too_small_a_span_are_refused() {
        assert_eq!(fit(&[(1, 1), (10, 1), (100, 1)]), Err(TooLittle::Points));
        assert_eq!(
            fit(&[(0, 1), (1, 1), (10, 1), (100, 1), (100, 2)]),
            Err(TooLittle::Points)
        );
        assert_eq!(
            fit(&[(10, 1), (20, 1), (40, 1), (79, 1)]),
            Err(TooLittle::Span)
        );
        assert!(fit(&[(10, 1), (20, 1), (40, 1), (80, 1)]).is_ok());
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        for x in [1.0, 1.5, 2.0, 3.0, 10.0, 1e3, 12_345_678.0, 2e19, 1e300] {
            assert!((log2(x) - f64::log2(x)).abs() < 1e-9, "{x}");
        }
    }
}
