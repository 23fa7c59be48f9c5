//! [`Requirement`]: comparisons joined by commas, all of which must hold, as in a Cargo
//! version requirement. Parsing its `Display` gives the same requirement again.

use std::fmt;

use alloc_requirement::{Amount, Number, Operator};
use alloc_results::Ratio;

use crate::figure::{Exact, Growth, GrowthClass};

mod error;
mod figure_share;
mod margin;
mod parse;
mod pointless;
mod reference;
mod tightest;
mod words;

pub(crate) use error::{lacks_statistic, unknown_statistic};
pub use figure_share::FigureShare;
pub(crate) use margin::LimitRange;
pub use margin::{Margin, MarginSize, Side};
pub(crate) use parse::margin_size;
pub(crate) use pointless::Pointless;
pub use reference::Reference;
pub(crate) use tightest::tighter;
pub(crate) use words::{figure_words, rule_words};

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
    /// The same figure in the baseline, with an optional margin.
    Baseline(Option<Margin>),
    /// The same figure of another scenario of the run, times a factor, with an optional margin.
    Scenario(Box<Share>),
    /// Another figure of the same scenario, times a factor.
    Figure(FigureShare),
    /// An upper limit on growth over an axis; only for the statistic `growth`.
    Growth(GrowthClass),
}

/// A multiple of another scenario's figure, with a margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The factor, above zero.
    pub factor: Number,
    /// The other scenario.
    pub reference: Reference,
    /// The distance of the limit from the multiple.
    pub margin: Option<Margin>,
}

impl Limit {
    /// The margin from the baseline or from another scenario.
    #[must_use]
    pub const fn margin(&self) -> Option<Margin> {
        match self {
            Self::Baseline(margin) => *margin,
            Self::Scenario(share) => share.margin,
            Self::Number(_) | Self::Figure(_) | Self::Growth(_) => None,
        }
    }
}

impl Share {
    /// The limit for the other scenario's `figure`.
    pub(crate) fn limit(&self, figure: Ratio) -> LimitRange {
        let multiple = &Exact::from(figure) * &self.factor.into();
        match self.margin {
            None => LimitRange::at(multiple),
            Some(margin) => margin.limit(&multiple),
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
            Limit::Number(_) | Limit::Baseline(_) | Limit::Figure(_) | Limit::Growth(_) => None,
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
            Self::Baseline(Some(margin)) => write!(f, "baseline {margin}"),
            Self::Scenario(share) => share.fmt(f),
            Self::Figure(share) => share.fmt(f),
            Self::Growth(class) => class.fmt(f),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.factor != Number::from(1) {
            write!(f, "{} * ", self.factor)?;
        }
        self.reference.fmt(f)?;
        match self.margin {
            None => Ok(()),
            Some(margin) => write!(f, " {margin}"),
        }
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
            ("< 1234567.50", "< 1_234_567.5"),
            ("== 0.0000001", "== 0.0000001"),
            (" == 2.50 ", "== 2.5"),
            (">= 1, < 3", ">= 1, < 3"),
            ("> -4", "> -4"),
            ("<= 4KiB", "<= 4 KiB"),
            ("<= baseline", "<= baseline"),
            ("<= baseline+5 %", "<= baseline + 5%"),
            ("<=baseline + 2.50", "<= baseline + 2.5"),
            (">= baseline - 1kB, < 3", ">= baseline - 1 kB, < 3"),
            ("== baseline ± 5%", "== baseline ± 5%"),
            ("== baseline +- 5%", "== baseline ± 5%"),
            (
                "<= baseline + max(4KiB,1 %), > 1",
                "<= baseline + max(1%, 4 KiB), > 1",
            ),
            ("<= 0.50*[ decode/a=1,b=* ]", "<= 0.5 * [decode/a=1,b=*]"),
            ("< [old], > 1 * [a], > 2 * [b]", "< [old], > [a], > 2 * [b]"),
            ("<=[decode]+128KiB", "<= [decode] + 128 KiB"),
            (
                ">= 0.5*[a] -2, == [a]+- 1 %",
                ">= 0.5 * [a] - 2, == [a] ± 1%",
            ),
            ("< [a [b], + c] + max(4, 1%)", "< [a [b], + c] + max(1%, 4)"),
            ("== [a]] + 1", "== [a]] + 1"),
            ("<=2*mean", "<= 2 * mean"),
            ("<= 2 * max bytes", "<= 2 * bytes max"),
            (
                "== bytes , < 0.5 * bytes  max",
                "== bytes, < 0.5 * bytes max",
            ),
            ("== 18446744073709551615", "== 18_446_744_073_709_551_615"),
            ("== -0.05", "== -0.05"),
            ("== 1000", "== 1_000"),
            ("== 0.1234567890123456789", "== 0.1234567890123456789"),
            (
                "<= baseline + 0.1234567890123456789%",
                "<= baseline + 0.1234567890123456789%",
            ),
            (
                "< 0.1234567890123456789 * [a [b], c]",
                "< 0.1234567890123456789 * [a [b], c]",
            ),
        ] {
            let once = parse(text);
            assert_eq!(once.to_string(), shown);
            assert_eq!(parse(shown), once, "{text}");
        }
    }
}
