//! How similar two lines of code are.

/// How similar two texts of one function are at least, if one is the other after an edit.
pub(super) const SIMILAR: f64 = 0.5;

/// The characters of a line that are compared at most: the time is their product.
const LONGEST: usize = 300;

/// The similarity of a line to one that contains it. A chain of calls that is broken into
/// several lines is still the same code.
const CONTAINED: f64 = 0.5;

/// The share of the characters that two lines have in common in the same order, from 0 to 1,
/// without the spaces around them; at least 0.5 if one of them contains the other.
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    let code = |line: &str| line.trim().trim_end_matches([';', ',']).to_owned();
    let (a, b) = (code(one), code(other));
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_contained = short.len() > 3 && long.contains(&short);
    let least = if is_contained { CONTAINED } else { 0.0 };
    least.max(in_common(one, other))
}

fn in_common(one: &str, other: &str) -> f64 {
    let [one, other] =
        [one, other].map(|line| -> Vec<char> { line.trim().chars().take(LONGEST).collect() });
    let length = one.len() + other.len();
    if length == 0 {
        return 0.0;
    }
    // The longest common subsequence, a row of the table at a time.
    let mut row = vec![0_usize; other.len() + 1];
    for a in &one {
        let mut diagonal = 0;
        for (at, b) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    2.0 * row[other.len()] as f64 / length as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_1_and_empty_ones_0() {
        for (one, other, expected) in [
            ("  a + b;", "a + b;  ", 1.0),
            ("", "", 0.0),
            ("abc", "", 0.0),
            ("abcd", "abxy", 0.5),
            ("ab", "ba", 0.5),
            (
                "let units = text.encode_utf16().collect();",
                "    .collect();",
                0.5,
            ),
        ] {
            assert!(
                (similarity(one, other) - expected).abs() < 1e-9,
                "{one} {other}"
            );
        }
        let long = "x".repeat(1_000_000);
        assert!(similarity(&long, &long) > 0.99);
    }
}
