//! [`Expression`]: a figure that a table derives from several figures of a scenario.

use alloc_results::Ratio;

use crate::figure::{Measure, Statistic};
use crate::named::named;

/// An expression over figures of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

/// A step of an expression in postfix order: pushes a value, or replaces the last two values by
/// the result of an operation. Steps are not nested, so that evaluation needs no recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Value(Operand),
    Operation(Operation),
}

/// A value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Number(Ratio),
    Figure(Measure, Statistic),
    Property(Property),
}

named! {
    /// A property of a scenario that is not a figure.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Property {
        /// `elements`: how many elements an iteration works on.
        Elements = "elements",
        /// `threads`: how many threads run the scenario at once.
        Threads = "threads",
        /// `iterations`: how many iterations were counted.
        Iterations = "iterations",
    }
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Expression {
    /// The expression of `text`, which was read into `steps`.
    pub(super) fn new(text: &str, steps: Vec<Step>) -> Self {
        Self {
            text: text.to_owned(),
            steps,
        }
    }

    /// The text in the rules.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The figures in it, repeated if named repeatedly.
    pub(crate) fn figures(&self) -> impl Iterator<Item = (&Measure, Statistic)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Value(Operand::Figure(measure, statistic)) => Some((measure, *statistic)),
            Step::Value(Operand::Number(_) | Operand::Property(_)) | Step::Operation(_) => None,
        })
    }

    /// The metrics of its figures.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> {
        self.figures().map(|(measure, _)| measure)
    }
}

impl Operation {
    /// Operations with a higher precedence are evaluated first.
    pub(super) const fn precedence(self) -> u8 {
        match self {
            Self::Add | Self::Subtract => 0,
            Self::Multiply | Self::Divide => 1,
        }
    }
}
