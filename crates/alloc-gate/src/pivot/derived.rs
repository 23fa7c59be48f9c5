//! What an expression comes to for one scenario, exactly. How it is written and
//! read is not known here.

use alloc_results::Ratio;

use super::content::Gap;
use super::source::Source;
use crate::bound::Bound;
use crate::config::{Expression, Operation, Step, Word};

/// The figure, or why there is none: the first value that is not there, or a
/// division by 0.
pub(super) fn figure(expression: &Expression, source: Source<'_>) -> Result<Bound, Gap> {
    let mut values: Vec<Bound> = Vec::new();
    for step in expression.steps() {
        let value = match step {
            Step::Number(number) => Bound::from(*number),
            Step::Word(word) => Bound::from(value_of(*word, source)?),
            Step::Figure(measure, statistic) => Bound::from(source.figure(measure, *statistic)?),
            Step::Operation(operation) => {
                // The reader saw to it that there are two.
                let (Some(right), Some(left)) = (values.pop(), values.pop()) else {
                    return Err(Gap::Division);
                };
                match operation {
                    Operation::Plus => left.plus(&right),
                    Operation::Minus => left.minus(&right),
                    Operation::Times => left.by(&right),
                    Operation::Over => left.over(&right).ok_or(Gap::Division)?,
                }
            }
        };
        values.push(value);
    }
    values.pop().ok_or(Gap::Division)
}

fn value_of(word: Word, source: Source<'_>) -> Result<Ratio, Gap> {
    Ok(Ratio::from(match word {
        Word::Elements => source.elements().ok_or(Gap::Elements)?,
        Word::Threads => source.threads()?,
        Word::Iterations => source.iterations(),
    }))
}
