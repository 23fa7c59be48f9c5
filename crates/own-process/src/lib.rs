//! What tests share that need a process of their own, since another thread would allocate.

#![forbid(unsafe_code)]

pub mod inner;
pub mod polling;

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Trial};

/// Functions as tests. Each is named after its function, without the modules.
#[macro_export]
macro_rules! trials {
    ($($(#[$attribute:meta])* $test:path),* $(,)?) => {
        vec![$($(#[$attribute])* $crate::trial(stringify!($test), $test)),*]
    };
}

/// A function as a test, see [`trials`].
pub fn trial(path: &str, test: fn()) -> Trial {
    let name = path.rsplit("::").next().unwrap_or(path);
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

/// The `main` of a test that needs the whole process: runs the trials one after the other on the
/// calling thread.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The number in an environment variable, if it is set.
///
/// # Panics
///
/// If its value is no number.
pub fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => panic!("{variable} has to be a number, not `{text}`: {error}"),
    }
}

/// Starts this program again, see [`started`].
///
/// # Panics
///
/// If this program has no path.
pub fn command() -> Command {
    started(&env::current_exe().expect("this program has a path"))
}

/// The output of a program. On a busy machine wine can't start one now and then, and says
/// ERROR_INTERNAL_ERROR before anything of it has run: it is started again.
///
/// # Panics
///
/// If it can't be started.
pub fn output(command: &mut Command) -> Output {
    for _ in 0..3 {
        match command.output() {
            Err(error) if error.raw_os_error() == Some(1_359) => {}
            output => return output.expect("this program can be started"),
        }
    }
    command.output().expect("this program can be started")
}

/// Starts a program as the runner of its platform does: without one directly, and otherwise by
/// `ALLOC_GATE_RUNNER`, as benches do.
pub fn started(program: &Path) -> Command {
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
