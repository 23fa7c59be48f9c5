//! What a heap reports is what its subject sees, and what the workloads request.

use std::alloc::System;
use std::collections::BTreeSet;

use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::fill::Sizes as FillSizes;
use allocator_lab::workload::frame::{Pattern, Scene, frames};
use allocator_lab::workload::phases::{Load, phases};
use allocator_lab::workload::replay::{Recording, replay};
use allocator_lab::workload::tails::{Call, tails, times};
use allocator_lab::workload::{
    alignment, architecture, burst, concurrent, fill, fragmentation, large, pair, server, stress,
    vectors,
};
use allocator_lab::{Global, Heap, Memory, Report, layout};

use crate::watched::{Seen, Watched, WatchedArena, seen, take_log};

type Run = fn(&mut Heap<Watched>) -> Report;

fn sum<T, const N: usize>(all: [T; N], run: impl FnMut(T) -> Report) -> Report {
    all.into_iter().map(run).sum()
}

/// Each with its requests and their bytes: by hand, or of other programs with a mt19937 and a
/// xorshift of their own.
const REQUESTS: [(&str, Run, u64, u64); 15] = [
    // 1,000 of each of 5 sizes.
    (
        "pair",
        |heap| sum(pair::SIZES, |size| pair::pairs(heap, size, Memory::Filled)),
        5_000,
        70_976_000,
    ),
    // 4,000 of 64, 512 and 64,000 bytes.
    (
        "batch",
        |heap| {
            sum(Pattern::ALL, |pattern| {
                frames(heap, pattern.blocks(), Memory::Untouched)
            })
        },
        12_000,
        258_304_000,
    ),
    // 5 x 800, 10,000 and 20 x 200.
    (
        "frame",
        |heap| {
            sum(Scene::ALL, |scene| {
                frames(heap, scene.blocks(), Memory::Touched)
            })
        },
        18_000,
        1_728_000,
    ),
    // 10,000 twice, 100,000, 1,000 and 50,000.
    (
        "phases",
        |heap| sum(Load::ALL, |load| phases(heap, load).report),
        171_000,
        90_540_000,
    ),
    (
        "fragmentation",
        |heap| fragmentation::fragmentation(heap).report,
        6_000,
        2_600_000,
    ),
    (
        "concurrent, 64",
        |heap| concurrent::pairs(heap, Sizes::Same),
        40_000,
        2_560_000,
    ),
    (
        "concurrent, mixed",
        |heap| concurrent::pairs(heap, Sizes::Mixed),
        40_000,
        41_666_839,
    ),
    ("burst", burst::burst, 1_000, 33_228_404),
    ("server", server::serve, 100_500, 51_148_704),
    // 8 sizes, 7 alignments, 64 of each.
    ("alignment", alignment::alignment, 3_584, 31_808_448),
    // 1, 16 and 64 MiB.
    (
        "large",
        |heap| sum(large::MEBIBYTES, |size| large::large(heap, size)),
        3,
        84_934_656,
    ),
    // 64 vectors, each doubled 10 times.
    ("vectors", vectors::vectors, 704, 8_384_512),
    // As the heads of the traces have them.
    (
        "rules",
        |heap| replay(heap, &Recording::Rules.trace()),
        721 + 200,
        235_418,
    ),
    (
        "json",
        |heap| replay(heap, &Recording::Json.trace()),
        2_194 + 21,
        320_378,
    ),
    (
        "tails",
        |heap| tails(heap, Call::Give, &mut times()).report,
        101_000,
        51_595_632,
    ),
];

pub(crate) fn workloads_request_what_they_say_and_give_all_back() {
    for (name, run, requests, bytes) in REQUESTS {
        let mut heap = Heap::new(Watched, 100_000);
        let report = run(&mut heap);
        let log = take_log();
        let Seen { takes, resizes, .. } = log.seen;
        assert_eq!(
            (takes + resizes, log.seen.bytes),
            (requests, bytes),
            "{name}"
        );
        let reported = (report.requests, report.requested_bytes);
        assert_eq!(reported, (requests, bytes), "{name}");
        assert_eq!(report.successful(), requests, "{name}");
        assert!(log.seen.gives == takes && log.owners.is_empty(), "{name}");
    }
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
    assert_eq!(found.values[..5], [0, 1, 1, 0, 0]);
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
    let pairs = |size| resets(&|heap| pair::pairs(heap, size, Memory::Filled));
    assert_eq!(pairs(64), 1);
    assert_eq!(pairs(65_536), 1_000);
    let frames = resets(&|heap| frames(heap, Scene::Physics.blocks(), Memory::Touched));
    assert_eq!(frames, 5);
    let fragmentation = resets(&|heap| fragmentation::fragmentation(heap).report);
    assert_eq!(fragmentation, 1);
    // 40,000 / 64 is 625, and the end.
    let concurrent = resets(&|heap| concurrent::pairs(heap, Sizes::Mixed));
    assert_eq!(concurrent, 626);
    // Of 100,000 timed takes, every 1,000 a reset, and the end.
    let tails = resets(&|heap| tails(heap, Call::Take, &mut times()).report);
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

pub(crate) fn single_calls_are_timed_and_all_but_one_in_1000_are_no_slower() {
    let mut heap = Heap::new(Global(System), 1_000);
    for call in Call::ALL {
        let mut times = times();
        let found = tails(&mut heap, call, &mut times);
        let [requests, p999, max, ..] = found.values;
        // 100,000 calls: 100 are slower than the 99,900th.
        assert_eq!((requests, times.len()), (101_000, 100_000));
        assert!(times.is_sorted() && max > 0);
        assert_eq!(
            [p999, max],
            [times[99_899], times[99_999]].map(|time| time as i64)
        );
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
        assert_eq!(fill.values[..2], [blocks as i64, granted]);
        assert_eq!(fill.report.requests, 2 * blocks);
        assert_eq!(fill.report.successful(), 2 * blocks);
    }
    // Every order has the sizes that it says: any, one of 4, and those of a trace.
    let uniform = FillSizes::Uniform.in_order();
    assert!(uniform.iter().all(|size| (16..=2_048).contains(size)));
    let odd = uniform.iter().filter(|size| *size % 2 == 1).count();
    assert!((1_800..2_300).contains(&odd), "{odd} of 4,096");
    let odd: BTreeSet<_> = FillSizes::Odd.in_order().into_iter().collect();
    assert!(odd.into_iter().eq([24, 40, 100, 300]));
    let recorded = FillSizes::Recorded.in_order();
    assert_eq!((recorded.len(), recorded.iter().sum()), (921, 235_418));
}

pub(crate) fn stress_has_the_published_counts() {
    let mut heap = Heap::new(Watched, stress::BLOCKS);
    let stress = stress::stress(&mut heap);
    let counts = [6_718, 3_436, 110_956_206, 217_383_926];
    assert_eq!(stress.values[..4], counts);
    assert_eq!(stress.report.successful(), 6_718);
    let expected = Seen {
        takes: 6_718,
        bytes: 217_383_926,
        gives: 6_718,
        ..Seen::default()
    };
    assert_eq!(seen(), expected);
}
