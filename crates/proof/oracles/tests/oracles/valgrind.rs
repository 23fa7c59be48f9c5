//! Runs a program under valgrind's DHAT and reads DHAT's output file.
//!
//! The counts are the difference of two runs. Only one of them executes the
//! operation after the warm-up, so they include neither the start of the program nor
//! the warm-up. The ballast is live in both, so the program reaches its peak in the
//! execution. The call stacks show whether a block came through Rust's global
//! allocator; the others were allocated by C code, or by the parts of std that call
//! the system directly.

use std::fs;
use std::process::Command;

use libtest_mimic::Failed;
use proof_oracles::Values;
use proof_oracles::conversion::PEAK;
use proof_oracles::operation::Operation;
use proof_oracles::recorder::SYMBOL;
use proof_shared::child;
use serde_json::Value;

/// DHAT's values for one execution of an operation.
#[derive(Debug)]
pub(crate) struct Reported {
    /// The values of the blocks that came through Rust's global allocator.
    pub(crate) by_rust: Values,
    /// The number of other blocks.
    pub(crate) c_blocks: i128,
}

/// The sums that are read, each with its key in DHAT's output file.
const SUMS: [(&str, &str); 5] = [
    (TOTAL_BLOCKS, "tbk"),
    ("total_bytes", "tb"),
    ("end_blocks", "ebk"),
    ("end_bytes", "eb"),
    (PEAK, "gb"),
];

const TOTAL_BLOCKS: &str = "total_blocks";

/// Counts one execution of `operation`.
pub(crate) fn count(operation: &Operation) -> Result<Reported, Failed> {
    let (run, idle) = (profile(operation, "once")?, profile(operation, "idle")?);
    let difference = |[run, idle]: [[i128; SUMS.len()]; 2]| {
        let both = run.into_iter().zip(idle);
        Values::new(
            SUMS.iter()
                .zip(both)
                .map(|((name, _), (run, idle))| (*name, run - idle)),
        )
    };
    let c = difference([run.c, idle.c]);
    Ok(Reported {
        by_rust: difference([run.rust, idle.rust]),
        c_blocks: c.get(TOTAL_BLOCKS).ok_or("no total of blocks")?,
    })
}

/// [`SUMS`] over the blocks of one run.
#[derive(Clone, Copy, Debug, Default)]
struct Profile {
    rust: [i128; SUMS.len()],
    c: [i128; SUMS.len()],
}

fn profile(operation: &Operation, execution: &str) -> Result<Profile, Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("dhat.out");
    let mut command = Command::new("valgrind");
    command
        // With fewer frames the recorder may be missing from a call stack.
        .args(["--tool=dhat", "--num-callers=12", "--read-inline-info=no"])
        .arg(format!("--dhat-out-file={}", path.display()))
        .arg(env!("CARGO_BIN_EXE_counted-by-valgrind"))
        .args(["operation", operation.name, execution]);
    child::stdout(&mut command)?;
    let written: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    sums(&written).ok_or_else(|| "DHAT's output file has an unknown format".into())
}

/// Sums over the program points of DHAT's output file, version 2.
fn sums(written: &Value) -> Option<Profile> {
    if written.get("dhatFileVersion")?.as_u64()? != 2 {
        return None;
    }
    let frames = written.get("ftbl")?.as_array()?;
    let mut profile = Profile::default();
    for point in written.get("pps")?.as_array()? {
        let number = |name| point.get(name)?.as_u64().map(i128::from);
        let stack: Option<Vec<&str>> = point
            .get("fs")?
            .as_array()?
            .iter()
            .map(|frame| frames.get(usize::try_from(frame.as_u64()?).ok()?)?.as_str())
            .collect();
        let sums = if stack?.iter().any(|frame| frame.contains(SYMBOL)) {
            &mut profile.rust
        } else {
            &mut profile.c
        };
        for (sum, (_, key)) in sums.iter_mut().zip(SUMS) {
            *sum += number(key)?;
        }
    }
    Some(profile)
}
