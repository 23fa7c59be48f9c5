//! The instructions of a pair with each allocator, counted by valgrind: a second each.

use std::process::ExitCode;

use alloc_scenario::CountingAlloc;
use allocator_lab::instructions::Instructions;
use allocator_lab::subjects;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    let mut bench = Instructions::new();
    subjects::all(&mut bench);
    bench.finish()
}
