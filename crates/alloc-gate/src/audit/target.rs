//! The target of a breach: the whole number beyond the limit of a comparison that
//! is nearest to it.

use alloc_requirement::Operator;
use alloc_results::ScenarioRecord;

use crate::audit::moves::Column;
use crate::figure::{Measure, Statistic};
use crate::requirement::LimitRange;

/// The side of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Higher,
    Lower,
}

/// The whole number from which a figure is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    pub(super) part: Part,
    /// The figure is the whole number divided by all of these.
    pub(super) divisors: Vec<u64>,
}

/// The part of a record that has the whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The sum of all values.
    Sum,
    /// The value of this rank, from 1.
    Rank(u64),
    /// The value of the first call.
    First,
}

impl Grain {
    /// The grain of a statistic of `measure` in `record`, whose values are `column`.
    /// `None` if the record does not have the statistic.
    pub(super) fn for_statistic(
        statistic: Statistic,
        measure: &Measure,
        record: &ScenarioRecord,
        column: &Column,
    ) -> Option<Self> {
        let values: u64 = column.iter().map(|&(_, times)| times).sum();
        let percentile = |percent: u128| {
            let rank = (u128::from(values) * percent).div_ceil(100);
            Part::Rank(u64::try_from(rank).unwrap_or(values))
        };
        let over = match measure {
            // Only the sum is recorded, as one value.
            Measure::Summed(_) => record.iterations,
            Measure::Counted(_) | Measure::Faults | Measure::Time | Measure::Custom(_) => values,
        };
        let (part, mut divisors) = match statistic {
            Statistic::Mean => (Part::Sum, vec![over]),
            Statistic::PerElement => (Part::Sum, vec![over, record.work.elements?]),
            Statistic::Total => (Part::Sum, Vec::new()),
            Statistic::Min => (Part::Rank(1), Vec::new()),
            Statistic::Max => (Part::Rank(values), Vec::new()),
            Statistic::P50 => (percentile(50), Vec::new()),
            Statistic::P99 => (percentile(99), Vec::new()),
            Statistic::First => (Part::First, Vec::new()),
            Statistic::Growth | Statistic::Slope | Statistic::Intercept => return None,
        };
        if *measure == Measure::Time && part != Part::First {
            divisors.push(record.time.as_ref()?.batch);
        }
        Some(Self { part, divisors })
    }
}

/// The directions in which a comparison can be broken.
pub(super) fn directions(operator: Operator) -> &'static [Direction] {
    match operator {
        Operator::Less | Operator::LessOrEqual => &[Direction::Higher],
        Operator::Equal => &[Direction::Higher, Direction::Lower],
        Operator::GreaterOrEqual | Operator::Greater => &[Direction::Lower],
    }
}

/// The whole number nearest to a limit whose figure `operator`
/// rejects. `None` if it does not fit into 128 bits.
pub(super) fn nearest(
    operator: Operator,
    direction: Direction,
    range: &LimitRange,
    divisors: &[u64],
) -> Option<i128> {
    // Below a limit, search above its negative.
    let limit = match direction {
        Direction::Higher => range.high.clone(),
        Direction::Lower => -&range.low,
    };
    let nearest = match operator {
        // The limit itself breaks these, so take the first whole number from it on.
        Operator::Less | Operator::Greater => (-&limit).floor_times(divisors)?.checked_neg()?,
        Operator::LessOrEqual | Operator::Equal | Operator::GreaterOrEqual => {
            limit.floor_times(divisors)?.checked_add(1)?
        }
    };
    match direction {
        Direction::Higher => Some(nearest),
        Direction::Lower => nearest.checked_neg(),
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Ratio;

    use super::*;

    #[test]
    fn the_nearest_whole_number_beyond_a_limit_breaks_it() {
        let at = |numerator, denominator| {
            LimitRange::at(Ratio::new(numerator, denominator).unwrap().into())
        };
        use Direction::{Higher, Lower};
        for (operator, direction, limit, divisors, expected) in [
            (Operator::Less, Higher, at(5, 1), &[][..], 5),
            (Operator::LessOrEqual, Higher, at(5, 1), &[], 6),
            (Operator::Less, Higher, at(5, 2), &[], 3),
            (Operator::LessOrEqual, Higher, at(5, 2), &[], 3),
            (Operator::Greater, Lower, at(5, 1), &[], 5),
            (Operator::GreaterOrEqual, Lower, at(5, 1), &[], 4),
            (Operator::Greater, Lower, at(5, 2), &[], 2),
            (Operator::GreaterOrEqual, Lower, at(-5, 2), &[], -3),
            (Operator::Equal, Higher, at(2, 1), &[], 3),
            (Operator::Equal, Lower, at(2, 1), &[], 1),
            // The mean of 4 iterations is over 2.5 with a sum of 11, but not with 10.
            (Operator::LessOrEqual, Higher, at(5, 2), &[4], 11),
            (Operator::Less, Higher, at(5, 2), &[4], 10),
            (Operator::LessOrEqual, Higher, at(5, 2), &[4, 3], 31),
        ] {
            let found = nearest(operator, direction, &limit, divisors);
            assert_eq!(found, Some(expected), "{operator} {limit:?}");
        }
    }
}
