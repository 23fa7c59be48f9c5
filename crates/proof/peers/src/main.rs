//! `proof-peers instructions` counts instructions and checks the limits of
//! counting-alloc; `proof-peers write FOLDER` measures times as well, and writes the
//! page in that folder. `cargo xtask pairs` and `cargo xtask counters`
//! build the programs that it needs and start it.

mod candidates;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use proof_peers::error::Error;
use proof_peers::instructions::{self, InstructionTable};
use proof_peers::pair_cost::Meter;
use proof_peers::{callgrind, machine, page, times};
use proof_shared::console;

/// The timed windows with peak measure nothing without it.
#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["instructions"] => count_instructions(),
        ["write", folder] => write(Path::new(folder)),
        _ => return ExitCode::from(2),
    };
    match done {
        Ok(exceeded) => ExitCode::from(u8::from(exceeded)),
        Err(error) => {
            console::note(&format!("error: failed to {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Prints the table of instructions. Returns whether a limit is exceeded.
fn count_instructions() -> Result<bool, Error> {
    let table = instructions::measure(&mut Meter::new(&target()?)?)?;
    say(&page::instructions(&table))?;
    say_exceeded(&table)
}

/// Measures everything, and then writes the page. Returns whether a limit is exceeded.
fn write(folder: &Path) -> Result<bool, Error> {
    callgrind::version()?;
    let path = folder.join("performance.md");
    let old = fs::read_to_string(&path).map_err(Error::reading(&path))?;
    // Fails on a page without markers before a minute of measuring.
    page::with_part(&old, "")?;
    let machine = machine::description()?;
    say("instructions")?;
    let instructions = instructions::measure(&mut Meter::new(&target()?)?)?;
    let times = times::measure(candidates::CANDIDATES, say)?;
    let part = page::part(&machine, &instructions, &times);
    fs::write(&path, page::with_part(&old, &part)?).map_err(Error::writing(&path))?;
    say(&part)?;
    say_exceeded(&instructions)
}

fn say_exceeded(table: &InstructionTable) -> Result<bool, Error> {
    let exceeded = table.exceeded();
    for sentence in &exceeded {
        say(sentence)?;
    }
    Ok(!exceeded.is_empty())
}

/// Cargo's target folder: this program is in the folder of its profile there.
fn target() -> Result<PathBuf, Error> {
    let mut path = env::current_exe().map_err(Error::reading("the path of this program"))?;
    path.pop();
    path.pop();
    Ok(path)
}

/// Prints a line to stdout.
fn say(line: &str) -> Result<(), Error> {
    console::print(&format!("{line}\n")).map_err(Error::writing("stdout"))
}

#[cfg(test)]
mod tests {
    use std::alloc::{GlobalAlloc, Layout};
    use std::hint::black_box;
    use std::process::Command;

    use divan::AllocProfiler;

    use super::*;

    /// The one test of this process, which dhat's profiler and `pause` affect as a whole.
    #[test]
    fn every_counter_counts_each_allocation_and_none_while_it_is_off() {
        times::check(candidates::CANDIDATES).unwrap_or_else(|error| panic!("failed to {error}"));
    }
    /// Set in a process that runs the bench of divan.
    const BENCH: &str = "PROOF_PEERS_DIVAN";

    /// divan shows its counts only in the table of a bench, so this process is started as one.
    #[test]
    fn divan_tallies_direct_calls_of_its_allocator() {
        if env::var_os(BENCH).is_some() {
            return divan::Divan::default().run_benches();
        }
        let name = "tests::divan_tallies_direct_calls_of_its_allocator";
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(BENCH, "1")
            .output()
            .unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{table}");
        // 750 allocations of 64 bytes, 48,000 bytes in all, and as many deallocations.
        let counted = |heading: &str| {
            let first_cells = table.lines().map(|line| line.split('│').next());
            let mut first_cells = first_cells.map(|cell| cell.unwrap_or_default().trim());
            first_cells.find(|cell| *cell == heading);
            [(); 2].map(|()| first_cells.next().unwrap_or_default().to_owned())
        };
        for heading in ["alloc:", "dealloc:"] {
            assert_eq!(counted(heading), ["750", "48 KB"], "{heading}\n{table}");
        }
    }

    /// Calls divan's allocator directly, like the timed program.
    #[divan::bench(sample_count = 1, sample_size = 1)]
    #[expect(unsafe_code, reason = "it calls the allocator as a value")]
    fn pairs() {
        static ALLOCATOR: AllocProfiler = AllocProfiler::system();
        let layout = Layout::new::<[u64; 8]>();
        for _ in 0..750 {
            // SAFETY: the size is not zero.
            let block = black_box(unsafe { ALLOCATOR.alloc(layout) });
            assert!(!block.is_null());
            // SAFETY: `block` is live, of this allocator and of this layout.
            unsafe { ALLOCATOR.dealloc(block, layout) };
        }
    }
}
