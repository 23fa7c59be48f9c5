//! That the counters count when they are called as the timed program calls them.
//! There is one test here, because dhat profiles a process and `pause` pauses it.

#[path = "../src/racers.rs"]
mod racers;

use counting_alloc::CountingAlloc;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

#[test]
fn every_counter_counts_each_allocation_and_none_while_it_is_off() {
    proof_peers::times::check(racers::FIELD).unwrap_or_else(|error| panic!("failed to {error}"));
}
