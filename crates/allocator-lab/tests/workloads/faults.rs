//! Workloads find the faults of broken subjects. The numbers follow from the requests of
//! the workload and from the way in which the subject is broken.

use allocator_lab::workload::large::Use;
use allocator_lab::workload::phases::Load;
use allocator_lab::workload::stress::Live;
use allocator_lab::workload::zeroed::By;
use allocator_lab::workload::{alignment, burst, large, pair, phases, stress, zeroed};
use allocator_lab::{Floor, Heap, Memory, Report};

use crate::broken::{
    hands_out_twice, hands_out_what_was_written, ignores_alignment, runs_full, writes_headers,
};

/// The faults: null, misaligned, overlapping, corrupt.
fn faults(report: &Report) -> [u64; 4] {
    [
        report.nulls,
        report.misaligned,
        report.overlapping,
        report.corrupt,
    ]
}

pub(crate) fn a_heap_that_runs_full_refuses_what_does_not_fit() {
    // 16 x 65,536 bytes are 1 MiB.
    let mut heap = Heap::new(runs_full(), pair::blocks(65_536));
    let report = pair::pairs(&mut heap, 65_536, Memory::Touched);
    assert_eq!(report.requests, 1_000);
    assert_eq!(faults(&report), [1_000 - 16, 0, 0, 0]);
    assert_eq!(report.successful(), 16);
    // It stays full: each of another 1,000 is refused.
    let again = pair::pairs(&mut heap, 65_536, Memory::Touched);
    assert_eq!(faults(&again), [1_000, 0, 0, 0]);

    // 1,024 x 1,024 bytes are 1 MiB.
    let mut heap = Heap::new(runs_full(), Load::Medium.blocks());
    let phases = phases::phases(&mut heap, Load::Medium);
    assert_eq!(phases.report.requests, 10_000);
    assert_eq!(faults(&phases.report), [10_000 - 1_024, 0, 0, 0]);

    for (mebibytes, nulls) in [(1, 0), (16, 1), (64, 1)] {
        let mut heap = Heap::new(runs_full(), 1);
        let report = large::large(&mut heap, mebibytes, Use::Verified);
        assert_eq!(faults(&report), [nulls, 0, 0, 0], "{mebibytes} MiB");
    }
}

pub(crate) fn stress_on_a_heap_that_runs_full_counts_what_it_got() {
    let mut heap = Heap::new(runs_full(), stress::BLOCKS);
    let stress = stress::stress(&mut heap, &mut Live::default());
    assert!(stress.report.nulls > 0, "{stress:?}");
    assert!(stress.total_bytes <= 1 << 20, "{stress:?}");
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
    let stress = stress::stress(&mut heap, &mut Live::default());
    assert_eq!(stress.report.requests, 6_718);
    assert!(stress.report.overlapping > 0, "{stress:?}");
    assert!(stress.report.corrupt > 0, "{stress:?}");
}

pub(crate) fn a_header_in_the_block_before_corrupts_all_but_the_last() {
    let mut heap = Heap::new(writes_headers(), burst::BLOCKS);
    let report = burst::burst(&mut heap);
    assert_eq!(report.requests, 1_000);
    assert_eq!(faults(&report), [0, 0, 0, 1_000 - 1]);
}

pub(crate) fn a_zeroed_block_that_is_not_zero_is_corrupt() {
    for (size, pairs) in pair::SIZES
        .into_iter()
        .zip([4_000, 4_000, 1_000, 1_000, 200])
    {
        let mut heap = Heap::new(hands_out_what_was_written(), pair::blocks(size));
        let report = zeroed::zeroed(&mut heap, size, By::Verified);
        assert_eq!(report.requests, pairs);
        // The first is zero, since nobody has written to it.
        assert_eq!(faults(&report), [0, 0, 0, pairs - 1], "{size}");
        // Without the verification there is nothing to find.
        let report = zeroed::zeroed(&mut heap, size, By::Allocator);
        assert_eq!(faults(&report), [0; 4]);
    }
}

/// A floor keeps no contents, and verifying anything on it panics. When the ends of a large
/// block were written and read in its time, this took 16,384 accesses of the lab.
pub(crate) fn what_is_timed_of_a_large_block_verifies_nothing() {
    for used in [Use::Untouched, Use::Touched] {
        let mut floor = Heap::new(Floor, 1);
        let report = large::large(&mut floor, 64, used);
        assert_eq!(faults(&report), [0; 4], "{used}");
    }
    let verified = std::panic::catch_unwind(|| {
        let mut floor = Heap::new(Floor, 1);
        large::large(&mut floor, 64, Use::Verified)
    });
    assert!(verified.is_err());
}
