//! The README's example is short. It is compiled as a documentation test.

const README: &str = include_str!("../../README.md");

pub(crate) fn an_allocator_is_added_in_less_than_20_lines() {
    let (_, rest) = README.split_once("## Adding an allocator").unwrap();
    let (_, rest) = rest.split_once("```rust,no_run\n").unwrap();
    let (example, _) = rest.split_once("\n```").unwrap();
    assert!(example.contains("lab.subject("), "{example}");
    let lines = example.lines().count();
    assert!(lines < 20, "{lines} lines:\n{example}");
}
