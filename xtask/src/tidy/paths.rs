//! The paths that a source file uses, in `use` items and inline, with the
//! file's own imports followed: after `use std::io;`, `io::stdout` is
//! `std::io::stdout`. It knows no rule, no other file and no scope: a name
//! that is imported anywhere in the file is imported everywhere in it.

use std::collections::BTreeMap;

use super::lexer::{Token, TokenKind};

/// A path of two segments or more, or the crate of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsedPath {
    /// From the root on; never empty.
    pub(crate) segments: Vec<String>,
    /// Whether it ends in `::*`.
    pub(crate) glob: bool,
    /// The line of its last segment.
    pub(crate) line: usize,
}

impl UsedPath {
    /// Whether it leads to `target`, written with `::`: to the thing itself,
    /// into it, or by a glob over something that holds it.
    pub(crate) fn reaches(&self, target: &str) -> bool {
        let mut theirs = target.split("::");
        for own in &self.segments {
            match theirs.next() {
                None => return true,
                Some(segment) if segment == own => {}
                Some(_) => return false,
            }
        }
        self.glob || theirs.next().is_none()
    }

    /// Its first segment.
    pub(crate) fn root(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }
}

/// All paths that `tokens` use.
pub(crate) fn used_paths(tokens: &[Token]) -> Vec<UsedPath> {
    let mut reader = Reader {
        tokens,
        at: 0,
        imports: Vec::new(),
        inline: Vec::new(),
    };
    reader.read();
    let names: BTreeMap<String, Vec<String>> = reader
        .imports
        .iter()
        .filter_map(|import| Some((import.name.clone()?, import.path.segments.clone())))
        .collect();
    reader
        .imports
        .into_iter()
        .map(|import| import.path)
        .chain(reader.inline)
        .map(|path| followed(path, &names))
        .collect()
}

/// Replaces the root by what the file imported under that name, and again if
/// that begins with an imported name. Two imports that name each other end
/// after as many rounds as there are imports.
fn followed(mut path: UsedPath, names: &BTreeMap<String, Vec<String>>) -> UsedPath {
    for _ in 0..names.len() {
        match names.get(path.root()) {
            Some(target) if target.first() != path.segments.first() => {
                path.segments.splice(..1, target.iter().cloned());
            }
            Some(_) | None => break,
        }
    }
    path
}

/// A leaf of a `use` item.
struct Import {
    path: UsedPath,
    /// What it is called in this file; a glob gives no name.
    name: Option<String>,
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    imports: Vec<Import>,
    inline: Vec<UsedPath>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            if token.is_word("use") && !self.mark(1, '<') {
                self.at += 1;
                self.use_tree(&[]);
            } else if token.is_word("extern") && self.word(1) == Some("crate") {
                self.at += 2;
                self.use_tree(&[]);
            } else if self.begins_path() {
                self.inline_path();
            } else {
                self.at += 1;
            }
        }
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        let word = self.tokens.get(self.at + ahead)?.word()?;
        Some(word.trim_start_matches("r#"))
    }

    fn mark(&self, ahead: usize, mark: char) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| token.is_mark(mark))
    }

    fn separator(&self, ahead: usize) -> bool {
        let token = self.tokens.get(self.at + ahead);
        token.is_some_and(|token| token.kind == TokenKind::PathSep)
    }

    /// One tree of a `use` item below `prefix`, up to what follows it.
    fn use_tree(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        loop {
            let line = self.line();
            if self.separator(0) || self.mark(0, '$') {
                self.at += 1;
            } else if self.mark(0, '{') {
                self.at += 1;
                return self.use_group(&segments);
            } else if self.mark(0, '*') {
                self.at += 1;
                return self.import(segments, line, None);
            } else if let Some(word) = self.word(0).map(String::from) {
                self.at += 1;
                segments.push(word);
                if !self.separator(0) {
                    return self.leaf(segments, line);
                }
            } else {
                return;
            }
        }
    }

    /// The trees between braces, up to the closing one.
    fn use_group(&mut self, prefix: &[String]) {
        while self.at < self.tokens.len() {
            let before = self.at;
            self.use_tree(prefix);
            let closes = self.mark(0, '}');
            if closes || self.mark(0, ',') || self.at == before {
                self.at += 1;
            }
            if closes {
                return;
            }
        }
    }

    /// The end of a tree that names one thing.
    fn leaf(&mut self, mut segments: Vec<String>, line: usize) {
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let mut name = segments.last().cloned();
        if self.word(0) == Some("as") {
            name = self.word(1).map(String::from);
            self.at += 2;
        }
        self.import(segments, line, name);
    }

    fn import(&mut self, segments: Vec<String>, line: usize, name: Option<String>) {
        if segments.is_empty() {
            return;
        }
        self.imports.push(Import {
            path: UsedPath {
                segments,
                glob: name.is_none(),
                line,
            },
            name,
        });
    }

    /// Whether the word here is the root of a path and not a later segment.
    /// The root of `::std::io` is `std`; that of `<T>::new` or `$path::new` is
    /// not to be known.
    fn begins_path(&self) -> bool {
        let before = |back: usize| Some(&self.tokens[self.at.checked_sub(back)?]);
        let is_keyword = |word: &str| BEFORE_A_PATH.contains(&word);
        if !self.separator(1) || self.word(0).is_none_or(is_keyword) {
            return false;
        }
        match before(1) {
            Some(token) if token.is_mark('$') => self.word(0) == Some("crate"),
            Some(token) if token.kind == TokenKind::PathSep => {
                before(2).is_none_or(|token| match token.word() {
                    Some(word) => is_keyword(word),
                    None => !token.is_mark('>'),
                })
            }
            Some(_) | None => true,
        }
    }

    fn inline_path(&mut self) {
        let mut segments = Vec::new();
        let mut line = self.line();
        while let Some(word) = self.word(0).map(String::from) {
            line = self.line();
            segments.push(word);
            self.at += 1;
            if !self.separator(0) {
                break;
            }
            self.at += 1;
        }
        if segments.len() > 1 {
            self.inline.push(UsedPath {
                segments,
                glob: false,
                line,
            });
        }
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.first_line)
    }
}

