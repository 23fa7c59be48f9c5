//! The README's example is short. It is compiled as a documentation test, and run by
//! `tests/outside.rs` of lab-page.

const README: &str = include_str!("../../README.md");

pub(crate) fn an_allocator_and_a_workload_are_added_in_twenty_lines() {
    let (_, rest) = README
        .split_once("## Your own allocator and workload")
        .unwrap();
    let (_, rest) = rest.split_once("```rust,no_run\n").unwrap();
    let (example, _) = rest.split_once("\n```").unwrap();
    assert!(example.contains("lab.subject("), "{example}");
    assert!(example.contains("impl Workload for"), "{example}");
    // What stands in every bench of the lab, and in every Rust file, is not the example's.
    let (_, own) = example.split_once("CountingAlloc::system();\n").unwrap();
    let lines = own.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let lines: Vec<_> = lines.collect();
    assert!(lines.len() <= 20, "{} lines:\n{own}", lines.len());
}
