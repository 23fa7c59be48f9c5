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

/// Combines every point with every value of one more axis. The new axis runs fastest.
pub(crate) fn product<P: Clone, T: Clone + Display, Q>(
    points: Points<P>,
    axis: &str,
    values: impl IntoIterator<Item = T>,
    join: impl Fn(P, T) -> Q,
) -> Points<Q> {
    let values: Vec<T> = values.into_iter().collect();
    let mut product = Vec::with_capacity(points.len() * values.len());
    for (coordinates, point) in points {
        for value in &values {
            let mut coordinates = coordinates.clone();
            coordinates.push(AxisValue {
                axis: axis.to_owned(),
                value: value.to_string(),
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
