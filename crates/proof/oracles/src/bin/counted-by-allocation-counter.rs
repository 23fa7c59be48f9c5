//! Counts with allocation-counter, which installs its own global allocator.

use std::process::ExitCode;

use proof_oracles::{Figures, program};

fn main() -> ExitCode {
    program::main(count, count)
}

fn count(work: &mut dyn FnMut()) -> Figures {
    let counted = allocation_counter::measure(work);
    Figures::new([
        ("count_total", i128::from(counted.count_total)),
        ("count_current", i128::from(counted.count_current)),
        ("count_max", i128::from(counted.count_max)),
        ("bytes_total", i128::from(counted.bytes_total)),
        ("bytes_current", i128::from(counted.bytes_current)),
        ("bytes_max", i128::from(counted.bytes_max)),
    ])
}
