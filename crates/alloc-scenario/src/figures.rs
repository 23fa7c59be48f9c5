//! The closures of a scenario that take figures from outputs, and their values.

use std::collections::BTreeMap;

use alloc_results::{CustomFigure, Distribution, Unit};

/// Takes a figure from an output, on the thread that made the output.
pub(crate) type Figure<'a, O> = Box<dyn Fn(&O) -> i64 + Sync + 'a>;

/// The values of all figures in all iterations. It grows between windows, never
/// inside one.
#[derive(Debug)]
pub(crate) struct FigureSamples(Vec<Values>);

/// The values of one figure. They have 128 bits, since a sum over threads may not fit
/// 64 bits.
#[derive(Debug)]
struct Values {
    first: i128,
    /// How often each value occurred.
    times: BTreeMap<i128, u64>,
}

impl FigureSamples {
    /// Starts with the values of the first call, one for each figure.
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
            *figure.times.entry(value).or_default() += 1;
        }
    }

    /// The figures of these names and units, sorted by name.
    pub(crate) fn finish(self, metrics: &[(String, Unit)]) -> Result<Vec<CustomFigure>, String> {
        let figures = self.0.into_iter().zip(metrics);
        let figures = figures.map(|(values, (name, unit))| {
            values.figure(name, *unit).ok_or_else(|| {
                format!(
                    "the metric `{name}` does not fit 64 bits, in one iteration or in their sum"
                )
            })
        });
        let mut figures = figures.collect::<Result<Vec<_>, _>>()?;
        figures.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(figures)
    }
}

impl Values {
    /// `None` if a value, or the sum over all iterations, does not fit 64 bits.
    fn figure(self, name: &str, unit: Unit) -> Option<CustomFigure> {
        let narrow = |value: i128| i64::try_from(value).ok();
        let samples = Distribution::new(self.times)?;
        for value in [samples.min(), samples.max(), samples.total()] {
            narrow(value)?;
        }
        Some(CustomFigure {
            name: name.to_owned(),
            unit,
            first: narrow(self.first)?,
            samples,
        })
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
        samples.0.remove(0).figure("rows", Unit::Count)
    }

    #[test]
    fn values_that_do_not_fit_64_bits_are_refused() {
        let most = i128::from(i64::MAX);
        let at_the_edge = figure(most, &[most, 0, -1, 1]).expect("the sum is the largest");
        assert_eq!(at_the_edge.samples.total(), most);
        assert!(figure(most + 1, &[0]).is_none());
        assert!(figure(0, &[most + 1, -1]).is_none());
        assert!(figure(0, &[most, 1]).is_none());
        assert!(figure(0, &[-most, -2]).is_none());
    }
}
