//! The axes of scenarios: numeric values, their order, and the names of series of scenarios that
//! differ in one axis.

use std::cmp::Ordering;

use alloc_results::ByteUnit;
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
            return value_alone(scenario, axes).unwrap_or(scenario);
        };
        rest = before;
    }
    rest
}

/// The name without the value of its one axis, if it ends with that alone, as those of criterion:
/// `parse/lines/100`.
fn value_alone<'n>(scenario: &'n str, axes: &[AxisValue]) -> Option<&'n str> {
    let [AxisValue { value, .. }] = axes else {
        return None;
    };
    scenario.strip_suffix(value.as_str())?.strip_suffix('/')
}

/// The scenario's name with `*` for the value of `axis`.
pub(crate) fn series_name(scenario: &str, axes: &[AxisValue], axis: Option<&str>) -> String {
    let base = base_name(scenario, axes);
    let Some(axis) = axis.filter(|_| base.len() < scenario.len()) else {
        return scenario.to_owned();
    };
    if value_alone(scenario, axes) == Some(base) {
        let is_it = axes.iter().any(|value| value.axis == axis);
        return format!(
            "{base}/{}",
            if is_it {
                "*"
            } else {
                &scenario[base.len() + 1..]
            }
        );
    }
    let pairs = axes.iter().map(|AxisValue { axis: name, value }| {
        let value = if name == axis { "*" } else { value };
        format!("{name}={value}")
    });
    format!("{base}/{}", pairs.collect::<Vec<_>>().join(","))
}

/// Compares names with the numbers in them as numbers, so that `rows=25` sorts before
/// `rows=100`. The value of an axis can be a decimal, negative, or in a unit of bytes:
/// `size=64KiB` sorts before `size=1MiB`.
#[must_use]
pub fn compare_naturally(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        // Both have the same text up to here.
        let is_value = a[..a.len() - left.len()]
            .chars()
            .next_back()
            .is_none_or(|before| before == '=');
        let read = if is_value { amount } else { whole };
        if let Some(((one, after_left), (other, after_right))) = read(left).zip(read(right)) {
            if one != other {
                return one.cmp(&other);
            }
            (left, right) = (after_left, after_right);
            continue;
        }
        let (mut after_left, mut after_right) = (left.chars(), right.chars());
        match (after_left.next(), after_right.next()) {
            (Some(one), Some(other)) if one == other => {
                (left, right) = (after_left.as_str(), after_right.as_str());
            }
            // The texts differ at most in how they write numbers.
            (None, None) => return a.cmp(b),
            (one, other) => return one.cmp(&other),
        }
    }
}

/// Sorts names as [`compare_naturally`] does.
pub(crate) fn sort_naturally(names: &mut [String]) {
    names.sort_by(|one, other| compare_naturally(one, other));
}

/// The digits of a fraction that are compared.
const DECIMALS: usize = 6;

/// The number that begins `text`, in millionths, and the rest of the text. A number that is too
/// large counts as the largest.
fn amount(text: &str) -> Option<(i128, &str)> {
    let positive = text.strip_prefix('-');
    let (whole, mut rest) = whole(positive.unwrap_or(text))?;
    let mut value = whole.saturating_mul(10_i128.pow(DECIMALS as u32));
    if let Some((fraction, after)) = rest.strip_prefix('.').map(digits)
        && !fraction.is_empty()
    {
        let shown = &fraction[..fraction.len().min(DECIMALS)];
        value = value.saturating_add(format!("{shown:0<DECIMALS$}").parse().unwrap_or(0));
        rest = after;
    }
    let letters = rest.strip_prefix(' ').unwrap_or(rest);
    let end = letters.find(|c: char| !c.is_alphabetic());
    let (unit, after) = letters.split_at(end.unwrap_or(letters.len()));
    if let Ok(unit) = unit.parse::<ByteUnit>() {
        value = value.saturating_mul(unit.bytes().into());
        rest = after;
    }
    Some((if positive.is_some() { -value } else { value }, rest))
}

/// The whole number that begins `text`, and the rest of the text.
fn whole(text: &str) -> Option<(i128, &str)> {
    let (found, rest) = digits(text);
    let number = found.replace('_', "");
    (found.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| (number.parse().unwrap_or(i128::MAX), rest))
}

/// The digits that begin `text`, with `_` between them, and the rest of the text.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '_');
    text.split_at(end.unwrap_or(text.len()))
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
            ("read/lines/1", &axes[..1], "read/lines"),
            ("read/lines/1", &axes[..], "read/lines/1"),
            ("1", &axes[..1], "1"),
        ] {
            assert_eq!(base_name(name, axes), base);
        }
        let series = |name, axis| series_name(name, &axes[..1], Some(axis));
        assert_eq!(series("read/n=1", "n"), "read/n=*");
        assert_eq!(series("read/lines/1", "n"), "read/lines/*");
        assert_eq!(series("read/lines/1", "m"), "read/lines/1");
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

    #[test]
    fn values_compare_as_amounts() {
        for sorted in [
            &["-10", "-2", "0", "0.25", "0.5", "1", "1.5", "10"][..],
            &[
                "64", "128B", "0.5KiB", "4KiB", "64 KiB", "1MiB", "2MB", "1GiB",
            ],
            &["200", "1_000", "20_000"],
            &["n=2,size=64KiB", "n=2,size=1MiB", "n=10,size=4KiB"],
            &["load=0.25/x", "load=0.5/x", "load=0.5/y"],
            // Behind anything but `=`, a point separates whole numbers.
            &["v1.9", "v1.10", "v1.10.2", "v1.10.10"],
            &["4K", "4KiBs", "16K"],
        ] {
            assert!(
                sorted.is_sorted_by(|a, b| compare_naturally(a, b).is_lt()),
                "{sorted:?}"
            );
        }
        let huge = "9".repeat(99);
        assert_eq!(compare_naturally("1", &huge), Ordering::Less);
    }
}
