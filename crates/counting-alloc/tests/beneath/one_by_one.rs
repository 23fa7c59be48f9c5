//! The `main` of a test that has the process to itself: its trials run one
//! after the other on the thread that calls this, because another thread would
//! allocate beside them.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

pub(crate) fn run(trials: Vec<Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials).exit_code()
}
