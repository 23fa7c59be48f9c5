//! `completions`: prints a script that completes `cargo alloc-gate` in a shell.

use clap::Args;
use clap_complete::{Shell, generate};

use super::{Call, Runnable};
use crate::exit_code::Code;
use crate::failure::Failure;

const HELP: &str = "\
Examples:
  cargo alloc-gate completions bash \\
      > ~/.local/share/bash-completion/completions/cargo-alloc-gate
  cargo alloc-gate completions zsh > DIR/_cargo-alloc-gate   # a folder of $fpath
  cargo alloc-gate completions fish > ~/.config/fish/conf.d/cargo-alloc-gate.fish
  cargo alloc-gate completions elvish >> ~/.config/elvish/rc.elv
  cargo alloc-gate completions powershell >> $PROFILE

Bash and zsh also need cargo's own completions (Rust 1.87 or newer); bash needs
bash-completion 2.12 or newer. In elvish and PowerShell, the script replaces
other completions of cargo.";

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct CompletionsArguments {
    /// Shell to complete in
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Runnable for CompletionsArguments {
    fn run(&self, call: &Call<'_>) -> Result<Code, Failure> {
        let script = script(self.shell, (call.definition)());
        call.shell.list(&script)?;
        let what = format!("alloc-gate: printed completions for {}", self.shell);
        call.shell.verdict(&what);
        Ok(Code::Held)
    }
}

/// The script for a shell. The completions of cargo in bash and zsh ask for completions of its
/// subcommands; in other shells the script completes `cargo` itself.
fn script(shell: Shell, definition: clap::Command) -> String {
    const PROGRAM: &str = "cargo-alloc-gate";
    // With a hyphen in it, clap_complete 4.6's script for bash finds no subcommand.
    const IN_BASH: &str = "cargo_alloc_gate";
    let (mut command, name) = if shell == Shell::Bash {
        (definition.name(IN_BASH), IN_BASH)
    } else if shell == Shell::Zsh {
        (definition.name(PROGRAM), PROGRAM)
    } else {
        let cargo = clap::Command::new("cargo")
            .disable_help_flag(true)
            .disable_help_subcommand(true);
        (cargo.subcommand(definition.name("alloc-gate")), "cargo")
    };
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    let script = String::from_utf8_lossy(&script);
    // The name that is completed, at the end of a line.
    script.replace(&format!(" {IN_BASH}\n"), &format!(" {PROGRAM}\n"))
}
