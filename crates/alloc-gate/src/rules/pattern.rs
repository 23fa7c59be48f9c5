//! [`Pattern`]: a glob over scenario names, which is translated into a regular expression.

use std::fmt::Write;
use std::iter::Peekable;
use std::mem;
use std::str::Chars;

use regex_lite::{Regex, RegexBuilder};

use crate::diagnostic::Place;

/// How deep braces may be nested. `regex-lite` follows its groups by recursion.
const DEEPEST: usize = 32;

/// What the regular expression of a glob may take, in bytes: some thousand characters.
const LARGEST: usize = 1 << 18;

/// A glob over full scenario names: `*` matches any text, `?` any character, `[ab]` or
/// `[a-z]` one of several characters, `[!ab]` any other, `{a,b}` one of several texts, and
/// `\` escapes the next character.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    matcher: Matcher,
    place: Place,
}

/// How names are compared. Most globs need no expression, which takes fifty times as long.
#[derive(Clone, Debug)]
enum Matcher {
    /// The text has no character with a meaning.
    Exact,
    /// The only one is a `*` at the end.
    Beginning,
    /// A name that matches contains the literal, which is found much faster.
    Expression { literal: String, regex: Regex },
}

// The expression follows from the text.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.place) == (&other.text, other.place)
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Parses a glob.
    ///
    /// # Errors
    ///
    /// Returns the reason if `text` is not a glob.
    pub fn new(text: &str, place: Place) -> Result<Self, String> {
        let is_plain = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '\\']);
        let matcher = match text.strip_suffix('*') {
            Some(beginning) if is_plain(beginning) => Matcher::Beginning,
            None if is_plain(text) => Matcher::Exact,
            Some(_) | None => Matcher::Expression {
                literal: literal(text),
                regex: RegexBuilder::new(&regex(text)?)
                    .nest_limit(2 * DEEPEST as u32)
                    .size_limit(LARGEST)
                    .build()
                    .map_err(|_| String::from("it is too long"))?,
            },
        };
        Ok(Self {
            text: text.to_owned(),
            matcher,
            place,
        })
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// Whether it matches the full name of a scenario.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        match &self.matcher {
            Matcher::Exact => name == self.text,
            Matcher::Beginning => name.starts_with(self.text.trim_end_matches('*')),
            Matcher::Expression { literal, regex } => {
                name.contains(literal) && regex.is_match(name)
            }
        }
    }

    /// Whether one of the `patterns` matches the full name of a scenario.
    pub(super) fn any_matches(patterns: &[Self], name: &str) -> bool {
        patterns.iter().any(|pattern| pattern.matches(name))
    }
}

/// The longest text that every name contains which matches a valid glob. Behind the first class or
/// alternates it looks for none.
fn literal(glob: &str) -> String {
    let (mut longest, mut literal) = (String::new(), String::new());
    let mut characters = glob.chars();
    loop {
        let next = characters.next();
        match next {
            Some('\\') => literal.extend(characters.next()),
            Some('?' | '*' | '[' | '{') | None => {
                if literal.len() > longest.len() {
                    longest = mem::take(&mut literal);
                }
                literal.clear();
            }
            Some(character) => literal.push(character),
        }
        if matches!(next, Some('[' | '{') | None) {
            return longest;
        }
    }
}

/// The regular expression of a glob.
fn regex(glob: &str) -> Result<String, String> {
    let mut regex = String::from("(?s)^");
    let mut depth = 0_usize;
    let mut characters = glob.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' => {
                while characters.next_if_eq(&'*').is_some() {}
                regex.push_str(".*");
            }
            '?' => regex.push('.'),
            '[' => class(&mut characters, &mut regex)?,
            '{' => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(format!("its braces are nested deeper than {DEEPEST}"));
                }
                regex.push_str("(?:");
            }
            '}' if depth > 0 => {
                depth -= 1;
                regex.push(')');
            }
            '}' => return Err(String::from("`}` has no matching `{`")),
            ',' if depth > 0 => regex.push('|'),
            '\\' => match characters.next() {
                Some(escaped) => push_character(&mut regex, escaped),
                None => return Err(String::from("no character follows the `\\` at its end")),
            },
            other => push_character(&mut regex, other),
        }
    }
    if depth > 0 {
        return Err(String::from("`{` has no matching `}`"));
    }
    regex.push('$');
    Ok(regex)
}

