//! The `main` of a test that needs the whole process. Its trials run one after the
//! other on the calling thread, because another thread would allocate.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

pub(crate) fn run(trials: Vec<Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials).exit_code()
}
