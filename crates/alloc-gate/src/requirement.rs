//! [`Requirement`]: comparisons joined by commas, all of which must hold, as in a Cargo
//! version requirement. Parsing its `Display` gives the same requirement again.
//!
//! ```text
//! requirement = comparison *( "," comparison )
//! comparison  = ( "<" | "<=" | "==" | ">=" | ">" ) limit
//! limit       = amount | baseline | scenario
//! baseline    = "baseline" [ ( "+" | "-" ) tolerance ]
//! tolerance   = amount | number "%"
//! scenario    = [ number "*" ] "[" name "]"          ; up to the last "]"
//! amount      = number [ "B" | "KiB" | "MiB" | "GiB" | "kB" | "MB" | "GB" ]
//! number      = [ "-" ] digits [ "." digits ]        ; "_" between digits
//! growth      = "O(1)" | "O(log n)" | "O(n)" | "O(n log n)" | "O(n^2)"
//! ```

use std::fmt;
use std::sync::Arc;

use alloc_results::{
    Amount, AxisValue, Mistake, Operator, Piece, Ratio, SyntaxError, Written, comparisons,
};

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::growth::{Growth, GrowthClass};
use crate::measure::{Measure, Statistic};

/// Limits on a value; all comparisons must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    comparisons: Vec<Comparison>,
}

/// One comparison of a value with a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How the value relates to the limit.
    pub operator: Operator,
    pub limit: Limit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    Number(Amount),
    /// The same value in the baseline, with an optional tolerance.
    Baseline(Option<Tolerance>),
    /// The same value of another scenario of the run, times a factor above zero.
    Scenario(Ratio, Reference),
    /// An upper limit on growth over an axis; only for the statistic `growth`.
    Growth(GrowthClass),
}

/// The distance of a limit from a value of the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Whether the limit is below the value, and not above it.
    pub is_below: bool,
    /// The distance; never negative.
    pub size: Amount,
    /// Whether the size is a percentage of the value's absolute value.
    pub is_percent: bool,
}

impl Tolerance {
    /// The limit for the value `base`; `None` if it has too many digits.
    pub(crate) fn limit(self, base: Ratio) -> Option<Ratio> {
        let mut size = self.size.value();
        if self.is_percent {
            let product = base.checked_abs()?.checked_mul(size)?;
            size = product.checked_div(Ratio::whole(100))?;
        }
        if self.is_below {
            base.checked_sub(size)
        } else {
            base.checked_add(size)
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
            Limit::Scenario(_, reference) => Some(reference),
            Limit::Number(_) | Limit::Baseline(_) | Limit::Growth(_) => None,
        })
    }

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
            Self::Scenario(factor, reference) if *factor == Ratio::from(1) => reference.fmt(f),
            Self::Scenario(factor, reference) => write!(f, "{factor} * {reference}"),
            Self::Growth(class) => class.fmt(f),
        }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_below { '-' } else { '+' };
        let percent = if self.is_percent { "%" } else { "" };
        write!(f, "{sign} {}{percent}", self.size)
    }
}

/// A rule in messages, `allocs < 5` or `bytes max <= baseline`.
pub(crate) fn rule_words(
    metric: &Measure,
    statistic: Statistic,
    requirement: &Requirement,
) -> String {
    format!("{} {requirement}", value_words(metric, statistic))
}

/// `allocs`, `bytes max`: the statistic is named if it is not the default.
pub(crate) fn value_words(metric: &Measure, statistic: Statistic) -> String {
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
    /// A reference; `None` without a name, or if a `*` is anything but the whole value of an axis.
    fn new(text: &str) -> Option<Self> {
        let mut parts = name_parts(text).into_iter();
        let is_valid = !text.is_empty()
            && parts.all(|part| !matches!(part, NamePart::Text(text) if text.contains('*')));
        is_valid.then(|| Self { text: text.into() })
    }

    /// The text in the rules, without the brackets.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The full name of the scenario, for a judged scenario with these `axes`; `None` if an axis is
    /// missing from them.
    pub(crate) fn resolve(&self, axes: &[AxisValue]) -> Option<String> {
        let mut name = String::new();
        for part in name_parts(&self.text) {
            match part {
                NamePart::Text(text) => name.push_str(text),
                NamePart::Axis(axis) => {
                    let found = axes.iter().find(|value| value.axis == axis);
                    name.push_str(&found?.value);
                }
            }
        }
        Some(name)
    }
}

