//! Starts this program again, as the runner of its platform starts programs.

use std::env;
use std::io;
use std::process::Command;

/// The variable with the program that runs programs of this platform; `protocol::RUNNER` of
/// alloc-results has the same value.
const RUNNER: &str = "ALLOC_GATE_RUNNER";

/// The command that starts this program again.
fn command() -> io::Result<Command> {
    let program = env::current_exe()?;
    let runner = env::var(RUNNER).unwrap_or_default();
    let mut words = runner.split_whitespace();
    Ok(match words.next() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    })
}

/// The command that runs one test of this program, alone.
pub(crate) fn test(name: &str) -> io::Result<Command> {
    let mut command = command()?;
    command.args(["--exact", name, "--include-ignored"]);
    // Then libtest waits for the test without a timeout.
    command.arg("--test-threads=1");
    Ok(command)
}
