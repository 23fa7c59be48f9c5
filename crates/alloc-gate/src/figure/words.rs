//! [`counted`]: a count with its noun.

use alloc_results::integer;

/// `1 gate`, `2,000 gates`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(count))
}

/// `a`, `a and b`, or `a, b, c, d and 12 more`.
pub(crate) fn enumerated(items: impl IntoIterator<Item = String>) -> String {
    const SHOWN: usize = 5;
    let mut items: Vec<String> = items.into_iter().collect();
    if items.len() > SHOWN {
        let more = items.split_off(SHOWN - 1).len();
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// A count with the separators of figures: `2,000`.
pub(crate) fn thousands(count: usize) -> String {
    integer(i128::try_from(count).unwrap_or(i128::MAX))
}
