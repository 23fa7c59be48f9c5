//! The instructions of the worst call with each allocator, counted by valgrind: seconds each.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::workload::worst_call::WorstCall;
use allocator_lab::{Everything, Lab, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::with_workloads(Everything, WorstCall);
    subjects::all(&mut lab);
    lab.finish()
}
