//! [`Variant`]: the operations and modes in which counting-alloc has limits, in each build.

use proof_pairs::pairs::Pair;

use crate::build;
use crate::counter::{COUNTING, Counter, MEASURE_FULL, MEASURE_KEEPING, OFF, THREAD_PEAK};

/// counting-alloc in a mode with a pair of operations.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The counter in its mode.
    pub counter: Counter,
    /// The most instructions that a pair may take above the plain wrapper, in each of
    /// [`build::ALL`].
    pub limits: [u64; build::ALL.len()],
}

/// All of them, in the order of the table.
pub const VARIANTS: [Variant; 11] = [
    variant(COUNTING, Pair::Alloc, [18; 5]),
    variant(COUNTING, Pair::AllocZeroed, [18; 5]),
    variant(COUNTING, Pair::Realloc, [40, 56, 40, 50, 46]),
    variant(THREAD_PEAK, Pair::Alloc, [26; 5]),
    variant(THREAD_PEAK, Pair::AllocZeroed, [26; 5]),
    variant(THREAD_PEAK, Pair::Realloc, [60, 82, 60, 76, 72]),
    variant(OFF, Pair::Alloc, [12; 5]),
    variant(OFF, Pair::AllocZeroed, [12; 5]),
    variant(OFF, Pair::Realloc, [20; 5]),
    variant(MEASURE_KEEPING, Pair::Alloc, [60, 61, 60, 61, 60]),
    variant(MEASURE_FULL, Pair::Alloc, [30; 5]),
];

const fn variant(counter: Counter, pair: Pair, limits: [u64; build::ALL.len()]) -> Variant {
    let counter = counter.with(pair);
    Variant { counter, limits }
}