enum NamePart<'t> {
    Text(&'t str),
    /// A `*` for the value of the axis with this name.
    Axis(&'t str),
}

/// Splits a text into parts: `decode/rows=`, the value of `rows`, and so on.
fn name_parts(text: &str) -> Vec<NamePart<'_>> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (equals, _) in text.match_indices("=*") {
        let star = equals + 1;
        let ends = text[star + 1..].is_empty() || text[star + 1..].starts_with(',');
        let axis = text[..equals].rsplit(['/', ',']).next();
        if let (true, Some(axis)) = (ends, axis.filter(|axis| !axis.is_empty())) {
            parts.push(NamePart::Text(&text[begin..star]));
            parts.push(NamePart::Axis(axis));
            begin = star + 1;
        }
    }
    parts.push(NamePart::Text(&text[begin..]));
    parts
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.text)
    }
}

impl Requirement {
    /// Parses a requirement for any metric, and any statistic but `growth`.
    fn parse(text: &str) -> Result<Self, Diagnostic> {
        let comparisons = comparisons(text).map(|written| comparison(&written));
        Ok(Self {
            comparisons: comparisons.collect::<Result<_, _>>()?,
        })
    }

    /// Parses a requirement for `measure` and `statistic`, and checks that its limits suit them.
    pub(crate) fn parse_for(
        text: &str,
        measure: &Measure,
        statistic: Statistic,
    ) -> Result<Self, Diagnostic> {
        if statistic == Statistic::Growth {
            return growth(text);
        }
        let requirement = Self::parse(text)?;
        for (written, comparison) in comparisons(text).zip(&requirement.comparisons) {
            check_limit(written.limit, &comparison.limit, measure)?;
        }
        Ok(requirement)
    }
}

fn growth(text: &str) -> Result<Requirement, Diagnostic> {
    let class = GrowthClass::requirable()
        .find(|class| class.name().replace(' ', "") == text.replace(char::is_whitespace, ""));
    let class = class.ok_or_else(|| {
        let message = format!("`{text}` is not a class of growth");
        Diagnostic::mistake(Code::BadRequirement, 0..text.len(), message).help(suggest(
            text,
            GrowthClass::requirable().map(GrowthClass::name),
        ))
    })?;
    Ok(Requirement::from(Comparison {
        operator: Operator::LessOrEqual,
        limit: Limit::Growth(class),
    }))
}

fn comparison(written: &Written<'_>) -> Result<Comparison, Diagnostic> {
    let operator = written.operator()?;
    let name = written.name;
    if !name.text.is_empty() {
        return Err(bad_requirement(
            name,
            format!("`{}` stands before the operator", name.text),
            "the metric and the statistic are keys: `bytes = { max = \"<= 5\" }`",
        ));
    }
    let limit = limit(written.limit)?;
    if operator == Operator::Equal && matches!(limit, Limit::Baseline(Some(_))) {
        return Err(bad_requirement(
            written.whole,
            String::from("`==` can't have a tolerance"),
            "write `<= baseline + 5%` for an upper limit, and `>= baseline - 5%` for a lower one",
        ));
    }
    Ok(Comparison { operator, limit })
}

fn limit(piece: Piece<'_>) -> Result<Limit, Diagnostic> {
    if let Some(open) = piece.text.find('[') {
        return scenario(piece, open);
    }
    if !piece.text.starts_with("baseline") {
        return Ok(Limit::Number(piece.amount()?));
    }
    let (_, rest) = piece.split_at("baseline".len());
    let rest = rest.trim();
    let is_below = match rest.text.chars().next() {
        None => return Ok(Limit::Baseline(None)),
        Some('+') => false,
        Some('-') => true,
        Some(_) => return Err(piece.is(Mistake::NotANumber).into()),
    };
    let (_, size) = rest.split_at(1);
    let (size, is_percent) = match size.text.strip_suffix('%') {
        Some(number) => (plain_number(size.split_at(number.len()).0.trim())?, true),
        None => (size.trim().amount()?, false),
    };
    if size.value() < Ratio::ZERO {
        return Err(bad_requirement(
            piece,
            format!("the tolerance `{size}` is negative"),
            "write the size without a sign; the sign before it gives the side",
        ));
    }
    Ok(Limit::Baseline(Some(Tolerance {
        is_below,
        size,
        is_percent,
    })))
}

