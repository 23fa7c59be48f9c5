//! Reads the expression of a derived figure into steps in postfix order, without recursion, so
//! that deeply nested expressions can't overflow the stack.

use std::ops::Range;

use alloc_requirement::Number;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::figure::{Statistic, ratio};
use crate::rules::expression::{Expression, Operand, Operation, Property, Step};
use crate::rules::read::requirements::Context;

/// The largest length of an expression.
const MAX_BYTES: usize = 1_000;

/// Reads the `text`. Its metrics have the given `statistic`, or their default ones. The
/// spans of mistakes are in bytes of the text.
pub(super) fn parse(
    text: &str,
    statistic: Option<Statistic>,
    context: &Context,
) -> Result<Expression, Vec<Diagnostic>> {
    if text.len() > MAX_BYTES {
        return Err(vec![bad_expression(
            0..text.len(),
            format!("the expression is longer than {MAX_BYTES} bytes"),
            "compute it in the bench, and report it as the scenario's own metric",
        )]);
    }
    let tokens = tokens(text).map_err(|mistake| vec![mistake])?;
    let postfix = postfix(&tokens, text.len()).map_err(|mistake| vec![mistake])?;
    let mut steps = Vec::new();
    let mut mistakes = Vec::new();
    for (token, span) in postfix {
        match token {
            Token::Number(number) => {
                steps.push(Step::Value(Operand::Number(ratio(number))));
            }
            Token::Operation(operation) => steps.push(Step::Operation(operation)),
            Token::Name(name) => match operand(name, &span, statistic, context) {
                Ok(operand) => steps.push(Step::Value(operand)),
                Err(mistake) => mistakes.push(mistake),
            },
            // `postfix` removes parentheses.
            Token::Open | Token::Close => {}
        }
    }
    if mistakes.is_empty() {
        Ok(Expression::new(text.trim(), steps))
    } else {
        Err(mistakes)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Number(Number),
    Name(&'t str),
    Operation(Operation),
    Open,
    Close,
}

/// A token with its span in the text.
type Spanned<'t> = (Token<'t>, Range<usize>);

fn bad_expression(span: Range<usize>, message: String, hint: &str) -> Diagnostic {
    Diagnostic {
        code: Code::BadExpression,
        span,
        message,
        hint: Some(hint.to_owned()),
    }
}

fn tokens(text: &str) -> Result<Vec<Spanned<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length_of = |is_part: fn(char) -> bool| {
            let end = rest.find(|c: char| !is_part(c));
            end.unwrap_or(rest.len())
        };
        let (token, length) = match first {
            ' ' | '\t' => {
                at += 1;
                continue;
            }
            '0'..='9' => {
                let length = length_of(|c| c.is_ascii_digit() || matches!(c, '_' | '.'));
                let number = rest[..length].parse().map_err(|error| {
                    let message = format!("`{}` is {error}", &rest[..length]);
                    bad_expression(
                        at..at + length,
                        message,
                        "numbers look like `5`, `10_000` or `2.5`",
                    )
                })?;
                (Token::Number(number), length)
            }
            'a'..='z' => {
                let length = length_of(|c| c.is_ascii_alphanumeric() || c == '-');
                (Token::Name(&rest[..length]), length)
            }
            '+' => (Token::Operation(Operation::Add), 1),
            '-' => {
                let is_space = |c: Option<char>| c.is_some_and(char::is_whitespace);
                if !is_space(text[..at].chars().next_back()) || !is_space(rest.chars().nth(1)) {
                    return Err(bad_expression(
                        at..at + 1,
                        String::from("a minus needs a space on both sides"),
                        "names can have hyphens: write `a - b`, and negative numbers as `0 - 1`",
                    ));
                }
                (Token::Operation(Operation::Subtract), 1)
            }
            '*' => (Token::Operation(Operation::Multiply), 1),
            '/' => (Token::Operation(Operation::Divide), 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            other => {
                return Err(bad_expression(
                    at..at + other.len_utf8(),
                    format!("unexpected `{}` in an expression", other.escape_debug()),
                    "use metrics, numbers, `elements`, `threads` and `iterations`, joined by \
                     `+`, ` - `, `*` and `/`, with parentheses",
                ));
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// The tokens in postfix order, without parentheses: the shunting-yard algorithm.
fn postfix<'t>(tokens: &[Spanned<'t>], end: usize) -> Result<Vec<Spanned<'t>>, Diagnostic> {
    const VALUE: &str = "a value is a metric, a number, `elements`, `threads`, `iterations`, or \
                         an expression in parentheses";
    const JOIN: &str = "join values with `+`, ` - `, `*` or `/`";
    let mut output = Vec::new();
    let mut pending: Vec<Spanned<'t>> = Vec::new();
    let mut is_value_next = true;
    for (token, span) in tokens {
        match (token, is_value_next) {
            (Token::Number(_) | Token::Name(_), true) => {
                output.push((*token, span.clone()));
                is_value_next = false;
            }
            (Token::Open, true) => pending.push((*token, span.clone())),
            (Token::Operation(operation), false) => {
                while let Some((Token::Operation(other), _)) = pending.last()
                    && other.precedence() >= operation.precedence()
                {
                    output.extend(pending.pop());
                }
                pending.push((*token, span.clone()));
                is_value_next = true;
            }
            (Token::Close, false) => loop {
                match pending.pop() {
                    Some((Token::Open, _)) => break,
                    Some(other) => output.push(other),
                    None => {
                        let message = String::from("this parenthesis was never opened");
                        return Err(bad_expression(
                            span.clone(),
                            message,
                            "remove it, or add a `(` before it",
                        ));
                    }
                }
            },
            (Token::Operation(_) | Token::Close, true) => {
                let message = String::from("a value is missing before this");
                return Err(bad_expression(span.clone(), message, VALUE));
            }
            (Token::Number(_) | Token::Name(_) | Token::Open, false) => {
                let message = String::from("an operation is missing before this");
                return Err(bad_expression(span.clone(), message, JOIN));
            }
        }
    }
    if is_value_next {
        let message = String::from("a value is missing at the end");
        return Err(bad_expression(end.saturating_sub(1)..end, message, VALUE));
    }
    while let Some((token, span)) = pending.pop() {
        if token == Token::Open {
            let message = String::from("this parenthesis is never closed");
            return Err(bad_expression(span, message, "close it with `)`"));
        }
        output.push((token, span));
    }
    Ok(output)
}

/// The operand that a name stands for.
fn operand(
    name: &str,
    span: &Range<usize>,
    statistic: Option<Statistic>,
    context: &Context,
) -> Result<Operand, Diagnostic> {
    let mistake = |code, message, hint| Diagnostic {
        code,
        span: span.clone(),
        message,
        hint: Some(hint),
    };
    match (name.parse::<Property>(), context.measure(name)) {
        (Ok(property), None) => Ok(Operand::Property(property)),
        (Ok(_), Some(_)) => Err(bad_expression(
            span.clone(),
            format!("`{name}` is both a name of expressions and a metric of `[metrics]`"),
            "rename the metric",
        )),
        (Err(()), Some(measure)) => {
            let statistic = statistic.unwrap_or(measure.default_statistic());
            if measure.has(statistic) {
                return Ok(Operand::Figure(measure, statistic));
            }
            let has = |statistic: &Statistic| measure.has(*statistic) && !statistic.is_of_series();
            let others = Statistic::ALL.into_iter().filter(has).map(Statistic::name);
            let message = format!("`{name}` has no statistic `{statistic}`");
            Err(mistake(
                Code::UnknownStatistic,
                message,
                suggest("", others),
            ))
        }
        (Err(()), None) => {
            let known = || {
                context
                    .known()
                    .into_iter()
                    .chain(Property::ALL.map(Property::name))
            };
            let is_known = |part: &str| known().any(|name| name == part);
            let mut hyphens = name.match_indices('-').map(|(at, _)| name.split_at(at));
            let hint = match hyphens.find(|(a, b)| is_known(a) && is_known(&b[1..])) {
                Some((a, b)) => format!("a minus needs spaces: `{a} - {}`", &b[1..]),
                None => context.hint(name, known()),
            };
            let message = format!("unknown metric `{name}`");
            Err(mistake(Code::UnknownMetric, message, hint))
        }
    }
}
