//! The first record of a stream: where and how it was measured, and the proof that the
//! counter was live.

use std::fmt;

use crate::json::record;
use crate::record::{AxisValue, Location};
use counting_alloc::Tally;

record! {
    /// The first record of a stream: where and how it was measured.
    pub struct EnvironmentRecord {
        /// The bench that measured.
        pub bench: BenchId,
        /// The compiler, as `rustc --version` prints it.
        pub rustc: String,
        /// The target triple that the bench was built for.
        pub target: String,
        /// The cargo profile.
        pub profile: String,
        /// The features that were requested, sorted: names, or `--all-features` and
        /// `--no-default-features`.
        pub features: Vec<String>,
        /// The type name of the allocator below the counter.
        pub allocator: String,
        /// Whether debug assertions were compiled in.
        pub debug_assertions: bool,
        /// The harness and its version, such as `alloc-scenario 0.1.0`.
        pub harness: String,
        /// The counts of known operations, taken before anything was measured.
        pub proof: CounterProof,
        /// The names of the scenarios that follow, in order.
        pub planned: Vec<String>,
        /// How many threads the process could run at once when it began; `null` where
        /// the system does not report it.
        pub cores: Option<u64>,
        /// The commit of the sources, in full; `null` where it is not known.
        pub commit: Option<String>,
        /// Whether files of the working tree differed from the commit; `null` as above.
        pub dirty: Option<bool>,
        /// When the bench began, in seconds since 1970 in UTC; `null` where the clock is before
        /// that.
        pub unix_time: Option<u64>,
        /// The `opt-level` of the profile that the bench was built with; `null` where it is
        /// not known.
        pub opt_level: Option<String>,
    } omitted {
        /// The program that started the bench, with its arguments; absent where it was started
        /// directly.
        pub runner: Option<String>,
        /// Whether the run was quick: scenarios had fewer iterations than usual. Absent
        /// where it was not.
        pub quick: bool,
        /// The scenarios that the bench could not measure on this machine. They are
        /// not planned.
        pub unavailable: Vec<UnavailableScenario>,
        /// The names of all scenarios of the bench, in order; absent where no filter excluded one.
        pub registered: Vec<String>,
        /// The function of the harness to whose address those in stacks of
        /// [sites](crate::SitesRecord) are relative: its path in Rust. Absent where no sites were
        /// requested.
        pub anchor: Option<String>,
    }
}

record! {
    /// A scenario that could not be measured on the machine of the bench, for example
    /// because a library is not installed.
    pub struct UnavailableScenario {
        /// The full name.
        pub name: String,
        /// The values of its axes, in order.
        pub axes: Vec<AxisValue>,
        /// Where it was registered.
        pub location: Location,
        /// The reason, as the end of a sentence: `libtbbmalloc.so.2 is not installed`.
        pub reason: String,
    }
}

record! {
    /// A bench target of a package.
    #[derive(PartialOrd, Ord, Hash)]
    pub struct BenchId {
        /// The package's name.
        pub package: String,
        /// The name of the bench target.
        pub target: String,
    }
}

/// As messages name it: `package/target`.
impl fmt::Display for BenchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.package, self.target)
    }
}

record! {
    /// Proof of a live counter: the counts of known operations. A counter that is not
    /// installed reads zero.
    pub struct CounterProof {
        /// The counts that the operations have by definition.
        pub expected: Tally,
        /// Their counts on the thread that measures.
        pub this_thread: Tally,
        /// Their counts on a spawned thread; `null` when no thread could be started.
        pub spawned_thread: Option<Tally>,
        /// The counts of a window in which nothing was done.
        pub idle: Tally,
    }
}

impl CounterProof {
    /// A sentence about the first part of the proof that does not hold.
    #[cfg(feature = "read")]
    pub(crate) fn shortfall(&self) -> Option<String> {
        let nothing = Tally::ZERO;
        let spawned = self.spawned_thread.unwrap_or_default();
        let mut parts = [
            (
                "on the thread that measures",
                self.this_thread,
                self.expected,
            ),
            ("on a spawned thread", spawned, self.expected),
            ("while nothing was done", self.idle, nothing),
        ]
        .into_iter();
        // A proof without operations proves nothing.
        let is_empty = self.expected == nothing;
        let (place, counted, expected) =
            parts.find(|(_, counted, expected)| is_empty || counted != expected)?;
        Some(if counted == nothing {
            format!("the counter is not active: known allocations read as zero {place}")
        } else {
            format!(
                "the counter is not active: {place} it counted {counted} instead of {expected}; \
                 see docs/counting.md of alloc-gate on what must be forwarded"
            )
        })
    }
}
