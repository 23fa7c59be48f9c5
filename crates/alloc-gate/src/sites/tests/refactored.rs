//! Refactorings that allocate the same: no line is shown with a difference, as added or as
//! removed.

use crate::sites::SiteChange::{Added, Edited, Moved};
use crate::sites::tests::Shown;
use crate::sites::tests::base::{BASE, replaced};
use crate::sites::tests::program::Program;

/// A name, and the texts to replace.
type Refactoring = (&'static str, &'static [(&'static str, &'static str)]);

const REFACTORINGS: &[Refactoring] = &[
    (
        "comments",
        &[("//! Texts.", "//! Texts.\n//!\n//! And their encodings.")],
    ),
    (
        "a renamed function",
        &[("fn little_endian(", "fn le_bytes(")],
    ),
    (
        "a renamed variable of an allocating line",
        &[
            (
                "let mut bytes = Vec::with_capacity(units",
                "let mut buffer = Vec::with_capacity(units",
            ),
            ("bytes.extend(unit", "buffer.extend(unit"),
            ("    }\n    bytes\n", "    }\n    buffer\n"),
        ],
    ),
    (
        "a renamed function with a renamed variable",
        &[
            (
                "fn terminated(text: &str) -> Vec<u16> {\n    let mut units =",
                "fn zero_terminated(text: &str) -> Vec<u16> {\n    let mut found =",
            ),
            ("units.push(0)", "found.push(0)"),
        ],
    ),
    (
        "a function in another place of its file",
        &[
            (
                "fn decode(bytes: &[u8]) -> Message {\n    let mut fields = Vec::new();\n    while let Some(field) = next(bytes) {\n        fields.push(field); //@ push 2 96\n    }\n    Message { fields }\n}\n\n",
                "",
            ),
            (
                "fn encode(message",
                "fn decode(bytes: &[u8]) -> Message {\n    let mut fields = Vec::new();\n    while let Some(field) = next(bytes) {\n        fields.push(field); //@ push 2 96\n    }\n    Message { fields }\n}\n\nfn encode(message",
            ),
        ],
    ),
    (
        "a function in another file",
        &[
            (
                "fn title(text: &str) -> String {\n    let first = text.to_uppercase(); //@ to_uppercase 1 8\n    let rest = text.to_lowercase(); //@ to_lowercase 1 8\n    format!(\"{first}{rest}\") //@ format! 1 16\n}\n",
                "",
            ),
            (
                "//! Messages.\n",
                "//! Messages.\n\nfn title(text: &str) -> String {\n    let first = text.to_uppercase(); //@ to_uppercase 1 8\n    let rest = text.to_lowercase(); //@ to_lowercase 1 8\n    format!(\"{first}{rest}\") //@ format! 1 16\n}\n",
            ),
        ],
    ),
    (
        "a renamed file",
        &[(
            "=== src/message.rs",
            "=== src/messages/encode.rs was src/message.rs",
        )],
    ),
    (
        "a renamed file with another head",
        &[(
            "=== src/message.rs\n//! Messages.",
            "=== src/messages.rs was src/message.rs\n//! Messages and fields.\n\nuse crate::text;",
        )],
    ),
    (
        "an extracted function",
        &[
            (
                "    let mut units = text.encode_utf16().collect(); //@ collect 1 12\n    units.push(0); //@ push 1 24\n",
                "    let mut units = utf16(text);\n    units.push(0); //@ push 1 24\n",
            ),
            (
                "fn length_prefixed(",
                "fn utf16(text: &str) -> Vec<u16> {\n    let mut units = text.encode_utf16().collect(); //@ collect 1 12\n    units\n}\n\nfn length_prefixed(",
            ),
        ],
    ),
    (
        "an inlined function",
        &[
            (
                "        encode_field(field, &mut out);",
                "        let name = field.name.clone(); //@ clone 1 10\n        let value = field.value.clone(); //@ clone 1 20\n        out.extend(name.bytes().chain(value.bytes()));",
            ),
            (
                "fn encode_field(field: &Field, out: &mut Vec<u8>) {\n    let name = field.name.clone(); //@ clone 1 10\n    let value = field.value.clone(); //@ clone 1 20\n    out.extend(name.bytes().chain(value.bytes()));\n}\n\n",
                "",
            ),
        ],
    ),
    (
        "a chain in several lines",
        &[(
            "    let mut units = text.encode_utf16().collect(); //@ collect 1 12",
            "    let mut units = text\n        .encode_utf16()\n        .collect(); //@ collect 1 12",
        )],
    ),
    (
        "lines in another order",
        &[(
            "    let name = field.name.clone(); //@ clone 1 10\n    let value = field.value.clone(); //@ clone 1 20",
            "    let value = field.value.clone(); //@ clone 1 20\n    let name = field.name.clone(); //@ clone 1 10",
        )],
    ),
    (
        "an indented block",
        &[(
            "        map.insert(field.name.clone(), at); //@ clone 4 40",
            "        if true {\n            map.insert(field.name.clone(), at); //@ clone 4 40\n        }",
        )],
    ),
];

