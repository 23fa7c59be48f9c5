//! Starts this program again, as the runner of its platform starts programs.

use std::env;
use std::io;
use std::process::Command;

use alloc_results::protocol;

/// The command that starts this program again.
pub(crate) fn command() -> io::Result<Command> {
    let program = env::current_exe()?;
    let runner = env::var(protocol::RUNNER).unwrap_or_default();
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
