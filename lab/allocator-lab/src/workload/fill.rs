//! Filling: how much of a heap of a fixed size can be handed out before a request is
//! refused, and the smallest heap that serves a recorded program. Programs without an operating
//! system have such heaps. Only subjects with a region of their own have a value.

use alloc_scenario::Unit;

use crate::axis::axis_values;
use crate::heap::Heap;
use crate::mt19937::{Mt19937, SEED};
use crate::report::{Found, Report};
use crate::request::{ALIGN, layout};
use crate::subject::Subject;
use crate::suite::{Need, SubjectSuite};
use crate::workload::pattern;
use crate::workload::replay::{Event, Recording, Trace, replay};

/// The bytes of the region.
const REGION_BYTES: usize = 1 << 20;

/// Live blocks that the heap needs room for: of the smallest size.
pub const BLOCKS: usize = REGION_BYTES / 16 + 1;

/// How many sizes are drawn before they are repeated.
const DRAWN: usize = 4_096;

/// Sizes of which no two are in the ratio of powers of two.
const ODD: [usize; 4] = [24, 40, 100, 300];

axis_values! {
    /// The sizes that are requested until one is refused.
    pub enum Sizes {
        /// 16 to 2,048 bytes, each equally likely.
        Uniform = "uniform",
        /// 24, 40, 100 and 300 bytes, each equally likely.
        Odd = "odd",
        /// Those of [`Recording::Rules`].
        Recorded = "recorded",
    }
}

impl Sizes {
    /// The sizes in the order of the requests, which is the same in every call.
    #[must_use]
    pub fn in_order(self) -> Vec<usize> {
        let mut random = Mt19937::new(SEED);
        let drawn = 0..DRAWN;
        match self {
            Self::Uniform => drawn.map(|_| random.draw_in(16..=2_048) as usize).collect(),
            Self::Odd => drawn.map(|_| ODD[random.draw_below(4) as usize]).collect(),
            Self::Recorded => {
                let events = Recording::Rules.trace().events.into_iter();
                events.filter_map(Event::requested).collect()
            }
        }
    }
}

/// Takes and fills blocks of these sizes, over and over, until a request is refused;
/// verifies them and gives them back, the oldest first; and does so once more. The second
/// time as many blocks must find a place; the refusal that ends a filling is no fault.
///
/// The values: the blocks that were handed out before the first refusal, and their bytes, as
/// requested, and the bytes of the region.
pub fn fill<S: Subject>(heap: &mut Heap<S>, sizes: &[usize]) -> Found {
    let [first, second] = [(); 2].map(|()| fill_once(heap, sizes));
    let mut report: Report = [first, second].into_iter().sum();
    // Those that have no place any more were refused.
    report.nulls = first.requests.saturating_sub(second.requests);
    let values = [first.requests, first.requested_bytes, REGION_BYTES as u64];
    report.found(values.map(|n| n as i64))
}

/// The report of one filling, without the request that was refused.
fn fill_once<S: Subject>(heap: &mut Heap<S>, sizes: &[usize]) -> Report {
    let mut report = Report::default();
    for (index, &size) in sizes.iter().cycle().enumerate() {
        let mut with_next = report;
        let Some(mut block) = heap.take(layout(size, ALIGN), &mut with_next) else {
            break;
        };
        block.fill(pattern(index));
        report = with_next;
    }
    heap.verify_all(&mut report);
    report.overlapping = heap.overlapping();
    heap.give_all();
    report
}

/// The bytes between two regions that are tried.
const STEP: usize = 256;

/// The smallest region that serves a recorded program: the first one of all multiples of 256 bytes,
/// from the most that is live at once.
///
/// # Panics
///
/// When the subject has no region of such a size, or none of 16 MiB is enough.
pub fn smallest_region<S: Subject>(subject: &S, trace: &Trace) -> usize {
    let first = (trace.peak_bytes as usize)
        .next_multiple_of(STEP)
        .max(4_096);
    let mut sizes = (first..16 << 20).step_by(STEP);
    let serves = |&bytes: &usize| {
        let region = subject.with_region(bytes).expect("a need of the workload");
        let mut heap = Heap::new(region, trace.peak_blocks);
        let report = replay(&mut heap, trace);
        report.successful() == report.requests
    };
    sizes.find(serves).expect("a region of 16 MiB is enough")
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.once(
        "fill",
        &[Need::Region],
        &[
            ("blocks", Unit::Count),
            ("granted-bytes", Unit::Bytes),
            ("region-bytes", Unit::Bytes),
        ],
        |b| b.axis("sizes", Sizes::ALL),
        |open, &(_, sizes)| {
            let region = open
                .subject()
                .with_region(REGION_BYTES)
                .expect("a need of the workload");
            fill(&mut Heap::new(region, BLOCKS), &sizes.in_order())
        },
    );
}

pub(crate) fn measure_smallest<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    suite.once(
        "smallest-region",
        &[Need::Region],
        &[
            ("smallest-bytes", Unit::Bytes),
            ("peak-live-bytes", Unit::Bytes),
        ],
        |b| b.axis("trace", Recording::ALL),
        |open, &(_, recording)| {
            let trace = recording.trace();
            let bytes = smallest_region(&open.subject(), &trace);
            Report::default().found([bytes as i64, trace.peak_bytes as i64])
        },
    );
}
