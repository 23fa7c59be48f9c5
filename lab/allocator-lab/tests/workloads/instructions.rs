//! The instructions of a workload's loop, counted by valgrind's callgrind: every subject
//! takes more than the floor, so the compiler has removed no subject's work. Only an
//! optimized build is tested, since no other removes work.

use allocator_lab::workload::prefetch;
use allocator_lab::workload::prefetch::{Prefetch, Work};
use allocator_lab::{Everything, Lab, subjects, valgrind};

use crate::bench::output;

/// The value of [`BENCH`] with which this program is the bench of all portable subjects.
pub(crate) const PORTABLE: &str = "portable";

/// The fewest instructions of an allocation or a deallocation: a call and a return.
const FEWEST: u64 = 2;

pub(crate) fn run() -> std::process::ExitCode {
    let mut lab = Lab::from_args(Everything);
    subjects::portable(&mut lab);
    lab.finish()
}

/// Whether instructions can be counted here, in an optimized build.
pub(crate) fn are_counted() -> bool {
    valgrind::counter().is_ok()
}

/// The instructions of a workload's function when this program runs one of its scenarios once.
fn instructions(function: &str, scenario: &str) -> u64 {
    valgrind::count(function, scenario).unwrap().iter().sum()
}

pub(crate) fn a_floor_is_below_every_subject_in_instructions() {
    let list = output(PORTABLE, &["--list", "--format=terse"]);
    let names = list.lines().filter_map(|line| {
        let name = line.strip_prefix("batch/subject=")?;
        let name = name.strip_suffix(",pattern=1x64000: benchmark")?;
        (!name.starts_with("floor")).then_some(name)
    });
    let names: Vec<_> = names.collect();
    assert!(names.len() >= 9, "{names:?}");
    for (workload, function, requests) in [
        ("pair", "pairs", "size=64,memory=untouched"),
        ("pair", "pairs", "size=65536,memory=filled"),
        ("phases", "phases", "load=1000x10240"),
        ("batch", "batches", "pattern=1000x64"),
    ] {
        let of = |subject: &str| {
            instructions(
                function,
                &format!("{workload}/subject={subject},{requests}"),
            )
        };
        let above = |subject: &str, floor: u64, calls: u64| {
            let more = of(subject).saturating_sub(floor);
            let fewest = FEWEST * calls * 1_000;
            assert!(more >= fewest, "{workload} {subject}: {more} above {floor}");
        };
        let (floor, floor_arena) = (of("floor"), of("floor-arena"));
        for subject in &names {
            // An arena takes nothing back block by block.
            let is_arena = *subject == "bumpalo";
            if is_arena {
                above(subject, floor_arena, 1);
            }
            // In `pair`, it is reset within the loop, and takes more than a pair of the floor, too.
            if !is_arena || workload == "pair" {
                above(subject, floor, 2);
            }
        }
    }
}

pub(crate) fn the_floor_of_prefetching_is_below_the_arena_in_instructions() {
    /// The fewest instructions of a block of an arena: check that there is room, compute
    /// its end, and move the cursor there.
    const FEWEST: u64 = 3;
    let work = Work::Take;
    let of = |hint| instructions("bump", &format!("prefetch/work={work},prefetch={hint}"));
    let floor = of(Prefetch::Floor);
    for hint in [Prefetch::Off, Prefetch::On, Prefetch::OffAgain] {
        if hint == Prefetch::On && !cfg!(target_arch = "x86_64") {
            continue;
        }
        let more = of(hint).saturating_sub(floor);
        assert!(
            more >= FEWEST * prefetch::BLOCKS as u64,
            "{hint}: {more} above {floor}"
        );
    }
}
