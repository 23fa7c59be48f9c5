//! A source file as the checks see it: its code, with what ships told apart
//! from what is only for tests. It knows no rule.

use std::collections::BTreeSet;

use super::lexer::{self, Token};

/// A `.rs` file of a workspace member.
#[derive(Debug)]
pub(crate) struct Source {
    /// The member's name.
    pub(crate) package: String,
    /// From the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    everything: Vec<Token>,
    without_tests: Vec<Token>,
    only_for_tests: bool,
    build_script: bool,
}

impl Source {
    /// `path` is from the workspace's root, `inside` the same file from the
    /// member's folder.
    pub(crate) fn new(package: &str, path: &str, inside: &str, text: &str) -> Self {
        let everything = lexer::tokens(text);
        Self {
            package: package.to_owned(),
            path: path.to_owned(),
            without_tests: without_test_items(&everything),
            everything,
            only_for_tests: is_only_for_tests(inside),
            build_script: inside == "build.rs",
        }
    }

    /// All code, tests included.
    pub(crate) fn everything(&self) -> &[Token] {
        &self.everything
    }

    /// The code that is not for tests, benches or examples.
    pub(crate) fn shipped(&self) -> &[Token] {
        match self.only_for_tests {
            true => &[],
            false => &self.without_tests,
        }
    }

    /// Whether cargo runs it before it builds the member, and reads what it
    /// prints.
    pub(crate) fn is_build_script(&self) -> bool {
        self.build_script
    }

    /// The lines that hold code: neither blank, nor only a comment, nor in a
    /// `#[cfg(test)]` item. Those of a multi-line string all count.
    pub(crate) fn lines_of_code(&self) -> BTreeSet<usize> {
        self.without_tests
            .iter()
            .flat_map(|token| token.first_line..=token.last_line)
            .collect()
    }
}

fn is_only_for_tests(inside: &str) -> bool {
    inside.rsplit('/').enumerate().any(|(nth, part)| match nth {
        0 => part == "tests.rs",
        _ => matches!(part, "tests" | "benches" | "examples"),
    })
}

/// Leaves out every item behind a `#[cfg(test)]`.
fn without_test_items(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if begins_test_item(&tokens[at..]) {
            at = end_of_item(tokens, at);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

fn begins_test_item(tokens: &[Token]) -> bool {
    match tokens {
        [hash, open, cfg, paren, test, close, end, ..] => {
            hash.is_mark('#')
                && open.is_mark('[')
                && cfg.is_word("cfg")
                && paren.is_mark('(')
                && test.is_word("test")
                && close.is_mark(')')
                && end.is_mark(']')
        }
        _ => false,
    }
}

/// Past the item that begins at `start` with its attributes: past the first
/// `;` or `}` outside of any bracket, and never past the block around it.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        if ['(', '[', '{'].iter().any(|&open| token.is_mark(open)) {
            depth += 1;
        } else if [')', ']', '}'].iter().any(|&close| token.is_mark(close)) {
            if depth == 0 {
                return at;
            }
            depth -= 1;
            if depth == 0 && token.is_mark('}') {
                return at + 1;
            }
        } else if depth == 0 && token.is_mark(';') {
            return at + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped_words(inside: &str, text: &str) -> String {
        let source = Source::new("p", inside, inside, text);
        let words: Vec<&str> = source.shipped().iter().filter_map(Token::word).collect();
        words.join(" ")
    }

    #[test]
    fn a_test_module_is_left_out_and_what_follows_it_is_not() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { x; } }\nfn c() {}";
        assert_eq!(shipped_words("src/lib.rs", text), "fn a fn c");
    }

    #[test]
    fn a_test_item_ends_at_its_semicolon() {
        let text = "#[cfg(test)] #[path = \"t.rs\"] mod tests; mod a;";
        assert_eq!(shipped_words("src/lib.rs", text), "mod a");
        let text = "#[cfg(test)] const A: [u8; 2] = [1; 2]; fn b() {}";
        assert_eq!(shipped_words("src/lib.rs", text), "fn b");
    }

    #[test]
    fn a_test_item_never_reaches_past_the_block_around_it() {
        let text = "mod a { #[cfg(test)] x } fn b() {}";
        assert_eq!(shipped_words("src/lib.rs", text), "mod a fn b");
    }

    #[test]
    fn another_cfg_ships() {
        assert_eq!(
            shipped_words("src/lib.rs", "#[cfg(unix)] mod a;"),
            "cfg unix mod a"
        );
    }

    #[test]
    fn tests_benches_and_examples_do_not_ship() {
        for inside in [
            "tests/a.rs",
            "tests/a/b.rs",
            "benches/a.rs",
            "examples/a.rs",
            "src/a/tests.rs",
        ] {
            assert_eq!(shipped_words(inside, "fn a() {}"), "", "{inside}");
        }
        for inside in ["src/lib.rs", "src/tests_of_life.rs", "src/benches.rs"] {
            assert_eq!(shipped_words(inside, "fn a() {}"), "fn a", "{inside}");
        }
    }

    #[test]
    fn a_build_script_stands_beside_the_manifest() {
        let is_one = |inside| Source::new("p", inside, inside, "").is_build_script();
        assert!(is_one("build.rs"));
        assert!(!is_one("src/build.rs"));
    }

    #[test]
    fn blank_lines_comments_and_tests_are_no_lines_of_code() {
        let text = "// x\n\nfn a() {\n    \"1\n2\";\n}\n#[cfg(test)]\nmod tests {\n}\n";
        let source = Source::new("p", "src/lib.rs", "src/lib.rs", text);
        assert_eq!(source.lines_of_code(), BTreeSet::from([3, 4, 5, 6]));
    }
}
