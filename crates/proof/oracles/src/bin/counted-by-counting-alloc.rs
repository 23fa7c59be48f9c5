//! Counts with counting-alloc, below a recorder of the calls that reach it.

use std::alloc::System;
use std::process::ExitCode;

use counting_alloc::{CountingAlloc, MeasureError, Measured, Scope, Window, try_measure};
use proof_oracles::recorder::{self, Recorder};
use proof_oracles::{Values, program};

#[global_allocator]
static ALLOC: Recorder<CountingAlloc> = Recorder(CountingAlloc::new(System));

fn main() -> ExitCode {
    program::main(count)
}

/// The tally of the process, the calls that the recorder saw above the counter, and the peak of the
/// thread when the same work runs again.
fn count(work: &mut dyn FnMut()) -> Values {
    let mut before = recorder::read();
    let of_process = try_measure(Scope::Process, || {
        before = recorder::read();
        work();
    });
    let recorded = recorder::read().since(&before);
    let of_thread = Window::thread().with_peak().measure(work);
    let (of_process, of_thread) = (installed(of_process), installed(of_thread));
    let peak = of_thread.peak_bytes.map(|peak| ("peak", i128::from(peak)));
    Values::from_tally(&of_process.tally)
        .prefixed("tally.")
        .and(Values::new(peak))
        .and(recorded.prefixed("recorded."))
}

fn installed(measured: Result<Measured<()>, MeasureError>) -> Measured<()> {
    match measured {
        Ok(measured) => measured,
        Err(error) => panic!("{error}"),
    }
}
