//! Exact values of expressions for one scenario.

use alloc_results::Ratio;

use crate::evaluation::Gap;
use crate::figure::Exact;
use crate::rules::{Expression, Operand, Operation, Property, Step};
use crate::tables::source::Source;

/// The value of `expression`, or why there is none: the first operand without a value,
/// or a division by 0.
pub(super) fn figure(expression: &Expression, source: Source<'_>) -> Result<Exact, Gap> {
    let mut gap = Gap::Division;
    let value = evaluate(
        expression,
        |operand| value(operand, source).map_err(|other| gap = other).ok(),
        |operation, left, right| operate(operation, &left, &right),
    );
    value.ok_or(gap)
}

/// Evaluates an expression over values of any type; `None` if `value` or `operate`
/// returns it.
pub(super) fn evaluate<T>(
    expression: &Expression,
    mut value: impl FnMut(&Operand) -> Option<T>,
    mut operate: impl FnMut(Operation, T, T) -> Option<T>,
) -> Option<T> {
    let mut values = Vec::new();
    for step in expression.steps() {
        let next = match step {
            Step::Value(operand) => value(operand)?,
            Step::Operation(operation) => {
                // The reader of the rules ensures that there are two.
                let (right, left) = (values.pop()?, values.pop()?);
                operate(*operation, left, right)?
            }
        };
        values.push(next);
    }
    values.pop()
}

/// The result of one operation; `None` for a division by 0.
pub(super) fn operate(operation: Operation, left: &Exact, right: &Exact) -> Option<Exact> {
    match operation {
        Operation::Add => Some(left + right),
        Operation::Subtract => Some(left - right),
        Operation::Multiply => Some(left * right),
        Operation::Divide => left.checked_div(right),
    }
}

/// The value of an operand, or why there is none.
pub(super) fn value(operand: &Operand, source: Source<'_>) -> Result<Exact, Gap> {
    let value = match operand {
        Operand::Number(number) => *number,
        Operand::Property(Property::Elements) => {
            Ratio::from(source.elements().ok_or(Gap::Elements)?)
        }
        Operand::Property(Property::Threads) => Ratio::from(source.threads()?),
        Operand::Property(Property::Iterations) => Ratio::from(source.iterations()),
        Operand::Figure(measure, statistic) => source.figure(measure, *statistic)?,
    };
    Ok(Exact::from(value))
}
