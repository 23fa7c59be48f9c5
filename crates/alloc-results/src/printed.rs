//! Numbers as text. A number that is not printed exactly is marked as rounded.

use crate::ratio::Ratio;

/// A whole number with thousands separators: `10,000`.
#[must_use]
pub fn integer(value: i128) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if value < 0 {
        text.push('-');
    }
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean with at least `decimals` decimals, and more where it needs more to be
/// exact: `2.00`, `0.0001`. A mean that needs more than six decimals is rounded
/// and marked, `~0.333333`. A mean above zero never prints as zero: `<0.000001`.
#[must_use]
pub fn mean(value: Ratio, decimals: usize) -> String {
    const MOST: usize = 6;
    const SCALE: u128 = 10_u128.pow(MOST as u32);
    let denominator = u128::from(value.denominator());
    let absolute = value.numerator().unsigned_abs();
    let sign = if value.numerator() < 0 { "-" } else { "" };
    let (whole, rest) = (absolute / denominator, absolute % denominator);
    // `rest` is below 2^64, so this stays far below 2^128.
    let (scaled, remainder) = (rest * SCALE / denominator, rest * SCALE % denominator);
    if remainder == 0 {
        let mut fraction = format!("{scaled:0MOST$}");
        while fraction.len() > decimals && fraction.ends_with('0') {
            fraction.pop();
        }
        let point = if fraction.is_empty() { "" } else { "." };
        return format!("{sign}{}{point}{fraction}", grouped(whole));
    }
    let rounded = scaled + u128::from(remainder * 2 >= denominator);
    if whole == 0 && rounded == 0 {
        return if sign.is_empty() {
            String::from("<0.000001")
        } else {
            String::from(">-0.000001")
        };
    }
    let whole = whole + rounded / SCALE;
    format!("~{sign}{}.{:0MOST$}", grouped(whole), rounded % SCALE)
}

fn grouped(value: u128) -> String {
    i128::try_from(value).map_or_else(|_| value.to_string(), integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_thousands_separators() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (10_000, "10,000"),
            (-1_234_567, "-1,234,567"),
        ] {
            assert_eq!(integer(value), text);
        }
    }

    #[test]
    fn a_mean_is_exact_or_marked_as_rounded() {
        for ((numerator, denominator), decimals, text) in [
            ((20_000, 10_000), 2, "2.00"),
            ((44, 1), 0, "44"),
            ((10_240_000, 10_000), 0, "1,024"),
            ((10, 10_000), 2, "0.001"),
            ((1, 10_000), 2, "0.0001"),
            ((25_000, 10_000), 0, "2.5"),
            ((1, 3), 2, "~0.333333"),
            ((2, 3), 2, "~0.666667"),
            ((-1, 3), 2, "~-0.333333"),
            ((-5, 2), 2, "-2.50"),
            ((29_999_999, 10_000_001), 0, "~3.000000"),
            ((1, 10_000_000), 2, "<0.000001"),
            ((-1, 10_000_000), 2, ">-0.000001"),
            ((6, 10_000_000), 2, "~0.000001"),
        ] {
            let value = Ratio::new(numerator, denominator).unwrap();
            assert_eq!(mean(value, decimals), text, "{numerator}/{denominator}");
        }
    }
}
