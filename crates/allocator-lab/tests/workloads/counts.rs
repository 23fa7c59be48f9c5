//! Each workload makes the requests that its documentation says, as an independent count
//! sees them: no work is removed.

use std::alloc::System;
use std::cell::Cell;

use allocator_lab::workload::batch::Pattern;
use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::frame::Scene;
use allocator_lab::workload::phases::Load;
use allocator_lab::workload::stress::Live;
use allocator_lab::workload::{
    alignment, architecture, batch, burst, churn, concurrent, fragmentation, frame, histogram,
    large, pair, phases, stress, waste,
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
        let batch = |heap: &mut _| batch::batch(heap, pattern);
        check(&seen, 1_000, batch, requests, 64_000);
    }
    let scenes = [(800, 86_400), (10_000, 640_000), (200, 32_800)];
    for (scene, (requests, bytes)) in Scene::ALL.into_iter().zip(scenes) {
        for memory in Memory::ALL {
            let frame = |heap: &mut _| frame::frame(heap, scene, memory);
            check(&seen, 10_000, frame, requests, bytes);
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
    let fragmentation = |heap: &mut _| fragmentation::fragmentation(heap).report;
    check(&seen, fragmentation::BLOCKS, fragmentation, 1_500, 350_000);
    // The sizes come to 71,001, each with 7 alignments and 64 times.
    let blocks = alignment::BLOCKS;
    check(&seen, blocks, alignment::alignment, 3_584, 71_001 * 7 * 64);
    for mebibytes in [1, 16, 64] {
        let large = |heap: &mut _| large::large(heap, mebibytes);
        check(&seen, 1, large, 1, (mebibytes as u64) << 20);
    }
    let waste = |heap: &mut _| waste::waste(heap, &[(7, 1), (31, 1)], 1).report;
    check(&seen, 2 * waste::BLOCKS, waste, 2_000, 7_000 + 31_000);
}

pub(crate) fn random_sizes_are_within_their_limits_and_the_same_in_every_call() {
    let mut heap = Heap::new(Global(System), burst::BLOCKS);
    let first = burst::burst(&mut heap);
    assert_eq!(first.requests, 1_000);
    assert_eq!(first.successful(), 1_000);
    let bytes = first.requested_bytes;
    assert!((1_024 * 1_000..=65_536 * 1_000).contains(&bytes), "{bytes}");
    assert_eq!(burst::burst(&mut heap).requested_bytes, bytes);

    let mut heap = Heap::new(Global(System), concurrent::BLOCKS);
    let first = concurrent::steps(&mut heap, Sizes::Mixed);
    assert_eq!(first.requests, 40_000);
    let mean = first.requested_bytes / first.requests;
    // 16 to 2,048 are 4,080 / 8 = 510 in the mean.
    assert!((480..540).contains(&mean), "{mean}");
    assert_eq!(
        concurrent::steps(&mut heap, Sizes::Mixed).requested_bytes,
        first.requested_bytes
    );
}

pub(crate) fn pairs_of_one_size_are_of_64_bytes() {
    let mut heap = Heap::new(Global(System), concurrent::BLOCKS);
    let report = concurrent::steps(&mut heap, Sizes::Same);
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
    let found = match architecture::architecture(&mut heap) {
        Ok(found) => found,
        Err(missing) if cfg!(target_os = "linux") => panic!("{missing}"),
        // No other system tells the memory of a process.
        Err(_) => return,
    };
    // 2 blocks of 64 bytes, 256 of 1,024, one and 1,024 of 65,536.
    assert_eq!(found.report.requests, 2 + 256 + 1 + 1_024);
    assert_eq!(
        found.report.requested_bytes,
        2 * 64 + 256 * 1_024 + 1_025 * 65_536
    );
    assert_eq!(seen.get().takes, found.report.requests);
    assert_eq!(found.report.successful(), found.report.requests);
    assert!(found.reused && found.coalesced);
    // All of its memory was written before: the process does not grow.
    assert!(found.kept_bytes.abs() < 4 << 20, "{found:?}");
}

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
        resets(&|heap| frame::frame(heap, Scene::Physics, Memory::Touched)),
        1
    );
    assert_eq!(resets(&|heap| fragmentation::fragmentation(heap).report), 1);
    // 40,000 / 64 is 625, and the end.
    assert_eq!(resets(&|heap| concurrent::steps(heap, Sizes::Mixed)), 626);
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
    let waste = waste::waste(&mut heap, &[(7, 10), (31, 1), (64, 100)], 1);
    assert_eq!(waste.requested_bytes, 7 * 10 + 31 + 64 * 100);
    assert_eq!(waste.consumed_bytes, 8 * 10 + 32 + 64 * 100);
    let recorded = waste::waste(&mut heap, &histogram::RULES_READ, 8);
    assert_eq!(recorded.requested_bytes, 411_189);
    let rounded = histogram::RULES_READ
        .iter()
        .map(|&(size, times)| size.next_multiple_of(8) as u64 * times);
    assert_eq!(recorded.consumed_bytes, rounded.sum::<u64>());
}

/// The counts are those of another program with another mt19937.
pub(crate) fn a_heap_that_grows_and_shrinks_has_the_same_live_bytes_on_every_subject() {
    let seen = Cell::default();
    let after = [
        // Live blocks and bytes, and all requests and their bytes.
        [15_472, 33_552_819, 15_472, 33_552_819],
        [1_548, 3_418_803, 15_472, 33_552_819],
        [2_413, 33_544_342, 16_337, 63_678_358],
        [242, 3_163_226, 16_337, 63_678_358],
        [28_056, 33_554_348, 44_151, 94_069_480],
        [0, 0, 44_151, 94_069_480],
    ];
    assert_eq!(churn::PHASES, after.len());
    for (phases, [live_blocks, live_bytes, requests, bytes]) in (1..).zip(after) {
        seen.set(Seen::default());
        let mut heap = Heap::new(Watched::new(&seen), churn::BLOCKS);
        let churn = match churn::churn(&mut heap, phases) {
            Ok(churn) => churn,
            Err(missing) if cfg!(target_os = "linux") => panic!("{missing}"),
            // No other system tells the memory of a process.
            Err(_) => return,
        };
        assert_eq!(
            (churn.live_blocks, churn.live_bytes),
            (live_blocks, live_bytes)
        );
        assert_eq!(churn.report.requests, requests);
        assert_eq!(churn.report.requested_bytes, bytes);
        assert_eq!(churn.report.successful(), requests);
        let expected = Seen {
            takes: requests,
            bytes,
            gives: requests - live_blocks,
            resets: 0,
        };
        assert_eq!(seen.get(), expected, "phase {phases}");
        heap.give_all();
    }
}
