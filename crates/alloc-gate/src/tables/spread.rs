//! The ends between which a figure lies that one time alone would say too much of:
//! a time, or what is derived from times. What the figure itself is, is not known
//! here.

use std::cmp::Ordering;

use alloc_results::{Ratio, ScenarioRecord};

use crate::figure::{Exact, Measure, Statistic, per_element};
use crate::rules::{Expression, Operand, Operation};
use crate::tables::derived::{evaluate, value_of};
use crate::tables::source::Source;

/// Of more times, nobody could say what an expression is about, and each doubles the
/// work.
const MOST_TIMES: usize = 8;

/// Between which ends a time lies: the smallest and the largest of its batches, or of
/// the iterations of a scenario's own metric. Neither counts nor a single measured
/// value have any.
pub(super) fn of_time(
    metric: &Measure,
    statistic: Statistic,
    record: &ScenarioRecord,
) -> Option<(Exact, Exact)> {
    let spreads = match statistic {
        Statistic::Mean | Statistic::P50 | Statistic::P99 | Statistic::PerElement => {
            metric.is_time()
        }
        Statistic::Min
        | Statistic::Max
        | Statistic::First
        | Statistic::Total
        | Statistic::Growth => false,
    };
    let end = |end| {
        let end = metric.figure(end, record)?;
        match statistic == Statistic::PerElement {
            true => per_element(end, record),
            false => Some(end),
        }
    };
    let ends = end(Statistic::Min).zip(end(Statistic::Max));
    let (low, high) = ends.filter(|_| spreads)?;
    Some((Exact::from(low), Exact::from(high)))
}

/// Between which ends an expression lies when each of its times runs from one of its
/// own ends to the other, by itself; a time that it names twice is the same in both
/// places.
///
/// Brought to one fraction, an expression in which no time is multiplied by itself is
/// linear in each above the line and below it. So it only rises or only falls with
/// each, whatever the others are, as long as what it divides by is not 0: its ends are
/// at corners, where each time is at one of its ends. The same holds for whatever it
/// divides by, which is nowhere 0 if it has one sign at all corners. Other expressions
/// have no ends here.
pub(super) fn of_expression(
    expression: &Expression,
    record: &ScenarioRecord,
) -> Option<(Exact, Exact)> {
    let times = Times::of(expression, record)?;
    let value = |operand: &Operand| times.value(operand, record);
    let spread = evaluate(expression, value, |operation, left: Spread, right| {
        left.joined(operation, &right)
    });
    let values = spread?.corners;
    let low = values.iter().min()?.clone();
    let high = values.into_iter().max()?;
    Some((low, high))
}

/// The times of an expression, each once.
struct Times<'e> {
    times: Vec<(&'e Measure, Statistic, [Exact; 2])>,
}

impl<'e> Times<'e> {
    /// `None` without any, with more than [`MOST_TIMES`], or where one has no ends.
    fn of(expression: &'e Expression, record: &ScenarioRecord) -> Option<Self> {
        let mut times: Vec<(&Measure, Statistic, [Exact; 2])> = Vec::new();
        for (measure, statistic) in expression.figures() {
            let is_known = |(other, of, _): &(_, _, _)| *other == measure && *of == statistic;
            if measure.is_time() && !times.iter().any(is_known) {
                let (low, high) = of_time(measure, statistic, record)?;
                times.push((measure, statistic, [low, high]));
            }
        }
        (1..=MOST_TIMES)
            .contains(&times.len())
            .then_some(Self { times })
    }

    /// What stands in an expression for this scenario.
    fn value(&self, operand: &Operand, record: &ScenarioRecord) -> Option<Spread> {
        let constant = |value: Ratio| Spread {
            corners: vec![Exact::from(value); 1 << self.times.len()],
            above: vec![0; self.times.len()],
            below: vec![0; self.times.len()],
        };
        match operand {
            Operand::Number(number) => Some(constant(*number)),
            Operand::Property(property) => value_of(*property, Source::Record(record))
                .ok()
                .map(constant),
            Operand::Figure(measure, statistic) => {
                let mut times = self.times.iter();
                let number = times.position(|(other, of, _)| *other == measure && of == statistic);
                let Some(number) = number else {
                    return measure.figure(*statistic, record).map(constant);
                };
                let (_, _, ends) = &self.times[number];
                // A corner's number has a bit for each time.
                let corners = 0..1_usize << self.times.len();
                let mut spread = constant(Ratio::whole(0));
                spread.corners = corners
                    .map(|corner| ends[corner >> number & 1].clone())
                    .collect();
                spread.above[number] = 1;
                Some(spread)
            }
        }
    }
}

/// A part of an expression.
struct Spread {
    /// What it comes to at each corner.
    corners: Vec<Exact>,
    /// How often each time is multiplied by itself at most, above the line and below
    /// it, when the part is one fraction.
    above: Vec<usize>,
    below: Vec<usize>,
}

impl Spread {
    /// What two parts come to; `None` where nothing is known between the corners.
    fn joined(&self, operation: Operation, right: &Self) -> Option<Self> {
        let left = self;
        let each = |of: fn(&Exact, &Exact) -> Option<Exact>| {
            let corners = left.corners.iter().zip(&right.corners);
            corners.map(|(left, right)| of(left, right)).collect()
        };
        let corners: Option<Vec<Exact>> = match operation {
            Operation::Add => each(|left, right| Some(left + right)),
            Operation::Subtract => each(|left, right| Some(left - right)),
            Operation::Multiply => each(|left, right| Some(left * right)),
            Operation::Divide if right.is_nowhere_0() => each(Exact::checked_div),
            Operation::Divide => None,
        };
        let (above, below) = match operation {
            Operation::Add | Operation::Subtract => (
                larger(
                    &sum(&left.above, &right.below),
                    &sum(&right.above, &left.below),
                ),
                sum(&left.below, &right.below),
            ),
            Operation::Multiply => (
                sum(&left.above, &right.above),
                sum(&left.below, &right.below),
            ),
            Operation::Divide => (
                sum(&left.above, &right.below),
                sum(&left.below, &right.above),
            ),
        };
        let is_linear = above.iter().chain(&below).all(|times| *times <= 1);
        Some(Self {
            corners: corners.filter(|_| is_linear)?,
            above,
            below,
        })
    }

    /// Whether all corners are on one side of 0, and so all between them.
    fn is_nowhere_0(&self) -> bool {
        let zero = Exact::from(Ratio::whole(0));
        let all = |side| self.corners.iter().all(|corner| corner.cmp(&zero) == side);
        all(Ordering::Less) || all(Ordering::Greater)
    }
}

fn sum(left: &[usize], right: &[usize]) -> Vec<usize> {
    left.iter().zip(right).map(|(a, b)| a + b).collect()
}

fn larger(left: &[usize], right: &[usize]) -> Vec<usize> {
    left.iter().zip(right).map(|(a, b)| *a.max(b)).collect()
}

#[cfg(test)]
mod tests;
