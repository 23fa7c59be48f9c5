//! The program that the tests change.

/// The program before the changes.
pub(super) const BASE: &str = include_str!("base.txt");

/// The text with each replacement made once.
pub(super) fn replaced(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    })
}
