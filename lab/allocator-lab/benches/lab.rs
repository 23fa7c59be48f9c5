//! Every workload on every subject, often enough for times: it takes minutes. The bench
//! `checks` has the counts alone.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::{Lab, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::of_times();
    subjects::all(&mut lab);
    lab.finish()
}
