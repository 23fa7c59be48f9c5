//! Rust source as words and marks, each with its lines: enough to tell code
//! from comments and literals, and no more. It knows no keyword and no
//! grammar, and takes any text without failing.

/// A piece of code; comments and white space are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it begins, counted from 1.
    pub(crate) first_line: usize,
    /// Where it ends; only a literal can span lines.
    pub(crate) last_line: usize,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword. A raw identifier keeps its `r#`, so that
    /// it is never taken for the keyword.
    Word(String),
    /// `::`.
    PathSep,
    /// Any other mark, one character at a time.
    Mark(char),
    /// A string, a character, a number or a lifetime. What it holds is not
    /// code.
    Literal,
}

impl Token {
    /// The identifier or keyword that it is, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            TokenKind::PathSep | TokenKind::Mark(_) | TokenKind::Literal => None,
        }
    }

    /// Whether it is this mark.
    pub(crate) fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// Whether it is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }
}

/// Reads all of `text`.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut cursor = Cursor {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(next) = cursor.peek(0) {
        let first_line = cursor.line;
        if next.is_whitespace() {
            cursor.advance(1);
        } else if cursor.sees("//") {
            cursor.advance_while(|c| c != '\n');
        } else if cursor.sees("/*") {
            cursor.block_comment();
        } else {
            tokens.push(Token {
                kind: cursor.token(next),
                first_line,
                last_line: cursor.line,
            });
        }
    }
    tokens
}

/// How far the text has been read.
struct Cursor {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Cursor {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn sees(&self, text: &str) -> bool {
        text.chars()
            .enumerate()
            .all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    fn advance(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0) == Some('\n') {
                self.line += 1;
            }
            self.at = (self.at + 1).min(self.chars.len());
        }
    }

