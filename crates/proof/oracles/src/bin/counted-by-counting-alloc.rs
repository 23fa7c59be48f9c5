//! Counts with counting-alloc, below a recorder of the calls that reach it.

use std::alloc::System;
use std::process::ExitCode;

use counting_alloc::CountingAlloc;
use proof_oracles::recorder::Recorder;
use proof_oracles::{program, windows};

#[global_allocator]
static ALLOC: Recorder<CountingAlloc> = Recorder(CountingAlloc::new(System));

fn main() -> ExitCode {
    program::main(windows::process, windows::thread)
}
