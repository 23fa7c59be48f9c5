//! [`counted`]: a count with its noun.

use alloc_results::integer;

/// `1 gate`, `2,000 gates`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(count))
}

/// A count with the separators of figures: `2,000`.
pub(crate) fn thousands(count: usize) -> String {
    integer(i128::try_from(count).unwrap_or(i128::MAX))
}
