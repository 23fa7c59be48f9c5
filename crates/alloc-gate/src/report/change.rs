//! A figure before and after a change, in words: `1 -> 101 (+100)`. All reports use the same.

use alloc_results::{Metric, Ratio, Unit, mean, rounded};

/// A figure as sentences and blocks show it: exact, with thousands separators, and without
/// decimals that it does not need. `1`, `2,048`, `0.0001`, `700.0 ns`.
#[must_use]
pub(crate) fn plain_figure(unit: Unit, value: Ratio) -> String {
    // Times differ in each run, so a tenth of a nanosecond is precise enough.
    if unit == Unit::Nanoseconds {
        format!("{} ns", rounded(value, 1))
    } else {
        mean(value, 0)
    }
}

/// The size of a change. Counts have a difference: `+100`. Bytes and times have a factor:
/// `1.70x`. They have a difference where a factor would say nothing: from or to 0 or less, and
/// where it rounds to 1.
#[must_use]
pub fn difference(unit: Unit, before: Ratio, after: Ratio) -> String {
    if unit != Unit::Count
        && before.numerator() > 0
        && after.numerator() > 0
        && let Some(factor) = after.checked_div(before)
    {
        // Nobody needs the decimals of a large factor.
        let is_large = factor >= Ratio::whole(100);
        let text = rounded(factor, if is_large { 0 } else { 2 });
        if text != "1.00" {
            return format!("{text}x");
        }
    }
    let Some(difference) = after.checked_sub(before) else {
        return String::from("not exact");
    };
    let text = plain_figure(unit, difference);
    match text.strip_prefix('~') {
        _ if difference.numerator() <= 0 => text,
        Some(rounded) => format!("~+{rounded}"),
        None => format!("+{text}"),
    }
}

/// Both figures, and the size of the change: `2,048 -> 3,472 (1.70x)`. `None` is a figure that
/// was not measured.
#[must_use]
pub fn change(unit: Unit, before: Option<Ratio>, after: Option<Ratio>) -> String {
    let [old, new] = [before, after].map(|value| match value {
        Some(value) => plain_figure(unit, value),
        None => String::from("not measured"),
    });
    match before.zip(after) {
        Some((before, after)) => format!("{old} -> {new} ({})", difference(unit, before, after)),
        None => format!("{old} -> {new}"),
    }
}

/// Whether a row that shows the `changed` metrics can leave `metric` out, since it follows from
/// them: `deallocs` is `allocs` minus `reallocs` minus `net-blocks`.
#[must_use]
pub fn is_implied(metric: Metric, changed: &[Metric]) -> bool {
    let implying = [Metric::Allocs, Metric::NetBlocks];
    metric == Metric::Deallocs && implying.iter().any(|one| changed.contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_difference_and_bytes_a_factor() {
        use Unit::{Bytes, Count, Nanoseconds};
        let ratio = |(numerator, denominator)| Ratio::new(numerator, denominator).unwrap();
        for (unit, before, after, text) in [
            (Count, (1, 1), (101, 1), "1 -> 101 (+100)"),
            (Count, (0, 1), (1, 10_000), "0 -> 0.0001 (+0.0001)"),
            (Count, (5, 2), (2, 1), "2.5 -> 2 (-0.5)"),
            (Count, (0, 1), (1, 3), "0 -> ~0.333333 (~+0.333333)"),
            (Count, (1, 3), (0, 1), "~0.333333 -> 0 (~-0.333333)"),
            (Count, (1, 1), (10_001, 1), "1 -> 10,001 (+10,000)"),
            (Count, (1_500, 1), (0, 1), "1,500 -> 0 (-1,500)"),
            (Bytes, (2_048, 1), (3_472, 1), "2,048 -> 3,472 (1.70x)"),
            (Bytes, (3_472, 1), (2_048, 1), "3,472 -> 2,048 (0.59x)"),
            (Bytes, (8, 1), (80_004, 1), "8 -> 80,004 (10,001x)"),
            (Bytes, (80_000, 1), (8, 1), "80,000 -> 8 (<0.01x)"),
            // A factor would be infinite, 0, or 1.
            (Bytes, (0, 1), (72, 1), "0 -> 72 (+72)"),
            (Bytes, (72, 1), (0, 1), "72 -> 0 (-72)"),
            (Bytes, (-16, 1), (-12, 1), "-16 -> -12 (+4)"),
            (Bytes, (-8, 1), (-24, 1), "-8 -> -24 (-16)"),
            (Bytes, (2_048, 1), (2_056, 1), "2,048 -> 2,056 (+8)"),
            (
                Nanoseconds,
                (1_000, 1),
                (3_001, 2),
                "1,000.0 ns -> 1,500.5 ns (1.50x)",
            ),
            (
                Nanoseconds,
                (1_000, 1),
                (1_001, 1),
                "1,000.0 ns -> 1,001.0 ns (+1.0 ns)",
            ),
        ] {
            let shown = change(unit, Some(ratio(before)), Some(ratio(after)));
            assert_eq!(shown, text);
        }
        assert_eq!(
            change(Bytes, None, Some(ratio((5, 1)))),
            "not measured -> 5"
        );
        assert_eq!(
            change(Bytes, Some(ratio((5, 1))), None),
            "5 -> not measured"
        );
    }
}
