//! Each workload makes the requests that its documentation says, as an independent count
//! sees them: no work is removed.

use std::alloc::System;
use std::cell::Cell;
use std::time::Duration;

use allocator_lab::workload::batch::Pattern;
use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::frame::Scene;
use allocator_lab::workload::kept::After;
use allocator_lab::workload::large::Use;
use allocator_lab::workload::phases::Load;
use allocator_lab::workload::stress::Live;
use allocator_lab::workload::waste::Order;
use allocator_lab::workload::zeroed::By;
use allocator_lab::workload::{
    alignment, architecture, batch, burst, concurrent, depth, fragmentation, frame, histogram,
    kept, large, pair, phases, resident, stress, waste, zeroed,
};
use allocator_lab::{Global, Heap, Memory, Report};

use crate::watched::{Seen, Watched, WatchedArena};

/// A call of a workload makes so many requests of so many bytes, in its report and as the
/// subject sees them, and gives every block back.
#[track_caller]
fn check<'s>(
    seen: &'s Cell<Seen>,
    blocks: usize,
    workload: impl FnOnce(&mut Heap<Watched<'s>>) -> Report,
    requests: u64,
    bytes: u64,
) {
    seen.set(Seen::default());
    let mut heap = Heap::new(Watched::new(seen), blocks);
    let report = workload(&mut heap);
    assert_eq!((report.requests, report.requested_bytes), (requests, bytes));
    let expected = Seen {
        takes: requests,
        bytes,
        gives: requests,
        resets: 0,
    };
    assert_eq!(seen.get(), expected);
    assert_eq!(heap.live_blocks(), 0);
    assert_eq!(report.successful(), requests);
}

pub(crate) fn every_workload_requests_and_gives_back_what_it_says() {
    let seen = Cell::default();
    assert_eq!(pair::SIZES, [64, 256, 1_024, 4_096, 65_536]);
    for size in pair::SIZES {
        let bytes = 1_000 * size as u64;
        for memory in Memory::ALL {
            let pairs = |heap: &mut _| pair::pairs(heap, size, memory);
            check(&seen, 1, pairs, 1_000, bytes);
        }
    }
    for (pattern, requests) in Pattern::ALL.into_iter().zip([1_000, 125, 1]) {
        for times in [1, 3] {
            let batches = |heap: &mut _| batch::batches(heap, pattern, times as usize);
            check(&seen, 1_000, batches, times * requests, times * 64_000);
        }
    }
    let scenes = [(800, 86_400), (10_000, 640_000), (200, 32_800)];
    for (scene, (requests, bytes)) in Scene::ALL.into_iter().zip(scenes) {
        for memory in Memory::ALL {
            let frames = |heap: &mut _| frame::frames(heap, scene, memory, 2);
            check(&seen, 10_000, frames, 2 * requests, 2 * bytes);
        }
    }
    let loads = [
        (10_000, 40_960_000),
        (100_000, 1_600_000),
        (10_000, 10_240_000),
        (1_000, 10_240_000),
        // The mean of 100, 200 and so on to 1,000 is 550.
        (50_000, 27_500_000),
    ];
    for (load, (requests, bytes)) in Load::ALL.into_iter().zip(loads) {
        let phases = |heap: &mut _| phases::phases(heap, load).report;
        check(&seen, 100_000, phases, requests, bytes);
    }
    // 1,000 x 100 and 500 x 500 bytes.
    let fragmentation = |heap: &mut _| fragmentation::fragmentation(heap, 500).report;
    check(&seen, fragmentation::BLOCKS, fragmentation, 1_500, 350_000);
    // 2,000 blocks of 64 bytes, and 4,000 of 128.
    let depth = |heap: &mut Heap<_>| {
        let mut report = depth::make_holes(heap, 1_000);
        report += depth::pairs_beside(heap);
        assert_eq!(heap.live_blocks(), 1_000, "one beside each hole");
        heap.give_all();
        report
    };
    check(&seen, depth::BLOCKS, depth, 6_000, 2_000 * 64 + 4_000 * 128);
    // The sizes come to 71,001, each with 7 alignments and 64 times.
    let blocks = alignment::BLOCKS;
    check(&seen, blocks, alignment::alignment, 3_584, 71_001 * 7 * 64);
    // A call that writes takes 64 MiB in all, as 64, 4 or 1 blocks.
    for (mebibytes, touched) in [(1, 64), (16, 4), (64, 1)] {
        for (used, requests) in Use::ALL.into_iter().zip([4_000, touched, 1]) {
            let large = |heap: &mut _| large::large(heap, mebibytes, used);
            let bytes = requests * ((mebibytes as u64) << 20);
            check(&seen, 1, large, requests, bytes);
        }
    }
    for order in [Order::Sorted, Order::Interleaved] {
        let waste = |heap: &mut _| waste::waste(heap, &[(7, 1), (31, 1)], 1, order).report;
        check(&seen, 2 * waste::BLOCKS, waste, 2_000, 7_000 + 31_000);
    }
    let pairs = [4_000, 4_000, 1_000, 1_000, 200];
    for (size, pairs) in pair::SIZES.into_iter().zip(pairs) {
        for by in By::ALL {
            let zeroed = |heap: &mut _| zeroed::zeroed(heap, size, by);
            check(&seen, 1, zeroed, pairs, pairs * size as u64);
        }
    }
}

