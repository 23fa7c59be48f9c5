//! Axes: the named parameters of a scenario. Each combination of values makes one
//! scenario.

use std::fmt::Display;

use alloc_results::{AxisValue, Work};

use super::Scenario;

/// The axes of a scenario: a tuple of the types of their values.
pub trait Axes {
    /// The argument of closures: nothing, the one value, or a tuple of values.
    type Point;
}

impl Axes for () {
    type Point = ();
}

impl<T> Axes for (T,) {
    type Point = T;
}

impl<T, U> Axes for (T, U) {
    type Point = (T, U);
}

impl<T, U, V> Axes for (T, U, V) {
    type Point = (T, U, V);
}

/// Axes to which one more can be added: a scenario has at most three.
pub trait MoreAxes: Axes<Point: Clone> {
    /// With an axis of this type.
    type With<T>: Axes;

    /// The point with a value on that axis.
    fn with<T>(point: Self::Point, value: T) -> <Self::With<T> as Axes>::Point;
}

impl MoreAxes for () {
    type With<T> = (T,);

    fn with<T>((): (), value: T) -> T {
        value
    }
}

impl<T: Clone> MoreAxes for (T,) {
    type With<U> = (T, U);

    fn with<U>(first: T, value: U) -> (T, U) {
        (first, value)
    }
}

impl<T: Clone, U: Clone> MoreAxes for (T, U) {
    type With<V> = (T, U, V);

    fn with<V>((first, second): (T, U), value: V) -> (T, U, V) {
        (first, second, value)
    }
}

impl<'a, A: MoreAxes<Point: 'a> + 'a> Scenario<'a, A> {
    /// Sweeps the scenario over `values`: one scenario for each, called
    /// `NAME/axis=value`.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// // Measures `join/words=10` and `join/words=100`.
    /// suite.scenario_with("join", |b| {
    ///     b.axis("words", [10_usize, 100])
    ///         .setup(|&words| vec!["word"; words])
    ///         .run(|words| words.join(" "))
    /// });
    /// ```
    ///
    /// There can be three axes. Then there is one scenario for each combination, called
    /// `NAME/first=value,second=value`, and closures get a tuple:
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("join", |b| {
    ///     b.axis("words", [10_usize, 100])
    ///         .axis("length", [4_usize, 40])
    ///         .setup(|&(words, length)| vec!["x".repeat(length); words])
    ///         .run(|words| words.join(" "))
    /// });
    /// suite.scenario_with("grid", |b| {
    ///     b.axis("x", [1_usize, 10])
    ///         .axis("y", [1_usize, 10])
    ///         .axis("z", [1_usize, 10])
    ///         .run(|&(x, y, z)| vec![0_u8; x * y * z])
    /// });
    /// ```
    pub fn axis<T: Clone + Display + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Scenario<'a, A::With<T>>
    where
        A::With<T>: Axes<Point: 'a>,
    {
        let values = values.into_iter();
        self.labeled_axis(name, values.map(|value| (value.to_string(), value)))
    }

    /// Sweeps the scenario over values with labels, such as the implementations of an
    /// operation: one scenario for each, called `NAME/axis=label`.
    ///
    /// The value is part of the point. So the measured body calls an implementation, and
    /// does not choose one. A function pointer also stands for a type: `fill::<Vec<u8>>`.
    ///
    /// ```no_run
    /// # mod old { pub fn parse(text: &str) -> Vec<u32> { Vec::new() } }
    /// # mod new { pub fn parse(text: &str) -> Vec<u32> { Vec::new() } }
    /// type Parse = fn(&str) -> Vec<u32>;
    ///
    /// let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("parse", |b| {
    ///     b.labeled_axis("impl", [("old", old::parse as Parse), ("new", new::parse)])
    ///         .axis("rows", [10_usize, 100])
    ///         .setup(|&(parse, rows)| (parse, "7\n".repeat(rows)))
    ///         .run(|(parse, text)| parse(text))
    /// });
    /// ```
    pub fn labeled_axis<L: Display, T: Clone + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = (L, T)>,
    ) -> Scenario<'a, A::With<T>>
    where
        A::With<T>: Axes<Point: 'a>,
    {
        let values: Vec<(L, T)> = values.into_iter().collect();
        let mut points = Vec::with_capacity(self.points.len() * values.len());
        // The last axis runs fastest.
        for point in self.points {
            for (label, value) in &values {
                let mut axes = point.axes.clone();
                axes.push(AxisValue {
                    axis: name.to_owned(),
                    value: label.to_string(),
                });
                points.push(Point {
                    value: A::with(point.value.clone(), value.clone()),
                    axes,
                    work: point.work,
                    is_negative: point.is_negative,
                });
            }
        }
        Scenario {
            points,
            settings: self.settings,
            borrows: self.borrows,
        }
    }
}

/// The points of a sweep, in order.
pub(crate) type Points<P> = Vec<Point<P>>;

/// A combination of values on the axes.
#[derive(Default)]
pub(crate) struct Point<P> {
    pub(crate) value: P,
    /// The values as text.
    pub(crate) axes: Vec<AxisValue>,
    /// What one iteration works on.
    pub(crate) work: Work,
    /// Whether a number of the work is negative or too large.
    pub(crate) is_negative: bool,
}

impl<P> Point<P> {
    /// The number of elements or bytes here, unless it is negative or too large.
    pub(crate) fn positive<N: TryInto<u64>>(&mut self, count: impl Fn(&P) -> N) -> Option<u64> {
        let number = count(&self.value).try_into().ok();
        self.is_negative |= number.is_none();
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_point_is_that_of_the_axes_before() {
        let scenario = Scenario::new()
            .axis("n", [3_i8, -4])
            .elements(|&n| n)
            .axis("m", [1_u8]);
        let works = scenario.points.iter();
        let works: Vec<_> = works
            .map(|point| (point.work.elements, point.is_negative))
            .collect();
        assert_eq!(works, [(Some(3), false), (None, true)]);
    }
}
