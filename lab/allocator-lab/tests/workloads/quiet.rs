//! The lab's own loops allocate nothing: the subject is the system's allocator, called
//! directly, so that every counted allocation of the process is the loops' own.

use alloc_scenario::CountingAlloc;
use alloc_scenario::counting_alloc::{Tally, Window};
use allocator_lab::workload::pair;
use allocator_lab::{Footprint, Global, Heap, Memory, page_faults};

use crate::bench;

fn counted<T>(call: impl FnOnce() -> T) -> Tally {
    Window::process().measure(call).unwrap().tally
}

/// What is timed and is no check: the gates have those.
pub(crate) fn workloads_allocate_nothing_but_what_they_measure() {
    let timed = ["vectors", "replay", "smallest-region"];
    let filters = timed.map(|workload| format!("{workload}/subject=system"));
    let filters = filters.iter().map(String::as_str);
    let arguments: Vec<_> = ["--bench"].into_iter().chain(filters).collect();
    let text = bench::bench(&arguments);
    let rows: Vec<_> = text.lines().filter_map(bench::allocations).collect();
    assert!(rows.len() >= 3, "{text}");
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
