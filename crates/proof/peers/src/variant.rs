//! [`Variant`]: the operations and modes in which counting-alloc has limits, in each build.

use proof_pairs::pairs::Pair;

use crate::build::{self, Build};
use crate::counter::{COUNTING, Counter, DIVAN, MEASURE_FULL, MEASURE_KEEPING, OFF, THREAD_PEAK};

/// A counter in a mode with a pair of operations.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The counter in its mode.
    pub counter: Counter,
    /// The most instructions that a pair may take above the plain wrapper, in each of
    /// [`build::ALL`]. `None` for other counters, which are measured in [`build::PEERS`].
    pub limits: Option<[u64; build::ALL.len()]>,
}

/// Those of the programs with raw operations, in the order of the table.
pub const VARIANTS: [Variant; 11] = [
    variant(COUNTING, Pair::Alloc, [18, 25, 18, 23, 21]),
    variant(COUNTING, Pair::AllocZeroed, [18, 25, 18, 22, 20]),
    variant(COUNTING, Pair::Realloc, [40, 45, 40, 40, 40]),
    variant(THREAD_PEAK, Pair::Alloc, [26, 35, 26, 33, 31]),
    variant(THREAD_PEAK, Pair::AllocZeroed, [26, 35, 26, 32, 30]),
    variant(THREAD_PEAK, Pair::Realloc, [60, 69, 60, 63, 60]),
    variant(OFF, Pair::Alloc, [12, 20, 12, 17, 16]),
    variant(OFF, Pair::AllocZeroed, [12, 20, 12, 16, 15]),
    variant(OFF, Pair::Realloc, [20, 26, 20, 20, 20]),
    variant(MEASURE_KEEPING, Pair::Alloc, [60, 70, 60, 68, 61]),
    variant(MEASURE_FULL, Pair::Alloc, [30, 35, 30, 33, 31]),
];

/// Those of the programs with all kinds of operations.
pub const MIXED: [Variant; 24] = [
    mixed(COUNTING, Pair::Alloc, [18, 25, 18, 23, 21]),
    mixed(COUNTING, Pair::Box, [18; 5]),
    mixed(COUNTING, Pair::Vec, [18; 5]),
    mixed(COUNTING, Pair::ZeroedVec, [18; 5]),
    mixed(COUNTING, Pair::ResizedVec, [40, 40, 40, 79, 40]),
    mixed(COUNTING, Pair::PushedVec, [40; 5]),
    mixed(THREAD_PEAK, Pair::Alloc, [26, 35, 26, 33, 31]),
    mixed(THREAD_PEAK, Pair::Box, [26; 5]),
    mixed(THREAD_PEAK, Pair::Vec, [26, 28, 26, 28, 26]),
    mixed(THREAD_PEAK, Pair::ZeroedVec, [26, 28, 26, 28, 26]),
    mixed(THREAD_PEAK, Pair::ResizedVec, [60, 60, 60, 103, 60]),
    mixed(THREAD_PEAK, Pair::PushedVec, [60; 5]),
    mixed(OFF, Pair::Alloc, [12, 20, 12, 17, 16]),
    mixed(OFF, Pair::Box, [12; 5]),
    mixed(OFF, Pair::Vec, [12, 15, 12, 15, 13]),
    mixed(OFF, Pair::ZeroedVec, [12, 15, 12, 15, 13]),
    mixed(OFF, Pair::ResizedVec, [20, 20, 20, 60, 20]),
    mixed(OFF, Pair::PushedVec, [20; 5]),
    peer(DIVAN, Pair::Alloc),
    peer(DIVAN, Pair::Box),
    peer(DIVAN, Pair::Vec),
    peer(DIVAN, Pair::ZeroedVec),
    peer(DIVAN, Pair::ResizedVec),
    peer(DIVAN, Pair::PushedVec),
];

impl Variant {
    /// The counter with its limit, in each build in which it is measured.
    pub fn in_builds(self) -> impl Iterator<Item = (Counter, Build)> {
        let limits = self.limits.map(|limits| limits.map(Some));
        let builds = match limits {
            Some(_) => &build::ALL[..],
            None => &build::PEERS,
        };
        let limits = limits.unwrap_or_default();
        builds.iter().zip(limits).map(move |(&build, limit)| {
            let counter = Counter {
                limit,
                ..self.counter
            };
            (counter, build)
        })
    }
}

const fn variant(counter: Counter, pair: Pair, limits: [u64; build::ALL.len()]) -> Variant {
    Variant {
        counter: counter.with(pair),
        limits: Some(limits),
    }
}

const fn mixed(counter: Counter, pair: Pair, limits: [u64; build::ALL.len()]) -> Variant {
    variant(counter.in_mixed_program(), pair, limits)
}

const fn peer(counter: Counter, pair: Pair) -> Variant {
    Variant {
        counter: counter.in_mixed_program().with(pair),
        limits: None,
    }
}
