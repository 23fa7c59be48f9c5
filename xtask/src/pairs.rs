//! What counting costs: instructions for one allocation and its deallocation,
//! counted by valgrind's callgrind, against limits. Unlike times, they are the
//! same on a loaded machine. How the counter works is not known here.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use cargo_metadata::MetadataCommand;

use crate::console::say;
use crate::error::Error;

/// A mode of the example program, and how many instructions a pair may cost in
/// it beyond one that is forwarded and not counted.
struct Mode {
    name: &'static str,
    limit: u64,
}

/// What forwards and does nothing else.
const PLAIN: &str = "plain";

const MODES: [Mode; 2] = [
    Mode {
        name: "counting",
        limit: 26,
    },
    Mode {
        name: "paused",
        limit: 12,
    },
];

/// Two runs that differ in this many pairs differ in what these cost.
const PAIRS: u64 = 100_000;

/// What came of measuring.
pub(crate) enum Cost {
    /// The table, and the modes that cost more than they may.
    Measured {
        table: String,
        exceeded: Vec<String>,
    },
    /// It can't be measured on this machine, for this reason.
    Unknown(String),
    /// It could be measured, and went wrong.
    Broken(String),
}

/// Measures, prints the table, and fails when a limit is exceeded or when
/// nothing could be measured.
pub(crate) fn run() -> Result<ExitCode, Error> {
    match measure()? {
        Cost::Measured { table, exceeded } => {
            say(&table)?;
            for mode in &exceeded {
                say(mode)?;
            }
            Ok(ExitCode::from(u8::from(!exceeded.is_empty())))
        }
        Cost::Unknown(reason) | Cost::Broken(reason) => {
            say(&format!("nothing was measured: {reason}"))?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Builds the example of counting-alloc and counts its instructions.
pub(crate) fn measure() -> Result<Cost, Error> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Cost::Unknown(String::from(
            "the limits are in instructions of x86-64 Linux",
        )));
    }
    if output("valgrind", &["--version"]).is_none() {
        return Ok(Cost::Unknown(String::from(
            "valgrind is not installed; `apt-get install valgrind` adds it",
        )));
    }
    let metadata = MetadataCommand::new()
        .no_deps()
        .exec()
        .map_err(Error::Metadata)?;
    let build = "build --release --locked --quiet --package counting-alloc --example pairs";
    let built = Command::new("cargo")
        .args(build.split(' '))
        .current_dir(&metadata.workspace_root)
        .status()
        .map_err(|source| Error::Start {
            command: format!("cargo {build}"),
            source,
        })?;
    if !built.success() {
        return Ok(Cost::Broken(format!("`cargo {build}` failed: {built}")));
    }
    let program = metadata.target_directory.join("release/examples/pairs");
    let program = program.as_std_path();
    let Some(plain) = per_pair(program, PLAIN) else {
        return Ok(broken(PLAIN));
    };
    let mut table = format!(
        "instructions for one allocation and deallocation of 64 bytes\n{PLAIN:<9} {:>5}",
        shown(plain)
    );
    let mut exceeded = Vec::new();
    for Mode { name, limit } in MODES {
        let Some(cost) = per_pair(program, name) else {
            return Ok(broken(name));
        };
        let more = cost.saturating_sub(plain);
        // Writing to a string can't fail.
        let _ = write!(
            table,
            "\n{name:<9} {:>5}  +{}, of at most +{limit}",
            shown(cost),
            shown(more)
        );
        if shown(more) > limit {
            exceeded.push(format!(
                "{name} costs {} instructions more than {PLAIN}, and may cost {limit}",
                shown(more)
            ));
        }
    }
    Ok(Cost::Measured { table, exceeded })
}

fn broken(mode: &str) -> Cost {
    Cost::Broken(format!(
        "callgrind did not say how many instructions `pairs {mode}` took"
    ))
}

/// Instructions of `PAIRS` pairs, without what surrounds them.
fn per_pair(program: &Path, mode: &str) -> Option<u64> {
    let few = instructions(program, mode, 1_000)?;
    let many = instructions(program, mode, 1_000 + PAIRS)?;
    many.checked_sub(few)
}

/// The whole instructions of a pair. What is left of the division is the system's
/// own: an allocator that now and then does something more.
fn shown(instructions: u64) -> u64 {
    (instructions + PAIRS / 2) / PAIRS
}

fn instructions(program: &Path, mode: &str, pairs: u64) -> Option<u64> {
    let said = output(
        "valgrind",
        &[
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            program.to_str()?,
            mode,
            &pairs.to_string(),
        ],
    )?;
    collected(&said)
}

/// The number in callgrind's line `==1== Collected : 123`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("Collected : "))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// What a program prints, on both streams, if it can be started and succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_found_in_what_callgrind_says() {
        let said = "==7== Callgrind\n==7== Events    : Ir\n==7== Collected : 449512\n==7==\n";
        assert_eq!(collected(said), Some(449_512));
        assert_eq!(collected("==7== Collected : none\n"), None);
        assert_eq!(collected(""), None);
    }

    #[test]
    fn a_pair_is_rounded_to_whole_instructions() {
        assert_eq!(shown(26 * PAIRS + 14), 26);
        assert_eq!(shown(26 * PAIRS + PAIRS / 2), 27);
    }
}
