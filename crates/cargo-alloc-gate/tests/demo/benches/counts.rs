//! A bench with the scenarios of the library, so that few lines are built for each target.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    scenarios::main_of(env!("CARGO_CRATE_NAME"))
}
