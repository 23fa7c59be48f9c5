//! [`comparisons`]: reads the comparisons that are [`Written`] in a text, each with its
//! place.

use crate::amount::Amount;
use crate::operator::Operator;
use crate::piece::{Mistake, Piece, SyntaxError};

/// The comparisons of a text, in order. There is at least one, which is empty for an
/// empty text. A comma between `[` and `]` is part of a name.
pub fn comparisons(text: &str) -> impl Iterator<Item = Written<'_>> {
    let (mut begin, mut brackets) = (0, 0_usize);
    let parts = text.split(move |c| {
        match c {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        c == ',' && brackets == 0
    });
    parts.map(move |part| {
        let whole = Piece { text: part, begin }.trim();
        begin += part.len() + 1;
        Written::new(whole)
    })
}

/// A comparison as written, `allocs <= 5`. Each piece can be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'t> {
    /// The whole comparison.
    pub whole: Piece<'t>,
    /// The text before the operator.
    pub name: Piece<'t>,
    /// The operator, or another run of `<`, `>`, `=`, `!`, `~` and `^`.
    pub symbol: Piece<'t>,
    /// The text after the operator.
    pub limit: Piece<'t>,
}

impl<'t> Written<'t> {
    fn new(whole: Piece<'t>) -> Self {
        const OF_SYMBOLS: &[char] = &['<', '>', '=', '!', '~', '^'];
        let until_symbol = whole.text.find(OF_SYMBOLS);
        let (name, rest) = whole.split_at(until_symbol.unwrap_or(whole.text.len()));
        let until_limit = rest.text.find(|c| !OF_SYMBOLS.contains(&c));
        let (symbol, limit) = rest.split_at(until_limit.unwrap_or(rest.text.len()));
        Self {
            whole,
            name: name.trim(),
            symbol,
            limit: limit.trim(),
        }
    }

    /// The operator.
    ///
    /// # Errors
    ///
    /// When the operator or the limit is missing, or the operator is unknown.
    pub fn operator(&self) -> Result<Operator, SyntaxError> {
        if self.whole.text.is_empty() {
            return Err(self.whole.is(|_| Mistake::NoComparison));
        }
        if self.symbol.text.is_empty() {
            return Err(self.whole.is(Mistake::NoOperator));
        }
        let operator = self.symbol.text.parse();
        let operator = operator.map_err(|()| self.symbol.is(Mistake::UnknownOperator))?;
        if self.limit.text.is_empty() {
            return Err(self.symbol.is(Mistake::NoLimit));
        }
        Ok(operator)
    }

    /// The limit as a number, with or without a unit.
    ///
    /// # Errors
    ///
    /// When the limit is not a number.
    pub fn amount(&self) -> Result<Amount, SyntaxError> {
        self.limit.amount()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio::Ratio;

    fn read(text: &str) -> Result<Vec<(&str, Operator, Amount)>, SyntaxError> {
        comparisons(text)
            .map(|written| Ok((written.name.text, written.operator()?, written.amount()?)))
            .collect()
    }

    #[test]
    fn comparisons_are_read_with_and_without_names() {
        let two = Amount::from(Ratio::from(2));
        for text in [
            "allocs <= 2,== 2",
            " allocs<=2 , ==2 ",
            "allocs\t<= 2,\n== 2",
        ] {
            assert_eq!(
                read(text).expect("these are comparisons"),
                [
                    ("allocs", Operator::LessOrEqual, two),
                    ("", Operator::Equal, two)
                ]
            );
        }
    }

    #[test]
    fn a_comma_in_brackets_is_part_of_a_name() {
        let limits = |text| -> Vec<&str> { comparisons(text).map(|w| w.limit.text).collect() };
        assert_eq!(limits("< 2 * [a,b], > 1"), ["2 * [a,b]", "1"]);
        assert_eq!(limits("< [[a,b],c],>= 1"), ["[[a,b],c]", "1"]);
        assert_eq!(limits("< [a, > 1"), ["[a, > 1"]);
        assert_eq!(limits("< a], > 1"), ["a]", "1"]);
    }

    #[test]
    fn every_piece_stands_where_it_says() {
        let text = " ä < 1,\u{a0}net-bytes >= -2.5 ";
        let written: Vec<_> = comparisons(text).collect();
        for piece in written
            .iter()
            .flat_map(|written| [written.whole, written.name, written.symbol, written.limit])
        {
            assert_eq!(&text[piece.span()], piece.text);
        }
        assert_eq!(written[1].whole.text, "net-bytes >= -2.5");
        assert_eq!(written[1].limit.text, "-2.5");
    }

    #[test]
    fn mistakes_point_at_the_text() {
        for (marked, message) in [
            ("«»", "a comparison is missing"),
            ("< 5, «»", "a comparison is missing"),
            ("«5»", "`5` has no comparison operator"),
            ("«a 5»", "`a 5` has no comparison operator"),
            ("«=<» 5", "unknown operator `=<`"),
            ("«=» 5", "unknown operator `=`"),
            ("a «!=» 5", "unknown operator `!=`"),
            ("a «<»", "a limit is missing after `<`"),
            ("< 5, <= «x»", "`x` is not a number"),
            ("< «= 5»", "`= 5` is not a number"),
            ("< «ä»", "`ä` is not a number"),
            ("< «4 %»", "`4 %` is not a number"),
            ("< «KiB»", "`KiB` is not a number"),
            ("< «4 5 B»", "`4 5 B` is not a number"),
            ("< 4 «kb»", "unknown unit `kb`"),
            (
                "< «18446744073709551615 KiB»",
                "`18446744073709551615 KiB` is too large, or has too many decimals",
            ),
            (
                "< «18446744073709551616»",
                "`18446744073709551616` is too large, or has too many decimals",
            ),
        ] {
            let text = marked.replace(['«', '»'], "");
            let error = read(&text).expect_err("this is a mistake");
            let (before, rest) = text.split_at(error.span.start);
            let (at, after) = rest.split_at(error.span.len());
            assert_eq!(format!("{before}«{at}»{after}"), marked);
            assert_eq!(error.to_string(), message, "{text}");
        }
    }
}
