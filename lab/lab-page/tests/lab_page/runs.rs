//! The description of runs on the page.

use lab_page::environment::environment;

use crate::support::{cell, results};

#[test]
fn the_flags_of_the_compiler_and_a_dirty_commit_are_on_the_page() {
    let mut results = results([cell("pair/subject=system,size=64", 10.0)]);
    results.runs[0].rustflags = "RUSTFLAGS=\"-C target-cpu=native\"".to_owned();
    results.runs[0].commit = "0123456789ab-dirty".to_owned();
    let text = environment(&results);
    let flags = "- Compiler flags: `RUSTFLAGS=\"-C target-cpu=native\"`\n";
    assert!(text.contains(flags), "{text}");
    assert!(text.contains("- Commit: `0123456789ab-dirty`\n"), "{text}");
}
