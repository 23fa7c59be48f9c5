//! Starts this program again, as the runner of its platform starts programs: without one
//! directly, and otherwise by `ALLOC_GATE_RUNNER`, as benches do.

use std::env;
use std::process::Command;

pub(crate) fn command() -> Command {
    let program = env::current_exe().expect("this program has a path");
    let runner = env::var("ALLOC_GATE_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    match words.next() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    }
}
