//! [`PlannedBreach`]: altered records with which a comparison should fail.

use alloc_results::{Ratio, ScenarioRecord};
use indexmap::IndexSet;

use crate::audit::moves::{Column, Move};
use crate::audit::records::{column, moved, with_first};
use crate::audit::target::{Direction, Grain, Part, directions, nearest};
use crate::audit::{Figure, Found, Inconclusive, OutOfRange, Why, limits, moves};
use crate::evaluation::{Absence, Judgement};
use crate::figure::Exact;
use crate::requirement::{Comparison, Limit, LimitRange};
use crate::results::{MeasuredScenario, Measurements, ScenarioId};
use crate::rules::Rule;

/// How often to look for a breach again because it changed the limit.
const MOST_ROUNDS: u32 = 32;

/// A scenario's index, and a record for it.
pub(super) type Replacement = (usize, ScenarioRecord);

/// Altered records that break a comparison in one direction.
pub(super) struct PlannedBreach {
    pub(super) records: Vec<Replacement>,
    /// The figure that was measured.
    pub(super) before: Figure,
    /// The figure of the altered records.
    pub(super) after: Figure,
    /// The number of changed iterations, batches or scenarios.
    pub(super) changed: u64,
}

/// The smallest planned breach of a scenario for each direction in which `comparison` can be
/// broken; at least one. `ids` are those of the scenarios of `all`, in the same order.
///
/// # Errors
///
/// With the reason if there is none.
pub(super) fn planned_breaches(
    rule: &Rule,
    comparison: &Comparison,
    judgement: &Judgement,
    all: &Measurements,
    ids: &IndexSet<ScenarioId>,
) -> Result<Vec<PlannedBreach>, Found> {
    let scenario = ids.get_index_of(&judgement.id());
    let scenario = scenario.ok_or(missing(Absence::Scenario))?;
    let measured = &all.scenarios()[scenario];
    let record = &measured.record;
    let before = judgement.measured.ok_or(missing(absence(judgement)))?;
    let column = column(&rule.metric, record).ok_or(missing(Absence::Metric))?;
    let grain = Grain::for_statistic(rule.statistic, &rule.metric, record, &column)
        .ok_or(missing(Absence::Elements))?;
    let other = |name: &str| -> Option<&MeasuredScenario> {
        let mut others = all.named(name);
        others.retain(|other| other.environment.is_built_like(&measured.environment));
        match others[..] {
            [only] => Some(only),
            _ => others
                .into_iter()
                .find(|other| other.bench == measured.bench),
        }
    };
    let limit_in = |record: &ScenarioRecord| {
        limits::ends(rule, comparison, judgement, measured, record, other)
    };
    let limit = limit_in(record)?;
    let planned = |&direction: &Direction| -> Option<PlannedBreach> {
        let mut limit = limit.clone();
        // A limit that is another figure of the record can change with the record.
        for _ in 0..MOST_ROUNDS {
            let target = nearest(comparison.operator, direction, &limit, &grain.divisors)?;
            let (altered, changed) = with_target(rule, record, &grain, &column, target)?;
            let now = limit_in(&altered).ok()?;
            if now == limit {
                let after = rule.metric.figure(rule.statistic, &altered)?;
                return Some(PlannedBreach {
                    records: vec![(scenario, altered)],
                    before: Figure::Value(before),
                    after: Figure::Value(after),
                    changed,
                });
            }
            limit = now;
        }
        None
    };
    let directions = directions(comparison.operator).iter();
    let planned: Vec<PlannedBreach> = directions.filter_map(planned).collect();
    if planned.is_empty() && matches!(comparison.limit, Limit::Figure(_)) {
        return Err(Found::Inconclusive(Inconclusive::Coupled));
    }
    if planned.is_empty() {
        let why = out_of_range(rule, &grain, &column, comparison, &limit);
        return Err(Found::Unbreakable(why));
    }
    Ok(planned)
}

pub(super) const fn missing(absence: Absence) -> Found {
    Found::Inconclusive(Inconclusive::Missing(absence))
}

/// Why the judgement has no figure.
pub(super) fn absence(judgement: &Judgement) -> Absence {
    judgement.verdict.absence().unwrap_or(Absence::Metric)
}

/// The record whose whole number is `target`, and how many values were changed.
/// `None` if no record can have it.
fn with_target(
    rule: &Rule,
    record: &ScenarioRecord,
    grain: &Grain,
    column: &Column,
    target: i128,
) -> Option<(ScenarioRecord, u64)> {
    let range = rule.metric.range();
    let moves: Vec<Move> = match grain.part {
        Part::First if !range.contains(&target) => return None,
        Part::First => return Some((with_first(&rule.metric, record, target)?, 1)),
        Part::Sum => moves::sum(column, target, &range)?,
        Part::Rank(rank) => moves::rank(column, rank, target, &range)?,
    };
    let changed = moves.iter().map(|one| one.times).sum();
    Some((moved(&rule.metric, record, &moves)?, changed))
}

/// The limit, and the range of figures that records can have.
fn out_of_range(
    rule: &Rule,
    grain: &Grain,
    column: &Column,
    comparison: &Comparison,
    LimitRange { low, high }: &LimitRange,
) -> Why {
    let range = rule.metric.range();
    let values: u64 = match grain.part {
        Part::Sum => column.iter().map(|&(_, times)| times).sum(),
        Part::Rank(_) | Part::First => 1,
    };
    let end = |value: i128| {
        let mut divisors = grain.divisors.iter();
        let divisor = divisors.try_fold(1_u64, |product, &by| product.checked_mul(by))?;
        let figure = Ratio::new(value.checked_mul(values.into())?, divisor)?;
        Some(Exact::from(figure))
    };
    let is = |direction| directions(comparison.operator).contains(&direction);
    let limit = if is(Direction::Higher) { high } else { low };
    Why::Range(Box::new(OutOfRange {
        limit: limit.clone(),
        least: end(*range.start()).filter(|_| is(Direction::Lower)),
        most: end(*range.end()).filter(|_| is(Direction::Higher)),
    }))
}
