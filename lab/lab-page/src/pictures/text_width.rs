//! The width of text that a browser draws later, estimated generously.

/// The factor by which bold text is wider.
pub(crate) const BOLD: f64 = 1.08;

/// The width of a text in pixels at this font size, by the letters of DejaVu Sans, the widest
/// of the usual fonts for screens.
#[must_use]
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| em(letter) * size).sum()
}

/// The width of a letter in parts of the font size.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.30,
        ' ' | '.' | ',' | ':' | ';' | '!' | '(' | ')' | '-' | '/' | 'f' | 't' | 'r' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.98,
        'A'..='Z' => 0.74,
        '≤' | '≈' | '±' | '×' | '+' | '<' | '>' | '=' => 0.84,
        _ => 0.64,
    }
}
