//! [`Fields`]: the keys of a TOML table, each taken once and with its span.
//! What is missing, of the wrong type or left over becomes a diagnostic; which
//! keys there are is the reader's business.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Problems, suggest};

/// A value with the bytes of the file that it stands in.
pub(super) type Node<'t> = &'t Spanned<DeValue<'t>>;

/// A text with the bytes of the file that it stands in, quotes included.
#[derive(Clone, Debug)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) span: Range<usize>,
}

pub(super) struct Fields<'t> {
    table: &'t DeTable<'t>,
    /// What the table is called in messages, such as "`[run]`".
    title: &'static str,
    span: Range<usize>,
    known: RefCell<Vec<&'static str>>,
    taken: RefCell<HashSet<String>>,
    problems: &'t Problems,
}

impl<'t> Fields<'t> {
    pub(super) fn new(
        table: &'t DeTable<'t>,
        title: &'static str,
        span: Range<usize>,
        problems: &'t Problems,
    ) -> Self {
        Self {
            table,
            title,
            span,
            known: RefCell::default(),
            taken: RefCell::default(),
            problems,
        }
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value of `key`, if it is there.
    pub(super) fn take(&self, key: &'static str) -> Option<Node<'t>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        let value = self.table.get(key)?;
        self.taken.borrow_mut().insert(key.to_owned());
        Some(value)
    }

    /// The text of `key`, if it is there.
    pub(super) fn text(&self, key: &'static str) -> Option<Text<'t>> {
        let node = self.take(key)?;
        self.as_text(key, node)
    }

    /// The text of `key`, which has to be there and not be empty.
    pub(super) fn required_text(&self, key: &'static str) -> Option<Text<'t>> {
        if !self.has(key) {
            self.known.borrow_mut().push(key);
            self.problems.add(
                Code::MissingKey,
                self.span(),
                format!("{} needs the key `{key}`", self.title),
            );
            return None;
        }
        let text = self.text(key)?;
        if text.text.trim().is_empty() {
            self.problems
                .add(Code::BadValue, text.span, format!("`{key}` is empty"));
            return None;
        }
        Some(text)
    }

    /// The whole number of `key`, if it is there and not below `least`.
    pub(super) fn number(&self, key: &'static str, least: u64) -> Option<u64> {
        let node = self.take(key)?;
        let Some(integer) = node.get_ref().as_integer() else {
            self.wrong_type(key, "a whole number", node);
            return None;
        };
        let digits = integer.as_str().replace('_', "");
        let value = u64::from_str_radix(&digits, integer.radix()).ok();
        if value.is_none_or(|value| value < least) {
            self.problems.add(
                Code::BadValue,
                node.span(),
                format!("`{key}` has to be a whole number of at least {least}"),
            );
            return None;
        }
        value
    }

    /// The table of `key`, if it is there, with its `title` for messages.
    pub(super) fn table(&self, key: &'static str, title: &'static str) -> Option<Self> {
        let node = self.take(key)?;
        let Some(table) = node.get_ref().as_table() else {
            self.wrong_type(key, &format!("a table, {title}"), node);
            return None;
        };
        Some(Self::new(table, title, node.span(), self.problems))
    }

    /// The tables of the array `key`, none if it is not there.
    pub(super) fn tables(&self, key: &'static str, title: &'static str) -> Vec<Self> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let wanted = format!("an array of tables, {title}");
        let Some(array) = node.get_ref().as_array() else {
            self.wrong_type(key, &wanted, node);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for node in array.iter() {
            match node.get_ref().as_table() {
                Some(table) => tables.push(Self::new(table, title, node.span(), self.problems)),
                None => self.wrong_type(key, &wanted, node),
            }
        }
        tables
    }

    /// Whether `key` is there, whatever its value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Whether `key` is not there, or an empty array.
    pub(super) fn lacks(&self, key: &str) -> bool {
        match self.table.get(key) {
            Some(node) => node.get_ref().as_array().is_some_and(|a| a.is_empty()),
            None => true,
        }
    }

    /// The texts of the array `key`, none if it is not there.
    pub(super) fn texts(&self, key: &'static str) -> Vec<Text<'t>> {
        const WANTED: &str = "an array of strings";
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let Some(array) = node.get_ref().as_array() else {
            self.wrong_type(key, WANTED, node);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for node in array.iter() {
            match node.get_ref().as_str() {
                Some(text) => texts.push(Text {
                    text,
                    span: node.span(),
                }),
                None => self.wrong_type(key, WANTED, node),
            }
        }
        texts
    }

    pub(super) fn as_text(&self, key: &str, node: Node<'t>) -> Option<Text<'t>> {
        match node.get_ref().as_str() {
            Some(text) => Some(Text {
                text,
                span: node.span(),
            }),
            None => {
                self.wrong_type(key, "a string", node);
                None
            }
        }
    }

    pub(super) fn wrong_type(&self, key: &str, wanted: &str, node: Node<'_>) {
        self.problems.add(
            Code::WrongType,
            node.span(),
            format!(
                "`{key}` has to be {wanted}, and this is of type {}",
                node.get_ref().type_str()
            ),
        );
    }

    /// The keys that nobody took, with their spans and values, in the order of
    /// the file.
    pub(super) fn rest(&self) -> Vec<(Text<'t>, Node<'t>)> {
        let taken = self.taken.borrow();
        let mut rest: Vec<_> = self
            .table
            .iter()
            .filter(|(key, _)| !taken.contains(key.get_ref().as_ref()))
            .map(|(key, value)| {
                let text = Text {
                    text: key.get_ref().as_ref(),
                    span: key.span(),
                };
                (text, value)
            })
            .collect();
        rest.sort_by_key(|(key, _)| key.span.start);
        rest
    }

    /// The keys that were asked for so far.
    pub(super) fn known(&self) -> Vec<&'static str> {
        self.known.borrow().clone()
    }

    /// Whatever is left over is unknown.
    pub(super) fn finish(self) {
        for (key, _) in self.rest() {
            self.problems.add_with_hint(
                Code::UnknownKey,
                key.span,
                format!("unknown key `{}` in {}", key.text, self.title),
                suggest(key.text, self.known()),
            );
        }
    }
}
