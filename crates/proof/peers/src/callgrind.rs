//! Runs a program under valgrind's callgrind, and reads how often each instruction ran.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proof_shared::{child, valgrind};

use crate::error::Error;

/// The number of runs of each instruction.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The instructions of the whole run.
    pub total: u64,
    /// The runs of each instruction, by its file (if callgrind knows it) and its
    /// address in that file.
    pub runs: BTreeMap<(Option<PathBuf>, u64), u64>,
}

/// The version of valgrind.
///
/// # Errors
///
/// When instructions can't be counted on this machine.
pub fn version() -> Result<String, Error> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(Error::Platform);
    }
    valgrind::version().map_err(Error::Valgrind)
}

/// Runs `program` with `arguments` until it ends.
///
/// # Errors
///
/// When valgrind can't be started, the program fails, or callgrind's output can't be
/// read.
pub fn run(program: &Path, arguments: &[&str]) -> Result<Profile, Error> {
    let folder = tempfile::tempdir().map_err(Error::writing(std::env::temp_dir()))?;
    let written = folder.path().join("callgrind.out");
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--dump-instr=yes"])
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--callgrind-out-file={}", written.display()))
        .arg(program)
        .args(arguments);
    child::stdout(&mut command).map_err(Error::Program)?;
    let text = fs::read_to_string(&written).map_err(Error::reading(&written))?;
    parse(&text)
}

/// Parses callgrind's format without compression: `ob=FILE`, lines `0xADDRESS LINE
/// RUNS`, and after each `calls=` one such line with the cost of the called function,
/// which other lines include already.
fn parse(text: &str) -> Result<Profile, Error> {
    let unreadable = |why| Error::Unreadable {
        what: String::from("the output of callgrind"),
        why,
    };
    let mut profile = Profile::default();
    let mut object = None;
    let mut after_call = false;
    let mut summary: Option<u64> = None;
    for line in text.lines() {
        if let Some(file) = line.strip_prefix("ob=") {
            object = (file != "???").then(|| PathBuf::from(file));
        } else if line.starts_with("calls=") {
            after_call = true;
        } else if let Some(total) = line.strip_prefix("summary: ") {
            summary = total.trim().parse().ok();
        } else if let Some(rest) = line.strip_prefix("0x") {
            if std::mem::take(&mut after_call) {
                continue;
            }
            let mut words = rest.split(' ');
            let address = words
                .next()
                .and_then(|word| u64::from_str_radix(word, 16).ok());
            let runs = words.nth(1).and_then(|word| word.parse::<u64>().ok());
            let (Some(address), Some(runs)) = (address, runs) else {
                return Err(unreadable("a line of costs is not `0xADDRESS LINE RUNS`"));
            };
            *profile.runs.entry((object.clone(), address)).or_default() += runs;
            profile.total += runs;
        }
    }
    match summary {
        None => Err(unreadable("it has no summary")),
        Some(summary) if summary != profile.total => {
            Err(unreadable("its lines don't add up to its summary"))
        }
        Some(_) => Ok(profile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str = "positions: instr line\nevents: Ir\nsummary: 17\n\n\
        ob=/bin/a\nfl=a.c\nfn=main\n0x10 1 2\n0x14 2 3\n\
        cob=/lib/b\ncfi=b.c\ncfn=b\ncalls=1 0x20 7\n0x14 2 9\n\
        0x18 3 1\n\nob=/lib/b\nfl=b.c\nfn=b\n0x20 7 9\n\nfn=c\n0x20 7 1\nob=???\n0x1 0 1\n";

    #[test]
    fn runs_of_an_instruction_are_summed_and_calls_are_not_added_twice() {
        let profile = parse(WRITTEN).unwrap();
        assert_eq!(profile.total, 17);
        let at = |file: &str, address| profile.runs[&(Some(PathBuf::from(file)), address)];
        assert_eq!(at("/bin/a", 0x10), 2);
        assert_eq!(at("/bin/a", 0x14), 3);
        assert_eq!(at("/bin/a", 0x18), 1);
        assert_eq!(at("/lib/b", 0x20), 10);
        assert_eq!(profile.runs[&(None, 1)], 1);
    }

    #[test]
    fn lines_that_do_not_add_up_to_the_summary_are_refused() {
        assert!(parse(&WRITTEN.replace("summary: 17", "summary: 18")).is_err());
        assert!(parse(&WRITTEN.replace("summary: 17", "")).is_err());
        assert!(parse(&WRITTEN.replace("0x14 2 3", "0x14 2 three")).is_err());
    }
}
