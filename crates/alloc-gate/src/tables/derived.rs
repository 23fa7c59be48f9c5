//! What an expression comes to for one scenario, exactly. How it is written and
//! read is not known here.

use alloc_results::Ratio;

use crate::evaluation::Gap;
use crate::figure::Exact;
use crate::rules::{Expression, Operand, Operation, Property, Step};
use crate::tables::source::Source;

/// The figure, or why there is none: the first value that is not there, or a
/// division by 0.
pub(super) fn figure(expression: &Expression, source: Source<'_>) -> Result<Exact, Gap> {
    let mut gap = Gap::Division;
    let value = evaluate(
        expression,
        |operand| value(operand, source).map_err(|other| gap = other).ok(),
        |operation, left: Exact, right| match operation {
            Operation::Add => Some(&left + &right),
            Operation::Subtract => Some(&left - &right),
            Operation::Multiply => Some(&left * &right),
            Operation::Divide => left.checked_div(&right),
        },
    );
    value.ok_or(gap)
}

/// Takes the steps of an expression over values of any kind; `None` where one can't
/// be taken.
pub(super) fn evaluate<T>(
    expression: &Expression,
    mut value: impl FnMut(&Operand) -> Option<T>,
    operate: impl Fn(Operation, T, T) -> Option<T>,
) -> Option<T> {
    let mut values = Vec::new();
    for step in expression.steps() {
        let next = match step {
            Step::Value(operand) => value(operand)?,
            Step::Operation(operation) => {
                // The reader saw to it that there are two.
                let (right, left) = (values.pop()?, values.pop()?);
                operate(*operation, left, right)?
            }
        };
        values.push(next);
    }
    values.pop()
}

/// What stands in an expression for this scenario.
fn value(operand: &Operand, source: Source<'_>) -> Result<Exact, Gap> {
    match operand {
        Operand::Number(number) => Ok(Exact::from(*number)),
        Operand::Property(property) => value_of(*property, source).map(Exact::from),
        Operand::Figure(measure, statistic) => source.figure(measure, *statistic).map(Exact::from),
    }
}

pub(super) fn value_of(property: Property, source: Source<'_>) -> Result<Ratio, Gap> {
    Ok(Ratio::from(match property {
        Property::Elements => source.elements().ok_or(Gap::Elements)?,
        Property::Threads => source.threads()?,
        Property::Iterations => source.iterations(),
    }))
}
