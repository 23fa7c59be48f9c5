//! Checks that the counters count when the timed program calls them. There is only one
//! test, because dhat's profiler and `pause` affect the whole process.

#[path = "../src/candidates.rs"]
mod candidates;

use counting_alloc::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

#[test]
fn every_counter_counts_each_allocation_and_none_while_it_is_off() {
    proof_peers::times::check(candidates::CANDIDATES)
        .unwrap_or_else(|error| panic!("failed to {error}"));
}
