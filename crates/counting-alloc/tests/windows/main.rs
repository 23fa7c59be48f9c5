//! The kinds of windows, as a user's tests open them: under libtest, in parallel,
//! with no flags. The expected numbers follow from the requested sizes.

use std::hint::black_box;

use counting_alloc::{CountingAlloc, Tally};

mod excluded_regions;
mod first_operations;
mod futures;
mod modes;
mod phases;
mod tokens;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn bytes(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; black_box(size)])
}

/// `allocs` allocations of `alloc_bytes` in all, and as many deallocations.
fn made_and_dropped(allocs: u64, alloc_bytes: u64) -> Tally {
    Tally {
        allocs,
        alloc_bytes,
        deallocs: allocs,
        dealloc_bytes: alloc_bytes,
        ..Tally::ZERO
    }
}
