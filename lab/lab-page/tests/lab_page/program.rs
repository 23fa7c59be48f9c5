//! The program: what it says, and how it exits.

use std::process::Command;

#[test]
fn options_that_mean_nothing_together_are_refused() {
    for arguments in [
        "--quick --rounds 2",
        "--verify --quick",
        "--verify pair/",
        "--quick --devices",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_lab-page"))
            .arg("run")
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("cannot be used with"), "{arguments}");
    }
}
