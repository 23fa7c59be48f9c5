//! The closures of a scenario that inspect outputs, and their values: the figures
//! that the scenario measures itself, and the outcomes of its calls.

use alloc_results::{CustomFigure, Unit};

use crate::outcome::{CallOutcome, Judge};

/// Takes a figure from an output, on the thread that made the output.
pub(crate) type Figure<'a, O> = Box<dyn Fn(&O) -> i64 + Sync + 'a>;

/// The closures that inspect outputs: the figures, and the outcome of a call.
pub(crate) struct Observers<'l, O> {
    pub(crate) figures: &'l [Figure<'l, O>],
    pub(crate) judge: Option<&'l Judge<'l, O>>,
}

/// Inspects the outputs of one thread. It keeps the figures of the last output, and
/// the sum of the outcomes of all outputs.
pub(crate) struct Probe<'l, O> {
    observers: Observers<'l, O>,
    /// A value for each figure, allocated before any window opens.
    values: Vec<i128>,
    outcome: CallOutcome,
}

impl<O> Clone for Observers<'_, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Observers<'_, O> {}

impl<O> Observers<'_, O> {
    /// The observers for passes in which no figures are taken.
    pub(crate) fn without_figures(self) -> Self {
        Self {
            figures: &[],
            ..self
        }
    }
}

impl<'l, O> Probe<'l, O> {
    pub(crate) fn new(observers: Observers<'l, O>) -> Self {
        Self {
            observers,
            values: vec![0; observers.figures.len()],
            outcome: CallOutcome::new(0),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.observers.figures.is_empty() && self.observers.judge.is_none()
    }

    pub(crate) fn observe(&mut self, output: &O) {
        for (value, figure) in self.values.iter_mut().zip(self.observers.figures) {
            *value = figure(output).into();
        }
        if let Some(judge) = self.observers.judge {
            self.outcome.add(&judge(output));
        }
    }

    /// The figures of the last output.
    pub(crate) fn values(&self) -> &[i128] {
        &self.values
    }

    /// The sum of the outcomes of all outputs.
    pub(crate) fn outcome(&self) -> &CallOutcome {
        &self.outcome
    }
}

/// The values of all figures in all iterations. It grows between windows, never
/// inside one.
#[derive(Debug)]
pub(crate) struct FigureSamples(Vec<Values>);

/// The values of one figure. They have 128 bits, since a sum over threads may not fit
/// 64 bits.
#[derive(Debug)]
struct Values {
    first: i128,
    /// In the order of the iterations; a value that follows itself is one entry.
    times: Vec<(i128, u64)>,
}

impl FigureSamples {
    /// Starts with the values of the first call, one for each figure.
    pub(crate) fn new(first: &[i128]) -> Self {
        let values = first.iter().map(|&first| Values {
            first,
            times: Vec::new(),
        });
        Self(values.collect())
    }

    /// Adds the values of an iteration.
    pub(crate) fn add(&mut self, values: &[i128]) {
        for (figure, &value) in self.0.iter_mut().zip(values) {
            add_value(&mut figure.times, value);
        }
    }

    /// The figures in their units; `None` for a figure of which a value, or the sum
    /// over all iterations, does not fit 64 bits.
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

/// Adds the value of an iteration.
pub(crate) fn add_value(times: &mut Vec<(i128, u64)>, value: i128) {
    match times.last_mut() {
        Some((last, times)) if *last == value => *times += 1,
        Some(_) | None => times.push((value, 1)),
    }
}

impl Values {
    fn figure(&self, unit: Unit) -> Option<CustomFigure> {
        let narrow = |value: i128| i64::try_from(value).ok();
        let times: Option<Vec<_>> = self
            .times
            .iter()
            .map(|&(value, times)| Some((narrow(value)?, times)))
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
        let mut samples = FigureSamples::new(&[first]);
        for &value in iterations {
            samples.add(&[value]);
        }
        samples.finish([Unit::Count].into_iter()).next().flatten()
    }

    #[test]
    fn values_that_do_not_fit_64_bits_are_refused() {
        let most = i128::from(i64::MAX);
        let at_the_edge = figure(most, &[most, 0, -1, 1]).expect("the sum is the largest");
        assert_eq!(at_the_edge.distribution().total(), most);
        assert!(figure(most + 1, &[0]).is_none());
        assert!(figure(0, &[most + 1, -1]).is_none());
        assert!(figure(0, &[most, 1]).is_none());
        assert!(figure(0, &[-most, -2]).is_none());
    }
}
