//! Runs a test in a process that loads an empty library in place of a driver.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Set in the process whose library has no functions.
const CHILD: &str = "DEVICE_LAB_EMPTY_LIBRARY";

/// Runs `check` in a process of its own that runs this test again, where another shared
/// library takes the name of the driver's.
pub(crate) fn run_with(test: &str, name: &str, check: fn()) {
    if env::var_os(CHILD).is_some() {
        check();
        return;
    }
    let maps = fs::read_to_string("/proc/self/maps").expect("the libraries of this process");
    let libraries = maps
        .lines()
        .filter_map(|line| line.split_whitespace().nth(5));
    let library = libraries
        .into_iter()
        .find(|path| path.contains("libgcc_s.so"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("empty-{name}"));
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(library.expect("libgcc_s"), folder.join(name)).expect("a copy");
    let output = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", test])
        .env(CHILD, "1")
        .env("LD_LIBRARY_PATH", &folder)
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}
