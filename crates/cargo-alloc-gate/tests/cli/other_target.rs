//! A failure of a bench for another target names the lines that allocate. The steps of CI for such
//! targets run this: `ALLOC_GATE_TEST_TARGET` is the target, and the bench starts by
//! `ALLOC_GATE_RUNNER`.

use std::env;

use crate::explained::{ENCODE, LINES, explaining, project};

#[test]
#[ignore = "it links for another target"]
fn a_failure_for_another_target_names_the_lines_that_allocate() {
    let variable = |name| env::var(name).expect("a step of CI sets it");
    let target = variable("ALLOC_GATE_TEST_TARGET");
    let project = project("other_target", ENCODE);
    let mut command = explaining(&project, &format!("--target {target}"));
    command.env("ALLOC_GATE_RUNNER", variable("ALLOC_GATE_RUNNER"));
    let ran = project.finish(command).code(1);
    ran.stdout_has(&format!("\nenvironment: {target}, profile bench, "));
    ran.stdout_has(&format!("\n{LINES}\n"));
}
