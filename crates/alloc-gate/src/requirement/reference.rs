//! [`Reference`]: the name of another scenario, which can take axis values from the judged
//! scenario.

use std::fmt;
use std::sync::Arc;

use alloc_results::AxisValue;

/// The scenario of a comparison such as `<= 0.5 * [decode/impl=old,rows=*]`. An axis with the
/// value `*` has the value of the judged scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    text: Arc<str>,
}

impl Reference {
    /// A reference; `None` if a `*` is anything but the whole value of an axis.
    pub(super) fn new(text: &str) -> Option<Self> {
        let pieces = pieces(text);
        let is_valid = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => !text.contains('*'),
            Piece::Axis(_) => true,
        };
        pieces
            .iter()
            .all(is_valid)
            .then(|| Self { text: text.into() })
    }

    /// The text in the rules, without the brackets.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The full name of the scenario, for a judged scenario with these `axes`. The error is
    /// the axis that is missing from them.
    pub(crate) fn resolve(&self, axes: &[AxisValue]) -> Result<String, String> {
        let mut name = String::new();
        for piece in pieces(&self.text) {
            match piece {
                Piece::Text(text) => name.push_str(text),
                Piece::Axis(axis) => {
                    let found = axes.iter().find(|value| value.axis == axis);
                    name.push_str(&found.ok_or(axis)?.value);
                }
            }
        }
        Ok(name)
    }
}

enum Piece<'t> {
    Text(&'t str),
    /// A `*` for the value of the axis with this name.
    Axis(&'t str),
}

/// Splits a text into pieces: `decode/rows=`, the value of `rows`, and so on.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (equals, _) in text.match_indices("=*") {
        let star = equals + 1;
        let ends = text[star + 1..].is_empty() || text[star + 1..].starts_with(',');
        let axis = text[..equals].rsplit(['/', ',']).next();
        if let (true, Some(axis)) = (ends, axis.filter(|axis| !axis.is_empty())) {
            pieces.push(Piece::Text(&text[begin..star]));
            pieces.push(Piece::Axis(axis));
            begin = star + 1;
        }
    }
    pieces.push(Piece::Text(&text[begin..]));
    pieces
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(pairs: &[(&str, &str)]) -> Vec<AxisValue> {
        let pair = |&(axis, value): &(&str, &str)| AxisValue {
            axis: axis.into(),
            value: value.into(),
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn a_star_takes_the_value_of_the_judged_scenario() {
        let axes = axes(&[("impl", "new"), ("rows", "1000")]);
        for (text, name) in [
            ("decode/impl=old,rows=*", Ok("decode/impl=old,rows=1000")),
            ("decode/rows=*,impl=old", Ok("decode/rows=1000,impl=old")),
            ("a=b/impl=*,rows=*", Ok("a=b/impl=new,rows=1000")),
            ("plain", Ok("plain")),
            ("decode/size=*", Err("size")),
        ] {
            let reference = Reference::new(text).expect("it can be read");
            assert_eq!(
                reference.resolve(&axes),
                name.map(str::to_owned).map_err(str::to_owned)
            );
        }
    }

    #[test]
    fn a_star_elsewhere_is_refused() {
        for text in ["decode*", "*", "decode/rows=1*", "decode/rows=*0", "a/=*"] {
            assert_eq!(Reference::new(text), None, "{text}");
        }
    }
}
