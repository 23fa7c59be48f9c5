//! The closures that look at outputs: the figures that a scenario measures itself,
//! with the values that they yield iteration by iteration, and its outcomes.

use std::collections::BTreeMap;

use alloc_results::{CustomFigure, Unit};

use crate::outcome::{Judge, Outcome};

/// Looks at an output, on the thread that made it.
pub(crate) type Figure<'a, O> = Box<dyn Fn(&O) -> i64 + Sync + 'a>;

/// What looks at outputs: the figures, and what says how calls went.
pub(crate) struct Observers<'l, O> {
    pub(crate) figures: &'l [Figure<'l, O>],
    pub(crate) judge: Option<&'l Judge<'l, O>>,
}

/// Looks at the outputs of one thread, and keeps what the figures were of the last
/// one, and the outcomes of all in sum.
pub(crate) struct Look<'l, O> {
    observers: Observers<'l, O>,
    /// One for each figure; made before any window opens.
    values: Vec<i128>,
    outcome: Outcome,
}

impl<O> Clone for Observers<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Observers<'_, O> {}

impl<O> Observers<'_, O> {
    /// Those that look in passes from which no figure is taken.
    pub(crate) fn without_figures(self) -> Self {
        Self {
            figures: &[],
            ..self
        }
    }
}

impl<'l, O> Look<'l, O> {
    pub(crate) fn new(observers: Observers<'l, O>) -> Self {
        Self {
            observers,
            values: vec![0; observers.figures.len()],
            outcome: Outcome::of(0),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.observers.figures.is_empty() && self.observers.judge.is_none()
    }

    pub(crate) fn at(&mut self, output: &O) {
        for (value, figure) in self.values.iter_mut().zip(self.observers.figures) {
            *value = figure(output).into();
        }
        if let Some(judge) = self.observers.judge {
            self.outcome.add(&judge(output));
        }
    }

    /// What the figures were of the last output.
    pub(crate) fn values(&self) -> &[i128] {
        &self.values
    }

    /// The outcomes of all outputs in sum.
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

/// The values of the passes. It grows between windows, never in one.
#[derive(Debug)]
pub(crate) struct Gathered(Vec<Values>);

/// Of one figure. A sum over threads can be past 64 bits, and is kept until it is
/// clear what to say of it.
#[derive(Debug)]
struct Values {
    first: i128,
    times: BTreeMap<i128, u64>,
}

impl Gathered {
    /// Begins with the values of the first call, one for each figure.
    pub(crate) fn new(first: &[i128]) -> Self {
        let values = first.iter().map(|&first| Values {
            first,
            times: BTreeMap::new(),
        });
        Self(values.collect())
    }

    /// Adds the values of an iteration.
    pub(crate) fn add(&mut self, values: &[i128]) {
        for (figure, &value) in self.0.iter_mut().zip(values) {
            *figure.times.entry(value).or_insert(0) += 1;
        }
    }

    /// The figures in their units; `None` in place of one of which a value, or
    /// the sum over all iterations, is past 64 bits.
    pub(crate) fn finish(
        &self,
        units: impl Iterator<Item = Unit>,
    ) -> impl Iterator<Item = Option<CustomFigure>> {
        self.0
            .iter()
            .zip(units)
            .map(|(values, unit)| values.figure(unit))
    }
}

impl Values {
    fn figure(&self, unit: Unit) -> Option<CustomFigure> {
        let narrow = |value: i128| i64::try_from(value).ok();
        let times: Option<Vec<_>> = self
            .times
            .iter()
            .map(|(&value, &times)| Some((narrow(value)?, times)))
            .collect();
        let figure = CustomFigure::new(unit, narrow(self.first)?, times?)?;
        narrow(figure.distribution().total())?;
        Some(figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(first: i128, iterations: &[i128]) -> Option<CustomFigure> {
        let mut gathered = Gathered::new(&[first]);
        for &value in iterations {
            gathered.add(&[value]);
        }
        gathered.finish([Unit::Count].into_iter()).next().flatten()
    }

    #[test]
    fn what_64_bits_do_not_hold_is_no_figure() {
        let most = i128::from(i64::MAX);
        let at_the_edge = figure(most, &[most, 0, -1, 1]).expect("the sum is the largest");
        assert_eq!(at_the_edge.distribution().total(), most);
        assert!(figure(most + 1, &[0]).is_none());
        assert!(figure(0, &[most + 1, -1]).is_none());
        assert!(figure(0, &[most, 1]).is_none());
        assert!(figure(0, &[-most, -2]).is_none());
    }
}