/// Small crates, and refactorings of each.
const CRATES: [(&str, &[Refactoring]); 3] = [
    (
        "\
=== src/lib.rs
pub fn words(text: &str) -> usize {
    let parts = split(text);
    let upper = upper(&parts);
    upper.len()
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(8); //@ with_capacity 1 128
    parts.extend(text.split(' '));
    parts
}

fn upper(parts: &[&str]) -> Vec<String> {
    let parts = parts.iter().map(|part| part.to_ascii_uppercase()); //@ to_ascii_uppercase 3 6
    parts.collect() //@ collect 1 72
}
",
        &[
            (
                "two calls in a new function",
                &[(
                    "pub fn words(text: &str) -> usize {
    let parts = split(text);
    let upper = upper(&parts);
    upper.len()
}
",
                    "fn split_and_upper(text: &str) -> Vec<String> {
    let parts = split(text);
    upper(&parts)
}

pub fn words(text: &str) -> usize {
    split_and_upper(text).len()
}
",
                )],
            ),
            (
                "an inlined function, whose lines become parts of others",
                &[
                    (
                        "    let upper = upper(&parts);
",
                        "    let upper: Vec<String> = parts.iter().map(|part| part.to_ascii_uppercase()).collect(); //@ to_ascii_uppercase 3 6 //@ collect 1 72
",
                    ),
                    (
                        "
fn upper(parts: &[&str]) -> Vec<String> {
    let parts = parts.iter().map(|part| part.to_ascii_uppercase()); //@ to_ascii_uppercase 3 6
    parts.collect() //@ collect 1 72
}
",
                        "",
                    ),
                ],
            ),
            (
                "a call without its variable, of a renamed function",
                &[
                    (
                        "    let parts = split(text);
    let upper = upper(&parts);
    upper.len()
",
                        "    let count = capitals( split_at_spaces(text)).len();
    count
",
                    ),
                    ("fn split(text: &str)", "fn split_at_spaces(text: &str)"),
                    ("fn upper(parts: &[&str])", "fn capitals(parts: Vec<&str>)"),
                ],
            ),
            (
                "a function in a new file, called by another one",
                &[
                    (
                        "
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(8); //@ with_capacity 1 128
    parts.extend(text.split(' '));
    parts
}
",
                        "",
                    ),
                    (
                        "    let parts = split(text);
",
                        "    let parts: Parts = parts_of(text);
",
                    ),
                    (
                        "    parts.collect() //@ collect 1 72
}
",
                        "    parts.collect() //@ collect 1 72
}
=== src/split.rs
pub(crate) fn parts_of(text: &str) -> Parts {
    Parts( split(text))
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::with_capacity(8); //@ with_capacity 1 128
    parts.extend(text.split(' '));
    parts
}
",
                    ),
                ],
            ),
        ],
    ),
    (
        "\
=== src/parse.rs
pub fn parse(text: &str) -> Tree {
    let tokens = tokens(text);
    let mut tree = Tree::default();
    for token in &tokens {
        insert(&mut tree, token);
    }
    tree
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for word in text.split(' ') {
        tokens.push(Token::new(word)); //@ push 2 384
    }
    tokens
}

fn insert(tree: &mut Tree, token: &Token) {
    let node = Box::new(Node::default()); //@ Box::new 9 288
    name(&mut tree.add(node), token);
}

fn name(node: &mut Node, token: &Token) {
    node.name = token.text.to_owned(); //@ to_owned 9 40
}
",
        &[
            (
                "a loop in a new function",
                &[
                    (
                        "    let mut tree = Tree::default();
    for token in &tokens {
        insert(&mut tree, token);
    }
    tree
",
                        "    build(tokens.iter())
",
                    ),
                    (
                        "fn tokens(text",
                        "fn build(tokens: Iter<'_, Token>) -> Tree {
    let mut tree = Tree::default();
    tokens.for_each(|token| insert(&mut tree, token));
    tree
}

fn tokens(text",
                    ),
                ],
            ),
            (
                "an argument that is passed on",
                &[
                    ("tokens(text);\n    let", "tokens(text, Mode::All);\n    let"),
                    ("fn tokens(text: &str)", "fn tokens(text: &str, mode: Mode)"),
                    ("insert(&mut tree, token);", "insert(&mut tree, token, Mode::All);"),
                    ("token: &Token) {\n    let", "token: &Token, mode: Mode) {\n    let"),
                    ("name(&mut tree.add(node), token)", "name(tree.with(node, mode), &token)"),
                ],
            ),
            (
                "an inlined function between two",
                &[
                    (
                        "        insert(&mut tree, token);
",
                        "        let node = Box::new(Node::default()); //@ Box::new 9 288
        name(&mut tree.add(node), token);
",
                    ),
                    (
                        "fn insert(tree: &mut Tree, token: &Token) {
    let node = Box::new(Node::default()); //@ Box::new 9 288
    name(&mut tree.add(node), token);
}

",
                        "",
                    ),
                ],
            ),
        ],
    ),
    (
        "\
=== src/table.rs
pub fn render(rows: &[Row]) -> String {
    let widths = widths(rows);
    let mut out = String::with_capacity(256); //@ with_capacity 1 256
    for row in rows {
        out.push_str(&line(row, &widths));
    }
    out
}

fn widths(rows: &[Row]) -> Vec<usize> {
    rows.iter().map(Row::width).collect() //@ collect 1 64
}
=== src/line.rs
pub fn line(row: &Row, widths: &[usize]) -> String {
    let cells = row.cells.iter();
    cells.map(|cell| padded( cell, widths)).collect() //@ collect 4 128
}

fn padded(cell: &str, widths: &[usize]) -> String {
    format!(\"{cell:>8}\") //@ format! 16 128
}
",
        &[
            (
                "a closure that becomes a function of another file",
                &[
                    (
                        "    cells.map(|cell| padded( cell, widths)).collect() //@ collect 4 128
",
                        "    cells.map(|cell| crate::table::cell(cell, widths)).collect() //@ collect 4 128
",
                    ),
                    (
                        "=== src/line.rs
",
                        "
pub fn cell(cell: &str, widths: &[usize]) -> String {
    crate::line:: padded(cell, widths)
}
=== src/line.rs
",
                    ),
                ],
            ),
            (
                "a loop that becomes an iterator in a method",
                &[(
                    "    for row in rows {
        out.push_str(&line(row, &widths));
    }
    out
}
",
                    "    append(&mut out, rows, &widths);
    out
}

fn append(out: &mut String, rows: &[Row], widths: &[usize]) {
    out.extend(rows.iter().map(|row| line(row, widths)));
}
",
                )],
            ),
            (
                "a renamed file with a function between",
                &[
                    ("=== src/line.rs\n", "=== src/rows/line.rs was src/line.rs\n"),
                    (
                        "    let widths = widths(rows);
",
                        "    let widths = Widths::new(rows);
",
                    ),
                    (
                        "fn widths(rows",
                        "impl Widths {
    fn new(rows: &[Row]) -> Self {
        Self { each: widths(rows), all: rows.len() }
    }
}

fn widths(rows",
                    ),
                ],
            ),
        ],
    ),
];

