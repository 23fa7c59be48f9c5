//! The modes of counters other than counting-alloc, beside those of
//! [`proof_pairs::mode`].

use proof_pairs::mode::{Mode, PLAIN};

/// dhat while its profiler runs.
pub const DHAT_PROFILING: Mode = Mode {
    name: "profiling",
    process: profiled_by_dhat,
    ..PLAIN
};

fn profiled_by_dhat(work: &mut dyn FnMut()) {
    // Testing mode writes no file when the profiler is dropped.
    let _profiler = dhat::Profiler::builder().testing().build();
    work();
}
