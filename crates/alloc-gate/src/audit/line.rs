//! Breaches of a series: the figure of one scenario is changed, as little as possible, until
//! the line through all of them breaks a limit on its slope or intercept.

use alloc_requirement::Operator;
use alloc_results::Ratio;

use crate::audit::planned_breach::{PlannedBreach, absence, missing};
use crate::audit::series::{members, with_mean};
use crate::audit::target::{Direction, directions, nearest};
use crate::audit::{Figure, Found, OutOfRange, Why};
use crate::evaluation::{Absence, Judgement};
use crate::figure::{Exact, Line, Measure, Statistic};
use crate::requirement::{Comparison, Limit, LimitRange};
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
    let limit = Exact::from(limit.value());
    let series = SeriesLine::new(gate, judgement, line, all).ok_or(missing(Absence::Metric))?;
    let directions = directions(comparison.operator).iter();
    let planned: Vec<PlannedBreach> = directions
        .filter_map(|&direction| series.breach(comparison.operator, direction, &limit))
        .collect();
    if planned.is_empty() {
        let range = OutOfRange {
            limit,
            least: None,
            most: None,
        };
        return Err(Found::Unbreakable(Why::Range(Box::new(range))));
    }
    Ok(planned)
}

/// A series with its slope or intercept.
struct SeriesLine<'a> {
    metric: &'a Measure,
    all: &'a [MeasuredScenario],
    /// The slope or the intercept.
    value: Exact,
    members: Vec<Member>,
}

/// A scenario of a series.
struct Member {
    scenario: usize,
    mean: Exact,
    /// By how much the slope or intercept grows if the mean grows by 1.
    weight: Exact,
}

impl<'a> SeriesLine<'a> {
    fn new(
        gate: &Gate,
        judgement: &'a Judgement,
        line: &Line,
        all: &'a [MeasuredScenario],
    ) -> Option<Self> {
        let scenarios = members(gate, judgement, &line.axis, all);
        let member = |index: usize| {
            let unit = |(at, &(_, n)): (usize, &(usize, u64))| {
                let figure = Ratio::whole((at == index).into());
                (n, figure)
            };
            let points: Vec<_> = scenarios.iter().enumerate().map(unit).collect();
            let (scenario, _) = scenarios[index];
            let record = &all[scenario].record;
            Some(Member {
                scenario,
                mean: judgement.metric.figure(Statistic::Mean, record)?.into(),
                weight: Line::fit(&line.axis, &points)?
                    .value(judgement.statistic)?
                    .clone(),
            })
        };
        Some(Self {
            metric: &judgement.metric,
            all,
            value: line.value(judgement.statistic)?.clone(),
            members: (0..scenarios.len()).map(member).collect::<Option<_>>()?,
        })
    }

    /// The smallest change of one scenario that takes the slope or intercept beyond the limit.
    fn breach(
        &self,
        operator: Operator,
        direction: Direction,
        limit: &Exact,
    ) -> Option<PlannedBreach> {
        let zero = Exact::from(Ratio::whole(0));
        let changes = self.members.iter().filter_map(|member| {
            let distance = (limit - &self.value).checked_div(&member.weight)?;
            let bound = &member.mean + &distance;
            let direction = match direction {
                Direction::Lower if member.weight <= zero => Direction::Higher,
                Direction::Higher if member.weight <= zero => Direction::Lower,
                Direction::Lower | Direction::Higher => direction,
            };
            let target = nearest(operator, direction, &LimitRange::at(bound), &[])?;
            let record = &self.all[member.scenario].record;
            let altered = with_mean(self.metric, record, target)?;
            let change = &Exact::from(Ratio::whole(target)) - &member.mean;
            let after = &self.value + &(&member.weight * &change);
            Some((change.abs(), after, (member.scenario, altered)))
        });
        let (_, after, replacement) = changes.min_by(|(a, ..), (b, ..)| a.cmp(b))?;
        Some(PlannedBreach {
            changed: replacement.1.iterations,
            records: vec![replacement],
            before: Figure::Value(self.value.rounded()?),
            after: Figure::Value(after.rounded()?),
        })
    }
}
