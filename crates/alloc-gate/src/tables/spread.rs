//! [`Spread`]: the smallest and the largest value of a time, or of an expression over times.

use std::cmp::Ordering;

use alloc_results::{Ratio, ScenarioRecord};

use crate::evaluation::Spread;
use crate::figure::{Exact, Measure, Statistic, per_element};
use crate::rules::{Expression, Operand, Operation};
use crate::tables::derived::{evaluate, operate, value};
use crate::tables::source::Source;

/// The largest number of times in an expression. Each time doubles the work.
const MOST_TIMES: usize = 8;

/// The ends of a time: the smallest and the largest of its batches, or of the iterations
/// of a custom metric. Counts have no ends, nor has the statistic of a single value.
pub(super) fn of_time(
    metric: &Measure,
    statistic: Statistic,
    record: &ScenarioRecord,
) -> Option<Spread> {
    let is_middle = matches!(
        statistic,
        Statistic::Mean | Statistic::P50 | Statistic::P99 | Statistic::PerElement
    );
    let end = |end| {
        let end = metric.figure(end, record)?;
        match statistic == Statistic::PerElement {
            true => per_element(end, record),
            false => Some(end),
        }
    };
    let ends = end(Statistic::Min).zip(end(Statistic::Max));
    let (low, high) = ends.filter(|_| is_middle && metric.is_time())?;
    let values = if let Measure::Custom(custom) = metric {
        let figure = record.custom_figure(custom.name())?;
        Some(figure.distribution().iterations())
    } else {
        u64::try_from(record.time.as_ref()?.nanoseconds.len()).ok()
    };
    Some(Spread {
        low: low.into(),
        high: high.into(),
        values,
    })
}

/// The ends of an expression over times, each of which runs from one of its own ends to
/// the other, independently of the others.
///
/// An expression that [is linear](is_linear) in each time, above the fraction bar and
/// below it, rises or falls with each time while no divisor is 0. So its ends are at
/// corners, where every time is at one of its ends. The same holds for a divisor, which
/// is nowhere 0 if it has one sign at all corners. Other expressions have no ends here.
pub(super) fn of_expression(expression: &Expression, record: &ScenarioRecord) -> Option<Spread> {
    let mut times: Vec<(&Measure, Statistic)> = Vec::new();
    for time in expression.figures().filter(|(metric, _)| metric.is_time()) {
        if !times.contains(&time) {
            times.push(time);
        }
    }
    let is_clear = |time: &(&Measure, Statistic)| is_linear(expression, *time);
    if !(1..=MOST_TIMES).contains(&times.len()) || !times.iter().all(is_clear) {
        return None;
    }
    let ends = times.iter().map(|time| of_time(time.0, time.1, record));
    let ends: Vec<Spread> = ends.collect::<Option<_>>()?;

    // A corner's number has a bit for each time.
    let corners = (0..1_usize << times.len()).map(|corner| {
        let mut signs = Vec::new();
        let operand = |operand: &Operand| {
            let is_it = |time: &(&Measure, Statistic)| is_time(operand, *time);
            match times.iter().position(is_it) {
                Some(number) if corner >> number & 1 == 0 => Some(ends[number].low.clone()),
                Some(number) => Some(ends[number].high.clone()),
                None => value(operand, Source::Record(record)).ok(),
            }
        };
        let value = evaluate(expression, operand, |operation, left, right| {
            if operation == Operation::Divide {
                signs.push(right.cmp(&Exact::from(Ratio::whole(0))));
            }
            operate(operation, &left, &right)
        });
        Some((value?, signs))
    });
    let corners: Vec<(Exact, Vec<Ordering>)> = corners.collect::<Option<_>>()?;
    let mut pairs = corners.windows(2);
    if !pairs.all(|pair| pair[0].1 == pair[1].1) {
        return None;
    }
    let low = corners.iter().map(|(value, _)| value).min()?.clone();
    let high = corners.into_iter().map(|(value, _)| value).max()?;
    Some(Spread {
        low,
        high,
        values: None,
    })
}

/// Whether no part of the expression, brought to one fraction, has a power of `time`
/// above the first, above the fraction bar or below it.
fn is_linear(expression: &Expression, time: (&Measure, Statistic)) -> bool {
    let powers = |operand: &Operand| Some((u8::from(is_time(operand, time)), 0));
    let highest = evaluate(expression, powers, |operation, left, right| {
        let ((a, b), (c, d)) = (left, right);
        let (above, below) = match operation {
            Operation::Add | Operation::Subtract => ((a + d).max(c + b), b + d),
            Operation::Multiply => (a + c, b + d),
            Operation::Divide => (a + d, b + c),
        };
        (above <= 1 && below <= 1).then_some((above, below))
    });
    highest.is_some()
}

fn is_time(operand: &Operand, (measure, statistic): (&Measure, Statistic)) -> bool {
    match operand {
        Operand::Figure(other, of) => other == measure && *of == statistic,
        Operand::Number(_) | Operand::Property(_) => false,
    }
}

#[cfg(test)]
mod tests;
