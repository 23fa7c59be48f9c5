//! System calls: how often a subject asks the operating system, after a warm-up. The count
//! is exact.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::{Heap, Memory};
use crate::plan::Plan;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::subject::{Subject, Unavailable};
use crate::tracing;
use crate::workload::pair::{self, pairs};

/// The sizes in bytes.
pub const SIZES: [usize; 3] = [64, 65_536, 1 << 20];

/// Calls of [`pairs`] before those that are counted.
const WARM_UP: usize = 3;

/// The system calls of 1,000 pairs.
#[derive(Clone, Copy, Debug)]
pub struct SystemCalls {
    /// The requests of the warm-up. Those that are counted are made in another process.
    pub report: Report,
    /// The count.
    pub calls: u64,
}

/// Counts the system calls of 1,000 pairs of this size, untouched, in a copy of this
/// process. The process has made 3,000 such pairs before.
///
/// # Errors
///
/// When the copy can't be made or watched.
pub fn system_calls<S: Subject>(
    heap: &mut Heap<S>,
    size: usize,
) -> Result<SystemCalls, Unavailable> {
    let warm_up = (0..WARM_UP).map(|_| pairs(heap, size, Memory::Untouched));
    let report = warm_up.sum();
    let calls = tracing::system_calls(&mut || {
        let _ = pairs(heap, size, Memory::Untouched);
    })?;
    Ok(SystemCalls { report, calls })
}

/// How the workload is measured.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "system-calls",
            &[Need::SystemCalls],
            Plan::ONCE,
            |b| b.axis("size", SIZES).untimed().elements(|_| pair::PAIRS),
            |b, subject| {
                let open = subject.opener(pair::blocks(SIZES[0]));
                // A process measures it once, in the set-up; the iteration reports it.
                b.setup(move |&(_, size)| available(system_calls(&mut open(), size)))
                    .run(|found| *found)
                    .outcome(|found| found.report.outcome())
                    .metric("system-calls", Unit::Count, |found| found.calls as i64)
                    .into()
            },
        );
    }
}