/// Parses `0.5 * [scenario]`, with a bracket at `open`. A name can have brackets.
fn scenario(piece: Piece<'_>, open: usize) -> Result<Limit, Diagnostic> {
    let not_a_limit = || Diagnostic::from(piece.is(Mistake::NotANumber));
    let (factor, name) = piece.split_at(open);
    let name_end = name.text.strip_suffix(']').ok_or_else(not_a_limit)?.len();
    let name = name.split_at(name_end).0.split_at(1).1.trim();
    let factor = match factor.trim().text.strip_suffix('*') {
        None if factor.text.is_empty() => Ratio::from(1),
        None => return Err(not_a_limit()),
        Some(number) => {
            let number = factor.split_at(number.len()).0.trim();
            let factor = plain_number(number)?.value();
            if factor <= Ratio::ZERO {
                return Err(bad_requirement(
                    number,
                    format!("the factor `{}` is not above 0", number.text),
                    "write a factor such as `0.5`, or compare with a number",
                ));
            }
            factor
        }
    };
    let reference = Reference::new(name.text).ok_or_else(|| {
        bad_requirement(
            name,
            format!("`{}` does not name one scenario", name.text),
            "write a full name from `cargo alloc-gate list`; `*` is only the whole value of an \
             axis, as in `[decode/rows=*]`",
        )
    })?;
    Ok(Limit::Scenario(factor, reference))
}

/// Parses a number without a unit.
fn plain_number(piece: Piece<'_>) -> Result<Amount, Diagnostic> {
    let amount = piece.amount()?;
    if amount.unit().is_some() {
        return Err(piece.is(Mistake::NotANumber).into());
    }
    Ok(amount)
}

/// Checks that `measure` can have this limit.
fn check_limit(piece: Piece<'_>, limit: &Limit, measure: &Measure) -> Result<(), Diagnostic> {
    let amount = match limit {
        Limit::Number(amount) => Some(amount),
        Limit::Baseline(tolerance) => tolerance.as_ref().map(|tolerance| &tolerance.size),
        Limit::Scenario(..) | Limit::Growth(_) => None,
    };
    if let Some(unit) = amount.and_then(Amount::unit)
        && !measure.is_bytes()
    {
        return Err(Diagnostic {
            code: Code::UnitMismatch,
            ..bad_requirement(
                piece,
                format!("`{measure}` is not measured in bytes, but `{unit}` is a unit of bytes"),
                "remove the unit",
            )
        });
    }
    match (measure, limit) {
        (Measure::ForeignAllocs, Limit::Baseline(_)) => Err(bad_requirement(
            piece,
            format!("the baseline does not contain `{measure}`"),
            "write a number, such as `== 0`",
        )),
        _ => Ok(()),
    }
}

/// A mistake of the code [`Code::BadRequirement`].
fn bad_requirement(piece: Piece<'_>, message: String, hint: &str) -> Diagnostic {
    Diagnostic::mistake(Code::BadRequirement, piece.span(), message).help(hint)
}

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Self {
        let bad = Code::BadRequirement;
        let operators = "begin with one of `<`, `<=`, `==`, `>=`, `>`";
        let (code, hint) = match &error.mistake {
            Mistake::NoComparison => (
                bad,
                "write a comparison such as `<= 5`, or several joined by commas",
            ),
            Mistake::NoOperator(_) => (bad, operators),
            Mistake::UnknownOperator(_) => (Code::UnknownOperator, operators),
            Mistake::NoLimit(_) | Mistake::NotANumber(_) => (
                bad,
                "write `5`, `2.5`, `4 KiB`, `baseline`, `baseline + 10%` or `0.5 * [scenario]`",
            ),
            Mistake::TooLong(_) => (bad, "numbers go up to 18_446_744_073_709_551_615"),
            Mistake::UnknownUnit(_) => (
                Code::UnknownUnit,
                "expected one of `B`, `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB`",
            ),
        };
        let message = if let Mistake::NotANumber(limit) = &error.mistake {
            format!("`{limit}` is not a limit")
        } else {
            error.mistake.to_string()
        };
        Self::mistake(code, error.span, message).help(hint)
    }
}

#[cfg(test)]
mod tests {
    use alloc_results::Metric;

    use super::*;
    use crate::tests::rows;

    fn parse(text: &str) -> Requirement {
        Requirement::parse(text).expect("the requirement can be read")
    }

