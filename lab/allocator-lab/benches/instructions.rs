//! The instructions of a pair with each allocator, counted by valgrind: a second each.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::instructions::Instructions;
use allocator_lab::{Everything, Lab, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::with_workloads(Everything, Instructions);
    subjects::all(&mut lab);
    lab.finish()
}
