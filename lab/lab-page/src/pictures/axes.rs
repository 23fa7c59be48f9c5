//! [`Axes`]: the axes of a plot, and places for the labels in it.

use super::svg::{Rect, Svg, Text};
use crate::figure::grouped;

/// Two logarithmic axes.
pub(super) struct Axes {
    pub(super) area: Rect,
    x: Log,
    y: Log,
}

impl Axes {
    /// Axes for these points, with some room at the ends of both; `None` without points above zero.
    pub(super) fn around(area: Rect, points: &[(f64, f64)], room: (f64, f64)) -> Option<Self> {
        let x = Log::around(points.iter().map(|point| point.0), room.0)?;
        let y = Log::around(points.iter().map(|point| point.1), room.1)?;
        Some(Self { area, x, y })
    }

    pub(super) fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let Rect(left, top, width, height) = self.area;
        let (x, y) = (self.x.part(x), self.y.part(y));
        (left + width * x, top + height * (1.0 - y))
    }

    /// The grid with its figures, of the x axis at these places or at round values, and the name
    /// of the x axis.
    pub(super) fn draw(
        &self,
        svg: &mut Svg,
        places: Option<&[f64]>,
        text: fn(f64) -> String,
        label: &str,
    ) {
        let Rect(left, top, width, _) = self.area;
        let (right, bottom) = (self.area.right(), self.area.bottom());
        for value in self.y.ticks() {
            let (_, y) = self.place((1.0, value));
            svg.line("grid", &[(left, y), (right, y)], "");
            let text = tick(value);
            let text = Text::note(&text, (left - 6.0, y + 4.0));
            svg.text(text.anchor("end"));
        }
        for value in places.map_or_else(|| self.x.ticks(), <[f64]>::to_vec) {
            let (x, _) = self.place((value, 1.0));
            svg.line("grid", &[(x, top), (x, bottom)], "");
            let text = text(value);
            let text = Text::note(&text, (x, bottom + 17.0));
            svg.text(text.anchor("middle"));
        }
        svg.line("edge", &[(left, bottom), (right, bottom)], "");
        let label = Text::new(label, (left + width / 2.0, bottom + 34.0)).dim();
        svg.text(label.anchor("middle"));
    }
}

/// A logarithmic axis from a value to another.
struct Log(f64, f64);

impl Log {
    fn around(values: impl Iterator<Item = f64>, room: f64) -> Option<Self> {
        let values = values.filter(|value| *value > 0.0);
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        (high > 0.0).then(|| Self(low / room, high * room))
    }

    /// The place of a value, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        let value = value.clamp(self.0, self.1);
        (value / self.0).ln() / (self.1 / self.0).ln()
    }

    /// Four or more round values inside of the axis, if there are so many: powers of ten, and with
    /// few of them multiples.
    fn ticks(&self) -> Vec<f64> {
        let Self(low, high) = *self;
        let choices: [&[f64]; 4] = [
            &[1.0],
            &[1.0, 3.0],
            &[1.0, 2.0, 5.0],
            &[1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
        ];
        let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
        let mut ticks = Vec::new();
        for digits in choices {
            let values = powers.clone().flat_map(|power| {
                let digits = digits.iter();
                digits.map(move |digit| digit * 10_f64.powi(power))
            });
            ticks = values.filter(|tick| (low..=high).contains(tick)).collect();
            if ticks.len() >= 4 {
                break;
            }
        }
        ticks
    }
}

/// A value without needless digits, thousands apart.
pub(super) fn tick(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.trim_end_matches('0').strip_suffix('.') {
        Some(_) => grouped(value),
        None => text.trim_end_matches('0').to_owned(),
    }
}

/// The middles of labels of this height, moved as little as needed so that none covers another:
/// those that touch push each other away, within `low` and `high`.
pub(super) fn spread(wanted: &[f64], height: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut middles = wanted.to_vec();
    for _ in 0..300 {
        for pair in order.windows(2) {
            let overlap = (middles[pair[0]] + height - middles[pair[1]]).max(0.0);
            middles[pair[0]] -= overlap / 2.0;
            middles[pair[1]] += overlap / 2.0;
        }
        for middle in &mut middles {
            *middle = middle.clamp(low, high);
        }
    }
    middles
}

/// A place, or a size.
type Pair = (f64, f64);

/// A place for each label of a size beside its point: at its right, its left, above or below, and then ever
/// farther away. A label covers no other one and no point, which reaches as far as `mark`, and
/// stays inside of `area`; one that does not fit anywhere has no place.
pub(super) fn beside(points: &[(Pair, Pair)], mark: f64, area: &Rect) -> Vec<Option<Rect>> {
    const TURNS: [f64; 8] = [0.0, 180.0, 270.0, 90.0, 330.0, 30.0, 210.0, 150.0];
    let around = |((x, y), _): &(Pair, _)| Rect(x - mark, y - mark, 2.0 * mark, 2.0 * mark);
    let mut taken: Vec<Rect> = points.iter().map(around).collect();
    let place = |((x, y), (width, height)): &(Pair, Pair)| {
        let tries = (0..40 * TURNS.len()).map(|nth| {
            let far = mark + 1.5 + 5.0 * (nth / TURNS.len()) as f64;
            let (sin, cos) = TURNS[nth % TURNS.len()].to_radians().sin_cos();
            let x = x + cos * (width / 2.0 + far) - width / 2.0;
            Rect(
                x,
                y + sin * (height / 2.0 + far) - height / 2.0,
                *width,
                *height,
            )
        });
        let is_free =
            |rect: &Rect| area.contains(rect) && !taken.iter().any(|one| one.overlaps(rect));
        let free = tries.into_iter().find(is_free);
        taken.extend(free);
        free
    };
    points.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_is_as_long_as_the_next() {
        let axis = Log::around([1.0, 100.0].into_iter(), 1.0).unwrap();
        assert_eq!(
            [1.0, 10.0, 100.0, 1e9, 0.0].map(|value| axis.part(value)),
            [0.0, 0.5, 1.0, 1.0, 0.0]
        );
        assert_eq!(axis.ticks(), [1.0, 3.0, 10.0, 30.0, 100.0]);
        assert_eq!(Log(0.9, 2.3).ticks(), [1.0, 1.2, 1.5, 2.0]);
        assert!(Log::around([0.0].into_iter(), 1.0).is_none());
        let texts = [0.02, 1.0, 1.5, 500.0, 20_000.0].map(tick);
        assert_eq!(texts, ["0.02", "1", "1.5", "500", "20,000"]);
    }

    #[test]
    fn labels_are_spread_around_their_places_and_stay_inside() {
        let near = |wanted: &[f64], height| {
            let middles = spread(wanted, height, (5.0, 95.0));
            middles
                .iter()
                .map(|middle| middle.round())
                .collect::<Vec<_>>()
        };
        assert_eq!(near(&[50.0, 10.0, 30.0], 20.0), [50.0, 10.0, 30.0]);
        assert_eq!(near(&[50.0; 3], 10.0), [40.0, 50.0, 60.0]);
        // The middle of 50 and 54 is 52. The third has room.
        assert_eq!(near(&[54.0, 50.0, 90.0], 10.0), [57.0, 47.0, 90.0]);
        assert_eq!(near(&[99.0, 98.0], 10.0), [95.0, 85.0]);
    }
}
