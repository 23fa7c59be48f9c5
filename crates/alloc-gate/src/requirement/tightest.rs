//! The tightest limit that a figure still meets, as a number that rules can write.

use alloc_requirement::{Number, Operator};
use alloc_results::Ratio;

/// The tightest limit that `figure` meets, if it is tighter than `old`. `None` also for `==`
/// and if rules can't write the number.
pub(crate) fn tighter(operator: Operator, figure: Ratio, old: Number) -> Option<Number> {
    let new = tightest(operator, figure)?;
    let is_tighter = match operator {
        Operator::Less | Operator::LessOrEqual => new < old,
        Operator::Greater | Operator::GreaterOrEqual => new > old,
        Operator::Equal => false,
    };
    is_tighter.then_some(new)
}

fn tightest(operator: Operator, figure: Ratio) -> Option<Number> {
    // A lower limit is an upper limit of the negated figure.
    match operator {
        Operator::Less => next_whole(figure),
        Operator::LessOrEqual => decimal(figure),
        Operator::GreaterOrEqual => Some(-decimal(-figure)?),
        Operator::Greater => Some(-next_whole(-figure)?),
        Operator::Equal => None,
    }
}

/// The smallest whole number above the figure.
fn next_whole(figure: Ratio) -> Option<Number> {
    Number::new(figure.floor().checked_add(1)?, 0)
}

/// The figure as a decimal number, as reports show it: exact if it has at most six decimals,
/// and otherwise rounded up to two.
fn decimal(figure: Ratio) -> Option<Number> {
    let denominator = i128::from(figure.denominator());
    let scaled = |decimals: u32| figure.numerator().checked_mul(10_i128.pow(decimals));
    let exact = (0..=6).find_map(|decimals| {
        let scaled = scaled(decimals)?;
        (scaled % denominator == 0).then_some((scaled / denominator, decimals))
    });
    let (digits, decimals) = match exact {
        Some(exact) => exact,
        None => (scaled(2)?.div_euclid(denominator) + 1, 2),
    };
    Number::new(digits, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_limit_still_holds_and_is_never_looser() {
        use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        for (operator, (numerator, denominator), old, new) in [
            (LessOrEqual, (3, 2), "5", Some("1.5")),
            (LessOrEqual, (1, 3), "5", Some("0.34")),
            (LessOrEqual, (-1, 3), "5", Some("-0.33")),
            (LessOrEqual, (-7, 2), "-1", Some("-3.5")),
            (LessOrEqual, (-100, 1), "0", Some("-100")),
            (LessOrEqual, (1, 3_000), "0.005", None),
            (Less, (1, 1_000), "0.5", None),
            (Less, (-7, 2), "0", Some("-3")),
            (Less, (2, 1), "5", Some("3")),
            (Less, (2, 1), "3", None),
            (GreaterOrEqual, (1, 3), "0.1", Some("0.33")),
            (GreaterOrEqual, (-1, 3), "-5", Some("-0.34")),
            (Greater, (5, 2), "1", Some("2")),
            (Greater, (-5, 2), "-9", Some("-3")),
            (Greater, (i128::MAX, 1), "1", None),
            (LessOrEqual, (i128::MIN, 1), "1", None),
            (Less, (i128::MAX, 1), "1", None),
            (Equal, (2, 1), "5", None),
        ] {
            let figure = Ratio::new(numerator, denominator).unwrap();
            let found = tighter(operator, figure, old.parse().unwrap());
            assert_eq!(
                found.map(|number| number.to_string()).as_deref(),
                new,
                "{figure:?} {operator} {old}"
            );
        }
    }
}
