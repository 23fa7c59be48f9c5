//! What counting costs, beside other counters: builds the programs of
//! proof-peers and starts the one that measures. How it does that, and the
//! limits, are not known here.

use std::process::{Command, ExitCode, Stdio};

use cargo_metadata::MetadataCommand;

use crate::ci::CommandLine;
use crate::console::say;
use crate::error::Error;

/// Counts instructions and holds ours to their limits. It fails when one is
/// exceeded and when nothing could be measured.
pub(crate) fn pairs() -> Result<ExitCode, Error> {
    run(commands("instructions"))
}

/// Takes times as well, and writes the figures to design/performance.md.
pub(crate) fn counters() -> Result<ExitCode, Error> {
    run(commands("write design"))
}

/// The commands of [`pairs`], to be run in the workspace's root.
pub(crate) fn pairs_commands() -> Vec<CommandLine> {
    commands("instructions").to_vec()
}

/// Why instructions can't be counted on this machine, if they can't.
pub(crate) fn missing() -> Option<&'static str> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Some("the limits are in instructions of x86-64 Linux");
    }
    let valgrind = Command::new("valgrind")
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    match valgrind {
        Ok(output) if output.status.success() => None,
        Ok(_) | Err(_) => Some("valgrind is not installed; `apt-get install valgrind` adds it"),
    }
}

/// All programs are built before one starts the others.
fn commands(task: &str) -> [CommandLine; 2] {
    let package = "--release --locked --quiet --package proof-peers";
    [
        CommandLine::cargo(&format!("build {package} --bins")),
        CommandLine::cargo(&format!("run {package} --bin proof-peers -- {task}")),
    ]
}

fn run(commands: [CommandLine; 2]) -> Result<ExitCode, Error> {
    if let Some(reason) = missing() {
        say(&format!("nothing was measured: {reason}"))?;
        return Ok(ExitCode::FAILURE);
    }
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .map_err(Error::Metadata)?;
    for command in commands {
        if !command
            .run(metadata.workspace_root.as_std_path())?
            .success()
        {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_are_built_before_the_one_that_measures_starts_them() {
        let lines: Vec<String> = pairs_commands().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "cargo build --release --locked --quiet --package proof-peers --bins",
                "cargo run --release --locked --quiet --package proof-peers \
                 --bin proof-peers -- instructions",
            ]
        );
    }
}
