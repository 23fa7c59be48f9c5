//! The axes of scenarios: their values as numbers, their order, and the name of a
//! series of scenarios that differ in one axis.

use std::cmp::Ordering;

use alloc_results::{AxisValue, ScenarioRecord};

/// The whole number that the scenario has on `axis`.
pub(crate) fn axis_value(record: &ScenarioRecord, axis: &str) -> Option<u64> {
    let found = record.axes.iter().find(|value| value.axis == axis)?;
    whole_number(found)
}

/// The value of an axis of whole numbers.
pub(crate) fn whole_number(axis: &AxisValue) -> Option<u64> {
    axis.value.replace('_', "").parse().ok()
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

/// The order of texts in which runs of digits are numbers: `rows=25` before
/// `rows=100`, as a sweep has them. A baseline knows no order of its own.
pub(crate) fn by_number(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let digits = |text: &str| text.len() - text.trim_start_matches(digit).len();
        let (of_left, of_right) = (digits(left), digits(right));
        if of_left > 0 && of_right > 0 {
            let number = |text: &'_ str, end: usize| {
                let number = text[..end].trim_start_matches('0');
                (number.len(), number.to_owned())
            };
            let order = number(left, of_left).cmp(&number(right, of_right));
            if order.is_ne() {
                return order;
            }
            (left, right) = (&left[of_left..], &right[of_right..]);
            continue;
        }
        let (mut after_left, mut after_right) = (left.chars(), right.chars());
        match (after_left.next(), after_right.next()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (after_left.as_str(), after_right.as_str());
            }
            // Texts that differ in leading zeros alone differ all the same.
            (None, None) => return a.cmp(b),
            (one, other) => return one.cmp(&other),
        }
    }
}

fn digit(character: char) -> bool {
    character.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_compared_as_numbers_and_all_else_as_text() {
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
                assert_eq!(by_number(a, b), nth.cmp(&other), "{a:?} and {b:?}");
            }
        }
    }
}
