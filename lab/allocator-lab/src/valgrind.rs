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

use alloc_scenario::protocol;

use crate::subject::Unavailable;

/// The variable of a process under valgrind: `FUNCTION SCENARIO`.
const COUNTED: &str = "ALLOCATOR_LAB_COUNTED";

/// The scenario that this process was started for, if any: by the bench, or under valgrind.
pub(crate) fn started_for() -> Option<String> {
    let counted = env::var(COUNTED).ok();
    let scenario = counted.and_then(|run| Some(run.split_once(' ')?.1.to_owned()));
    let fresh = || env::var(protocol::FRESH).ok();
    scenario.or_else(fresh).filter(|name| !name.is_empty())
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
    let run = format!("{function} {scenario}");
    match env::var(COUNTED) {
        Ok(counted) if counted == run => calls(),
        Ok(_) => {}
        Err(_) => {
            let folder = env::temp_dir().join(format!("allocator-lab-calls.{}", process::id()));
            let counts = fs::create_dir_all(&folder).and_then(|()| count(&folder, &run));
            // The folder is a temporary one: a failure to remove it changes no result.
            let _ = fs::remove_dir_all(&folder);
            return counts.unwrap_or_else(|error| panic!("{run}: {error}"));
        }
    }
    Vec::new()
}

/// callgrind begins to count where the function begins, and writes a file where it ends.
fn count(folder: &Path, run: &str) -> io::Result<Vec<u64>> {
    let (function, scenario) = run.split_once(' ').unwrap_or_default();
    let options = [
        format!("--callgrind-out-file={}", folder.join("calls").display()),
        format!("--zero-before=*::{function}"),
        format!("--dump-after=*::{function}"),
    ];
    let mut program = Command::new(env::current_exe()?);
    program.args(["--exact", scenario]).env(COUNTED, run);
    let _ = callgrind(&options, program.env_remove(protocol::FRESH))?;
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

/// The instructions of a program with its arguments and variables, counted by callgrind with these
/// options, and what the program printed.
///
/// # Errors
///
/// When valgrind can't be started, or the program fails under it; the last with its own
/// error.
pub fn callgrind(options: &[String], program: &Command) -> io::Result<(u64, String)> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .arg("--tool=callgrind")
        .args(options)
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    let output = valgrind.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    match collected {
        Some(instructions) if output.status.success() => {
            let printed = String::from_utf8_lossy(&output.stdout);
            Ok((instructions, printed.into_owned()))
        }
        _ => {
            // valgrind's own lines begin with `==`.
            let own = said.lines().filter(|line| !line.starts_with("=="));
            let own: Vec<_> = own.collect();
            Err(io::Error::other(format!(
                "{program:?} fails under valgrind: {}",
                own.join(" ").trim()
            )))
        }
    }
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
