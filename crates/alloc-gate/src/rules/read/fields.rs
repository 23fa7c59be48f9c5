//! [`Fields`]: the keys of a TOML table with their spans. Missing keys, wrong types and unknown
//! keys become diagnostics.

use std::cell::RefCell;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Diagnostic, Problems, suggest};

/// A value with its span in the file.
pub(super) type Node<'t> = &'t Spanned<DeValue<'t>>;

/// A string with its span in the file, including the quotes.
#[derive(Clone, Debug)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) span: Range<usize>,
}

impl<'t> Text<'t> {
    /// The string of a value, if it is one.
    pub(super) fn new(node: Node<'t>) -> Option<Self> {
        let text = node.get_ref().as_str()?;
        let span = node.span();
        Some(Self { text, span })
    }
}

/// The keys of one TOML table. [`Self::finish`] reports those that were not taken.
pub(super) struct Fields<'t> {
    table: &'t DeTable<'t>,
    /// The name of the table in messages, such as "`[run]`".
    title: &'static str,
    span: Range<usize>,
    /// The keys that were asked for.
    known: RefCell<Vec<&'static str>>,
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
            problems,
        }
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The value of `key`, if it exists.
    pub(super) fn take(&self, key: &'static str) -> Option<Node<'t>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.table.get(key)
    }

    /// The string of `key`, if it exists.
    pub(super) fn text(&self, key: &'static str) -> Option<Text<'t>> {
        let node = self.take(key)?;
        self.as_text(key, node)
    }

    /// The string of `key`, which must exist and not be empty.
    pub(super) fn required_text(&self, key: &'static str) -> Option<Text<'t>> {
        let Some(node) = self.take(key) else {
            self.problems.push(Diagnostic::mistake(
                Code::MissingKey,
                self.span(),
                format!("{} needs the key `{key}`", self.title),
            ));
            return None;
        };
        let text = self.as_text(key, node)?;
        if text.text.trim().is_empty() {
            self.problems.push(Diagnostic::mistake(
                Code::BadValue,
                text.span,
                format!("`{key}` is empty"),
            ));
            return None;
        }
        Some(text)
    }

    /// The string of `key`, if it exists; it must not be empty.
    pub(super) fn text_unless_empty(&self, key: &'static str) -> Option<Text<'t>> {
        self.take(key)?;
        self.required_text(key)
    }

    /// The whole number of `key`, if it exists; at least `least`.
    pub(super) fn number(&self, key: &'static str, least: u64) -> Option<u64> {
        let node = self.take(key)?;
        let Some(integer) = node.get_ref().as_integer() else {
            self.wrong_type(key, "a whole number", node);
            return None;
        };
        let digits = integer.as_str().replace('_', "");
        let value = u64::from_str_radix(&digits, integer.radix()).ok();
        if value.is_none_or(|value| value < least) {
            self.problems.push(Diagnostic::mistake(
                Code::BadValue,
                node.span(),
                format!("`{key}` must be a whole number of at least {least}"),
            ));
            return None;
        }
        value
    }

    /// The boolean of `key`, if it exists.
    pub(super) fn flag(&self, key: &'static str) -> Option<bool> {
        let node = self.take(key)?;
        let value = node.get_ref().as_bool();
        if value.is_none() {
            self.wrong_type(key, "a boolean", node);
        }
        value
    }

    /// The table of `key`, if it exists; messages name it by its `title`.
    pub(super) fn table(&self, key: &'static str, title: &'static str) -> Option<Self> {
        let node = self.take(key)?;
        let Some(table) = node.get_ref().as_table() else {
            self.wrong_type(key, &format!("a table ({title})"), node);
            return None;
        };
        Some(Self::new(table, title, node.span(), self.problems))
    }

    /// The tables of the array `key`; empty if it does not exist.
    pub(super) fn tables(&self, key: &'static str, title: &'static str) -> Vec<Self> {
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let wanted = format!("an array of tables ({title})");
        let Some(array) = node.get_ref().as_array() else {
            let is_table = node.get_ref().is_table();
            let hint = is_table.then(|| format!("write {title}"));
            self.add_wrong_type(key, &wanted, node, hint);
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

    /// Whether `key` exists, with any value.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Whether `key` does not exist or is an empty array.
    pub(super) fn is_missing_or_empty(&self, key: &str) -> bool {
        match self.table.get(key) {
            Some(node) => node.get_ref().as_array().is_some_and(|a| a.is_empty()),
            None => true,
        }
    }

    /// The strings of the array `key`; empty if it does not exist.
    pub(super) fn texts(&self, key: &'static str) -> Vec<Text<'t>> {
        const WANTED: &str = "an array of strings";
        let Some(node) = self.take(key) else {
            return Vec::new();
        };
        let Some(array) = node.get_ref().as_array() else {
            let text = node.get_ref().as_str();
            let hint = text.map(|text| format!("write `{key} = [{text:?}]`"));
            self.add_wrong_type(key, WANTED, node, hint);
            return Vec::new();
        };
        let mut texts = Vec::new();
        for node in array.iter() {
            match Text::new(node) {
                Some(text) => texts.push(text),
                None => self.wrong_type(key, WANTED, node),
            }
        }
        texts
    }

    /// The string of a value; a mistake of `key` if it has another type.
    pub(super) fn as_text(&self, key: &str, node: Node<'t>) -> Option<Text<'t>> {
        let text = Text::new(node);
        if text.is_none() {
            let seconds = node.get_ref().as_integer();
            let seconds = seconds.filter(|_| key.ends_with("timeout"));
            let hint = seconds.map(|seconds| format!("write `{key} = \"{}s\"`", seconds.as_str()));
            self.add_wrong_type(key, "a string", node, hint);
        }
        text
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong_type(&self, key: &str, wanted: &str, node: Node<'_>) {
        self.add_wrong_type(key, wanted, node, None);
    }

    /// Reports a value of the wrong type, with what to write instead.
    fn add_wrong_type(&self, key: &str, wanted: &str, node: Node<'_>, help: Option<String>) {
        let found = node.get_ref().type_str();
        let message = format!("`{key}` must be {wanted}, found {found}");
        self.problems.push(Diagnostic {
            help,
            ..Diagnostic::mistake(Code::WrongType, node.span(), message)
        });
    }

    /// The keys that were not taken, with their values, in the order of the file.
    pub(super) fn rest(&self) -> Vec<(Text<'t>, Node<'t>)> {
        let known = self.known.borrow();
        let mut rest: Vec<_> = self
            .table
            .iter()
            .filter(|(key, _)| !known.contains(&key.get_ref().as_ref()))
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

    /// The keys that were asked for so far, whether they exist or not.
    pub(super) fn known(&self) -> Vec<&'static str> {
        self.known.borrow().clone()
    }

    /// Reports the keys that were not taken as unknown.
    pub(super) fn finish(self) {
        for (key, _) in self.rest() {
            self.problems.push(
                Diagnostic::mistake(
                    Code::UnknownKey,
                    key.span,
                    format!("unknown key `{}` in {}", key.text, self.title),
                )
                .help(suggest(key.text, self.known())),
            );
        }
    }
}
