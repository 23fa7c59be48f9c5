//! Regressions that are planted into a program, alone and with other changes around them. Each
//! has to be named with its line and its kind, and nothing else.

use crate::sites::SiteChange::{self, Added, Edited, Moved, Removed, Same};
use crate::sites::tests::Shown;
use crate::sites::tests::base::{BASE, replaced};
use crate::sites::tests::program::Program;

/// A regression: its name, the texts to replace, and what has to be shown.
type Planted = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [(SiteChange, &'static str, i128, i128)],
);

const PLANTED: &[Planted] = &[
    (
        "a new vector",
        &[(
            "    for unit in units {",
            "    let copy = units.to_vec(); //@ to_vec 1 12\n    for unit in &copy {",
        )],
        &[(Added, "let copy = units.to_vec();", 1, 12)],
    ),
    (
        "a new vector like another one of the file",
        &[(
            "    let mut units = text",
            "    let mut bytes = Vec::with_capacity(text.len() + 4); //@ with_capacity 1 16\n    let mut units = text",
        )],
        &[(
            Added,
            "let mut bytes = Vec::with_capacity(text.len() + 4);",
            1,
            16,
        )],
    ),
    (
        "a capacity that is lost",
        &[(
            "    let mut bytes = Vec::with_capacity(text.len() + 4); //@ with_capacity 1 16\n    bytes.extend_from_slice(text.as_bytes());",
            "    let mut bytes = Vec::new();\n    bytes.extend_from_slice(text.as_bytes()); //@ extend_from_slice 3 28",
        )],
        &[
            (
                Removed,
                "let mut bytes = Vec::with_capacity(text.len() + 4);",
                -1,
                -16,
            ),
            (Same, "bytes.extend_from_slice(text.as_bytes());", 3, 28),
        ],
    ),
    (
        "a capacity that is too small",
        &[
            (
                "with_capacity(units.len() * 2); //@ with_capacity 1 16",
                "with_capacity(units.len()); //@ with_capacity 1 8",
            ),
            (
                "bytes.extend(unit.to_le_bytes());",
                "bytes.extend(unit.to_le_bytes()); //@ extend 1 8",
            ),
        ],
        &[
            (
                Edited,
                "let mut bytes = Vec::with_capacity(units.len());",
                0,
                -8,
            ),
            (Same, "bytes.extend(unit.to_le_bytes());", 1, 8),
        ],
    ),
    (
        "a larger capacity",
        &[(
            "with_capacity(text.len() + 4); //@ with_capacity 1 16",
            "with_capacity(text.len() + 64); //@ with_capacity 1 76",
        )],
        &[(
            Edited,
            "let mut bytes = Vec::with_capacity(text.len() + 64);",
            0,
            60,
        )],
    ),
    (
        "more operations of the same line",
        &[("push(field); //@ push 2 96", "push(field); //@ push 5 480")],
        &[(Same, "fields.push(field);", 3, 384)],
    ),
    (
        "a clone in place of a borrow",
        &[(
            "    encode_field(field, &mut out);",
            "    encode_field(&field.clone(), &mut out); //@ clone 1 30",
        )],
        &[(Added, "encode_field(&field.clone(), &mut out);", 1, 30)],
    ),
    (
        "a second clone on a line",
        &[(
            "let name = field.name.clone(); //@ clone 1 10",
            "let name = field.name.clone().to_string(); //@ clone 1 10 //@ to_string 1 10",
        )],
        &[
            (Edited, "let name = field.name.clone().to_string();", 0, 0),
            (Added, "let name = field.name.clone().to_string();", 1, 10),
        ],
    ),
    (
        "collect in place of a loop",
        &[(
            "    Message { fields }",
            "    let fields: Vec<_> = fields.into_iter().rev().collect(); //@ collect 1 48\n    Message { fields }",
        )],
        &[(
            Added,
            "let fields: Vec<_> = fields.into_iter().rev().collect();",
            1,
            48,
        )],
    ),
    (
        "a message that is always formatted",
        &[(
            "    let mut out = Vec::new();",
            "    let context = format!(\"{message:?}\"); //@ format! 3 120\n    let mut out = Vec::new();",
        )],
        &[(Added, "let context = format!(\"{message:?}\");", 3, 120)],
    ),
    (
        "a line within a loop",
        &[(
            "map.insert(field.name.clone(), at); //@ clone 4 40",
            "map.insert(field.name.clone(), at); //@ clone 4 40\n        log(at.to_string()); //@ to_string 4 4",
        )],
        &[(Added, "log(at.to_string());", 4, 4)],
    ),
    (
        "a map without a capacity",
        &[
            (
                "HashMap::with_capacity(fields.len()); //@ with_capacity 1 448",
                "HashMap::new();",
            ),
            (
                "map.insert(field.name.clone(), at); //@ clone 4 40",
                "map.insert(field.name.clone(), at); //@ clone 4 40 //@ insert 2 700",
            ),
        ],
        &[
            (
                Removed,
                "let mut map = HashMap::with_capacity(fields.len());",
                -1,
                -448,
            ),
            (Same, "map.insert(field.name.clone(), at);", 2, 700),
        ],
    ),
    (
        "a box around each",
        &[(
            "fields.push(field); //@ push 2 96",
            "fields.push(Box::new(field)); //@ push 2 64 //@ Box::new 6 288",
        )],
        &[
            (Edited, "fields.push(Box::new(field));", 0, -32),
            (Added, "fields.push(Box::new(field));", 6, 288),
        ],
    ),
    (
        "a new function with a copy",
        &[(
            "fn title(",
            "fn copied(text: &str) -> String {\n    text.to_owned() //@ to_owned 1 8\n}\n\nfn title(",
        )],
        &[(Added, "text.to_owned()", 1, 8)],
    ),
    (
        "a new file",
        &[(
            "=== src/message.rs",
            "=== src/extra.rs\nfn extra() -> Vec<u8> {\n    Vec::with_capacity(9) //@ with_capacity 1 9\n}\n=== src/message.rs",
        )],
        &[(Added, "Vec::with_capacity(9)", 1, 9)],
    ),
    (
        "a line that moves to a caller and runs twice",
        &[
            ("    let name = field.name.clone(); //@ clone 1 10\n", ""),
            (
                "    for field in &message.fields {",
                "    for field in &message.fields {\n        let name = field.name.clone(); //@ clone 2 20",
            ),
        ],
        &[(Moved, "let name = field.name.clone();", 1, 10)],
    ),
    (
        "a line that moves down in its function and grows",
        &[
            ("    let name = field.name.clone(); //@ clone 1 10\n", ""),
            (
                "//@ clone 1 20\n",
                "//@ clone 1 20\n    let name = field.name.clone(); //@ clone 2 20\n",
            ),
        ],
        &[(Moved, "let name = field.name.clone();", 1, 10)],
    ),
    (
        "another method on the same line",
        &[(
            "text.to_uppercase(); //@ to_uppercase 1 8",
            "text.to_uppercase().to_string(); //@ to_uppercase 1 8 //@ to_string 1 8",
        )],
        &[
            (Edited, "let first = text.to_uppercase().to_string();", 0, 0),
            (Added, "let first = text.to_uppercase().to_string();", 1, 8),
        ],
    ),
    (
        "a shrink of the result",
        &[(
            "    units.push(0); //@ push 1 24\n    units",
            "    units.push(0); //@ push 1 24\n    units.clone() //@ clone 1 14",
        )],
        &[(Added, "units.clone()", 1, 14)],
    ),
    (
        "an early return that allocates",
        &[(
            "    let mut units = text",
            "    if text.is_empty() {\n        return vec![0]; //@ vec! 1 2\n    }\n    let mut units = text",
        )],
        &[(Added, "return vec![0];", 1, 2)],
    ),
    (
        "a closure that allocates",
        &[(
            "out.extend(name.bytes().chain(value.bytes()));",
            "out.extend(name.bytes().chain(value.into_bytes().iter().copied().collect::<Vec<_>>())); //@ collect 1 20",
        )],
        &[(
            Added,
            "out.extend(name.bytes().chain(value.into_bytes().iter().copied().collect::<Vec<_>>()));",
            1,
            20,
        )],
    ),
    (
        "two regressions at once",
        &[
            (
                "    for unit in units {",
                "    let copy = units.to_vec(); //@ to_vec 1 12\n    for unit in &copy {",
            ),
            (
                "    Message { fields }",
                "    fields.shrink_to_fit(); //@ shrink_to_fit 1 40\n    Message { fields }",
            ),
        ],
        &[
            (Added, "let copy = units.to_vec();", 1, 12),
            (Added, "fields.shrink_to_fit();", 1, 40),
        ],
    ),
    (
        "one more, and one fewer",
        &[
            (
                "    let name = field.name.clone(); //@ clone 1 10\n    let value = field.value.clone(); //@ clone 1 20\n    out.extend(name.bytes()",
                "    let value = field.value.clone(); //@ clone 1 20\n    out.extend(field.name.bytes()",
            ),
            (
                "    for unit in units {",
                "    let copy = units.to_vec(); //@ to_vec 1 12\n    for unit in &copy {",
            ),
        ],
        &[
            (Removed, "let name = field.name.clone();", -1, -10),
            (Added, "let copy = units.to_vec();", 1, 12),
        ],
    ),
    (
        "another type in the same place",
        &[(
            "text.encode_utf16().collect(); //@ collect 1 12",
            "text.encode_utf16().collect::<Box<[_]>>().into_vec(); //@ collect 2 24",
        )],
        &[(
            Edited,
            "let mut units = text.encode_utf16().collect::<Box<[_]>>().into_vec();",
            1,
            12,
        )],
    ),
];

type Around = fn(&str) -> String;

/// Changes that allocate nothing, which are in the same diff as a regression.
const AROUND: [(&str, Around); 4] = [
    ("alone", str::to_owned),
    ("with all lines shifted", |text| {
        text.replace("//! ", "// Copyright.\n// All rights reserved.\n\n//! ")
    }),
    ("with renamed functions", |text| {
        text.replace("little_endian(", "le_bytes(")
            .replace("encode_field(", "write_field(")
            .replace("fn index(", "fn by_name(")
    }),
    ("with functions in another order", |text| {
        let files = text.split("=== ").skip(1).map(|file| {
            let (head, functions) = file.split_once("\nfn ").unwrap_or((file, ""));
            let mut functions: Vec<&str> = functions.split("\n\nfn ").map(str::trim_end).collect();
            functions.reverse();
            format!("=== {head}\nfn {}\n", functions.join("\n\nfn "))
        });
        files.collect()
    }),
];

#[test]
fn planted_regressions_are_named_with_line_and_kind() {
    assert!(PLANTED.len() >= 22);
    let base = Program::parse(BASE);
    let mut mistakes = Vec::new();
    for (around, change) in AROUND {
        for (name, edits, expected) in PLANTED {
            let head = Program::parse(&change(&replaced(BASE, edits)));
            let mut expected: Vec<Shown> = expected
                .iter()
                .map(|&(change, text, allocs, bytes)| Shown {
                    change,
                    // The calls of renamed functions are other texts.
                    text: text.replace(
                        "encode_field(",
                        match around {
                            "with renamed functions" => "write_field(",
                            _ => "encode_field(",
                        },
                    ),
                    allocs,
                    bytes,
                })
                .collect();
            expected.sort();
            // Lines of functions in another order are moved, without a difference.
            let mut shown = base.diff(&head);
            shown.retain(|one| {
                let is_moved = one.change == Moved && (one.allocs, one.bytes) == (0, 0);
                !is_moved || expected.contains(one)
            });
            let relaxed = |mut all: Vec<Shown>| {
                // The kind of an unchanged line in a moved function is `moved`, or `added` if it did
                // not allocate before.
                if around == "with functions in another order" {
                    for one in &mut all {
                        let is_old = one.change == Added && BASE.contains(&one.text);
                        if one.change == Moved || is_old {
                            one.change = Same;
                        }
                    }
                    all.sort();
                }
                all
            };
            let (shown, expected) = (relaxed(shown), relaxed(expected));
            if shown != expected {
                mistakes.push(format!("{name}, {around}: {shown:#?}\nnot {expected:#?}"));
            }
        }
    }
    assert!(
        mistakes.is_empty(),
        "{} mistakes:\n{}",
        mistakes.len(),
        mistakes.join("\n")
    );
}
