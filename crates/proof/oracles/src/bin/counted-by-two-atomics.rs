//! Counts with the wrapper that is quickly written by hand.

use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

use proof_oracles::hand_rolled::{ALLOCATIONS, BYTES, TwoAtomics};
use proof_oracles::{Figures, program};

#[global_allocator]
static ALLOC: TwoAtomics = TwoAtomics;

fn main() -> ExitCode {
    program::main(count, count)
}

fn count(work: &mut dyn FnMut()) -> Figures {
    let read = || [&ALLOCATIONS, &BYTES].map(|counter| i128::from(counter.load(Relaxed)));
    let before = read();
    work();
    let after = read();
    Figures::new([
        ("allocations", after[0] - before[0]),
        ("bytes", after[1] - before[1]),
    ])
}
