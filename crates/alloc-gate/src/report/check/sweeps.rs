//! [`merged`]: one row for the points of a sweep that have equal rows.

use std::collections::HashMap;
use std::hash::Hash;

use indexmap::{IndexMap, IndexSet};

use crate::results::MeasuredScenario;
use crate::results::axis::base_name;

/// The name without the values of the axes.
fn base(point: &MeasuredScenario) -> &str {
    base_name(&point.record.name, &point.record.axes)
}

/// The rows with their names, in the order of their first scenarios. Scenarios that differ in
/// their axes alone and have rows of equal `key` share the first one's, `pair/* (96)`.
pub(super) fn merged<R, K: Eq + Hash>(
    rows: Vec<(&MeasuredScenario, R)>,
    key: impl Fn(&R) -> K,
) -> Vec<(String, R)> {
    let mut sweeps: HashMap<_, Vec<&MeasuredScenario>> = HashMap::new();
    let mut groups: IndexMap<_, (Vec<&MeasuredScenario>, Vec<R>)> = IndexMap::new();
    for (point, row) in rows {
        let sweep = (&point.qualifier, base(point), point.record.axes.len());
        sweeps.entry(sweep).or_default().push(point);
        let (points, rows) = groups.entry((sweep, key(&row))).or_default();
        points.push(point);
        rows.push(row);
    }
    let groups: Vec<_> = groups
        .into_iter()
        .map(|((sweep, _), (points, rows))| {
            let all = sweeps.get(&sweep).map_or(&[][..], Vec::as_slice);
            (name(&points, all), points, rows)
        })
        .collect();
    let mut names: HashMap<String, usize> = HashMap::new();
    for (name, _, _) in &groups {
        *names.entry(name.clone()).or_default() += 1;
    }
    let mut named = Vec::new();
    for (name, points, rows) in groups {
        let mut all = points.iter().map(|point| point.label()).zip(rows);
        match names.get(&name) {
            Some(1) => named.extend(all.next().map(|(_, row)| (name, row))),
            // Several groups have the name, so it would not say which scenarios they have.
            _ => named.extend(all),
        }
    }
    named
}

/// The name of one scenario, or of several `points` of a sweep: an axis whose value they share
/// keeps it; others have `*` for all values of the sweep, or the first and the last value.
fn name(points: &[&MeasuredScenario], all: &[&MeasuredScenario]) -> String {
    let first = points[0];
    if points.len() == 1 {
        return first.label();
    }
    let values: Vec<String> = (0..first.record.axes.len())
        .map(|place| match &*values(points, place) {
            [only] => (*only).to_owned(),
            some => range(some, &values(all, place)),
        })
        .collect();
    let axes = if values.iter().all(|value| value == "*") {
        String::from("*")
    } else {
        let axes = first.record.axes.iter().zip(values);
        let pairs = axes.map(|(axis, value)| format!("{}={value}", axis.axis));
        pairs.collect::<Vec<_>>().join(",")
    };
    format!(
        "{}{}/{axes} ({})",
        first.qualifier,
        base(first),
        points.len()
    )
}

/// The different values of the axis in this place, in the order of measurement.
fn values<'s>(points: &[&'s MeasuredScenario], place: usize) -> Vec<&'s str> {
    let axes = points
        .iter()
        .filter_map(|point| point.record.axes.get(place));
    let values: IndexSet<&str> = axes.map(|axis| axis.value.as_str()).collect();
    values.into_iter().collect()
}

/// `10..40` for some neighbours of all values, otherwise `*`.
fn range(some: &[&str], all: &[&str]) -> String {
    let neighbours = all.windows(some.len()).any(|window| window == some);
    match (some, neighbours && some.len() < all.len()) {
        ([first, .., last], true) => format!("{first}..{last}"),
        _ => String::from("*"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::measured;

    /// The rows of scenarios `x` over the axes `n` and `m`, each with a figure.
    fn rows(figures: &[(&str, &str, u32)]) -> Vec<(String, u32)> {
        let lines = figures.iter();
        let lines = lines.map(|(n, m, _)| format!("x/n={n},m={m}: 1 x\n"));
        let results = format!("bench app/counts\n{}", lines.collect::<String>());
        let results = measured(&results);
        let rows = results.scenarios().iter().zip(figures);
        let rows = rows.map(|(point, (_, _, figure))| (point, *figure));
        merged(rows.collect(), |figure| *figure)
    }

    #[test]
    fn points_with_equal_figures_share_a_row_whose_name_says_which_they_are() {
        let named = |rows: &[(&str, u32)]| -> Vec<(String, u32)> {
            rows.iter()
                .map(|(name, row)| ((*name).to_owned(), *row))
                .collect()
        };
        for (figures, expected) in [
            (&[("1", "a", 5)][..], &[("x/n=1,m=a", 5)][..]),
            (&[("1", "a", 5), ("2", "b", 5)], &[("x/* (2)", 5)]),
            (
                &[("1", "a", 5), ("2", "a", 5), ("1", "b", 6), ("2", "b", 6)],
                &[("x/n=*,m=a (2)", 5), ("x/n=*,m=b (2)", 6)],
            ),
            (
                &[("1", "a", 5), ("2", "a", 5), ("3", "a", 6), ("4", "a", 6)],
                &[("x/n=1..2,m=a (2)", 5), ("x/n=3..4,m=a (2)", 6)],
            ),
            // `x/n=*,m=a` would be the name of both.
            (
                &[("1", "a", 5), ("2", "a", 6), ("3", "a", 5), ("4", "a", 6)],
                &[
                    ("x/n=1,m=a", 5),
                    ("x/n=3,m=a", 5),
                    ("x/n=2,m=a", 6),
                    ("x/n=4,m=a", 6),
                ],
            ),
            (
                &[("1", "a", 5), ("2", "a", 6), ("3", "a", 5)],
                &[("x/n=*,m=a (2)", 5), ("x/n=2,m=a", 6)],
            ),
        ] {
            assert_eq!(rows(figures), named(expected), "{figures:?}");
        }
    }
}