/// What is shown of a refactoring that is a difference.
fn mistakes(base: &str, (name, edits): &Refactoring) -> Vec<String> {
    let shown = Program::parse(base).diff(&Program::parse(&replaced(base, edits)));
    let is_wrong = |line: &Shown| {
        !matches!(line.change, Edited | Moved) || (line.allocs, line.bytes) != (0, 0)
    };
    let wrong = shown.into_iter().filter(is_wrong);
    wrong.map(|line| format!("{name}: {line:?}")).collect()
}

#[test]
fn refactorings_that_allocate_the_same_have_no_differences() {
    assert!(REFACTORINGS.len() >= 10);
    let all = REFACTORINGS.iter().map(|refactoring| (BASE, refactoring));
    let of_crates = CRATES
        .iter()
        .flat_map(|(base, all)| all.iter().map(move |one| (*base, one)));
    let found: Vec<String> = all
        .chain(of_crates)
        .flat_map(|(base, one)| mistakes(base, one))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn of_an_extracted_function_only_what_differs_is_shown() {
    let (base, [(_, extracted), ..]) = CRATES[0] else {
        panic!("no refactorings");
    };
    let text = replaced(base, extracted);
    for (from, to, expected) in [
        (
            "    split_and_upper(text).len()",
            "    let upper = split_and_upper(text);\n    upper.to_vec().len() //@ to_vec 4 78",
            ("upper.to_vec().len()", 4, 78),
        ),
        // The line in the function that was extracted, and its line that does more.
        (
            "    upper(&parts)\n",
            "    let parts = parts.clone(); //@ clone 1 48\n    upper(&parts)\n",
            ("let parts = parts.clone();", 1, 48),
        ),
    ] {
        let shown = Program::parse(base).diff(&Program::parse(&replaced(&text, &[(from, to)])));
        let differs = shown.iter().filter(|one| (one.allocs, one.bytes) != (0, 0));
        let differs: Vec<_> = differs
            .map(|one| (one.change, (&*one.text, one.allocs, one.bytes)))
            .collect();
        assert_eq!(differs, [(Added, expected)]);
    }
    // More of the same through an edited line is blamed on that line.
    let edits = [
        ("    upper(&parts)\n", "    upper(&parts[..2])\n"),
        ("to_ascii_uppercase 3 6", "to_ascii_uppercase 2 4"),
    ];
    let shown = Program::parse(&text).diff(&Program::parse(&replaced(&text, &edits)));
    let [one] = &shown[..] else {
        panic!("{shown:?}");
    };
    assert_eq!(
        (one.change, &*one.text, one.allocs),
        (Edited, "upper(&parts[..2])", -1)
    );
}
