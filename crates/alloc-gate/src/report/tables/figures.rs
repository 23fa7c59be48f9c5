//! Figures of tables as text: rounded from the exact number, and times in a short unit.

use alloc_results::{Attempts, Ratio, integer};

use crate::evaluation::Spread;
use crate::figure::Exact;
use crate::report::words::figure_of;
use crate::rules::ShownFigure;

/// The units of a time, with their nanoseconds.
const TIMES: [(&str, u64); 4] = [
    ("ns", 1),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

/// `5.00`, or `1,700.0 ns, 1,690.0 to 1,710.0`.
pub(super) fn figure_text(figure: &ShownFigure, value: Ratio, spread: Option<&Spread>) -> String {
    let ShownFigure { metric, statistic } = figure;
    match metric.is_time() {
        true => time_text(value, spread),
        false => figure_of(metric, *statistic, value),
    }
}

/// A time and its ends, `12.3 µs, 11.9 to 14.0`, all in the unit of the time.
fn time_text(value: Ratio, spread: Option<&Spread>) -> String {
    let (unit, nanoseconds) = time_unit(&value.into());
    let number = |value: Ratio| Exact::from(value).decimal(nanoseconds, 1, ",");
    let text = format!("{} {unit}", number(value));
    match spread {
        Some(Spread { low, high, .. }) => format!("{text}, {} to {}", number(*low), number(*high)),
        None => text,
    }
}

/// The smallest unit in which the rounded time is less than 10,000.
fn time_unit(value: &Exact) -> (&'static str, u64) {
    let [first, rest @ ..] = TIMES;
    let size = value.abs();
    let larger = rest.into_iter().scan(first, |smaller, unit| {
        // A time that rounds to 10,000.0 takes the larger unit.
        let limit = i128::from(smaller.1) * 199_999;
        let reaches = Ratio::new(limit, 20).is_some_and(|limit| size >= Exact::from(limit));
        *smaller = unit;
        reaches.then_some(unit)
    });
    larger.last().unwrap_or(first)
}

/// `3/100 null, 2/100 misaligned`.
pub(super) fn faults_text(faults: &Attempts) -> String {
    let requests = integer(faults.requests.into());
    let kinds = faults.faults.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, count)| format!("{}/{requests} {kind}", integer((*count).into())))
        .collect();
    kinds.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_smallest_unit_below_ten_thousand() {
        let time = |numerator: i128, denominator: u64| {
            let value = Ratio::new(numerator, denominator).unwrap();
            time_text(value, None)
        };
        for (numerator, denominator, text) in [
            (0, 1, "0.0 ns"),
            (1, 25, "<0.1 ns"),
            (-1, 25, ">-0.1 ns"),
            (1, 20, "0.1 ns"),
            (1, 4, "0.3 ns"),
            (-1, 4, "-0.3 ns"),
            (700, 1, "700.0 ns"),
            (9_999, 1, "9,999.0 ns"),
            (999_994, 100, "9,999.9 ns"),
            (999_995, 100, "10.0 µs"),
            (10_000, 1, "10.0 µs"),
            (-10_000, 1, "-10.0 µs"),
            (12_345, 1, "12.3 µs"),
            (12_350, 1, "12.4 µs"),
            (9_999_949, 1, "9,999.9 µs"),
            (9_999_950, 1, "10.0 ms"),
            (10_000_000, 1, "10.0 ms"),
            (9_999_949_999, 1, "9,999.9 ms"),
            (10_000_000_000, 1, "10.0 s"),
            (123_456_789_000_000, 1, "123,456.8 s"),
        ] {
            assert_eq!(time(numerator, denominator), text);
        }
        let spread = Spread {
            low: Ratio::whole(9),
            high: Ratio::whole(1_500_000),
            values: 7,
        };
        assert_eq!(
            time_text(Ratio::whole(12_345), Some(&spread)),
            "12.3 µs, <0.1 to 1,500.0"
        );
    }

    #[test]
    fn faults_are_counted_by_kind() {
        let faults = Attempts {
            requests: 100_000,
            faults: [("misaligned", 2), ("null", 1_234)]
                .map(|(kind, count)| (kind.to_owned(), count))
                .into(),
        };
        assert_eq!(
            faults_text(&faults),
            "2/100,000 misaligned, 1,234/100,000 null"
        );
    }
}