/// Keywords after which `::` begins a path.
const BEFORE_A_PATH: &[&str] = &[
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "match", "move", "mut",
    "return", "unsafe", "where", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = used_paths(&tokens(text))
            .into_iter()
            .map(|path| {
                let star = if path.glob { "::*" } else { "" };
                format!("{}{star}", path.segments.join("::"))
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn a_use_tree_is_one_path_for_each_leaf() {
        check("use std::fs;", &["std::fs"]);
        check("use ::std::fs as files;", &["std::fs"]);
        check(
            "pub(crate) use std::{process::{self, Command}, io::*, fs::File as F};",
            &[
                "std::process",
                "std::process::Command",
                "std::io::*",
                "std::fs::File",
            ],
        );
        check("use {std::fs, toml};", &["std::fs", "toml"]);
        check("extern crate toml as t;", &["toml"]);
    }

    #[test]
    fn an_inline_path_is_followed_through_the_imports() {
        check(
            "use std::io; fn a() { io::stdout().lock() }",
            &["std::io", "std::io::stdout"],
        );
        check(
            "use std as s; use s::process as p; fn a() { p::exit(1) }",
            &["std", "std::process", "std::process::exit"],
        );
    }

    #[test]
    fn an_inline_path_may_stand_anywhere() {
        check("fn a() { std::process::exit(1) }", &["std::process::exit"]);
        check("let x = <T as std::fmt::Debug>::fmt;", &["std::fmt::Debug"]);
        check("return ::std::env::args();", &["std::env::args"]);
        check("f(::std::env::args())", &["std::env::args"]);
        check("Vec::<std::fs::File>::new()", &["std::fs::File"]);
        check("$crate::a::b", &["crate::a::b"]);
    }

    #[test]
    fn a_single_name_a_local_value_and_a_bound_are_no_paths() {
        check("fn a(time: u8) { time.env }", &[]);
        check("fn a() -> impl Sized + use<'_, T> { x }", &[]);
        check("<T>::new(); $t::new()", &[]);
    }

    #[test]
    fn names_that_import_each_other_end() {
        assert_eq!(used_paths(&tokens("use a::b; use b::a; b::c()")).len(), 3);
        check("use toml::toml; toml::x()", &["toml::toml", "toml::x"]);
    }

    #[test]
    fn a_broken_use_item_is_passed_over() {
        check("use std::{fs, ; } fn a() {}", &["std::fs"]);
        check("use ;", &[]);
    }

    #[test]
    fn a_path_reaches_what_it_names_what_lies_in_it_and_what_its_glob_holds() {
        let reaches = |text: &str, target: &str| {
            let paths = used_paths(&tokens(text));
            paths.iter().any(|path| path.reaches(target))
        };
        assert!(reaches("use std::io::stdout;", "std::io::stdout"));
        assert!(reaches("use std::process::Command;", "std::process"));
        assert!(reaches("use std::*;", "std::process"));
        assert!(!reaches("use std::io;", "std::io::stdout"));
        assert!(!reaches("use std::io::Write;", "std::io::stdout"));
        assert!(!reaches("use std::processes;", "std::process"));
    }
}
