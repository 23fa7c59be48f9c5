//! The kinds of windows in tests of users: under libtest, in parallel, without flags.
//! The expected numbers follow from the requested sizes.

use std::hint::black_box;

use counting_alloc::{CountingAlloc, Tally};
use own_process::inner::{Around, INNER, Inner, around};

mod excluded_regions;
mod first_operations;
mod futures;
mod measure;
mod modes;
mod phases;

#[global_allocator]
static ALLOC: Around<CountingAlloc<Inner>> = around(CountingAlloc::new(INNER));

fn bytes(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; black_box(size)])
}

/// A tally of `allocs` allocations with `bytes` in total, and as many
/// deallocations.
fn made_and_dropped(allocs: u64, bytes: u64) -> Tally {
    Tally::ZERO
        .with_blocks(allocs, bytes)
        .with_deallocs(allocs, bytes)
}
