//! The workloads whose counts are judged, on the subjects that every machine has: what
//! is refused, misaligned, overlapping or corrupt, and what is wasted. Seconds.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::{Lab, Profile, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::from_args(Profile::Checks);
    subjects::portable(&mut lab);
    lab.finish()
}
