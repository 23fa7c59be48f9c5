//! What a short program costs: the allocations of a real program, once in a process, with
//! memory that is written. Its time depends on the machine's memory at that moment, and its page
//! faults do not.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::{Heap, Memory};
use crate::memory::{Footprint, PageFaults};
use crate::plan::Plan;
use crate::registration::{Calls, SubjectSuite, Workload};
use crate::report::Report;
use crate::subject::Subject;
use crate::workload::replay::{Recording, Trace, replay};

/// The cost of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Once {
    /// The requests.
    pub report: Report,
    /// Pages that the system provided.
    pub page_faults: u64,
    /// What the process has kept.
    pub growth: Footprint,
}

/// Replays a trace once, with memory that is touched.
pub fn once<S: Subject>(heap: &mut Heap<S>, trace: &Trace) -> Once {
    let footprint = available(Footprint::now());
    let faults = available(PageFaults::now());
    let report = replay(heap, trace, Memory::Touched);
    let page_faults = available(PageFaults::now()).minor - faults.minor;
    Once {
        report,
        page_faults,
        growth: available(Footprint::now()).since(footprint),
    }
}

/// How the workload is measured.
#[derive(Clone, Copy, Debug)]
pub struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.scenario(
            "once",
            &[Need::Memory, Need::Footprint],
            Plan::ONCE,
            |b| b.axis("trace", Recording::ALL).untimed(),
            |b, subject| {
                let open = subject.open();
                // A process measures it once, in the set-up; the iteration reports the result.
                b.calls(
                    move |&(_, recording)| {
                        let trace = recording.trace();
                        let mut heap = Heap::new(available(open()), trace.peak_blocks);
                        once(&mut heap, &trace)
                    },
                    |once| *once,
                )
                .outcome(|once| once.report.outcome())
                .metric("page-faults", Unit::Count, |once| once.page_faults as i64)
                .metric("resident-growth", Unit::Bytes, |once| once.growth.resident)
                .metric("huge-growth", Unit::Bytes, |once| once.growth.huge)
                .into()
            },
        );
    }
}
