//! Workloads find the faults of broken subjects. The numbers follow from the requests of
//! the workload and from the way in which the subject is broken.

use allocator_lab::workload::phases::Load;
use allocator_lab::workload::replay::Recording;
use allocator_lab::workload::tails::{Call, times};
use allocator_lab::workload::{
    alignment, architecture, burst, fill, large, pair, phases, replay, stress, tails,
};
use allocator_lab::{Heap, Memory, Report};

use crate::broken::{
    faults, hands_out_one_block, hands_out_twice, ignores_alignment, runs_full, writes_headers,
};

pub(crate) fn a_heap_that_runs_full_refuses_what_does_not_fit() {
    // 16 x 65,536 bytes are 1 MiB.
    let mut heap = Heap::new(runs_full(), pair::blocks(65_536));
    let report = pair::pairs(&mut heap, 65_536, Memory::Untouched);
    assert_eq!(report.requests, 1_000);
    assert_eq!(faults(&report), [1_000 - 16, 0, 0, 0]);
    assert_eq!(report.successful(), 16);
    // It stays full: each of another 1,000 is refused.
    let again = pair::pairs(&mut heap, 65_536, Memory::Untouched);
    assert_eq!(faults(&again), [1_000, 0, 0, 0]);

    // 1,024 x 1,024 bytes are 1 MiB.
    let mut heap = Heap::new(runs_full(), Load::Medium.blocks());
    let phases = phases::phases(&mut heap, Load::Medium);
    assert_eq!(phases.report.requests, 10_000);
    assert_eq!(faults(&phases.report), [10_000 - 1_024, 0, 0, 0]);

    for (mebibytes, nulls) in [(1, 0), (16, 1), (64, 1)] {
        let mut heap = Heap::new(runs_full(), 1);
        let report = large::large(&mut heap, mebibytes);
        assert_eq!(faults(&report), [nulls, 0, 0, 0], "{mebibytes} MiB");
    }
}

pub(crate) fn single_calls_and_replays_on_a_heap_that_runs_full_are_refused() {
    let mut heap = Heap::new(runs_full(), tails::BLOCKS);
    let tails = tails::tails(&mut heap, Call::Give, &mut times());
    assert_eq!(tails.report.requests, 101_000);
    // 1 MiB has room for some 2,000 blocks of 510 bytes.
    let successful = tails.report.successful();
    assert!((1_800..2_400).contains(&successful), "{successful}");

    // A replay ends there; four of them request more than 1 MiB, and three do not.
    let trace = Recording::Json.trace();
    let mut heap = Heap::new(runs_full(), trace.peak_blocks);
    let nulls = [(); 4].map(|()| replay::replay(&mut heap, &trace).nulls);
    assert_eq!(nulls, [0, 0, 0, 1]);
}

pub(crate) fn memory_that_is_not_given_out_again_is_lost() {
    let mut heap = Heap::new(runs_full(), fill::BLOCKS);
    let fill = fill::fill(&mut heap, &[16]);
    assert_eq!(fill.figures[..2], [65_536, 1 << 20]);
    assert_eq!(faults(&fill.report), [65_536, 0, 0, 0]);
}

pub(crate) fn stress_on_a_heap_that_runs_full_counts_what_it_got() {
    let mut heap = Heap::new(runs_full(), stress::BLOCKS);
    let stress = stress::stress(&mut heap);
    assert!(stress.report.nulls > 0, "{stress:?}");
    assert!(stress.figures[3] <= 1 << 20, "{stress:?}");
    assert_eq!(faults(&stress.report)[1..], [0; 3], "its blocks are intact");
}

pub(crate) fn an_allocator_that_ignores_alignment_is_misaligned_wherever_it_matters() {
    let mut heap = Heap::new(ignores_alignment(), alignment::BLOCKS);
    let report = alignment::alignment(&mut heap);
    assert_eq!(report.requests, 3_584, "8 sizes x 7 alignments x 64");
    assert_eq!(faults(&report), [0, 3_584, 0, 0]);
    // An address 8 past a multiple of 16 is aligned to 8, so these pairs have no fault.
    let mut heap = Heap::new(ignores_alignment(), pair::blocks(64));
    let report = pair::pairs(&mut heap, 64, Memory::Untouched);
    assert_eq!(faults(&report), [0; 4]);
    assert_eq!(report.requests, 1_000);
}

pub(crate) fn a_block_that_is_handed_out_twice_overlaps_itself() {
    let mut heap = Heap::new(hands_out_twice(alignment::BLOCKS), alignment::BLOCKS);
    let report = alignment::alignment(&mut heap);
    assert_eq!(faults(&report), [0, 0, 3_584 / 2, 0]);
    // The second of each two is written last, so the first does not hold its bytes.
    let mut heap = Heap::new(hands_out_twice(burst::BLOCKS), burst::BLOCKS);
    let report = burst::burst(&mut heap);
    assert_eq!(faults(&report), [0, 0, 1_000 / 2, 1_000 / 2]);
    assert_eq!(report.successful(), 0);
    // Among 6,718 requests, two successive blocks are often live together.
    let mut heap = Heap::new(hands_out_twice(6_718), stress::BLOCKS);
    let stress = stress::stress(&mut heap);
    assert_eq!(stress.report.requests, 6_718);
    assert!(stress.report.overlapping > 0, "{stress:?}");
    assert!(stress.report.corrupt > 0, "{stress:?}");
    // Two blocks at one place, 32 times.
    let mut heap = Heap::new(hands_out_twice(64), fill::BLOCKS);
    let fill = fill::fill(&mut heap, &[1_024]);
    assert_eq!(fill.figures[0], 64);
    // Nothing is given back for the second filling.
    assert_eq!(faults(&fill.report), [64, 0, 32, 32]);
}

pub(crate) fn a_header_in_the_block_before_corrupts_all_but_the_last() {
    let mut heap = Heap::new(writes_headers(), burst::BLOCKS);
    let report = burst::burst(&mut heap);
    assert_eq!(report.requests, 1_000);
    assert_eq!(faults(&report), [0, 0, 0, 1_000 - 1]);
}

pub(crate) fn a_header_is_unknown_if_no_block_has_a_neighbour() {
    let header = |heap: &mut Heap<_>| {
        let mut report = Report::default();
        (architecture::header(heap, &mut report), report)
    };
    // All blocks lie at one address: 64 blocks of each of 57 sizes, all but the first of them within
    // another one.
    let mut heap = Heap::new(hands_out_one_block(), architecture::BLOCKS);
    let (unknown, report) = header(&mut heap);
    assert_eq!((unknown, faults(&report)), (None, [0, 0, 63 * 57, 0]));
    // A heap that is full from the beginning.
    let mut heap = Heap::new(runs_full(), architecture::BLOCKS);
    let filled = pair::pairs(&mut heap, 64 << 10, Memory::Untouched);
    assert_eq!(filled.successful(), 16);
    let (unknown, report) = header(&mut heap);
    assert_eq!((unknown, report.nulls), (None, report.requests));
}
