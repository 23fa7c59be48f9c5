//! Who is compared: the names, what each was made to count, and the limits of
//! ours. It measures nothing.

use crate::mode::{self, Mode};

/// A counter in a mode.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// How tables and the plot call it.
    pub name: &'static str,
    /// What it was made to count.
    pub counts: &'static str,
    /// The program that has it as the global allocator.
    pub program: &'static str,
    /// The mode in which that program runs.
    pub mode: Mode,
    /// Two runs differ in this many pairs.
    pub pairs: u64,
    /// The most instructions that a pair may take above [`PLAIN`]; ours have one.
    pub limit: Option<u64>,
}

/// What any wrapper costs at least; the others are compared with it.
pub const PLAIN: Contender = Contender {
    name: "plain wrapper",
    counts: "nothing, it forwards",
    program: "pairs-plain",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// counting-alloc outside of any window.
pub const COUNTING: Contender = Contender {
    name: "counting-alloc",
    counts: "calls and bytes of all operations and failures, per thread",
    program: "pairs-counting-alloc",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: Some(COUNTING_LIMIT),
};

/// counting-alloc in a window with peak.
pub const THREAD_PEAK: Contender = Contender {
    name: "counting-alloc, thread peak",
    counts: "the same, and the thread's peak",
    program: "pairs-counting-alloc",
    mode: mode::THREAD_PEAK,
    pairs: PAIRS,
    limit: Some(THREAD_PEAK_LIMIT),
};

/// counting-alloc, switched off.
pub const OFF: Contender = Contender {
    name: "counting-alloc, off",
    counts: "nothing while `pause()` is in force",
    program: "pairs-counting-alloc",
    mode: mode::OFF,
    pairs: PAIRS,
    limit: Some(OFF_LIMIT),
};

/// divan's profiler.
pub const DIVAN: Contender = Contender {
    name: "divan",
    counts: "calls and bytes, live and peak blocks and bytes, per thread",
    program: "pairs-divan",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// alloc_tracker.
pub const ALLOC_TRACKER: Contender = Contender {
    name: "alloc_tracker",
    counts: "allocations and bytes per thread, no deallocations",
    program: "pairs-alloc-tracker",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// The wrapper that projects write for themselves.
pub const TWO_ATOMICS: Contender = Contender {
    name: "two shared atomics",
    counts: "allocations and bytes of the process, no deallocations",
    program: "pairs-two-atomics",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// stats_alloc.
pub const STATS_ALLOC: Contender = Contender {
    name: "stats_alloc",
    counts: "calls and bytes of all operations of the process",
    program: "pairs-stats-alloc",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// dhat without a profiler.
pub const DHAT_IDLE: Contender = Contender {
    name: "dhat, idle",
    counts: "nothing, no profiler runs",
    program: "pairs-dhat",
    mode: mode::PLAIN,
    pairs: PAIRS,
    limit: None,
};

/// dhat with its profiler, which is a hundred times slower.
pub const DHAT_PROFILING: Contender = Contender {
    name: "dhat, profiling",
    counts: "blocks, bytes, peak and lifetimes per call stack, of the process",
    program: "pairs-dhat",
    mode: mode::DHAT_PROFILING,
    pairs: 2_000,
    limit: None,
};

/// All but [`PLAIN`], in the order of the tables.
pub const CONTENDERS: [Contender; 9] = [
    COUNTING,
    THREAD_PEAK,
    OFF,
    DIVAN,
    ALLOC_TRACKER,
    TWO_ATOMICS,
    STATS_ALLOC,
    DHAT_IDLE,
    DHAT_PROFILING,
];

// The limits, in instructions per pair above `PLAIN`.
const COUNTING_LIMIT: u64 = 18;
const THREAD_PEAK_LIMIT: u64 = 26;
const OFF_LIMIT: u64 = 12;

/// The pairs that a counter of ordinary speed makes.
const PAIRS: u64 = 100_000;
