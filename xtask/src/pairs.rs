//! `cargo xtask pairs`: the cost of counting, measured by the programs of proof-peers.

use std::process::ExitCode;

use crate::ci::{CommandLine, Need, run_all};
use crate::console::say;
use crate::error::Error;

/// Counts instructions and compares the counts of this counter with their limits. It
/// fails when one is exceeded and when nothing could be measured.
pub(crate) fn run() -> Result<ExitCode, Error> {
    // The limits are in instructions of x86-64 Linux.
    let mut missing = [Need::Linux, Need::Valgrind]
        .into_iter()
        .filter_map(|need| need.missing(""));
    if let Some(reason) = missing.next() {
        say(&format!("nothing was measured: {reason}"))?;
        return Ok(ExitCode::FAILURE);
    }
    // All programs are built before one starts the others. The variants of counting-alloc
    // are measured in three profiles, which the workspace's Cargo.toml defines.
    let commands = [
        "build --profile measured --locked --quiet --package proof-peers --package proof-pairs --bins \
         --features proof-peers/divan",
        "build --profile pairs-o2 --locked --quiet --package proof-pairs --bins",
        "build --profile pairs-lto --locked --quiet --package proof-pairs --bins",
        "run --profile measured --locked --quiet --package proof-peers --bin proof-peers",
    ];
    Ok(if run_all(commands.map(CommandLine::cargo))? {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
