//! Exits with 3 if its native calls are not measured. It is linked so that the C
//! library's calls of `malloc` don't reach the counter.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    proof_native::exit_code()
}
