//! The command line of `cargo xtask`.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::ci::CiArguments;
use crate::size::SizeArguments;

/// One chore, with what it needs to know.
#[derive(Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Chore {
    /// Gate the allocation counts: the same program as `cargo alloc-gate`
    ///
    /// Passes on everything after `alloc-gate` unchanged, `--help` included.
    #[command(disable_help_flag = true)]
    AllocGate {
        /// The arguments of `cargo alloc-gate`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Run the steps of continuous integration, all of them even if one fails
    ///
    /// The last line counts the steps: `ci: 8 passed, 0 failed, 1 skipped`. The exit
    /// code is 0 when none failed, 1 when one did, and 2 for an unknown step.
    Ci(CiArguments),
    /// Check the rules of design/architecture.md: dependencies, layers, files
    ///
    /// Every finding has a code, a place and what to do next. The exit code is 0
    /// without findings and 1 with one.
    Tidy,
    /// Count the instructions that counting adds to an allocation, with valgrind
    ///
    /// The exit code is 1 when a limit is exceeded, and when nothing could be
    /// measured.
    Pairs,
    /// Measure the allocators of allocator-lab, and write their page
    ///
    /// The same program as `lab-page run`, which gets everything after `lab`; `--help` shows
    /// its options. Run it on a quiet machine. The exit code is 1 when something could not be
    /// measured, and when an allocator had a fault.
    #[command(disable_help_flag = true)]
    Lab {
        /// The arguments of `lab-page run`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Count the files and lines of each crate and of the pages, and what changed since a ref
    ///
    /// Counts the files that git tracks; run it from the root. With --check, the exit code is 1
    /// when a part has more lines than xtask/size.toml allows.
    Size(SizeArguments),
}

impl Chore {
    /// Reads a command line whose first argument is the program's name; like
    /// every clap program, it ends the process for `--help` and for wrong
    /// usage.
    pub(crate) fn from_args(command_line: impl IntoIterator<Item = OsString>) -> Self {
        let words: Vec<OsString> = command_line.into_iter().collect();
        // Clap would keep a `--` for itself.
        if let [_, chore, args @ ..] = words.as_slice()
            && chore == "alloc-gate"
        {
            return Self::AllocGate {
                args: args.to_vec(),
            };
        }
        CommandLine::parse_from(words).chore
    }
}

/// The chores of the alloc-gate workspace
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct CommandLine {
    #[command(subcommand)]
    chore: Chore,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    use super::*;

    fn chore(words: &[&str]) -> Chore {
        Chore::from_args(
            ["xtask"]
                .iter()
                .chain(words)
                .map(|&word| OsString::from(word)),
        )
    }

    #[test]
    fn the_definition_is_valid() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn alloc_gate_and_lab_get_every_argument_untouched() {
        let args = ["--", "check", "--help", "-V", "--", "-p", "x"];
        let typed = args.iter().map(OsString::from).collect();
        assert_eq!(
            chore(&[&["alloc-gate"], &args[..]].concat()),
            Chore::AllocGate { args: typed }
        );
        assert_eq!(
            chore(&["lab", "pair/", "--help", "-F"]),
            Chore::Lab {
                args: ["pair/", "--help", "-F"].map(str::to_owned).to_vec()
            }
        );
    }

    #[test]
    fn an_unknown_step_is_wrong_usage_and_lists_the_steps() {
        let error = CommandLine::try_parse_from(["xtask", "ci", "fmt", "shine"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidValue);
        assert_eq!(error.exit_code(), 2);
        let text = error.to_string();
        assert!(text.contains("'shine'"), "{text}");
        assert!(text.contains("fmt, tidy, size, clippy"), "{text}");
    }
}
