//! A bench with divan that calls divan's allocator directly, like the timed program.
//! divan shows its counts only in the table of a bench.
#![expect(
    unsafe_code,
    reason = "the test calls the allocator directly, as a value"
)]

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;

use divan::AllocProfiler;

static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::Divan::default().run_benches();
}

#[divan::bench(sample_count = 1, sample_size = 1)]
fn pairs() {
    let layout = Layout::new::<[u64; 8]>();
    for _ in 0..750 {
        // SAFETY: the size is not zero.
        let block = black_box(unsafe { ALLOCATOR.alloc(layout) });
        assert!(!block.is_null());
        // SAFETY: `block` is live, of this allocator and of this layout.
        unsafe { ALLOCATOR.dealloc(block, layout) };
    }
}
