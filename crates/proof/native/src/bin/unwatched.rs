//! Exits with 3 if its native calls are not measured: it is linked in such a way
//! that the C library's own calls of `malloc` stay there.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    proof_native::whether_measured()
}
