//! Pairs of allocations with counting-alloc.

use counting_alloc::CountingAlloc;

proof_peers::pairs_program!(
    CountingAlloc = CountingAlloc::system(),
    PLAIN,
    THREAD_PEAK,
    FIRST_OPERATIONS,
    OFF
);
