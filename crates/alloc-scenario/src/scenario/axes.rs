//! The axes of a [`Scenario`]: none, one, two or three.

use std::fmt::Display;

use super::Scenario;
use crate::axis::{Axis, OneAxis, ThreeAxes, TwoAxes, product};

impl<'a> Scenario<'a> {
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
    pub fn axis<T: Clone + Display + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Scenario<'a, OneAxis<T>> {
        self.over(&Axis::new(name, values))
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
    ) -> Scenario<'a, OneAxis<T>> {
        self.over(&Axis::labeled(name, values))
    }

    fn over<T: Clone + 'a>(self, axis: &Axis<T>) -> Scenario<'a, OneAxis<T>> {
        Scenario {
            points: product(self.points, axis, |(), value| value),
            settings: self.settings.under(|_: &T| ()),
        }
    }
}

impl<'a, T: Clone + 'a> Scenario<'a, OneAxis<T>> {
    /// Sweeps over a second axis as well: one scenario for each pair, called
    /// `NAME/first=value,second=value`.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("join", |b| {
    ///     b.axis("words", [10_usize, 100])
    ///         .axis("length", [4_usize, 40])
    ///         .setup(|&(words, length)| vec!["x".repeat(length); words])
    ///         .run(|words| words.join(" "))
    /// });
    /// ```
    pub fn axis<U: Clone + Display + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = U>,
    ) -> Scenario<'a, TwoAxes<T, U>> {
        self.over(&Axis::new(name, values))
    }

    /// Sweeps over values with labels as well; see
    /// [`labeled_axis`](Scenario::<NoAxis>::labeled_axis).
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// type Case = fn(&str) -> String;
    ///
    /// suite.scenario_with("convert", |b| {
    ///     b.axis("bytes", [10_usize, 100])
    ///         .labeled_axis("to", [("upper", str::to_uppercase as Case), ("lower", str::to_lowercase)])
    ///         .setup(|&(bytes, convert)| ("x".repeat(bytes), convert))
    ///         .run(|(text, convert)| convert(text))
    /// });
    /// ```
    pub fn labeled_axis<L: Display, U: Clone + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = (L, U)>,
    ) -> Scenario<'a, TwoAxes<T, U>> {
        self.over(&Axis::labeled(name, values))
    }

    fn over<U: Clone + 'a>(self, axis: &Axis<U>) -> Scenario<'a, TwoAxes<T, U>> {
        Scenario {
            points: product(self.points, axis, |first, second| (first, second)),
            settings: self.settings.under(|(first, _): &(T, U)| first.clone()),
        }
    }
}

impl<'a, T: Clone + 'a, U: Clone + 'a> Scenario<'a, TwoAxes<T, U>> {
    /// Sweeps over a third axis as well.
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("grid", |b| {
    ///     b.axis("x", [1_usize, 10])
    ///         .axis("y", [1_usize, 10])
    ///         .axis("z", [1_usize, 10])
    ///         .run(|&(x, y, z)| vec![0_u8; x * y * z])
    /// });
    /// ```
    pub fn axis<V: Clone + Display + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Scenario<'a, ThreeAxes<T, U, V>> {
        self.over(&Axis::new(name, values))
    }

    /// Sweeps over values with labels as well; see
    /// [`labeled_axis`](Scenario::<NoAxis>::labeled_axis).
    ///
    /// ```no_run
    /// # let mut suite = alloc_scenario::Suite::from_args();
    /// suite.scenario_with("grid", |b| {
    ///     b.axis("x", [1_usize, 10])
    ///         .axis("y", [1_usize, 10])
    ///         .labeled_axis("fill", [("zeros", 0_u8), ("ones", 255)])
    ///         .run(|&(x, y, fill)| vec![fill; x * y])
    /// });
    /// ```
    pub fn labeled_axis<L: Display, V: Clone + 'a>(
        self,
        name: &str,
        values: impl IntoIterator<Item = (L, V)>,
    ) -> Scenario<'a, ThreeAxes<T, U, V>> {
        self.over(&Axis::labeled(name, values))
    }

    fn over<V: Clone + 'a>(self, axis: &Axis<V>) -> Scenario<'a, ThreeAxes<T, U, V>> {
        Scenario {
            points: product(self.points, axis, |(first, second), third| {
                (first, second, third)
            }),
            settings: self
                .settings
                .under(|(first, second, _): &(T, U, V)| (first.clone(), second.clone())),
        }
    }
}
