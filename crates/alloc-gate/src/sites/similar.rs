//! How similar two lines of code are, and which edited lines make a call that no removed line made.

use crate::sites::changes::Changes;
use crate::sites::site::Site;

/// How similar two texts of one function are at least, if one is the other after an edit.
pub(super) const SIMILAR: f64 = 0.5;

/// The similarity of a line to one that contains it. A chain of calls that is broken into
/// several lines is still the same code.
const CONTAINED: f64 = 0.5;

/// The share of the pairs of characters that two lines have in common, from 0 to 1, without
/// spaces; at least 0.5 if one of them contains the other.
pub(super) fn similarity(one: &str, other: &str) -> f64 {
    let code = |line: &str| line.trim().trim_end_matches([';', ',']).to_owned();
    let (a, b) = (code(one), code(other));
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_contained = short.len() > 3 && long.contains(&short);
    let least = if is_contained { CONTAINED } else { 0.0 };
    least.max(strsim::sorensen_dice(one, other))
}

/// Marks the sites on edited lines for which no old line of the file is similar and makes the same
/// call. An old line stands for one site, the most similar one.
pub(super) fn mark_added(list: &mut [Site], changes: &Changes) {
    let mut pairs = Vec::new();
    for (number, site) in list.iter_mut().enumerate().filter(|(_, it)| it.is_edited) {
        site.is_added = true;
        let Some(line) = site.place.line() else {
            continue;
        };
        let (call, text) = (last_segment(&site.how), line.text.as_deref());
        for (old, removed) in changes.removed_in(&line.file).enumerate() {
            let ratio = similarity(text.unwrap_or_default(), removed);
            if removed.contains(call) && ratio >= SIMILAR {
                pairs.push((ratio, number, (line.file.clone(), old)));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut used = Vec::new();
    for (_, number, old) in pairs {
        if list[number].is_added && !used.contains(&old) {
            list[number].is_added = false;
            used.push(old);
        }
    }
}

/// `with_capacity` of `Vec::with_capacity`.
fn last_segment(how: &str) -> &str {
    how.rsplit("::").next().unwrap_or(how)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_are_1_and_empty_ones_0() {
        for (one, other, expected) in [
            ("  a + b;", "a + b;  ", 1.0),
            ("abc", "", 0.0),
            ("abcd", "abcx", 2.0 / 3.0),
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