    #[test]
    fn requirements_parse_and_their_display_parses_to_the_same() {
        let table = "
            < 5 | < 5
            <=10_000 | <= 10_000
            <= 4KiB | <= 4 KiB
            <= baseline+5 % | <= baseline + 5%
            >= baseline - 1kB, < 3 | >= baseline - 1 kB, < 3
            <= 0.50*[ decode/a=1,b=* ] | <= 0.5 * [decode/a=1,b=*]
            < [old], > 1 * [a], > 2 * [b] | < [old], > [a], > 2 * [b]
            < [a [b], + c] | < [a [b], + c]
            == [a]] | == [a]]";
        for [text, shown] in rows(table) {
            let once = parse(text);
            assert_eq!(once.to_string(), shown);
            assert_eq!(parse(shown), once, "{text}");
        }
    }

    #[test]
    fn a_percentage_of_a_negative_value_is_above_it() {
        let Limit::Baseline(Some(tolerance)) = parse("<= baseline + 5%").comparisons()[0].limit
        else {
            panic!("it has a tolerance");
        };
        let limit = tolerance.limit(Ratio::whole(-100));
        assert_eq!(limit, Some(Ratio::whole(-95)));
    }

    #[test]
    fn a_star_takes_the_value_of_the_judged_scenario() {
        let axes = [("impl", "new"), ("rows", "1000")].map(|(axis, value)| AxisValue {
            axis: axis.into(),
            value: value.into(),
        });
        let table = "
            decode/impl=old,rows=* | decode/impl=old,rows=1000
            decode/rows=*,impl=old | decode/rows=1000,impl=old
            a=b/impl=*,rows=* | a=b/impl=new,rows=1000
            plain | plain
            decode/size=* | no scenario";
        for [text, name] in rows(table) {
            let found = Reference::new(text).expect("it can be read").resolve(&axes);
            assert_eq!(found.as_deref().unwrap_or("no scenario"), name);
        }
        let elsewhere = ",decode*,*,decode/rows=1*,decode/rows=*0,a/=*".split(',');
        assert!(elsewhere.map(Reference::new).all(|it| it.is_none()));
    }

    #[test]
    // The grammar below, of operators and numbers, has a table of its own.
    fn mistakes_name_the_text_at_fault() {
        let table = "
            «allocs» < 5 | `allocs` stands before the operator
            <= «1.1 * baseline» | `1.1 * baseline` is not a limit
            <= «baseline5%» | `baseline5%` is not a limit
            <= baseline +«», < 3 | `` is not a limit
            <= baseline + «5 B»% | `5 B` is not a limit
            <= «baseline + -5» | the tolerance `-5` is negative
            «== baseline + 5» | `==` can't have a tolerance
            <= «[old + 2» | `[old + 2` is not a limit
            <= «2 * old]» | `2 * old]` is not a limit
            <= «2 [old]» | `2 [old]` is not a limit
            <= «[old] * 2» | `[old] * 2` is not a limit
            <= «2 B» * [old] | `2 B` is not a limit
            <= «0» * [old] | the factor `0` is not above 0
            <= 2 * [«»] | `` does not name one scenario
            <= 2 * [«o*»] | `o*` does not name one scenario";
        for [marked, message] in rows(table) {
            let text = marked.replace(['«', '»'], "");
            let error = Requirement::parse(&text).expect_err("the requirement is wrong");
            let (before, rest) = text.split_at(error.span().start);
            let (at, after) = rest.split_at(error.span().len());
            assert_eq!(format!("{before}«{at}»{after}"), marked);
            assert_eq!(error.message, message, "{text}");
        }
    }

    #[test]
    fn limits_are_checked_against_the_metric() {
        let allocs = Measure::from(Metric::Allocs);
        let (mismatch, bad) = (Code::UnitMismatch, Code::BadRequirement);
        for (text, measure, code) in [
            ("<= 4 KiB", &allocs, Some(mismatch)),
            ("<= baseline + 4 B", &allocs, Some(mismatch)),
            ("<= 4 KiB", &Metric::PeakBytes.into(), None),
            ("<= baseline", &Measure::ForeignAllocs, Some(bad)),
        ] {
            let found = Requirement::parse_for(text, measure, Statistic::Mean);
            assert_eq!(found.err().map(|error| error.code), code, "{text}");
        }
    }

    #[test]
    fn growth_limits_are_classes() {
        for (text, shown) in [
            ("O(n  log n)", Ok("O(n log n)")),
            (" O(1)", Ok("O(1)")),
            ("<= 5", Err("`<= 5` is not a class of growth")),
        ] {
            let read = Requirement::parse_for(text, &Metric::Allocs.into(), Statistic::Growth);
            let read = read.map(|it| it.to_string()).map_err(|it| it.message);
            assert_eq!(read.as_deref().map_err(String::as_str), shown);
        }
    }
}
