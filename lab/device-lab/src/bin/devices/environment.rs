//! The machine that the figures are of, as far as it tells.

use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::{fs, thread};

/// Rows of the environment: their names and values.
pub(crate) fn machine() -> Vec<(&'static str, String)> {
    let cores = thread::available_parallelism().map_or(0, NonZero::get);
    vec![
        ("processor", format!("{}, {cores} cores", processor())),
        ("kernel", first_word("/proc/sys/kernel/osrelease")),
        ("libc", output("getconf", &["GNU_LIBC_VERSION"])),
        ("huge pages", huge_pages()),
        ("compiler", output("rustc", &["--version"])),
        ("load before", first_word("/proc/loadavg")),
        ("date", output("date", &["-u", "+%F"])),
    ]
}

/// The root of the lab's workspace.
pub(crate) fn root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.unwrap_or(Path::new("."))
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    name.unwrap_or_else(unknown)
}

fn first_word(path: &str) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let word = text.split_whitespace().next();
    word.map_or_else(unknown, str::to_owned)
}

/// The version of a crate that the workspace is locked to.
pub(crate) fn locked_version(name: &str) -> String {
    let text = fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    let package = format!("name = \"{name}\"\nversion = \"");
    let version = text.split_once(&package);
    let version = version.and_then(|(_, rest)| rest.split('"').next());
    version.map_or_else(unknown, str::to_owned)
}

/// When the kernel provides huge pages without being asked: the word in brackets.
fn huge_pages() -> String {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    let text = fs::read_to_string(path).unwrap_or_default();
    let word = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    word.map_or_else(unknown, |(word, _)| word.to_owned())
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