/// The counts are those of a program in C++ with `std::mt19937`.
#[cfg(target_os = "linux")]
pub(crate) fn the_churn_has_the_counts_of_another_generator() {
    let seen = Cell::default();
    let mut live = resident::Live::default();
    let mut heap = Heap::new(Watched::new(&seen), resident::blocks::<Watched<'_>>());
    let found = resident::resident(&mut heap, &mut live).unwrap();
    let bytes = [found.full.live_bytes, found.half.live_bytes];
    assert_eq!(bytes, [20_346_108, 10_120_759]);
    assert_eq!(found.report.successful(), 55_000);
    let expected = Seen {
        takes: 55_000,
        bytes: 113_008_975,
        gives: 55_000,
        resets: 0,
    };
    assert_eq!(seen.get(), expected);

    seen.set(Seen::default());
    let mut heap = Heap::new(
        WatchedArena::new(&seen, 128 << 20),
        resident::blocks::<WatchedArena<'_>>(),
    );
    let found = resident::resident(&mut heap, &mut live).unwrap();
    assert_eq!(found.half.live_bytes, 10_120_759);
    assert_eq!(seen.get().takes, 55_000);
    assert_eq!((seen.get().gives, seen.get().resets), (0, 1));
    // All of its memory was written before.
    assert!(found.half.grown.abs() < 1 << 20, "{found:?}");
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn the_churn_has_the_counts_of_another_generator() {}

pub(crate) fn random_sizes_are_within_their_limits_and_the_same_in_every_call() {
    let mut heap = Heap::new(Global(System), burst::BLOCKS);
    let first = burst::burst(&mut heap);
    assert_eq!(first.requests, 1_000);
    assert_eq!(first.successful(), 1_000);
    let bytes = first.requested_bytes;
    assert!((1_024 * 1_000..=65_536 * 1_000).contains(&bytes), "{bytes}");
    assert_eq!(burst::burst(&mut heap).requested_bytes, bytes);

    let mut heap = Heap::new(Global(System), concurrent::BLOCKS);
    let first = concurrent::steps(&mut heap, Sizes::Mixed, 40_000);
    assert_eq!(first.requests, 40_000);
    let mean = first.requested_bytes / first.requests;
    // 16 to 2,048 are 4,080 / 8 = 510 in the mean.
    assert!((480..540).contains(&mean), "{mean}");
    assert_eq!(
        concurrent::steps(&mut heap, Sizes::Mixed, 40_000).requested_bytes,
        first.requested_bytes
    );
}

pub(crate) fn pairs_of_one_size_are_of_64_bytes() {
    let mut heap = Heap::new(Global(System), concurrent::BLOCKS);
    let report = concurrent::steps(&mut heap, Sizes::Same, 40_000);
    assert_eq!(
        (report.requests, report.requested_bytes),
        (40_000, 2_560_000)
    );
}

/// An arena whose blocks follow each other, and which is reset, hands the same block out
/// again, and the large block lies where the small ones were.
pub(crate) fn a_subject_is_asked_for_blocks_and_where_they_lie() {
    let seen = Cell::default();
    let mut heap = Heap::new(WatchedArena::new(&seen, 128 << 20), architecture::BLOCKS);
    let found = architecture::architecture(&mut heap);
    // 2 blocks of 64 bytes, 256 of 1,024, one of 65,536, and 64 of each of the 57 multiples
    // of 8 from 64 to 512, whose mean is 288.
    assert_eq!(found.report.requests, 2 + 256 + 1 + 64 * 57);
    assert_eq!(
        found.report.requested_bytes,
        2 * 64 + 256 * 1_024 + 65_536 + 64 * 57 * 288
    );
    // The block that is more than a region is no request of the report.
    assert_eq!(seen.get().takes, found.report.requests + 1);
    assert_eq!(found.report.successful(), found.report.requests);
    assert!(found.reused && found.coalesced);
    assert_eq!((found.header_bytes, found.grows), (0, false));
}

/// glibc puts the size of a block, 8 bytes on 64-bit machines, before it, and asks the
/// system for more memory.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
pub(crate) fn the_system_has_a_header_and_grows() {
    let mut heap = Heap::new(Global(System), architecture::BLOCKS);
    let found = architecture::architecture(&mut heap);
    assert_eq!((found.header_bytes, found.grows), (8, true));
    assert_eq!(found.report.successful(), found.report.requests);
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
pub(crate) fn the_system_has_a_header_and_grows() {}

/// An arena that has written all of its memory before keeps it, so that the process does
/// not grow. The system returns mappings at once.
#[cfg(target_os = "linux")]
pub(crate) fn memory_that_is_kept_is_read_after_pairs_that_may_return_it() {
    let seen = Cell::default();
    let mut heap = Heap::new(WatchedArena::new(&seen, 128 << 20), kept::BLOCKS);
    let found = kept::kept(&mut heap, After(Duration::ZERO)).unwrap();
    // 1,024 blocks of 65,536 bytes, and 1,000 of 64.
    assert_eq!(found.report.requests, 1_024 + 1_000);
    assert_eq!(found.report.requested_bytes, (64 << 20) + 64_000);
    assert_eq!(seen.get().takes, 2_024);
    assert!(found.bytes.abs() < 1 << 20, "{found:?}");
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn memory_that_is_kept_is_read_after_pairs_that_may_return_it() {}

pub(crate) fn an_arena_is_reset_when_the_page_says_so_and_gives_nothing_back_before() {
    let seen = Cell::default();
    let resets = |workload: &dyn Fn(&mut Heap<WatchedArena<'_>>) -> Report| {
        seen.set(Seen::default());
        let mut heap = Heap::new(WatchedArena::new(&seen, 8 << 20), 10_000);
        let report = workload(&mut heap);
        assert_eq!(seen.get().takes, report.requests);
        assert_eq!((seen.get().gives, heap.live_blocks()), (0, 0));
        assert_eq!(report.successful(), report.requests);
        seen.get().resets
    };
    // 1,000 x 64 bytes are less than 65,536; of 65,536 bytes, every block is as much.
    let pairs = |size| resets(&|heap| pair::pairs(heap, size, Memory::Touched));
    assert_eq!(pairs(64), 1);
    assert_eq!(pairs(65_536), 1_000);
    assert_eq!(
        resets(&|heap| frame::frames(heap, Scene::Physics, Memory::Touched, 2)),
        2
    );
    assert_eq!(
        resets(&|heap| fragmentation::fragmentation(heap, 500).report),
        1
    );
    // 40,000 / 64 is 625, and the end.
    assert_eq!(
        resets(&|heap| concurrent::steps(heap, Sizes::Mixed, 40_000)),
        626
    );
    // 200 blocks that are as much each, and the end.
    assert_eq!(
        resets(&|heap| zeroed::zeroed(heap, 65_536, By::Verified)),
        201
    );
}

pub(crate) fn more_threads_share_the_pairs_of_four() {
    let steps = concurrent::THREADS.map(|threads| (threads, concurrent::steps_of(threads)));
    let expected = [
        (1, 40_000),
        (2, 40_000),
        (4, 40_000),
        (8, 20_000),
        (16, 10_000),
    ];
    assert_eq!(steps, expected);
}

pub(crate) fn stress_has_the_published_counts() {
    let seen = Cell::default();
    let mut heap = Heap::new(Watched::new(&seen), stress::BLOCKS);
    let mut live = Live::default();
    for _ in 0..2 {
        seen.set(Seen::default());
        let stress = stress::stress(&mut heap, &mut live);
        assert_eq!(stress.peak_blocks, 3_436);
        assert_eq!(stress.live_bytes, 110_956_206);
        assert_eq!(stress.total_bytes, 217_383_926);
        assert_eq!(stress.report.successful(), 6_718);
        let expected = Seen {
            takes: 6_718,
            bytes: 217_383_926,
            gives: 6_718,
            resets: 0,
        };
        assert_eq!(seen.get(), expected);
    }
}

pub(crate) fn waste_is_the_distance_between_neighbours() {
    // This arena hands out multiples of 8 bytes, one after the other.
    let seen = Cell::default();
    let mut heap = Heap::new(WatchedArena::new(&seen, 128 << 20), 108 * waste::BLOCKS);
    for order in [Order::Sorted, Order::Interleaved] {
        let waste = waste::waste(&mut heap, &[(7, 10), (31, 1), (64, 100)], 1, order);
        assert_eq!(waste.requested_bytes, 7 * 10 + 31 + 64 * 100);
        assert_eq!(waste.consumed_bytes, 8 * 10 + 32 + 64 * 100);
    }
    let mix = waste::waste(&mut heap, &waste::MIXED, 1, Order::Interleaved);
    assert_eq!(mix.requested_bytes, 1_000 * (7 + 31 + 63));
    assert_eq!(mix.consumed_bytes, 1_000 * (8 + 32 + 64));
    let recorded = waste::waste(&mut heap, &histogram::RULES_READ, 8, Order::Sorted);
    assert_eq!(recorded.requested_bytes, 411_189);
    let rounded = histogram::RULES_READ
        .iter()
        .map(|&(size, times)| size.next_multiple_of(8) as u64 * times);
    assert_eq!(recorded.consumed_bytes, rounded.sum::<u64>());
}
