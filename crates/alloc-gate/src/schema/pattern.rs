//! The grammar of requirements as regular expressions, in the part of the syntax
//! that all editors share. Numbers can be too large for the reader, which these
//! don't see.

use alloc_requirement::{ByteUnit, Operator};

use crate::growth::GrowthClass;

/// `_` stands between digits.
const DIGITS: &str = "[0-9]+(?:_[0-9]+)*";

/// Which limits a requirement can have.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) numbers: bool,
    pub(super) bytes: bool,
    pub(super) baseline: bool,
}

/// Comparisons joined by commas.
pub(super) fn requirement(limits: Limits) -> String {
    let exactly = format!("{}\\s*{}", Operator::Equal, limit(limits, "±"));
    let others: Vec<&str> = Operator::ALL
        .into_iter()
        .filter(|&operator| operator != Operator::Equal)
        .map(Operator::symbol)
        .collect();
    let to_a_side = format!("(?:{})\\s*{}", others.join("|"), limit(limits, "[+-]"));
    let comparison = format!("(?:{exactly}|{to_a_side})");
    format!("^\\s*{comparison}(?:\\s*,\\s*{comparison})*\\s*$")
}

/// A class of growth; spaces don't matter in it.
pub(super) fn growth() -> String {
    let spaced = |class: GrowthClass| {
        let characters = class.name().chars().filter(|c| !c.is_whitespace());
        let escaped: Vec<String> = characters
            .map(|c| match c {
                '(' | ')' | '^' => format!("\\{c}"),
                _ => c.to_string(),
            })
            .collect();
        escaped.join("\\s*")
    };
    let classes = GrowthClass::ALL.map(spaced);
    format!("^\\s*(?:{})\\s*$", classes.join("|"))
}

/// `2`, `64 B` or `10%`.
pub(super) fn tolerance() -> String {
    format!("^\\s*{}\\s*$", size(true))
}

/// `90s` or `5m`, and not nothing.
pub(super) fn timeout() -> String {
    String::from("^\\s*\\+?[0-9]*[1-9][0-9]*\\s*[sm]\\s*$")
}

/// A `cfg(...)` or a target triple.
pub(super) fn when() -> String {
    String::from("^(?:cfg\\([\\s\\S]*\\)|[^\\s()]*-[^\\s()]*)$")
}

fn limit(limits: Limits, sign: &str) -> String {
    let mut choice = vec![share()];
    if limits.numbers {
        choice.push(format!("-?{}", amount(limits.bytes)));
    }
    if limits.baseline {
        let size = size(limits.bytes);
        choice.push(format!("baseline(?:\\s*{sign}\\s*{size})?"));
    }
    format!("(?:{})", choice.join("|"))
}

/// `0.5 * [name]`; in the name, `*` stands for the whole value of an axis.
fn share() -> String {
    let number = number();
    format!("(?:{number}\\s*\\*\\s*)?\\[(?:[^*]|=\\*,)*(?:[^*\\s]|=\\*)\\s*\\]")
}

/// How large a margin is.
fn size(bytes: bool) -> String {
    format!("(?:{}|{}\\s*%)", amount(bytes), number())
}

/// A number, with a unit where there are bytes.
fn amount(bytes: bool) -> String {
    let number = number();
    if !bytes {
        return number;
    }
    let units = ByteUnit::ALL.map(ByteUnit::symbol).join("|");
    format!("{number}(?:\\s*(?:{units}))?")
}

/// Without a sign.
fn number() -> String {
    format!("{DIGITS}(?:\\.{DIGITS})?")
}
