//! What a heap reports is what its subject sees, and figures of workloads beside the requests of
//! their checks, which have gates.

use std::alloc::System;
use std::collections::BTreeSet;

use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::frame::Scene;
use allocator_lab::workload::tails::{Call, Times};
use allocator_lab::workload::{
    architecture, concurrent, fill, fragmentation, frame, histogram, pair, stress, tails,
};
use allocator_lab::{Global, Heap, Memory, Report, layout};

use crate::watched::{Seen, Watched, WatchedArena, seen};

pub(crate) fn a_report_has_what_the_subject_sees() {
    let mut heap = Heap::new(Watched, 2);
    let mut report = Report::default();
    for size in [16, 64] {
        assert!(heap.take(layout(size, 8), &mut report).is_some());
    }
    assert!(heap.resize(0, 32, &mut report).is_some());
    heap.give_all();
    let expected = Seen {
        takes: 2,
        resizes: 1,
        bytes: 16 + 64 + 32,
        gives: 2,
        ..Seen::default()
    };
    assert_eq!(seen(), expected);
    assert_eq!((report.requests, report.requested_bytes), (3, 112));
}

/// An arena whose blocks follow each other, and which is reset, hands the same block out
/// again, and the large block lies where the small ones were.
pub(crate) fn a_subject_is_asked_for_blocks_and_where_they_lie() {
    let mut heap = Heap::new(WatchedArena::new(128 << 20), architecture::BLOCKS);
    let found = architecture::architecture(&mut heap);
    // 2 blocks of 64 bytes, 256 of 1,024, one of 65,536, and 64 of each of the 57 multiples
    // of 8 from 64 to 512, whose mean is 288.
    assert_eq!(found.report.requests, 2 + 256 + 1 + 64 * 57);
    assert_eq!(
        found.report.requested_bytes,
        2 * 64 + 256 * 1_024 + 65_536 + 64 * 57 * 288
    );
    // The block that is more than a region is no request of the report.
    assert_eq!(seen().takes, found.report.requests + 1);
    assert_eq!(found.report.successful(), found.report.requests);
    assert_eq!(found.figures[..5], [0, 1, 1, 0, 0]);
}

pub(crate) fn an_arena_is_reset_when_the_page_says_so_and_gives_nothing_back_before() {
    let resets = |workload: &dyn Fn(&mut Heap<WatchedArena>) -> Report| {
        let mut heap = Heap::new(WatchedArena::new(8 << 20), 10_000);
        let report = workload(&mut heap);
        let seen = seen();
        assert_eq!(seen.takes, report.requests);
        assert_eq!((seen.gives, heap.live_blocks()), (0, 0));
        assert_eq!(report.successful(), report.requests);
        seen.resets
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
    // Of 100,000 timed takes, every 1,000 a reset, and the end.
    let tails = resets(&|heap| tails::tails(heap, Call::Take, &mut Times::default()).report);
    assert_eq!(tails, 101);
}

/// Ten blocks of 4,096 bytes come and go beneath the one that stays.
pub(crate) fn an_anchor_is_one_block_that_stays_above_others() {
    let mut heap = Heap::new(Watched, 1);
    heap.anchor(40_960);
    let expected = Seen {
        takes: 11,
        bytes: 11 * 4_096,
        gives: 10,
        ..Seen::default()
    };
    assert_eq!((seen(), heap.live_blocks()), (expected, 0));
    Heap::new(WatchedArena::new(8 << 20), 1).anchor(40_960);
    assert_eq!(seen(), Seen::default());
}

pub(crate) fn a_part_of_a_block_is_written() {
    let mut heap = Heap::new(Global(System), 1);
    let mut report = Report::default();
    let mut block = heap.take(layout(16, 8), &mut report).unwrap();
    block.fill(1);
    block.fill_from(16, 2);
    assert!(block.is_intact());
    block.fill_from(15, 2);
    assert!(!block.is_intact());
    block.fill_from(0, 1);
    assert!(block.is_intact());
}

pub(crate) fn single_calls_are_timed_and_their_quantiles_ascend() {
    let mut heap = Heap::new(Watched, tails::BLOCKS);
    let mut times = Times::default();
    let mut bytes = 0;
    for call in Call::ALL {
        let tails = tails::tails(&mut heap, call, &mut times);
        // 1,000 live blocks, and 100,000 that replace one.
        assert_eq!(tails.report.successful(), 101_000);
        let seen = seen();
        assert_eq!((seen.takes, seen.gives), (101_000, 101_000));
        // 16 to 2,048 are 4,080 / 8 = 510 on average.
        let mean = tails.report.requested_bytes / 101_000;
        assert!((500..520).contains(&mean), "{mean}");
        assert!(bytes == 0 || bytes == seen.bytes, "the same sizes");
        bytes = seen.bytes;
        let [requests, quantiles @ .., _, _] = tails.figures;
        let max = quantiles[4];
        assert_eq!(requests, 101_000);
        assert!(quantiles.is_sorted() && max > 0, "{quantiles:?}");
    }
}

/// A heap whose free memory is one piece, as a fresh arena, has room for as many blocks as
/// fit, and after a reset for as many again.
pub(crate) fn filling_ends_at_the_first_refusal_and_reaches_it_again() {
    // 64 KiB are 4,096 blocks of 16 bytes and 64 of 1,024.
    let heap = || Heap::new(WatchedArena::new(64 << 10), 5_000);
    for (sizes, blocks, granted) in [
        (&[16][..], 4_096, 65_536),
        (&[1_024], 64, 65_536),
        // 56 times 1,160 are 64,960, and 16 more; the second 1,144 do not fit any more.
        (&[16, 1_144], 113, 64_976),
    ] {
        let fill = fill::fill(&mut heap(), sizes);
        assert_eq!(fill.figures[..2], [blocks as i64, granted]);
        assert_eq!(fill.report.requests, 2 * blocks);
        assert_eq!(fill.report.successful(), 2 * blocks);
    }
    // Every order has the sizes that it says: any, one of 4, and 2,551 recorded ones.
    let uniform = fill::Sizes::Uniform.in_order();
    assert!(uniform.iter().all(|size| (16..=2_048).contains(size)));
    let odd = uniform.iter().filter(|size| *size % 2 == 1).count();
    assert!((1_800..2_300).contains(&odd), "{odd} of 4,096");
    let odd: BTreeSet<_> = fill::Sizes::Odd.in_order().into_iter().collect();
    assert!(odd.into_iter().eq([24, 40, 100, 300]));
    let mut recorded = fill::Sizes::Recorded.in_order();
    recorded.sort_unstable();
    let all = histogram::RULES_READ.iter();
    let all = all.flat_map(|&(size, times)| (0..times).map(move |_| size));
    assert!(recorded.iter().copied().eq(all));
}

pub(crate) fn stress_has_the_published_counts() {
    let mut heap = Heap::new(Watched, stress::BLOCKS);
    for _ in 0..2 {
        let stress = stress::stress(&mut heap);
        let counts = [6_718, 3_436, 110_956_206, 217_383_926];
        assert_eq!(stress.figures[..4], counts);
        assert_eq!(stress.report.successful(), 6_718);
        let expected = Seen {
            takes: 6_718,
            bytes: 217_383_926,
            gives: 6_718,
            ..Seen::default()
        };
        assert_eq!(seen(), expected);
    }
}
