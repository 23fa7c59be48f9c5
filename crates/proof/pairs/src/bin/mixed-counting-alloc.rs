//! All kinds of operations with counting-alloc.

use counting_alloc::CountingAlloc;
use proof_pairs::mode;

proof_pairs::mixed_program!(
    CountingAlloc = CountingAlloc::system(),
    mode::PLAIN,
    mode::THREAD_PEAK,
    mode::OFF
);
