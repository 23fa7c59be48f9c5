//! `cargo xtask pairs` and `cargo xtask counters`: the cost of counting, measured by
//! the programs of proof-peers.

use std::process::ExitCode;

use crate::ci::{CommandLine, Need, run_all};
use crate::console::say;
use crate::error::Error;

/// Counts instructions and compares those of this counter with their limits. It
/// fails when one is exceeded and when nothing could be measured.
pub(crate) fn pairs() -> Result<ExitCode, Error> {
    run("instructions")
}

/// Measures times as well, and writes the figures to design/performance.md.
pub(crate) fn counters() -> Result<ExitCode, Error> {
    run("write design")
}

fn run(task: &str) -> Result<ExitCode, Error> {
    // The limits are in instructions of x86-64 Linux.
    let mut missing = [Need::Linux, Need::Valgrind]
        .into_iter()
        .filter_map(|need| need.missing(""));
    if let Some(reason) = missing.next() {
        say(&format!("nothing was measured: {reason}"))?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(if run_all(commands(task), |_| Ok(()))? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// All programs are built before one starts the others. The variants of counting-alloc
/// are measured in three profiles, which the workspace's Cargo.toml defines.
fn commands(task: &str) -> [CommandLine; 4] {
    let build = |profile: &str, packages: &str| {
        CommandLine::cargo(&format!(
            "build --profile {profile} --locked --quiet {packages} --bins"
        ))
    };
    [
        build("measured", "--package proof-peers --package proof-pairs"),
        build("pairs-o2", "--package proof-pairs"),
        build("pairs-lto", "--package proof-pairs"),
        CommandLine::cargo(&format!(
            "run --profile measured --locked --quiet --package proof-peers --bin proof-peers -- {task}"
        )),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_are_built_before_the_one_that_measures_starts_them() {
        let lines = commands("instructions").map(|command| command.to_string());
        assert_eq!(
            lines,
            [
                "cargo build --profile measured --locked --quiet --package proof-peers \
                 --package proof-pairs --bins",
                "cargo build --profile pairs-o2 --locked --quiet --package proof-pairs --bins",
                "cargo build --profile pairs-lto --locked --quiet --package proof-pairs --bins",
                "cargo run --profile measured --locked --quiet --package proof-peers \
                 --bin proof-peers -- instructions",
            ]
        );
    }
}
