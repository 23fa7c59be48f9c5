//! Axes: values as places in a picture.

use crate::figure::grouped;

/// A logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Log {
    low: f64,
    high: f64,
    /// The places of both ends.
    from: f64,
    to: f64,
}

impl Log {
    /// An axis for these values, with some room at its ends; `None` without values.
    pub(crate) fn around(
        values: impl Iterator<Item = f64>,
        room: f64,
        (from, to): (f64, f64),
    ) -> Option<Self> {
        let (low, high) = values
            .filter(|value| *value > 0.0)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        (high > 0.0).then(|| Self {
            low: low / room,
            high: high * room,
            from,
            to,
        })
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let part = (value / self.low).ln() / (self.high / self.low).ln();
        self.from + part * (self.to - self.from)
    }

    /// Round values inside of the axis: powers of ten, with few of them also 3 or 2 and 5 times
    /// these, and on a short axis values at equal distances.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let choices: [&[f64]; 3] = [&[1.0], &[1.0, 3.0], &[1.0, 2.0, 5.0]];
        let mut choices = choices.iter().map(|digits| self.powers(digits));
        choices.find(|ticks| ticks.len() >= 4).unwrap_or_else(|| {
            let step = (self.high - self.low) / 4.0;
            let power = 10_f64.powf(step.log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
            let step = steps
                .into_iter()
                .find(|round| *round >= step)
                .unwrap_or(step);
            let first = (self.low / step).ceil() as i32;
            let last = (self.high / step).floor() as i32;
            (first..=last).map(|nth| f64::from(nth) * step).collect()
        })
    }

    /// These multiples of the powers of ten inside of the axis.
    fn powers(&self, digits: &[f64]) -> Vec<f64> {
        let powers = (self.low.log10().floor() as i32)..=(self.high.log10().ceil() as i32);
        powers
            .flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

/// A tick as text: without zeros behind the last digit, thousands apart.
pub(crate) fn tick(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.trim_end_matches('0').strip_suffix('.') {
        Some(_) => grouped(value),
        None => text.trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_is_as_long_as_the_next() {
        let axis = Log::around([1.0, 100.0].into_iter(), 1.0, (50.0, 250.0)).unwrap();
        let places = [1.0, 10.0, 100.0, 1e9, 0.0].map(|value| axis.place(value));
        assert_eq!(places, [50.0, 150.0, 250.0, 250.0, 50.0]);
        assert_eq!(axis.ticks(), [1.0, 3.0, 10.0, 30.0, 100.0]);
        // A quarter of 1.4 is 0.35, and the next round step 0.5.
        let short = Log::around([0.9, 2.3].into_iter(), 1.0, (0.0, 1.0)).unwrap();
        assert_eq!(short.ticks(), [1.0, 1.5, 2.0]);
        assert_eq!(Log::around([0.0].into_iter(), 1.0, (0.0, 1.0)), None);
    }

    #[test]
    fn ticks_are_written_without_needless_digits() {
        assert_eq!(
            [0.02, 1.0, 1.5, 500.0, 20_000.0, 1_000_000.0].map(tick),
            ["0.02", "1", "1.5", "500", "20,000", "1,000,000"]
        );
    }
}
