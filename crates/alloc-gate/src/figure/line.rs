//! [`Line`]: the straight line through the figures of a series, in exact numbers.

use std::fmt;

use alloc_results::Ratio;

use crate::figure::exact::Exact;
use crate::figure::statistic::Statistic;

/// The line `slope * n + intercept` through points `(n, figure)`, by least squares. Where the
/// points lie on a line, it is that line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The axis that has the values `n`.
    pub axis: String,
    /// By how much the figure grows if `n` grows by 1.
    pub slope: Exact,
    /// The figure of the line at an `n` of 0: the cost that does not depend on `n`.
    pub intercept: Exact,
    /// The largest difference of a point from the line.
    pub deviation: Exact,
}

impl Line {
    /// The line through the points; `None` unless they have two different `n`.
    pub(crate) fn fit(axis: &str, points: &[(u64, Ratio)]) -> Option<Self> {
        let points: Vec<(Exact, Exact)> = points
            .iter()
            .map(|&(n, figure)| (Exact::from(Ratio::from(n)), Exact::from(figure)))
            .collect();
        let zero = Exact::from(Ratio::whole(0));
        let sum = |term: &dyn Fn(&(Exact, Exact)) -> Exact| {
            let terms = points.iter().map(term);
            terms.fold(zero.clone(), |sum, term| &sum + &term)
        };
        let count = Exact::from(Ratio::from(points.len() as u64));
        let (sx, sy) = (sum(&|(x, _)| x.clone()), sum(&|(_, y)| y.clone()));
        let (sxx, sxy) = (sum(&|(x, _)| x * x), sum(&|(x, y)| x * y));
        let spread = &(&count * &sxx) - &(&sx * &sx);
        let slope = (&(&count * &sxy) - &(&sx * &sy)).checked_div(&spread)?;
        let intercept = (&sy - &(&slope * &sx)).checked_div(&count)?;
        let line = Self {
            axis: axis.to_owned(),
            slope,
            intercept,
            deviation: zero,
        };
        let differences = points.iter().map(|(x, y)| (y - &line.at(x)).abs());
        let deviation = differences.max()?;
        Some(Self { deviation, ..line })
    }

    /// The slope or the intercept.
    pub(crate) const fn value(&self, statistic: Statistic) -> Option<&Exact> {
        if matches!(statistic, Statistic::Slope) {
            Some(&self.slope)
        } else if matches!(statistic, Statistic::Intercept) {
            Some(&self.intercept)
        } else {
            None
        }
    }

    fn at(&self, n: &Exact) -> Exact {
        &(&self.slope * n) + &self.intercept
    }
}

/// `4 * rows + 10`, and how far the points are from it.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let zero = Exact::from(Ratio::whole(0));
        let sign = if self.intercept < zero { '-' } else { '+' };
        let (slope, fixed) = (self.slope.plain(), self.intercept.abs().plain());
        write!(f, "{slope} * {} {sign} {fixed}", self.axis)?;
        if self.deviation == zero {
            f.write_str(", exactly")
        } else {
            write!(f, ", within {}", self.deviation.plain())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(points: &[(u64, i128)]) -> Option<Line> {
        let points: Vec<_> = points.iter().map(|&(n, y)| (n, Ratio::whole(y))).collect();
        Line::fit("n", &points)
    }

    fn exact(numerator: i128, denominator: u64) -> Exact {
        Ratio::new(numerator, denominator).unwrap().into()
    }

    #[test]
    fn points_on_a_line_have_exactly_its_slope_and_intercept() {
        for (slope, intercept) in [(4, 10), (0, 7), (-3, 2), (1, -5), (1_000_000, 1)] {
            for axis in [
                &[10, 100, 1_000, 10_000][..],
                &[0, 1],
                &[u64::MAX / 4, 3, 7],
            ] {
                let at = |&n: &u64| (n, slope * i128::from(n) + intercept);
                let line = fit(&axis.iter().map(at).collect::<Vec<_>>()).unwrap();
                assert_eq!(line.slope, exact(slope, 1), "{axis:?}");
                assert_eq!(line.intercept, exact(intercept, 1), "{axis:?}");
                assert_eq!(line.deviation, exact(0, 1), "{axis:?}");
            }
        }
    }

    #[test]
    fn other_points_have_the_line_of_least_squares() {
        // The means are 2 and 3; the slope is (1 * 2 + 0 + 1 * 1) / (1 + 0 + 1) = 3 / 2.
        let line = fit(&[(1, 1), (2, 4), (3, 4)]).unwrap();
        assert_eq!((line.slope, line.intercept), (exact(3, 2), exact(0, 1)));
        assert_eq!(line.deviation, exact(1, 1));
    }

    #[test]
    fn fewer_than_two_places_have_no_line() {
        assert_eq!(fit(&[]), None);
        assert_eq!(fit(&[(5, 1)]), None);
        assert_eq!(fit(&[(5, 1), (5, 2)]), None);
    }

    #[test]
    fn a_line_is_shown_with_its_fit() {
        for (points, text) in [
            (&[(1, 14), (10, 50)][..], "4 * n + 10, exactly"),
            (&[(1, 1), (2, 4), (3, 4)], "1.5 * n + 0, within 1"),
            (&[(0, -2), (2, 2)], "2 * n - 2, exactly"),
        ] {
            assert_eq!(fit(points).unwrap().to_string(), text);
        }
    }
}
