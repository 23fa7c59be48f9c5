//! The lab's own loops allocate nothing: the subject is the system's allocator, called
//! directly, so that every counted allocation of the process is the loops' own. And a wrapper counts
//! what its name says.

use alloc_scenario::CountingAlloc;
use alloc_scenario::counting_alloc::{Tally, Window, process_tally};
use allocator_lab::workload::pair;
use allocator_lab::workload::wrapper::{Wrapper, crew, window};
use allocator_lab::{Footprint, Global, Heap, Memory, page_faults};

use crate::bench;

fn counted<T>(call: impl FnOnce() -> T) -> Tally {
    Window::process().measure(call).unwrap().tally
}

/// The workloads that have no gate.
pub(crate) fn workloads_allocate_nothing_but_what_they_measure() {
    let workloads = "pair/subject=system,size=64 batch/subject=system,pattern=1000x64 \
                     frame/subject=system,scene=ui phases/subject=system,load=1000x10240 \
                     fragmentation/subject=system resident/subject=system \
                     concurrent/subject=system,threads=2 handover/subject=system,remote=50 \
                     server/subject=system,threads=2 vectors/subject=system \
                     replay/subject=system,trace=json tails/subject=system";
    let filters = workloads.split_whitespace();
    let arguments: Vec<_> = ["--bench"].into_iter().chain(filters).collect();
    let text = bench::bench(&arguments);
    let rows: Vec<_> = text.lines().filter_map(bench::allocations).collect();
    assert!(rows.len() >= 12, "{text}");
    for (scenario, allocations) in rows {
        assert_eq!(allocations, "0.00", "{scenario}: {text}");
    }
    assert_eq!(counted(Footprint::now), Tally::ZERO);
    assert_eq!(counted(page_faults), Tally::ZERO);
}

pub(crate) fn an_allocation_of_a_workload_would_be_counted() {
    // The same window over a subject that counts: 1,000 pairs of 64 bytes.
    let mut heap = Heap::new(Global(CountingAlloc::system()), 1);
    let tally = counted(|| pair::pairs(&mut heap, 64, Memory::Untouched));
    let expected = Tally::ZERO
        .with_blocks(1_000, 64_000)
        .with_deallocs(1_000, 64_000);
    assert_eq!(tally, expected);
}

/// More allocations than the lab and std make beside the pairs.
const OWN: u64 = 100;

pub(crate) fn a_wrapper_makes_pairs_of_64_bytes_and_counts_them_if_it_is_on() {
    for threads in [1, 2] {
        for wrapper in Wrapper::ALL {
            let mut crew = crew(wrapper, threads);
            let before = process_tally().allocs;
            let window = window(&mut crew, wrapper);
            let counted = process_tally().allocs - before;
            let pairs = window.report.requests;
            assert_eq!(pairs, 1_000 * threads as u64 * window.passes, "{wrapper}");
            assert_eq!(window.report.requested_bytes, pairs * 64);
            assert_eq!(window.report.successful(), pairs);
            if wrapper == Wrapper::CountingOn {
                assert!(counted >= pairs, "{counted} of {pairs}");
            } else {
                assert!(counted < OWN, "{wrapper}: {counted}");
            }
        }
    }
}
