//! [`Counter`]: the counters that are compared, with their names and limits.

use proof_pairs::mode::{self, Mode};
use proof_pairs::pairs::Pair;

/// A counter in a mode.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The name in the tables.
    pub name: &'static str,
    /// What it counts.
    pub counts: &'static str,
    /// The end of the name of the programs that have it as the global allocator.
    pub program: &'static str,
    /// The kinds of operations in the program.
    pub kinds: Kinds,
    /// The mode in which that program runs.
    pub mode: Mode,
    /// What it counts there.
    pub pair: Pair,
    /// The number of pairs in the shorter one of the two measured runs.
    pub few: u64,
    /// The number of pairs by which the two differ.
    pub pairs: u64,
    /// The most instructions that a pair may take above [`PLAIN`]. Only counting-alloc
    /// has limits.
    pub limit: Option<u64>,
}

/// The kinds of operations in a program. Counters that are compared run the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Calls of the allocator without a collection.
    Raw,
    /// All kinds, at many call sites.
    All,
}

/// The least that any wrapper costs; the others are compared with it.
pub const PLAIN: Counter = Counter::new("plain wrapper", "nothing, it forwards", "plain");

/// counting-alloc outside of any window.
pub const COUNTING: Counter = Counter {
    limit: Some(18),
    ..Counter::new(
        "counting-alloc",
        "calls and bytes of all operations and failures, per thread",
        "counting-alloc",
    )
};

/// counting-alloc in a window with peak.
pub const THREAD_PEAK: Counter = Counter {
    mode: mode::THREAD_PEAK,
    limit: Some(26),
    ..Counter::new(
        "counting-alloc, thread peak",
        "the same, and the thread's peak",
        "counting-alloc",
    )
};

/// counting-alloc, switched off.
pub const OFF: Counter = Counter {
    mode: mode::OFF,
    limit: Some(12),
    ..Counter::new(
        "counting-alloc, off",
        "nothing while `pause()` is in force",
        "counting-alloc",
    )
};

/// divan's profiler.
pub const DIVAN: Counter = Counter::new(
    "divan",
    "calls and bytes, live and peak blocks and bytes, per thread",
    "divan",
);

/// The wrapper that projects write for themselves.
pub const TWO_ATOMICS: Counter = Counter::new(
    "two shared atomics",
    "allocations and bytes of the process, no deallocations",
    "two-atomics",
);

/// counting-alloc in windows of `measure` that keep all operations.
pub const MEASURE_KEEPING: Counter = Counter {
    name: "`measure`, while it keeps operations",
    mode: mode::MEASURE_OFTEN,
    few: 2,
    pairs: 12,
    ..COUNTING
};

/// counting-alloc in a window of `measure` whose buffer is full.
pub const MEASURE_FULL: Counter = Counter {
    name: "`measure`, after its buffer is full",
    mode: mode::MEASURE,
    ..COUNTING
};

/// All but [`PLAIN`], in the order of the tables.
pub const COUNTERS: [Counter; 5] = [COUNTING, THREAD_PEAK, OFF, DIVAN, TWO_ATOMICS];

impl Counter {
    /// The same with another pair of operations.
    #[must_use]
    pub const fn with(self, pair: Pair) -> Self {
        Self { pair, ..self }
    }

    /// The same in the program with all kinds of operations.
    #[must_use]
    pub const fn in_mixed_program(self) -> Self {
        let kinds = Kinds::All;
        Self { kinds, ..self }
    }

    /// The file name of the program.
    #[must_use]
    pub fn file_name(&self) -> String {
        match self.kinds {
            Kinds::Raw => format!("pairs-{}", self.program),
            Kinds::All => format!("mixed-{}", self.program),
        }
    }

    /// A counter of ordinary speed as it is installed, without a limit.
    const fn new(name: &'static str, counts: &'static str, program: &'static str) -> Self {
        Self {
            name,
            counts,
            program,
            kinds: Kinds::Raw,
            mode: mode::PLAIN,
            pair: Pair::Alloc,
            // Enough for one-time work, such as the first allocation of a size.
            few: 500,
            pairs: 20_000,
            limit: None,
        }
    }
}
