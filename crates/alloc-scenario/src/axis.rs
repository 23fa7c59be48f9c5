//! Axes: the named parameters of a sweep. Each combination of values makes one
//! scenario.

use std::fmt::Display;

use alloc_results::AxisValue;

/// The axes of a scenario, as a type; sealed.
pub trait Axes: sealed::Sealed {
    /// The argument of closures: nothing, one value, or a tuple of values.
    type Point;
}

/// No axis: closures get `&()`.
#[derive(Debug)]
pub enum NoAxis {}

/// One axis: closures get `&T`.
#[derive(Debug)]
pub struct OneAxis<T>(T);

/// Two axes: closures get `&(T, U)`.
#[derive(Debug)]
pub struct TwoAxes<T, U>(T, U);

/// Three axes: closures get `&(T, U, V)`.
#[derive(Debug)]
pub struct ThreeAxes<T, U, V>(T, U, V);

impl Axes for NoAxis {
    type Point = ();
}

impl<T> Axes for OneAxis<T> {
    type Point = T;
}

impl<T, U> Axes for TwoAxes<T, U> {
    type Point = (T, U);
}

impl<T, U, V> Axes for ThreeAxes<T, U, V> {
    type Point = (T, U, V);
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::NoAxis {}
    impl<T> Sealed for super::OneAxis<T> {}
    impl<T, U> Sealed for super::TwoAxes<T, U> {}
    impl<T, U, V> Sealed for super::ThreeAxes<T, U, V> {}
}

/// The points of a sweep, in order, with the values as text.
pub(crate) type Points<P> = Vec<(Vec<AxisValue>, P)>;

/// One axis, with the text of each value.
pub(crate) struct Axis<T> {
    name: String,
    values: Vec<(String, T)>,
}

impl<T> Axis<T> {
    /// An axis of values that are shown as they are.
    pub(crate) fn new(name: &str, values: impl IntoIterator<Item = T>) -> Self
    where
        T: Display,
    {
        let values = values.into_iter();
        Self {
            name: name.to_owned(),
            values: values.map(|value| (value.to_string(), value)).collect(),
        }
    }

    /// An axis of values with labels.
    pub(crate) fn labeled<L: Display>(
        name: &str,
        values: impl IntoIterator<Item = (L, T)>,
    ) -> Self {
        let values = values.into_iter();
        Self {
            name: name.to_owned(),
            values: values
                .map(|(label, value)| (label.to_string(), value))
                .collect(),
        }
    }
}

/// Combines every point with every value of one more axis. The new axis runs fastest.
pub(crate) fn product<P: Clone, T: Clone, Q>(
    points: Points<P>,
    axis: &Axis<T>,
    join: impl Fn(P, T) -> Q,
) -> Points<Q> {
    let mut product = Vec::with_capacity(points.len() * axis.values.len());
    for (coordinates, point) in points {
        for (label, value) in &axis.values {
            let mut coordinates = coordinates.clone();
            coordinates.push(AxisValue {
                axis: axis.name.clone(),
                value: label.clone(),
            });
            product.push((coordinates, join(point.clone(), value.clone())));
        }
    }
    product
}

/// The axis values in a scenario's name, `rows=100,impl=old`; empty without axes.
pub(crate) fn suffix(coordinates: &[AxisValue]) -> String {
    let pairs: Vec<String> = coordinates
        .iter()
        .map(|AxisValue { axis, value }| format!("{axis}={value}"))
        .collect();
    pairs.join(",")
}
