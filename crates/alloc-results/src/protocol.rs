//! The environment variables through which a gate asks a bench for results.
//! The bench's `cargo bench` obeys them too, without any gate.

/// A folder, made if absent, in which each measuring process writes one file of
/// its own, `TARGET.PID.jsonl`. Without it nothing is written.
pub const RESULTS: &str = "ALLOC_GATE_RESULTS";

/// Iterations before the counted pass of scenarios that don't set their own
/// number.
pub const WARMUP: &str = "ALLOC_GATE_WARMUP";

/// Iterations of the counted pass of scenarios that don't set their own number.
pub const ITERATIONS: &str = "ALLOC_GATE_ITERATIONS";

/// The name of the cargo profile that the bench was built with, for the record.
pub const PROFILE: &str = "ALLOC_GATE_PROFILE";

/// The features that the bench was built with, separated by commas, for the
/// record.
pub const FEATURES: &str = "ALLOC_GATE_FEATURES";

/// The name of the bench target, for the record. Without it the name of the
/// executable serves, less cargo's hash.
pub const TARGET: &str = "ALLOC_GATE_TARGET";

/// The full name of the scenario for which a bench started itself, so that it is
/// measured in a process of its own. Between a bench and itself: nobody else sets it.
pub const FRESH: &str = "ALLOC_GATE_FRESH";
