//! Counts with the wrapper that projects write for themselves.

use std::process::ExitCode;

use proof_oracles::{Figures, program};
use proof_shared::two_atomics::TwoAtomics;

#[global_allocator]
static ALLOC: TwoAtomics = TwoAtomics::new();

fn main() -> ExitCode {
    program::main(count, count)
}

fn count(work: &mut dyn FnMut()) -> Figures {
    let read = || [ALLOC.allocs(), ALLOC.bytes()].map(i128::from);
    let before = read();
    work();
    let after = read();
    Figures::new([
        ("allocations", after[0] - before[0]),
        ("bytes", after[1] - before[1]),
    ])
}
