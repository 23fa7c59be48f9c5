//! A failure of a bench for another target names the lines that allocate. The steps of CI for such
//! targets run this: `ALLOC_GATE_TEST_TARGET` is the target, and the bench starts by cargo's runner.

use std::env;

use crate::bench::explained::{ENCODE, LINES, project};

const LINES_WITHOUT_COLUMNS: &str = "
 --> src/lib.rs:6:5
  |
6 |     let mut bytes = Vec::with_capacity(1 + units.len());
  |     ^^^ 1 allocation, 11 bytes
  |
  = called by: main, benches/counts.rs:9
  --> src/lib.rs:13:5
   |
13 |     let mut bytes = Vec::with_capacity(2 * text.len());
   |     ^^^ 1 allocation, 10 bytes
   |
   = called by: encode, src/lib.rs:5

help: ";

#[test]
#[ignore = "it links for another target"]
fn a_failure_for_another_target_names_the_lines_that_allocate() {
    let target = env::var("ALLOC_GATE_TEST_TARGET").expect("a step of CI sets it");
    let project = project("other_target", ENCODE);
    let ran = project.run_explained(&format!("--target {target}"), 1);
    ran.stdout_has(&format!("\nenvironment: {target}, profile bench, "));
    // The compiler writes no columns for Microsoft's debuggers.
    if target.contains("msvc") {
        ran.stdout_has(LINES_WITHOUT_COLUMNS);
    } else {
        ran.stdout_has(&format!("\n{LINES}\n"));
    }
}
