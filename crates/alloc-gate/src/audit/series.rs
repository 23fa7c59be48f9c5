//! Breaches of a series: figures that grow faster than a rule allows, with the
//! smallest possible slope.

use std::ops::RangeInclusive;

use alloc_results::{Ratio, ScenarioRecord};

use crate::audit::moves::Move;
use crate::audit::planned_breach::{PlannedBreach, Replacement, absence, missing};
use crate::audit::records::{column, moved};
use crate::audit::{Figure, Found, Why};
use crate::evaluation::Judgement;
use crate::figure::{Growth, GrowthClass, Measure};
use crate::requirement::{Comparison, Limit};
use crate::results::MeasuredScenario;
use crate::results::axis::{axis_value, series_name};
use crate::rules::Gate;

/// The slopes to try, as powers of two. They suit the largest axis values as well as
/// the largest figures.
const SLOPES: RangeInclusive<i32> = -40..=40;

/// The planned breach of a series whose figures grow faster than `comparison` allows.
///
/// # Errors
///
/// With the reason if there is none.
pub(super) fn planned_breaches(
    gate: &Gate,
    comparison: &Comparison,
    judgement: &Judgement,
    all: &[MeasuredScenario],
) -> Result<PlannedBreach, Found> {
    let (Some(growth), Limit::Growth(most)) = (judgement.growth(), &comparison.limit) else {
        return Err(missing(absence(judgement)));
    };
    let unbreakable = || Found::Unbreakable(Why::Growth);
    let (class, points) = faster(growth, *most).ok_or_else(unbreakable)?;
    let members = members(gate, judgement, &growth.axis, all);
    let members = members.into_iter().filter(|&(_, n)| n > 0);
    let records = members.map(|(scenario, n)| {
        let &(_, figure) = points.iter().find(|(at, _)| *at == n)?;
        let record = with_mean(&judgement.metric, &all[scenario].record, figure)?;
        Some((scenario, record))
    });
    let records: Option<Vec<Replacement>> = records.collect();
    let records = records.ok_or_else(unbreakable)?;
    Ok(PlannedBreach {
        before: Figure::Growth(growth.class),
        after: Figure::Growth(class),
        changed: records.len() as u64,
        records,
    })
}

/// The indices of the series' scenarios, each with its value on the axis.
pub(super) fn members(
    gate: &Gate,
    judgement: &Judgement,
    axis: &str,
    all: &[MeasuredScenario],
) -> Vec<(usize, u64)> {
    let is_member = |measured: &MeasuredScenario| {
        let record = &measured.record;
        gate.filter.includes(&measured.bench, &record.name)
            && measured.bench == judgement.bench
            && series_name(&record.name, &record.axes, Some(axis)) == judgement.scenario
    };
    let first = all.iter().find(|measured| is_member(measured));
    let members = all.iter().enumerate().filter(|(_, measured)| {
        is_member(measured) && first.is_some_and(|first| first.environment == measured.environment)
    });
    let valued = members.filter_map(|(scenario, measured)| {
        let n = axis_value(&measured.record, axis)?;
        Some((scenario, n))
    });
    valued.collect()
}

/// Points whose figures grow faster than `most`, and their class: the next one if
/// possible.
fn faster(growth: &Growth, most: GrowthClass) -> Option<(GrowthClass, Vec<(u64, i128)>)> {
    let base = growth
        .points
        .iter()
        .map(|&(_, figure)| figure.floor())
        .min()?;
    let classes = GrowthClass::ALL.into_iter();
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

/// The record with a mean of `figure`, which every iteration has.
pub(super) fn with_mean(
    measure: &Measure,
    record: &ScenarioRecord,
    figure: i128,
) -> Option<ScenarioRecord> {
    // Only the sum is recorded.
    let to = match measure {
        Measure::Summed(_) => figure.checked_mul(record.iterations.into())?,
        Measure::Counted(_) | Measure::Custom(_) | Measure::Time | Measure::Faults => figure,
    };
    if !measure.range().contains(&to) {
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
                for most in GrowthClass::requirable() {
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
        // The logarithms are 13.3 and 3.3. A quarter of them, rounded up, is 4 and 1.
        // An eighth is 2 and 1, and a difference of 1 is constant.
        let figures: Vec<i128> = points.iter().map(|&(_, y)| y).collect();
        assert_eq!(figures.last().unwrap() - figures[0], 3);
    }
}
