//! Tests that are functions, for a test with its own `main`.

use libtest_mimic::Trial;

/// The functions as tests. Each is named after its function, without the modules.
macro_rules! trials {
    ($($test:path,)*) => {
        [$($crate::functions::trial(stringify!($test), $test),)*]
    };
}

pub(crate) use trials;

pub(crate) fn trial(path: &str, test: fn()) -> Trial {
    let name = path.rsplit("::").next().unwrap_or(path);
    Trial::test(name, move || {
        test();
        Ok(())
    })
}
