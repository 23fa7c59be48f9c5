//! [`Expression`]: what a table derives from several figures of a scenario, from
//! its text to steps in the order in which they are taken. Neither the text nor the
//! steps nest, so that none is too deep. What it comes to is not worked out here.

use std::ops::Range;
use std::str::FromStr;

use alloc_requirement::Number;
use alloc_results::Ratio;

use crate::figure::{Measure, Statistic, ratio};

/// An expression over figures of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

/// A step of working an expression out: a value is put down, or the last two are
/// taken up and what they come to is put down.
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
    Word(Word),
}

/// What a record has beside figures, under its name in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// On how many elements an iteration works.
    Elements,
    /// How many threads run it at once.
    Threads,
    /// How many iterations were counted.
    Iterations,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Plus,
    Minus,
    Times,
    Over,
}

impl Expression {
    /// An expression whose `steps` are what its `text` says.
    pub(super) fn new(text: &str, steps: Vec<Step>) -> Self {
        Self {
            text: text.to_owned(),
            steps,
        }
    }

    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The figures that it takes, each as often as it is named.
    pub(crate) fn figures(&self) -> impl Iterator<Item = (&Measure, Statistic)> {
        self.steps.iter().filter_map(|step| match step {
            Step::Value(Operand::Figure(measure, statistic)) => Some((measure, *statistic)),
            Step::Value(Operand::Number(_) | Operand::Word(_)) | Step::Operation(_) => None,
        })
    }

    /// The metrics that it takes figures of.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> {
        self.figures().map(|(measure, _)| measure)
    }
}

impl Word {
    pub(super) const ALL: [Self; 3] = [Self::Elements, Self::Threads, Self::Iterations];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Elements => "elements",
            Self::Threads => "threads",
            Self::Iterations => "iterations",
        }
    }
}

impl FromStr for Word {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|word| word.name() == name).ok_or(())
    }
}

impl Operation {
    /// What is worked out first is higher.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Plus | Self::Minus => 0,
            Self::Times | Self::Over => 1,
        }
    }
}
