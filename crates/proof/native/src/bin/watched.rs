//! Exits with 0 if its native calls are measured.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    proof_native::exit_code()
}
