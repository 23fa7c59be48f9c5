//! Refactorings that allocate the same: no line is shown with a difference, as added or as
//! removed.

use crate::sites::SiteChange::{Edited, Moved};
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

#[test]
fn refactorings_that_allocate_the_same_have_no_differences() {
    assert!(REFACTORINGS.len() >= 10);
    let base = Program::parse(BASE);
    let mut mistakes = Vec::new();
    for (name, edits) in REFACTORINGS {
        for line in base.diff(&Program::parse(&replaced(BASE, edits))) {
            let is_right = matches!(line.change, Edited | Moved);
            if !is_right || (line.allocs, line.bytes) != (0, 0) {
                mistakes.push(format!("{name}: {line:?}"));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}
