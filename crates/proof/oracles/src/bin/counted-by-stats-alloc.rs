//! Counts with stats_alloc.

use std::alloc::System;
use std::process::ExitCode;

use proof_oracles::{Figures, program};
use stats_alloc::StatsAlloc;

#[global_allocator]
static ALLOC: StatsAlloc<System> = StatsAlloc::system();

fn main() -> ExitCode {
    program::main(count, count)
}

fn count(work: &mut dyn FnMut()) -> Figures {
    let before = ALLOC.stats();
    work();
    let did = ALLOC.stats() - before;
    Figures::new([
        ("allocations", did.allocations as i128),
        ("deallocations", did.deallocations as i128),
        ("reallocations", did.reallocations as i128),
        ("bytes_allocated", did.bytes_allocated as i128),
        ("bytes_deallocated", did.bytes_deallocated as i128),
        ("bytes_reallocated", did.bytes_reallocated as i128),
    ])
}
