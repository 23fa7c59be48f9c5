//! Counts with dhat-rs, as its heap tests do: with a profiler that lives as long as
//! the program, and two readings of `HeapStats`.

use std::process::ExitCode;

use dhat::{HeapStats, Profiler};
use proof_oracles::conversion::PEAK;
use proof_oracles::{Values, program};

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

fn main() -> ExitCode {
    let _profiler = Profiler::builder().testing().build();
    program::main(operation)
}

fn operation(work: &mut dyn FnMut()) -> Values {
    let (before, after) = readings(work);
    // `max_bytes` is the program's. The ballast ensures that it is reached in this run.
    let peak = after.max_bytes as i128 - before.curr_bytes as i128;
    differences(&before, &after).and(Values::new([(PEAK, peak)]))
}

fn readings(work: &mut dyn FnMut()) -> (HeapStats, HeapStats) {
    let before = HeapStats::get();
    work();
    (before, HeapStats::get())
}

fn differences(before: &HeapStats, after: &HeapStats) -> Values {
    let total = |after: u64, before: u64| i128::from(after) - i128::from(before);
    let current = |after: usize, before: usize| after as i128 - before as i128;
    Values::new([
        (
            "total_blocks",
            total(after.total_blocks, before.total_blocks),
        ),
        ("total_bytes", total(after.total_bytes, before.total_bytes)),
        (
            "curr_blocks",
            current(after.curr_blocks, before.curr_blocks),
        ),
        ("curr_bytes", current(after.curr_bytes, before.curr_bytes)),
    ])
}
