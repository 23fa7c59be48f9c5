//! The kinds of windows in tests of users: under libtest, in parallel, without flags.
//! The expected numbers follow from the requested sizes.

use std::hint::black_box;

use counting_alloc::{CountingAlloc, Tally, Window};
use own_process::inner::{Around, INNER, Inner, around};

mod excluded_regions;
// Without std, first operations are not kept, since their order is that of a thread.
#[cfg(feature = "std")]
mod first_operations;
// Without std, a future is measured by a window of the process: `tests/process`.
#[cfg(feature = "std")]
mod futures;
mod libtest;
mod measure;
mod modes;
mod phases;

use libtest::{Apart, apart};

#[global_allocator]
static ALLOC: Around<Apart<CountingAlloc<Inner>>> = around(apart(CountingAlloc::new(INNER)));

/// A window of the calling thread; without std, which can't tell threads apart, of the
/// process.
const fn finest() -> Window {
    if cfg!(feature = "std") {
        Window::thread()
    } else {
        Window::process()
    }
}

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
