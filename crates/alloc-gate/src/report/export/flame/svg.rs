//! The elements of an SVG document as text.

use std::ops::Range;

use crate::printable::markup;

/// A whole picture, in which text from outside is no markup.
#[derive(Clone, Debug)]
pub(in crate::report) struct Svg(pub(in crate::report::export) String);

impl Svg {
    pub(in crate::report) fn text(&self) -> &str {
        &self.0
    }
}

/// A rectangle, in pixels. Two with the same edge share it: each edge is rounded for itself.
pub(super) fn rect(class: &str, edges: &Range<f64>, top: usize, height: usize) -> String {
    let [left, right] = [edges.start, edges.end].map(|edge| (edge * 1_000.0).round() as i64);
    let (x, width) = (thousandths(left), thousandths(right - left));
    format!("<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>")
}

/// `1.25` for 1250, without needless zeros.
pub(super) fn thousandths(value: i64) -> String {
    let text = format!("{}.{:03}", value / 1_000, value % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A line of text at a place.
pub(super) fn text(x: f64, y: usize, content: &str) -> String {
    let x = thousandths((x * 1_000.0).round() as i64);
    format!("<text x=\"{x}\" y=\"{y}\">{}</text>", markup(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_zeros() {
        for (value, shown) in [(0, "0"), (1_000, "1"), (1_250, "1.25"), (10_001, "10.001")] {
            assert_eq!(thousandths(value), shown);
        }
    }
}
