//! Breaches of a series: the figure of one scenario is changed, as little as possible, until
//! the line through all of them breaks a limit on its slope or intercept.

use alloc_results::Ratio;

use crate::audit::planned_breach::{PlannedBreach, absence, missing};
use crate::audit::series::{members, with_mean};
use crate::audit::target::{Direction, directions, nearest};
use crate::audit::{Figure, Found, Why};
use crate::evaluation::{Absence, Judgement};
use crate::figure::{Exact, Line, Statistic, ratio};
use crate::requirement::{Comparison, Limit};
use crate::results::MeasuredScenario;
use crate::rules::Gate;

/// The planned breach of a series in which `comparison` does not hold, one for each direction.
///
/// # Errors
///
/// With the reason if there is none.
pub(super) fn planned_breaches(
    gate: &Gate,
    comparison: &Comparison,
    judgement: &Judgement,
    all: &[MeasuredScenario],
) -> Result<Vec<PlannedBreach>, Found> {
    let (Some(line), Limit::Number(limit)) = (judgement.line(), &comparison.limit) else {
        return Err(missing(absence(judgement)));
    };
    let limit = Exact::from(ratio(limit.value()));
    let members = members(gate, judgement, &line.axis, all);
    let mean = |scenario: usize| {
        let record = &all[scenario].record;
        judgement.metric.figure(Statistic::Mean, record)
    };
    let means: Option<Vec<Ratio>> = members
        .iter()
        .map(|&(scenario, _)| mean(scenario))
        .collect();
    let means = means.ok_or(missing(Absence::Metric))?;
    // By how much the slope or intercept grows if the figure of each scenario grows by 1.
    let weights = (0..members.len()).map(|index| {
        let unit = |(at, &(_, n)): (usize, &(usize, u64))| (n, Ratio::whole((at == index).into()));
        let points: Vec<_> = members.iter().enumerate().map(unit).collect();
        value(judgement.statistic, &Line::fit(&line.axis, &points)?)
    });
    let weights: Vec<Option<Exact>> = weights.collect();
    let before = value(judgement.statistic, line).ok_or(missing(Absence::Metric))?;
    let zero = Exact::from(Ratio::whole(0));

    let planned = |&direction: &Direction| -> Option<PlannedBreach> {
        let changes = weights.iter().enumerate().filter_map(|(index, weight)| {
            let weight = weight.as_ref()?;
            let mean = Exact::from(means[index]);
            let bound = &mean + &(&limit - &before).checked_div(weight)?;
            let direction = match (direction, *weight > zero) {
                (direction, true) => direction,
                (Direction::Higher, false) => Direction::Lower,
                (Direction::Lower, false) => Direction::Higher,
            };
            let target = nearest(comparison.operator, direction, &(bound.clone(), bound), &[])?;
            let scenario = members[index].0;
            let record = &all[scenario].record;
            let altered = with_mean(&judgement.metric, record, target)?;
            let change = &Exact::from(Ratio::whole(target)) - &mean;
            let after = &before + &(weight * &change);
            Some((change.abs(), after, (scenario, altered)))
        });
        let smallest = changes.min_by(|(a, ..), (b, ..)| a.cmp(b));
        let (_, after, replacement) = smallest?;
        Some(PlannedBreach {
            changed: replacement.1.iterations,
            records: vec![replacement],
            before: Figure::Value(before.rounded()?),
            after: Figure::Value(after.rounded()?),
        })
    };
    let planned: Vec<PlannedBreach> = directions(comparison.operator)
        .iter()
        .filter_map(planned)
        .collect();
    if planned.is_empty() {
        return Err(Found::Unbreakable(Why::Range {
            limit,
            least: None,
            most: None,
        }));
    }
    Ok(planned)
}

fn value(statistic: Statistic, line: &Line) -> Option<Exact> {
    line.value(statistic).cloned()
}
