//! The axes of scenarios: numeric values, their order, and the names of series of scenarios that
//! differ in one axis.

use std::cmp::Ordering;

use alloc_results::{AxisValue, ScenarioRecord};

/// The value of the scenario's `axis`, if it is a whole number.
pub(crate) fn axis_value(record: &ScenarioRecord, axis: &str) -> Option<u64> {
    let found = record.axes.iter().find(|value| value.axis == axis)?;
    whole_number(found)
}

/// The value of an axis, if it is a whole number.
pub(crate) fn whole_number(axis: &AxisValue) -> Option<u64> {
    axis.value.replace('_', "").parse().ok()
}

/// The scenario's name without its axes.
pub(crate) fn base_name<'n>(scenario: &'n str, axes: &[AxisValue]) -> &'n str {
    let mut rest = scenario;
    for (number, AxisValue { axis, value }) in axes.iter().enumerate().rev() {
        let separator = if number > 0 { ',' } else { '/' };
        let before = rest
            .strip_suffix(value.as_str())
            .and_then(|rest| rest.strip_suffix('='))
            .and_then(|rest| rest.strip_suffix(axis.as_str()))
            .and_then(|rest| rest.strip_suffix(separator));
        let Some(before) = before else {
            return scenario;
        };
        rest = before;
    }
    rest
}

/// The scenario's name with `*` for the value of `axis`.
pub(crate) fn series_name(scenario: &str, axes: &[AxisValue], axis: Option<&str>) -> String {
    let pairs = |star: bool| -> Vec<String> {
        axes.iter()
            .map(|AxisValue { axis: name, value }| match axis {
                Some(axis) if star && axis == name => format!("{name}=*"),
                Some(_) | None => format!("{name}={value}"),
            })
            .collect()
    };
    let suffix = format!("/{}", pairs(false).join(","));
    match scenario.strip_suffix(&suffix) {
        Some(base) if axis.is_some() => format!("{base}/{}", pairs(true).join(",")),
        Some(_) | None => scenario.to_owned(),
    }
}

/// Compares texts with runs of digits as numbers, so that `rows=25` sorts before `rows=100`.
pub(crate) fn compare_naturally(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (left_digits, right_digits) = (digits(left), digits(right));
        if left_digits > 0 && right_digits > 0 {
            let number = |text: &'_ str, end: usize| {
                let number = text[..end].trim_start_matches('0');
                (number.len(), number.to_owned())
            };
            let order = number(left, left_digits).cmp(&number(right, right_digits));
            if order.is_ne() {
                return order;
            }
            (left, right) = (&left[left_digits..], &right[right_digits..]);
            continue;
        }
        let (mut after_left, mut after_right) = (left.chars(), right.chars());
        match (after_left.next(), after_right.next()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (after_left.as_str(), after_right.as_str());
            }
            // The texts differ at most in leading zeros.
            (None, None) => return a.cmp(b),
            (one, other) => return one.cmp(&other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_removed_from_the_end_of_a_name() {
        let axis = |axis: &str, value: &str| AxisValue {
            axis: axis.to_owned(),
            value: value.to_owned(),
        };
        let axes = [axis("n", "1"), axis("kind", "a/b=c")];
        for (name, axes, base) in [
            ("read/n=1,kind=a/b=c", &axes[..], "read"),
            ("a/read/n=1", &axes[..1], "a/read"),
            ("read/n=10", &axes[..1], "read/n=10"),
            ("read/n=1", &axes[..], "read/n=1"),
            ("read", &[], "read"),
        ] {
            assert_eq!(base_name(name, axes), base);
        }
    }

    #[test]
    fn digits_compare_as_numbers_and_the_rest_as_text() {
        let sorted = [
            "",
            "1",
            "01a",
            "1a",
            "a",
            "a/n=2",
            "a/n=2,m=9",
            "a/n=2,m=10",
            "a/n=10",
            "a/n=010x",
            "a/n=100000000000000000000000000000000000000000",
            "ab",
            "b",
            "b0",
            "b00",
        ];
        for (nth, a) in sorted.iter().enumerate() {
            for (other, b) in sorted.iter().enumerate() {
                assert_eq!(compare_naturally(a, b), nth.cmp(&other), "{a:?} and {b:?}");
            }
        }
    }
}
