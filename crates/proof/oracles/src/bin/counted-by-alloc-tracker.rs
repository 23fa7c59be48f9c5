//! Counts with alloc_tracker, in both of its scopes.

use std::alloc::System;
use std::process::ExitCode;

use alloc_tracker::{Allocator, Session};
use proof_oracles::{Figures, program};

#[global_allocator]
static ALLOC: Allocator<System> = Allocator::system();

fn main() -> ExitCode {
    program::main(count, count)
}

fn count(work: &mut dyn FnMut()) -> Figures {
    let session = Session::new();
    let (process, thread) = (session.operation("process"), session.operation("thread"));
    {
        let _process = process.measure_process();
        let _thread = thread.measure_thread();
        work();
    }
    let report = session.to_report();
    let mut figures = Figures::default();
    for (scope, counted) in report.operations() {
        figures = figures.and(
            Figures::new([
                ("allocations_count", counted.total_allocations_count()),
                ("bytes_allocated", counted.total_bytes_allocated()),
            ])
            .prefixed(&format!("{scope}.")),
        );
    }
    figures
}
