//! Workloads find the faults of broken subjects. The numbers follow from the requests of
//! the workload and from the way in which the subject is broken.

use allocator_lab::workload::phases::{Load, phases};
use allocator_lab::workload::replay::{Recording, replay};
use allocator_lab::workload::tails::{Call, tails, times};
use allocator_lab::workload::{alignment, architecture, burst, fill, large, pair, server, stress};
use allocator_lab::{Heap, Memory, Report};

use crate::broken::{
    Broken, faults, hands_out_one_block, hands_out_twice, ignores_alignment, refuses, runs_full,
    writes_headers,
};

/// What a workload finds on a heap with room for all of its blocks.
fn found(subject: Broken, run: impl Fn(&mut Heap<Broken>) -> Report) -> [u64; 4] {
    faults(&run(&mut Heap::new(subject, 70_000)))
}

pub(crate) fn a_heap_that_runs_full_refuses_what_does_not_fit() {
    let full = |run: fn(&mut Heap<Broken>) -> Report| {
        let [nulls, others @ ..] = found(runs_full(), run);
        assert_eq!(others, [0; 3]);
        nulls
    };
    // 16 x 65,536 bytes are 1 MiB, and 1,024 x 1,024.
    let pairs = full(|heap| pair::pairs(heap, 65_536, Memory::Untouched));
    assert_eq!(pairs, 1_000 - 16);
    assert_eq!(
        full(|heap| phases(heap, Load::Medium).report),
        10_000 - 1_024
    );
    assert_eq!(full(|heap| large::large(heap, 1)), 0);
    assert_eq!(full(|heap| large::large(heap, 16)), 1);
    // What is not given out again is lost to the second filling.
    assert_eq!(full(|heap| fill::fill(heap, &[16]).report), 65_536);
    // A replay ends there; four of them request more than 1 MiB, and three do not.
    let trace = Recording::Json.trace();
    let replays = |count| {
        let all = |heap: &mut _| (0..count).map(|_| replay(heap, &trace)).sum();
        found(runs_full(), all)[0]
    };
    assert_eq!((replays(3), replays(4)), (0, 1));
    // 1 MiB has room for some 2,000 blocks of 510 bytes, and 32 of 32 KiB.
    let tails = full(|heap| tails(heap, Call::Give, &mut times()).report);
    assert!((98_600..99_200).contains(&tails), "{tails}");
    let stress = full(|heap| stress::stress(heap).report);
    assert!(stress > 6_000, "{stress}");
    assert_eq!(found(refuses(), server::serve), [25_500, 0, 0, 0]);
}

pub(crate) fn an_allocator_that_ignores_alignment_is_misaligned() {
    let misaligned = |run: fn(&mut Heap<Broken>) -> Report| found(ignores_alignment(), run);
    assert_eq!(misaligned(alignment::alignment), [0, 3_584, 0, 0]);
    assert_eq!(misaligned(server::serve), [0, 25_500, 0, 0]);
}

pub(crate) fn a_block_that_is_handed_out_twice_overlaps_itself() {
    let twice = |run: fn(&mut Heap<Broken>) -> Report| found(hands_out_twice(), run);
    assert_eq!(twice(alignment::alignment), [0, 0, 3_584 / 2, 0]);
    // The second of each two is written last, so the first does not hold its bytes.
    assert_eq!(twice(burst::burst), [0, 0, 1_000 / 2, 1_000 / 2]);
    // Of many requests, two successive blocks are often live together.
    let [.., overlapping, corrupt] = twice(|heap| stress::stress(heap).report);
    assert!(overlapping > 0 && corrupt > 0, "{overlapping}, {corrupt}");
    let [.., corrupt] = twice(server::serve);
    assert!(corrupt > 0);
}

pub(crate) fn a_header_in_the_block_before_corrupts_all_but_the_last() {
    let burst = found(writes_headers(), burst::burst);
    assert_eq!(burst, [0, 0, 0, 1_000 - 1]);
}

pub(crate) fn a_header_is_unknown_if_no_block_has_a_neighbour() {
    let header = |subject| {
        let mut heap = Heap::new(subject, architecture::BLOCKS);
        let mut report = Report::default();
        let header = architecture::header(&mut heap, &mut report);
        (header, faults(&report))
    };
    // All blocks lie at one address: 64 blocks of each of 57 sizes, all but the first of them within
    // another one.
    assert_eq!(header(hands_out_one_block()), (None, [0, 0, 63 * 57, 0]));
    assert_eq!(header(refuses()), (None, [64 * 57, 0, 0, 0]));
}
