//! Where a figure has to go to break a comparison: a whole number of what the
//! figure is made of, the nearest to the limit on its far side.

use alloc_requirement::Operator;
use alloc_results::ScenarioRecord;

use crate::audit::moves::Column;
use crate::figure::{Exact, Measure, Statistic};

/// To which side of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Higher,
    Lower,
}

/// The whole number that a figure is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grain {
    pub(super) part: Part,
    /// The figure is the whole number, divided by all of these.
    pub(super) divisors: Vec<u64>,
}

/// Which whole number of a record.
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
    /// What a statistic of `measure` is made of in `record`, whose values are
    /// `column`; `None` where it has none.
    pub(super) fn of(
        measure: &Measure,
        statistic: Statistic,
        record: &ScenarioRecord,
        column: &Column,
    ) -> Option<Self> {
        let values: u64 = column.iter().map(|&(_, times)| times).sum();
        let percentile = |percent: u128| {
            let rank = (u128::from(values) * percent).div_ceil(100);
            Part::Rank(u64::try_from(rank).unwrap_or(values))
        };
        let over = match measure {
            // Of the sum alone there is one value.
            Measure::ForeignAllocs => record.iterations,
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
            Statistic::Growth => return None,
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

/// The nearest whole number whose figure is not what `operator` asks for, with a
/// limit from `low` to `high`; `None` when it has no 128 bits.
pub(super) fn nearest(
    operator: Operator,
    direction: Direction,
    (low, high): &(Exact, Exact),
    divisors: &[u64],
) -> Option<i128> {
    // Below a limit it is as above it, with all signs turned.
    let limit = match direction {
        Direction::Higher => high.clone(),
        Direction::Lower => -low,
    };
    let nearest = match operator {
        // The limit itself breaks these; so it is the first whole number from it on.
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
            let bound = Exact::from(Ratio::new(numerator, denominator).unwrap());
            (bound.clone(), bound)
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
            // A mean of 4 iterations over 2.5: a sum of 10 meets it, 11 does not.
            (Operator::LessOrEqual, Higher, at(5, 2), &[4], 11),
            (Operator::Less, Higher, at(5, 2), &[4], 10),
            (Operator::LessOrEqual, Higher, at(5, 2), &[4, 3], 31),
        ] {
            let found = nearest(operator, direction, &limit, divisors);
            assert_eq!(found, Some(expected), "{operator} {limit:?}");
        }
    }
}
