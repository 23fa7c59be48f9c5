//! What a short program costs: the allocations of a real program, once in a process, with
//! memory that is written. Its time depends on the machine's memory at that moment, and its page
//! faults do not.

use alloc_scenario::Unit;

use crate::entry::{Need, available};
use crate::heap::{Heap, Memory};
use crate::memory::{Footprint, page_faults};
use crate::registration::{SubjectSuite, Workload};
use crate::report::Found;
use crate::subject::Subject;
use crate::workload::replay::{Recording, Trace, replay};

/// Replays a trace once, with memory that is touched. The figures: the pages that the system
/// provided, and the memory that the process has kept, in all and in huge pages.
fn once<S: Subject>(heap: &mut Heap<S>, trace: &Trace) -> Found {
    let footprint = available(Footprint::now());
    let faults = available(page_faults());
    let report = replay(heap, trace, Memory::Touched);
    let faults = available(page_faults()) - faults;
    let growth = available(Footprint::now()).since(footprint);
    report.found([faults as i64, growth.resident, growth.huge])
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        suite.once(
            "once",
            &[Need::Memory, Need::Footprint],
            &[
                ("page-faults", Unit::Count),
                ("resident-growth", Unit::Bytes),
                ("huge-growth", Unit::Bytes),
            ],
            |b| b.axis("trace", Recording::ALL),
            |open, &(_, recording)| {
                let trace = recording.trace();
                once(&mut open.heap(trace.peak_blocks), &trace)
            },
        );
    }
}
