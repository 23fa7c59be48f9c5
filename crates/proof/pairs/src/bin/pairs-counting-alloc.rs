//! Pairs of allocations with counting-alloc.

use counting_alloc::CountingAlloc;
use proof_pairs::mode;

proof_pairs::pairs_program!(
    CountingAlloc = CountingAlloc::system(),
    mode::PLAIN,
    mode::THREAD_PEAK,
    mode::MEASURE,
    mode::MEASURE_OFTEN,
    mode::OFF
);
