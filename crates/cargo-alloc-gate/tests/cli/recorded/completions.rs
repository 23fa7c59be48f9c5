//! `completions`: scripts for shells.

use std::process::Command;

use crate::program::{PROGRAM, command};

#[track_caller]
fn script(shell: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut program = command(PROGRAM, folder.path());
    let output = program.args(["completions", shell]).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{shell}");
    String::from_utf8(output.stdout).expect("the script is UTF-8")
}

#[test]
fn each_shell_has_a_script_that_knows_the_commands() {
    for (shell, registration) in [
        ("zsh", "#compdef cargo-alloc-gate\n"),
        ("fish", "__fish_cargo_using_subcommand alloc-gate"),
        ("elvish", "set edit:completion:arg-completer[cargo] = "),
        ("powershell", "Completer -Native -CommandName 'cargo' "),
    ] {
        let text = script(shell);
        assert!(text.contains(registration), "{shell}");
        assert!(text.contains("suggest"), "{shell}");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let script = script("bash");
    let completed = |words: &str| {
        // As the completions of cargo call a subcommand's.
        let call = format!(
            "COMP_WORDS=(cargo-alloc-gate {words})\n\
             COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))\n\
             _cargo_alloc_gate cargo-alloc-gate \"${{COMP_WORDS[$COMP_CWORD]}}\" \
             \"${{COMP_WORDS[$COMP_CWORD-1]}}\"\n\
             echo \"${{COMPREPLY[@]}}\"\n"
        );
        let mut bash = Command::new("bash");
        let output = bash
            .args(["--norc", "-c", &format!("{script}\n{call}")])
            .output();
        let output = output.expect("bash starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("the words are UTF-8")
    };
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    assert_eq!(completed("comp"), "compare completions\n");
    assert_eq!(completed("accept --ch"), "--check\n");
    assert_eq!(completed("check --format j"), "json\n");
}
