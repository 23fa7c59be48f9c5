//! Growth that is faster than a rule allows: other figures for the points of a
//! series, as flat as they can be and still of another class.

use alloc_results::{Ratio, ScenarioRecord};

use crate::audit::injection::{column, moved, range};
use crate::audit::moves::Move;
use crate::figure::{Growth, GrowthClass, Measure};

/// By how much slopes are tried, as powers of two: from one that the largest axis
/// leaves room for to one that the largest figure gives way to.
const SLOPES: std::ops::RangeInclusive<i32> = -40..=40;

/// The points with figures that grow faster than `most`, and the class that they
/// are of: the next one where that can be.
pub(super) fn faster(
    growth: &Growth,
    most: GrowthClass,
) -> Option<(GrowthClass, Vec<(u64, i128)>)> {
    let base = growth
        .points
        .iter()
        .map(|&(_, figure)| figure.floor())
        .min()?;
    let classes = GrowthClass::FITTED.into_iter();
    classes.filter(|class| *class > most).find_map(|class| {
        SLOPES.into_iter().find_map(|power| {
            let slope = 2_f64.powi(power);
            let figure = |n: u64| (class.at(n) * slope).ceil();
            let points = growth.points.iter();
            let points: Vec<(u64, i128)> = points
                .map(|&(n, _)| (n, base.saturating_add(figure(n) as i128)))
                .collect();
            let figures: Vec<_> = points.iter().map(|&(n, y)| (n, Ratio::whole(y))).collect();
            let found = Growth::fit(&growth.axis, &figures).ok()?;
            (found.class > most).then_some((found.class, points))
        })
    })
}

/// The record with a mean of `figure`: every iteration has it.
pub(super) fn with_mean(
    measure: &Measure,
    record: &ScenarioRecord,
    figure: i128,
) -> Option<ScenarioRecord> {
    // What other threads did is known in sum alone.
    let to = match measure {
        Measure::ForeignAllocs => figure.checked_mul(record.iterations.into())?,
        Measure::Counted(_) | Measure::Custom(_) | Measure::Time | Measure::Faults => figure,
    };
    if !range(measure).contains(&to) {
        return None;
    }
    let all = column(measure, record)?.into_iter();
    let moves: Vec<Move> = all.map(|(from, times)| Move { from, times, to }).collect();
    moved(measure, record, &moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_class_is_reached_from_every_class_and_every_level() {
        for level in [0, 1, 7, 1_000, 1_000_000_000] {
            for axis in [
                [10, 100, 1_000, 10_000],
                [125, 250, 500, 1_000],
                [1, 2, 4, 8],
            ] {
                let points = axis.map(|n| (n, Ratio::whole(level)));
                let growth = Growth::fit("n", &points).unwrap();
                for most in GrowthClass::ALL {
                    let (class, points) = faster(&growth, most)
                        .unwrap_or_else(|| panic!("{most} at {level} over {axis:?}"));
                    assert!(class > most);
                    assert!(points.iter().all(|&(_, y)| y >= level));
                }
            }
        }
    }

    #[test]
    fn the_slope_is_as_small_as_it_can_be() {
        let points = [10, 100, 1_000, 10_000].map(|n| (n, Ratio::whole(3)));
        let growth = Growth::fit("n", &points).unwrap();
        let (class, points) = faster(&growth, GrowthClass::Constant).unwrap();
        assert_eq!(class, GrowthClass::Logarithmic);
        // 13.3 and 3.3 are the logarithms: a quarter of them, rounded up, is 4 and 1;
        // an eighth is 2 and 1, and one apart is constant.
        let figures: Vec<i128> = points.iter().map(|&(_, y)| y).collect();
        assert_eq!(figures.last().unwrap() - figures[0], 3);
    }
}
