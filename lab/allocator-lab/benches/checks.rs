//! The checks of the allocators that every machine has, in seconds: requests that fail,
//! allocations of the lab itself, and wasted memory. `gates.toml` has the gates.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::{Lab, subjects};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut lab = Lab::of_counts();
    subjects::portable(&mut lab);
    lab.finish()
}
