//! Instructions of calls, counted by valgrind's callgrind.
//!
//! The process of a scenario starts its program once more under valgrind. There, the scenario makes
//! the calls that are counted.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{self, Command, Stdio};

use alloc_scenario::fresh_process_for;

use crate::subject::Unavailable;

/// The variable of a process under valgrind: `FUNCTION SCENARIO`.
pub const COUNTED: &str = "ALLOCATOR_LAB_COUNTED";

/// The scenario that this process was started for, if any: by the bench, or under valgrind.
pub(crate) fn started_for() -> Option<String> {
    let counted = env::var(COUNTED).ok();
    let scenario = counted.and_then(|run| Some(run.split_once(' ')?.1.to_owned()));
    scenario.or_else(fresh_process_for)
}

/// Why the instructions of a subject can't be counted here.
pub(crate) fn missing(subject: &str) -> Option<String> {
    match subject {
        "snmalloc" => Some("it reserves more addresses than a process has under valgrind".into()),
        _ => counter().err().map(|Unavailable(reason)| reason),
    }
}

/// Whether instructions can be counted here.
///
/// # Errors
///
/// Without valgrind, and in a build without optimizations, whose instructions say nothing.
pub fn counter() -> Result<(), Unavailable> {
    let valgrind = || {
        Command::new("valgrind")
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    match () {
        () if cfg!(debug_assertions) => Err(Unavailable(
            "this build has no optimizations: use `cargo bench`".into(),
        )),
        () if env::var_os(COUNTED).is_none() && !valgrind() => Err(Unavailable(
            "valgrind, which counts instructions, is not installed".into(),
        )),
        () => Ok(()),
    }
}

/// The instructions of each call of a function in the order of the calls. The program makes
/// `calls` in a process under valgrind; there, it returns none.
pub(crate) fn of_each_call(scenario: &str, function: &str, calls: impl FnOnce()) -> Vec<u64> {
    match env::var(COUNTED) {
        Ok(run) if run == format!("{function} {scenario}") => calls(),
        Ok(_) => {}
        Err(_) => {
            let counts = count(function, scenario);
            return counts.unwrap_or_else(|error| panic!("{function} {scenario}: {error}"));
        }
    }
    Vec::new()
}

/// The instructions of each call of a function, in a process of this program that runs a scenario
/// once.
///
/// # Errors
///
/// When valgrind can't be started, the program fails under it, or the function is not called.
pub fn count(function: &str, scenario: &str) -> io::Result<Vec<u64>> {
    let folder = env::temp_dir().join(format!("allocator-lab-calls.{}", process::id()));
    let counts = fs::create_dir_all(&folder).and_then(|()| count_in(&folder, function, scenario));
    // The folder is a temporary one: a failure to remove it changes no result.
    let _ = fs::remove_dir_all(&folder);
    counts
}

/// callgrind begins to count where the function begins, and writes a file where it ends.
fn count_in(folder: &Path, function: &str, scenario: &str) -> io::Result<Vec<u64>> {
    let file = folder.join("calls");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(format!("--zero-before=*::{function}"))
        .arg(format!("--dump-after=*::{function}"))
        .arg(env::current_exe()?)
        .args(["--exact", scenario])
        .env(COUNTED, format!("{function} {scenario}"))
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        // valgrind's own lines begin with `==`.
        let own = said.lines().filter(|line| !line.starts_with("=="));
        let own: Vec<_> = own.collect();
        let reason = format!("the program fails under valgrind: {}", own.join(" ").trim());
        return Err(io::Error::other(reason));
    }
    let mut counts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let number = path.extension().and_then(|number| number.to_str());
        // The file of the end of the process has no number.
        if let Some(number) = number.and_then(|number| number.parse::<u64>().ok()) {
            counts.insert(number, instructions(&fs::read_to_string(path)?));
        }
    }
    let counts: Vec<_> = counts.into_values().flatten().collect();
    match counts.is_empty() {
        true => Err(io::Error::other("callgrind counted no call")),
        false => Ok(counts),
    }
}

/// The sum of a file of callgrind.
fn instructions(text: &str) -> Option<u64> {
    let sum = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))?;
    sum.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_a_file_is_read() {
        let text = "version: 1\nevents: Ir\n\nfn=counted_take\n0 12\n\ntotals: 47\n";
        assert_eq!(instructions(text), Some(47));
        assert_eq!(instructions("events: Ir\n"), None);
    }
}
