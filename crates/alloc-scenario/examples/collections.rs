//! A bench as an example: what three collections allocate for the same elements.
//!
//! ```console
//! $ cargo run --release --example collections -- --bench
//! ```
//!
//! As a target of `[[bench]]` with `harness = false`, `cargo bench` runs it, and `cargo
//! alloc-gate` checks it.

use std::collections::{LinkedList, VecDeque};

use alloc_scenario::{CountingAlloc, Suite};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Makes a collection of so many elements.
type Fill = fn(u64);

const FILLS: [(&str, Fill); 3] = [
    ("vec", |count| drop((0..count).collect::<Vec<_>>())),
    ("deque", |count| drop((0..count).collect::<VecDeque<_>>())),
    ("list", |count| drop((0..count).collect::<LinkedList<_>>())),
];

fn main() -> std::process::ExitCode {
    let mut suite = Suite::from_args();
    suite.scenario_with("fill", |b| {
        b.labeled_axis("collection", FILLS)
            .axis("count", [10, 1_000])
            .run(|(fill, count)| fill(*count))
    });
    suite.finish()
}
