//! The `main` of tests that are functions, for a test that needs the whole process.

use std::process::ExitCode;

use libtest_mimic::Trial;

#[path = "one_by_one.rs"]
mod one_by_one;

/// Runs the functions one after the other. Each test is named after its function,
/// without the modules.
macro_rules! run {
    ($($(#[$attribute:meta])* $test:path,)*) => {
        $crate::functions::run_all(&[$($(#[$attribute])* (stringify!($test), $test),)*])
    };
}

pub(crate) use run;

pub(crate) fn run_all(tests: &[(&'static str, fn())]) -> ExitCode {
    let trials = tests.iter().map(|&(path, test)| {
        let name = path.rsplit("::").next().unwrap_or(path);
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    one_by_one::run(trials.collect())
}