/// Reads the rest of a class, such as `a-z]` or `!abc]`. `]` in the first place is one of
/// its characters.
fn class(characters: &mut Peekable<Chars<'_>>, regex: &mut String) -> Result<(), String> {
    regex.push('[');
    if characters.next_if(|&c| c == '!' || c == '^').is_some() {
        regex.push('^');
    }
    let mut first = true;
    loop {
        let unclosed = || String::from("`[` has no matching `]`");
        let start = characters.next().ok_or_else(unclosed)?;
        if start == ']' && !first {
            break;
        }
        first = false;
        push_character(regex, start);
        let mut ahead = characters.clone();
        if ahead.next() == Some('-') && ahead.next().is_some_and(|end| end != ']') {
            characters.next();
            let end = characters.next().ok_or_else(unclosed)?;
            if end < start {
                return Err(format!("the range `{start}-{end}` is reversed"));
            }
            regex.push('-');
            push_character(regex, end);
        }
    }
    regex.push(']');
    Ok(())
}

/// Adds a literal character, inside a class and outside.
fn push_character(regex: &mut String, character: char) {
    // Writing to a string can't fail.
    let _ = write!(regex, "\\x{{{:X}}}", u32::from(character));
}

#[cfg(test)]
mod tests {
    use sample_results::Generator;

    use super::*;

    const PLACE: Place = Place { line: 1, column: 1 };

    fn matches(glob: &str, name: &str) -> bool {
        let pattern = Pattern::new(glob, PLACE).expect("it is a glob");
        pattern.matches(name)
    }

    #[test]
    fn a_glob_matches_what_its_page_says() {
        for (glob, matching, other) in [
            ("", &[""][..], &["a"][..]),
            ("a.c", &["a.c"], &["abc", "a.cd", "xa.c"]),
            ("*", &["", "a/b", "a\nb", "größe"], &[]),
            ("a/**/b", &["a//b", "a/x/y/b"], &["a/b"]),
            ("a?c", &["abc", "a/c", "aöc"], &["ac", "abbc"]),
            ("[ab]*", &["a", "bc"], &["", "c"]),
            ("[!ab]", &["c", "/"], &["a", "b"]),
            ("[^ab]", &["c", "^"], &["a"]),
            ("[a-cx-]", &["b", "x", "-"], &["d", "y"]),
            ("[]]", &["]"], &["a"]),
            ("[!]]", &["a"], &["]"]),
            (r"[\^&~\d]", &["\\", "^", "&", "~", "d"], &["7"]),
            ("{a,b{c,d}}e", &["ae", "bce", "bde"], &["be", "abce"]),
            ("x{,-fast}", &["x", "x-fast"], &["x-", "x,-fast"]),
            ("a,b", &["a,b"], &["a"]),
            (r"\*\{\}\[\]\\\?\,", &[r"*{}[]\?,"], &["a"]),
            (r"\d+(x)|$", &["d+(x)|$"], &["7"]),
        ] {
            for name in matching {
                assert!(matches(glob, name), "`{glob}` matches `{name}`");
            }
            for name in other {
                assert!(!matches(glob, name), "`{glob}` does not match `{name}`");
            }
        }
    }

    #[test]
    fn a_glob_matches_what_its_expression_does() {
        // Few characters, so that much matches, and some that globs have a meaning for.
        let names: Vec<&str> = "a b / * , ] 包".split(' ').collect();
        let globs = r"a b / 包 * * ? [ab] [!a] []*] {a,{b,*}} {,/} \* \]";
        let globs: Vec<&str> = globs.split(' ').collect();
        let mut generator = Generator::new(7);
        let mut text = |parts: &[&str], most: usize| -> String {
            let length = generator.below(most + 1);
            (0..length).map(|_| generator.one(parts)).collect()
        };
        let mut matching = 0;
        for _ in 0..10_000 {
            let (glob, name) = (text(&globs, 5), text(&names, 7));
            let regex = Regex::new(&regex(&glob).unwrap()).unwrap();
            let is_match = regex.is_match(&name);
            assert_eq!(matches(&glob, &name), is_match, "{glob} {name}");
            matching += usize::from(is_match);
        }
        assert!(matching > 1_000, "only {matching} matched");
    }

    #[test]
    fn what_is_not_a_glob_is_refused() {
        let deep = |depth| "{".repeat(depth) + &"}".repeat(depth);
        for (glob, reason) in [
            ("a[", "`[` has no matching `]`"),
            ("a[]", "`[` has no matching `]`"),
            ("[a-", "`[` has no matching `]`"),
            ("[c-a]", "the range `c-a` is reversed"),
            ("{a", "`{` has no matching `}`"),
            ("a}", "`}` has no matching `{`"),
            ("a\\", "no character follows the `\\` at its end"),
            (&deep(33), "its braces are nested deeper than 32"),
            (&deep(50_000), "its braces are nested deeper than 32"),
            (&format!("{{a{}}}", ",b".repeat(100_000)), "it is too long"),
            (&"?".repeat(100_000), "it is too long"),
        ] {
            let refused = Pattern::new(glob, PLACE);
            let shown: String = glob.chars().take(40).collect();
            assert_eq!(refused.err().as_deref(), Some(reason), "{shown}");
        }
        assert!(Pattern::new(&deep(32), PLACE).is_ok());
    }
}
