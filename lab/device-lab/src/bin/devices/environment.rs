//! The machine that the figures are of, as far as it tells.

use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::{fs, thread};

/// Rows of the environment: their names and values.
pub(crate) fn machine() -> Vec<(&'static str, String)> {
    let cores = thread::available_parallelism().map_or(0, NonZero::get);
    let between = |path, before, after| between(Path::new(path), before, after);
    let processor = between("/proc/cpuinfo", "model name\t: ", "\n");
    // When the kernel provides huge pages without being asked: the word in brackets.
    let huge_pages = between("/sys/kernel/mm/transparent_hugepage/enabled", "[", "]");
    vec![
        ("processor", format!("{processor}, {cores} cores")),
        ("kernel", between("/proc/sys/kernel/osrelease", "", "\n")),
        ("libc", output("getconf", &["GNU_LIBC_VERSION"])),
        ("huge pages", huge_pages),
        ("compiler", output("rustc", &["--version"])),
        ("load before", between("/proc/loadavg", "", " ")),
        ("date", output("date", &["-u", "+%F"])),
    ]
}

/// The root of the lab's workspace.
pub(crate) fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.unwrap_or(Path::new("."))
}

/// The text after `before` and up to `after` in a file.
fn between(path: &Path, before: &str, after: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let found = text.split_once(before);
    let found = found.and_then(|(_, rest)| rest.split(after).next());
    found.map_or_else(unknown, |found| found.trim().to_owned())
}

/// The version of a crate that the workspace is locked to.
pub(crate) fn locked_version(name: &str) -> String {
    let package = format!("name = \"{name}\"\nversion = \"");
    between(&root().join("Cargo.lock"), &package, "\"")
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        Ok(_) | Err(_) => unknown(),
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}
