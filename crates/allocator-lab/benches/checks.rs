//! The workloads whose counts can be judged, on every subject: what is refused,
//! misaligned, overlapping or corrupt, and what is wasted. Less than a minute.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::{Extent, Lab, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::from_args(Extent::Checks);
    subjects::all(&mut lab);
    lab.finish()
}
