//! Measures the five lines with divan. A program can't read divan's tallies: divan
//! prints them, rounded to four digits, and the test parses that.

use divan::{AllocProfiler, Bencher};
use proof_oracles::lines::LINES;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// One sample of one iteration, so the averages are counts.
#[divan::bench(args = 1..=5, sample_count = 1, sample_size = 1)]
fn line(bencher: Bencher, number: usize) {
    let line = &LINES[number - 1];
    bencher
        .with_inputs(line.prepare)
        .bench_local_refs(|v| (line.run)(v));
}
