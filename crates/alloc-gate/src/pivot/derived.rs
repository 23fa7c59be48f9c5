//! What an expression comes to for one scenario, exactly. How it is written and
//! read is not known here.

use alloc_results::{Ratio, ScenarioRecord};

use super::content::{Gap, metric_gap};
use crate::bound::Bound;
use crate::config::{Expression, Operation, Step, Word};

/// The figure, or why there is none: the first value that is not there, or a
/// division by 0.
pub(super) fn figure(expression: &Expression, record: &ScenarioRecord) -> Result<Bound, Gap> {
    let mut values: Vec<Bound> = Vec::new();
    for step in expression.steps() {
        let value = match step {
            Step::Number(number) => Bound::from(*number),
            Step::Word(word) => Bound::from(value_of(*word, record)?),
            Step::Figure(measure, statistic) => match measure.figure(*statistic, record) {
                Some(figure) => Bound::from(figure),
                None => return Err(metric_gap(measure, *statistic, record)),
            },
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

fn value_of(word: Word, record: &ScenarioRecord) -> Result<Ratio, Gap> {
    Ok(Ratio::from(match word {
        Word::Elements => record.work.elements.ok_or(Gap::Elements)?,
        Word::Threads => record.threads,
        Word::Iterations => record.iterations,
    }))
}
