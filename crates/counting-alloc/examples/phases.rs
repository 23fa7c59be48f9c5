//! Counts what each phase of a program allocates: here, counting the words of a text.
//!
//! ```console
//! $ cargo run --example phases
//! ```

#![expect(clippy::print_stdout, reason = "an example for a terminal")]

use std::collections::HashMap;

use counting_alloc::{CountingAlloc, MeasureError, Window};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> Result<(), MeasureError> {
    let text = "the quick brown fox jumps over the lazy dog ".repeat(1_000);
    let phased = Window::thread().measure_phases(|phases| {
        let words = phases.run("split", || text.split_whitespace().collect::<Vec<_>>());
        let counts = phases.run("count", || {
            let mut counts: HashMap<&str, u64> = HashMap::new();
            for word in words {
                *counts.entry(word).or_default() += 1;
            }
            counts
        });
        phases.run("sort", || {
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort();
            counts.len()
        })
    })?;
    // A line for each phase, for what is outside of them, and for the whole.
    println!("{phased}");
    Ok(())
}
