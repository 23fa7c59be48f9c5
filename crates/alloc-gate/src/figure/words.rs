//! [`counted`]: a count with its noun.

/// `1 gate`, `2 gates`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