    fn advance_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&wanted) {
            self.advance(1);
        }
    }

    /// Comments of this kind nest.
    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.peek(0).is_some() {
            if self.sees("/*") {
                depth += 1;
                self.advance(2);
            } else if self.sees("*/") {
                depth -= 1;
                self.advance(2);
                if depth == 0 {
                    return;
                }
            } else {
                self.advance(1);
            }
        }
    }

    fn token(&mut self, first: char) -> TokenKind {
        if self.sees("::") {
            self.advance(2);
            TokenKind::PathSep
        } else if first == '"' {
            self.quoted('"');
            TokenKind::Literal
        } else if first == '\'' {
            self.character_or_lifetime();
            TokenKind::Literal
        } else if first.is_ascii_digit() {
            self.number();
            TokenKind::Literal
        } else if is_word(first) {
            self.word_or_prefixed_literal()
        } else {
            self.advance(1);
            TokenKind::Mark(first)
        }
    }

    /// From the opening `quote` past the closing one.
    fn quoted(&mut self, quote: char) {
        self.advance(1);
        while let Some(c) = self.peek(0) {
            self.advance(if c == '\\' { 2 } else { 1 });
            if c == quote {
                return;
            }
        }
    }

    /// From the first `#` or `"` past the closing quote and as many `#`.
    fn raw_quoted(&mut self, hashes: usize) {
        let end: String = std::iter::once('"')
            .chain(std::iter::repeat_n('#', hashes))
            .collect();
        self.advance(hashes + 1);
        while self.peek(0).is_some() && !self.sees(&end) {
            self.advance(1);
        }
        self.advance(end.len());
    }

    /// `'a'` is a character, `'a` without the second quote a lifetime.
    fn character_or_lifetime(&mut self) {
        let escaped = self.peek(1) == Some('\\');
        if escaped || self.peek(2) == Some('\'') {
            self.quoted('\'');
        } else {
            self.advance(1);
            self.advance_while(is_word);
        }
    }

    /// The dot of `1.5` belongs to the number, those of `1..5` and `1.max(5)`
    /// do not.
    fn number(&mut self) {
        while let Some(c) = self.peek(0) {
            let fraction = c == '.' && self.peek(1).is_some_and(|c| c.is_ascii_digit());
            if !is_word(c) && !fraction {
                return;
            }
            self.advance(1);
        }
    }

    fn word_or_prefixed_literal(&mut self) -> TokenKind {
        let start = self.at;
        self.advance_while(is_word);
        let word: String = self.chars[start..self.at].iter().collect();
        let hashes = (0..)
            .take_while(|&ahead| self.peek(ahead) == Some('#'))
            .count();
        match (word.as_str(), self.peek(0), self.peek(hashes)) {
            ("b" | "c", Some('"'), _) => self.quoted('"'),
            ("b", Some('\''), _) => self.quoted('\''),
            ("r" | "br" | "cr", _, Some('"')) => self.raw_quoted(hashes),
            ("r", Some('#'), Some(first)) if hashes == 1 && is_word(first) => {
                self.advance_while(|c| c == '#' || is_word(c));
                return TokenKind::Word(self.chars[start..self.at].iter().collect());
            }
            _ => return TokenKind::Word(word),
        }
        TokenKind::Literal
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as they are, a literal as `_`, with line breaks as in the source.
    fn shown(text: &str) -> String {
        let mut shown = String::new();
        let mut line = 1;
        for token in tokens(text) {
            let gap = match token.first_line - line {
                0 if shown.is_empty() => String::new(),
                0 => " ".into(),
                lines => "\n".repeat(lines),
            };
            line = token.last_line;
            shown.push_str(&gap);
            match token.kind {
                TokenKind::Word(word) => shown.push_str(&word),
                TokenKind::PathSep => shown.push_str("::"),
                TokenKind::Mark(mark) => shown.push(mark),
                TokenKind::Literal => shown.push('_'),
            }
        }
        shown
    }

    #[test]
    fn comments_are_no_code_and_keep_their_lines() {
        assert_eq!(shown("a // unsafe\nb"), "a\nb");
        assert_eq!(shown("/// unsafe\n//! unsafe\na"), "\n\na");
        assert_eq!(shown("a /* x /* unsafe */ \n */ b"), "a\nb");
        assert_eq!(shown("a /* never closed"), "a");
    }

    #[test]
    fn a_string_is_one_literal_whatever_it_holds() {
        assert_eq!(shown(r#"f("unsafe \" // x", y)"#), "f ( _ , y )");
        assert_eq!(shown("a = \"x\n y\"; b"), "a = _ ; b");
        assert_eq!(shown(r#"b"unsafe" c"unsafe""#), "_ _");
        assert_eq!(shown("\"never closed \\"), "_");
    }

    #[test]
    fn a_raw_string_ends_at_its_own_hashes() {
        assert_eq!(shown(r###"r"\" a r#"x " y"# b"###), "_ a _ b");
        assert_eq!(shown(r####"br##"x "# unsafe"## b cr"x""####), "_ b _");
    }

    #[test]
    fn a_raw_identifier_is_not_the_keyword() {
        assert_eq!(shown("r#unsafe r"), "r#unsafe r");
    }

    #[test]
    fn characters_and_lifetimes_are_told_apart() {
        assert_eq!(shown(r"'a' 'a 'static x"), "_ _ _ x");
        assert_eq!(shown(r#"'"' x '"' b'"' y"#), "_ x _ _ y");
        assert_eq!(shown(r"'\'' x '\u{1F600}' y '\\' z"), "_ x _ y _ z");
        assert_eq!(shown("<'a>(x: &'a str)"), "< _ > ( x : & _ str )");
    }

    #[test]
    fn a_number_takes_its_fraction_and_leaves_a_range() {
        assert_eq!(
            shown("1.5 0xff_u8 1..2 1.max(x.0)"),
            "_ _ _ . . _ _ . max ( x . _ )"
        );
    }

    #[test]
    fn a_path_separator_is_one_mark() {
        assert_eq!(shown("std::io a: b"), "std :: io a : b");
    }
}
