//! The environment variables through which a gate asks a bench for results. A
//! bench also obeys them under `cargo bench`, without a gate.

/// The folder in which each measuring process writes its file,
/// `TARGET.PID.jsonl`. A missing folder is created. Without the variable nothing
/// is written.
pub const RESULTS: &str = "ALLOC_GATE_BENCH_RESULTS";

/// Iterations before the counted pass of scenarios that don't set their own
/// number.
pub const WARMUP: &str = "ALLOC_GATE_WARMUP";

/// Iterations of the counted pass of scenarios that don't set their own number.
pub const ITERATIONS: &str = "ALLOC_GATE_ITERATIONS";

/// How long the bench may run, in milliseconds. A scenario whose iterations don't fit
/// fails after its first calls.
pub const TIMEOUT: &str = "ALLOC_GATE_TIMEOUT";

/// How long a scenario may run that does not set its own limit, in milliseconds.
pub const SCENARIO_TIMEOUT: &str = "ALLOC_GATE_SCENARIO_TIMEOUT";

/// If it is set, and neither empty nor `0`, `false`, `no` or `off`, the bench records the call
/// stacks of all operations, as [`SitesRecord`](crate::SitesRecord)s, and has no timed pass.
pub const SITES: &str = "ALLOC_GATE_SITES";

/// If it is set, and neither empty nor `0`, `false`, `no` or `off`, the bench has no timed pass:
/// nothing that will be made of the results shows times.
pub const UNTIMED: &str = "ALLOC_GATE_UNTIMED";

/// The file in which a process that [`FRESH`] started says what it measured.
pub const FRESH_FILE: &str = "ALLOC_GATE_FRESH_FILE";

/// If it is set, and neither empty nor `0`, `false`, `no` or `off`, the bench prints neither its
/// table nor which scenarios it could not measure: who started it shows both.
pub const SILENT: &str = "ALLOC_GATE_SILENT";

/// If it is set, and neither empty nor `0`, `false`, `no` or `off`, the run is quick: all
/// scenarios have fewer iterations.
pub const QUICK: &str = "ALLOC_GATE_QUICK";

/// The name of the cargo profile that the bench was built with, for the record.
pub const PROFILE: &str = "ALLOC_GATE_PROFILE";

/// The features that the bench was built with, separated by commas, for the
/// record.
pub const FEATURES: &str = "ALLOC_GATE_BENCH_FEATURES";

/// The name of the bench target, for the record. The default is the name of the
/// executable without cargo's hash.
pub const TARGET: &str = "ALLOC_GATE_BENCH_TARGET";

/// The commit of the sources, in full, for the record; with [`DIRTY`] behind it if files
/// of the working tree differ from it.
pub const COMMIT: &str = "ALLOC_GATE_COMMIT";

/// The end of [`COMMIT`] that marks a working tree with changes.
pub const DIRTY: &str = "-dirty";

/// The `opt-level` that the bench was built with, for the record.
pub const OPT_LEVEL: &str = "ALLOC_GATE_OPT_LEVEL";

/// The program that runs programs of the bench's platform, such as qemu, with its
/// arguments, for a bench that starts itself again. The command sets it to cargo's
/// `runner`, which `cargo bench` does not pass on.
pub const RUNNER: &str = "ALLOC_GATE_RUNNER";

/// The full name of the one scenario that this process measures. A bench sets it
/// when it starts itself again, to measure a scenario in a process of its own;
/// nobody else sets it.
pub const FRESH: &str = "ALLOC_GATE_FRESH";

/// While benches are built: if it is set, and neither empty nor `0`, alloc-criterion counts
/// allocations in benches that were written for criterion. Its build script reads it.
pub const CRITERION: &str = "ALLOC_GATE_CRITERION";
