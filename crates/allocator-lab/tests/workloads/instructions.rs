//! What the loops of a workload cost in instructions, by valgrind's callgrind: the floor
//! is below every subject, so the compiler has removed no subject's work. It is looked
//! at in an optimized build alone, since no other removes anything.

use std::env;
use std::process::{Command, Stdio};

use allocator_lab::workload::prefetch;
use allocator_lab::workload::prefetch::{Prefetch, Work};
use allocator_lab::{Lab, Profile, subjects};

use crate::bench::BENCH;

/// The value of [`BENCH`] with which this program is the bench of all portable subjects.
pub(crate) const PORTABLE: &str = "portable";

/// The fewest instructions that handing a block out can be, or taking it back: a call
/// and a return.
const FEWEST: u64 = 2;

pub(crate) fn run() -> std::process::ExitCode {
    let mut lab = Lab::from_args(Profile::Everything);
    subjects::portable(&mut lab);
    lab.finish()
}

/// Whether instructions can be counted here, and mean something.
pub(crate) fn are_counted() -> bool {
    let valgrind = || {
        Command::new("valgrind")
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    cfg!(not(debug_assertions)) && valgrind()
}

/// The instructions of this program when it runs one scenario once.
fn instructions(scenario: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().unwrap())
        .args(["--exact", scenario])
        .env(BENCH, PORTABLE)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{scenario}: {said}");
    assert!(shown.contains("1 passed"), "{scenario}: {shown}");
    said.lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .unwrap_or_else(|| panic!("{scenario}: {said}"))
}

pub(crate) fn a_floor_is_below_every_subject_in_instructions() {
    for (workload, requests) in [
        ("pair", "size=64,memory=untouched"),
        ("phases", "load=1000x10240"),
        ("batch", "pattern=1000x64"),
    ] {
        let of = |subject: &str| instructions(&format!("{workload}/subject={subject},{requests}"));
        let above = |subject: &str, floor: u64, calls: u64| {
            let more = of(subject).saturating_sub(floor);
            let fewest = FEWEST * calls * 1_000;
            assert!(more >= fewest, "{workload} {subject}: {more} above {floor}");
        };
        let floor = of("floor");
        for subject in [
            "system",
            "talc",
            "talc-claim",
            "dlmalloc",
            "rlsf",
            "buddy",
            "linked-list",
            "system-again",
        ] {
            above(subject, floor, 2);
        }
        // An arena takes nothing back block by block.
        above("bumpalo", of("floor-arena"), 1);
        if workload == "pair" {
            // It is reset within the loop, and costs more than a pair of nothing, too.
            above("bumpalo", floor, 2);
        }
    }
}

pub(crate) fn the_floor_of_prefetching_is_below_the_arena_in_instructions() {
    /// The fewest that a block off an arena can be: whether there is one, where it ends,
    /// and that this is where the next one begins.
    const FEWEST: u64 = 3;
    let work = Work::Take;
    let of = |hint| instructions(&format!("prefetch/work={work},prefetch={hint}"));
    let floor = of(Prefetch::Floor);
    for hint in [Prefetch::Off, Prefetch::On, Prefetch::OffAgain] {
        if hint.unavailable(work).is_some() {
            continue;
        }
        let more = of(hint).saturating_sub(floor);
        assert!(
            more >= FEWEST * prefetch::BLOCKS as u64,
            "{hint}: {more} above {floor}"
        );
    }
}
