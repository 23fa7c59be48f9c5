//! Pairs of allocations with counting-alloc.

use counting_alloc::CountingAlloc;

counter_peers::contender!(
    CountingAlloc = CountingAlloc::system(),
    PLAIN,
    THREAD_PEAK,
    OFF
);
