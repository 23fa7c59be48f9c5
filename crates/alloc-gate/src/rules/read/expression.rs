//! Reads the expression of a derived figure into steps, in the order in which they
//! are worked out. Neither the text nor the steps nest, so that no expression is too
//! deep.

use std::ops::Range;
use std::str::FromStr;

use alloc_requirement::Number;
use alloc_results::Ratio;

use crate::diagnostic::{Code, suggest};
use crate::figure::{Statistic, ratio};
use crate::rules::expression::{Operand, Operation, Word};
use crate::rules::read::gates::Context;
use crate::rules::{Expression, Step};

/// Longer ones are no figures that a person can check.
const MOST_BYTES: usize = 1_000;

/// Reads the `text`, of whose metrics the `statistic` is meant, or what is meant
/// where none is named.
pub(super) fn parse(
    text: &str,
    statistic: Option<Statistic>,
    context: &Context,
) -> Result<Expression, Vec<Mistake>> {
    if text.len() > MOST_BYTES {
        return Err(vec![bad(
            0..text.len(),
            format!("an expression has at most {MOST_BYTES} bytes"),
            "make a metric of the scenario's own of it",
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
            // None is left.
            Token::Open | Token::Close => {}
        }
    }
    if mistakes.is_empty() {
        Ok(Expression::new(text.trim(), steps))
    } else {
        Err(mistakes)
    }
}

/// What is wrong with an expression, in bytes of its text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) code: Code,
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) hint: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    Number(Number),
    Name(&'t str),
    Operation(Operation),
    Open,
    Close,
}

type Placed<'t> = (Token<'t>, Range<usize>);

fn bad(span: Range<usize>, message: String, hint: &str) -> Mistake {
    Mistake {
        code: Code::BadExpression,
        span,
        message,
        hint: hint.to_owned(),
    }
}

fn tokens(text: &str) -> Result<Vec<Placed<'_>>, Mistake> {
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
                    bad(
                        at..at + length,
                        message,
                        "numbers look like `5`, `10_000` or `2.5`",
                    )
                })?;
                (Token::Number(number), length)
            }
            'a'..='z' => {
                let length = length_of(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'));
                (Token::Name(&rest[..length]), length)
            }
            '+' => (Token::Operation(Operation::Plus), 1),
            '-' => {
                let is_apart = |c: Option<char>| c.is_some_and(char::is_whitespace);
                if !is_apart(text[..at].chars().next_back()) || !is_apart(rest.chars().nth(1)) {
                    return Err(bad(
                        at..at + 1,
                        String::from("a minus needs a space on either side"),
                        "names have hyphens: write `a - b`, and what is below 0 as `0 - 1`",
                    ));
                }
                (Token::Operation(Operation::Minus), 1)
            }
            '*' => (Token::Operation(Operation::Times), 1),
            '/' => (Token::Operation(Operation::Over), 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            other => {
                return Err(bad(
                    at..at + other.len_utf8(),
                    format!("`{}` means nothing in an expression", other.escape_debug()),
                    "write metrics, numbers, `elements`, `threads` and `iterations`, joined by \
                     `+`, ` - `, `*` and `/`, with parentheses",
                ));
            }
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// The tokens in the order in which they are worked out, without parentheses.
fn postfix<'t>(tokens: &[Placed<'t>], end: usize) -> Result<Vec<Placed<'t>>, Mistake> {
    const VALUE: &str = "a value is a metric, a number, `elements`, `threads`, `iterations`, or \
                         an expression in parentheses";
    const JOIN: &str = "join values by `+`, ` - `, `*` or `/`";
    let mut output = Vec::new();
    let mut waiting: Vec<Placed<'t>> = Vec::new();
    let mut is_value_next = true;
    for (token, span) in tokens {
        match (token, is_value_next) {
            (Token::Number(_) | Token::Name(_), true) => {
                output.push((*token, span.clone()));
                is_value_next = false;
            }
            (Token::Open, true) => waiting.push((*token, span.clone())),
            (Token::Operation(operation), false) => {
                while let Some((Token::Operation(other), _)) = waiting.last()
                    && other.rank() >= operation.rank()
                {
                    output.extend(waiting.pop());
                }
                waiting.push((*token, span.clone()));
                is_value_next = true;
            }
            (Token::Close, false) => loop {
                match waiting.pop() {
                    Some((Token::Open, _)) => break,
                    Some(other) => output.push(other),
                    None => {
                        let message = String::from("this parenthesis closes nothing");
                        return Err(bad(span.clone(), message, "take it out, or open it before"));
                    }
                }
            },
            (Token::Operation(_) | Token::Close, true) => {
                let message = String::from("a value is missing before this");
                return Err(bad(span.clone(), message, VALUE));
            }
            (Token::Number(_) | Token::Name(_) | Token::Open, false) => {
                let message = String::from("an operation is missing before this");
                return Err(bad(span.clone(), message, JOIN));
            }
        }
    }
    if is_value_next {
        let message = String::from("a value is missing at the end");
        return Err(bad(end.saturating_sub(1)..end, message, VALUE));
    }
    while let Some((token, span)) = waiting.pop() {
        if token == Token::Open {
            let message = String::from("this parenthesis is never closed");
            return Err(bad(span, message, "close it with `)`"));
        }
        output.push((token, span));
    }
    Ok(output)
}

/// What a name stands for.
fn operand(
    name: &str,
    span: &Range<usize>,
    statistic: Option<Statistic>,
    context: &Context,
) -> Result<Operand, Mistake> {
    let mistake = |code, message, hint| Mistake {
        code,
        span: span.clone(),
        message,
        hint,
    };
    match (name.parse::<Word>(), context.measure(name)) {
        (Ok(word), None) => Ok(Operand::Word(word)),
        (Ok(_), Some(_)) => Err(bad(
            span.clone(),
            format!("`{name}` is a word of expressions, and a metric of `[metrics]` as well"),
            "give the metric another name",
        )),
        (Err(()), Some(measure)) => {
            let statistic = statistic.unwrap_or(measure.default_statistic());
            if measure.has(statistic) {
                return Ok(Operand::Figure(measure, statistic));
            }
            let has =
                |statistic: &Statistic| measure.has(*statistic) && *statistic != Statistic::Growth;
            let others = Statistic::ALL.into_iter().filter(has).map(Statistic::name);
            let message = format!("`{name}` has no `{statistic}`");
            Err(mistake(
                Code::UnknownStatistic,
                message,
                suggest("", others),
            ))
        }
        (Err(()), None) => {
            let known = || context.known().into_iter().chain(Word::ALL.map(Word::name));
            let is_known = |part: &str| known().any(|name| name == part);
            let mut hyphens = name.match_indices('-').map(|(at, _)| name.split_at(at));
            let hint = match hyphens.find(|(a, b)| is_known(a) && is_known(&b[1..])) {
                Some((a, b)) => format!("a minus needs spaces: `{a} - {}`", &b[1..]),
                None => suggest(name, known()),
            };
            let message = format!("unknown metric `{name}`");
            Err(mistake(Code::UnknownMetric, message, hint))
        }
    }
}
