//! [`Requirement`]: comparisons joined by commas, all of which must hold, as in a Cargo
//! version requirement. Parsing its `Display` gives the same requirement again.

mod parse;

pub(crate) use parse::{lacks_statistic, unknown_statistic};

use std::fmt;
use std::sync::Arc;

use alloc_results::{Amount, AxisValue, Operator, Ratio};

use crate::figure::{Measure, Statistic};
use crate::growth::{Growth, GrowthClass};

/// Limits on a figure; all comparisons must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    comparisons: Vec<Comparison>,
}

/// One comparison of a figure with a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How the figure relates to the limit.
    pub operator: Operator,
    /// The limit.
    pub limit: Limit,
}

/// The limit of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// An exact number.
    Number(Amount),
    /// The same figure in the baseline, with an optional tolerance.
    Baseline(Option<Tolerance>),
    /// The same figure of another scenario of the run, times a factor.
    Scenario(Share),
    /// An upper limit on growth over an axis; only for the statistic `growth`.
    Growth(GrowthClass),
}

/// A multiple of another scenario's figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The factor, above zero.
    pub factor: Ratio,
    /// The other scenario.
    pub reference: Reference,
}

/// The distance of a limit from a figure of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// The side of the figure that the limit is on.
    pub side: Side,
    /// The distance; never negative.
    pub size: Size,
}

/// The side of the figure that a limit is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `+`
    Above,
    /// `-`
    Below,
}

/// The size of a tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// An absolute amount.
    Amount(Amount),
    /// A percentage of the figure's absolute value.
    Percent(Ratio),
}

impl Share {
    /// The limit for the other scenario's `figure`; `None` if it has too many digits.
    pub(crate) fn limit(&self, figure: Ratio) -> Option<Ratio> {
        figure.checked_mul(self.factor)
    }
}

impl Tolerance {
    /// The limit for the figure `base`; `None` if it has too many digits.
    pub(crate) fn limit(self, base: Ratio) -> Option<Ratio> {
        let size = match self.size {
            Size::Amount(amount) => amount.value(),
            Size::Percent(percent) => {
                let product = base.checked_abs()?.checked_mul(percent)?;
                product.checked_div(Ratio::whole(100))?
            }
        };
        match self.side {
            Side::Above => base.checked_add(size),
            Side::Below => base.checked_sub(size),
        }
    }
}

impl Requirement {
    /// The comparisons; at least one.
    #[must_use]
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// Whether a comparison is with the baseline.
    #[must_use]
    pub fn needs_baseline(&self) -> bool {
        self.comparisons
            .iter()
            .any(|comparison| matches!(comparison.limit, Limit::Baseline(_)))
    }

    /// The scenarios that limits are computed from.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Reference> {
        let comparisons = self.comparisons.iter();
        comparisons.filter_map(|comparison| match &comparison.limit {
            Limit::Scenario(share) => Some(&share.reference),
            Limit::Number(_) | Limit::Baseline(_) | Limit::Growth(_) => None,
        })
    }

    /// Whether the requirement allows this growth.
    pub(crate) fn allows_growth(&self, growth: &Growth) -> bool {
        let exceeds =
            |limit: &Limit| matches!(limit, Limit::Growth(fastest) if growth.class > *fastest);
        !self.comparisons.iter().any(|one| exceeds(&one.limit))
    }
}

impl From<Comparison> for Requirement {
    fn from(comparison: Comparison) -> Self {
        Self {
            comparisons: vec![comparison],
        }
    }
}

/// `< 5, >= 1_000`, in the syntax of rules.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comparisons: Vec<String> = self.comparisons.iter().map(Comparison::to_string).collect();
        f.write_str(&comparisons.join(", "))
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !matches!(self.limit, Limit::Growth(_)) {
            write!(f, "{} ", self.operator)?;
        }
        self.limit.fmt(f)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(amount) => amount.fmt(f),
            Self::Baseline(None) => f.write_str("baseline"),
            Self::Baseline(Some(tolerance)) => write!(f, "baseline {tolerance}"),
            Self::Scenario(share) => share.fmt(f),
            Self::Growth(class) => class.fmt(f),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factor != Ratio::from(1) {
            write!(f, "{} * ", self.factor)?;
        }
        self.reference.fmt(f)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.side {
            Side::Above => '+',
            Side::Below => '-',
        };
        match self.size {
            Size::Amount(amount) => write!(f, "{sign} {amount}"),
            Size::Percent(percent) => write!(f, "{sign} {percent}%"),
        }
    }
}

/// A rule in messages, `allocs < 5` or `bytes max <= baseline`.
pub(crate) fn rule_words(
    metric: &Measure,
    statistic: Statistic,
    requirement: &Requirement,
) -> String {
    format!("{} {requirement}", figure_words(metric, statistic))
}

/// `allocs`, `bytes max`: the statistic is named if it is not the default.
pub(crate) fn figure_words(metric: &Measure, statistic: Statistic) -> String {
    if statistic == Statistic::Mean {
        metric.to_string()
    } else {
        format!("{metric} {statistic}")
    }
}

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

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).expect("the requirement can be read")
    }

    #[test]
    fn requirements_parse_and_their_display_parses_to_the_same() {
        for (text, shown) in [
            ("< 5", "< 5"),
            ("<=10_000", "<= 10_000"),
            ("<= 4KiB", "<= 4 KiB"),
            ("<= baseline+5 %", "<= baseline + 5%"),
            (">= baseline - 1kB, < 3", ">= baseline - 1 kB, < 3"),
            ("<= 0.50*[ decode/a=1,b=* ]", "<= 0.5 * [decode/a=1,b=*]"),
            ("< [old], > 1 * [a], > 2 * [b]", "< [old], > [a], > 2 * [b]"),
            ("< [a [b], + c]", "< [a [b], + c]"),
            ("== [a]]", "== [a]]"),
        ] {
            let once = parse(text);
            assert_eq!(once.to_string(), shown);
            assert_eq!(parse(shown), once, "{text}");
        }
    }

    #[test]
    fn tolerances_are_exact() {
        let ratio = |numerator, denominator| Ratio::new(numerator, denominator).unwrap();
        for (text, base, limit) in [
            ("<= baseline + 5%", 6, ratio(63, 10)),
            ("<= baseline + 5%", -100, ratio(-95, 1)),
            ("<= baseline + 5%", 0, ratio(0, 1)),
            (">= baseline - 2", 6, ratio(4, 1)),
        ] {
            let Limit::Baseline(Some(tolerance)) = parse(text).comparisons()[0].limit else {
                panic!("{text} has a tolerance");
            };
            assert_eq!(
                tolerance.limit(Ratio::whole(base)),
                Some(limit),
                "{base} {text}"
            );
        }
    }

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
