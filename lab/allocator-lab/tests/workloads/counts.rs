//! What a heap reports is what its subject sees; what the workloads request, and what they find
//! out about the memory of a subject.

use std::alloc::System;
use std::collections::BTreeSet;
use std::mem;

use allocator_lab::workload::concurrent::Sizes;
use allocator_lab::workload::fill::Sizes as FillSizes;
use allocator_lab::workload::frame::{Pattern, Scene, frames};
use allocator_lab::workload::phases::{Load, phases};
use allocator_lab::workload::replay::{Event, Recording, replay};
use allocator_lab::workload::tails::{Call, tails, times};
use allocator_lab::workload::{
    alignment, architecture, burst, concurrent, fill, fragmentation, large, pair, resident, server,
    stress, vectors, waste,
};
use allocator_lab::{Global, Heap, Memory, Report, layout};

use crate::watched::{Seen, Watched, WatchedArena, seen, take_log};

/// A workload makes this many requests of this many bytes without a fault, by its own count and by
/// that of its subject, and gives all blocks back.
#[track_caller]
fn check(requests: u64, bytes: u64, run: impl Fn(&mut Heap<Watched>) -> Report) {
    let report = run(&mut Heap::new(Watched, 100_000));
    let log = take_log();
    let Seen { takes, resizes, .. } = log.seen;
    assert_eq!((takes + resizes, log.seen.bytes), (requests, bytes));
    assert_eq!((report.requests, report.requested_bytes), (requests, bytes));
    assert_eq!(report.successful(), requests);
    assert!(log.seen.gives == takes && log.owners.is_empty());
}

fn sum<T, const N: usize>(all: [T; N], run: impl FnMut(T) -> Report) -> Report {
    all.into_iter().map(run).sum()
}

/// The numbers are by hand, or of other programs with a mt19937 and a xorshift of their own.
pub(crate) fn workloads_request_what_they_say_and_give_all_back() {
    // 1,000 of each of 5 sizes.
    check(5_000, 70_976_000, |heap| {
        sum(pair::SIZES, |size| pair::pairs(heap, size, Memory::Filled))
    });
    // 4,000 of 64, 512 and 64,000 bytes.
    check(12_000, 258_304_000, |heap| {
        sum(Pattern::ALL, |one| {
            frames(heap, one.blocks(), Memory::Untouched)
        })
    });
    // 5 x 800, 10,000 and 20 x 200.
    check(18_000, 1_728_000, |heap| {
        sum(Scene::ALL, |one| {
            frames(heap, one.blocks(), Memory::Touched)
        })
    });
    // 10,000 twice, 100,000, 1,000 and 50,000.
    check(171_000, 90_540_000, |heap| {
        sum(Load::ALL, |load| phases(heap, load).report)
    });
    // 1,000 of 100 bytes and 5,000 of 500.
    check(6_000, 2_600_000, |heap| {
        fragmentation::fragmentation(heap).report
    });
    check(10_000, 640_000, |heap| concurrent::pairs(heap, Sizes::Same));
    check(10_000, 10_425_058, |heap| {
        concurrent::pairs(heap, Sizes::Mixed)
    });
    check(1_000, 33_228_404, burst::burst);
    check(25_500, 12_951_029, server::serve);
    // 8 sizes, 7 alignments, 64 of each.
    check(3_584, 31_808_448, alignment::alignment);
    // 1, 16 and 64 MiB.
    check(3, 84_934_656, |heap| {
        sum(large::MEBIBYTES, |size| large::large(heap, size))
    });
    check(6_718, 217_383_926, |heap| stress::stress(heap).report);
    check(55_000, 113_008_975, |heap| resident::resident(heap).report);
    // 64 vectors, each doubled 10 times.
    check(704, 8_384_512, vectors::vectors);
    // As the heads of the traces have them.
    check(721 + 200, 235_418, |heap| {
        replay(heap, &Recording::Rules.trace())
    });
    check(2_194 + 21, 320_378, |heap| {
        replay(heap, &Recording::Json.trace())
    });
    check(101_000, 51_595_632, |heap| {
        tails(heap, Call::Give, &mut times()).report
    });
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
    // 10,000 / 64 is 156, and the end.
    let concurrent = resets(&|heap| concurrent::pairs(heap, Sizes::Mixed));
    assert_eq!(concurrent, 157);
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

/// An arena gives nothing back, and a block that grows lies elsewhere: the region has room for all
/// that is handed out, in multiples of 8 bytes.
pub(crate) fn the_smallest_region_has_room_for_what_a_program_takes() {
    let trace = Recording::Json.trace();
    let mut sizes = Vec::new();
    let mut bytes = 0;
    for event in &trace.events {
        match *event {
            Event::Take(size, _) => {
                sizes.push(size);
                bytes += size.next_multiple_of(8);
            }
            Event::Resize(index, size) => {
                let old = mem::replace(&mut sizes[index as usize], size);
                bytes += if size > old {
                    size.next_multiple_of(8)
                } else {
                    0
                };
            }
            Event::Give(index) => drop(sizes.swap_remove(index as usize)),
        }
    }
    let smallest = fill::smallest_region(&WatchedArena::new(8), &trace);
    assert_eq!(smallest, bytes.next_multiple_of(256) as usize);
}

/// Those of XSigma's report.
pub(crate) fn stress_has_the_published_counts() {
    let stress = stress::stress(&mut Heap::new(Global(System), stress::BLOCKS));
    let counts = [6_718, 3_436, 110_956_206, 217_383_926];
    assert_eq!(stress.values[..4], counts);
}

/// A program in C++ with `std::mt19937` has these counts.
pub(crate) fn resident_has_the_counts_of_another_generator() {
    let mut heap = Heap::new(Global(System), resident::MOST_LIVE);
    let [requests, full, _, half, ..] = resident::resident(&mut heap).values;
    assert_eq!([requests, full, half], [55_000, 20_346_108, 10_120_759]);

    let mut heap = Heap::new(WatchedArena::new(128 << 20), resident::MOST_LIVE);
    let found = resident::resident(&mut heap);
    let [_, _, _, half, half_growth, ..] = found.values;
    assert_eq!(half, 10_120_759);
    let seen = seen();
    assert_eq!((seen.takes, seen.gives, seen.resets), (55_000, 0, 1));
    // All of its memory was written before.
    assert!(half_growth.abs() < 1 << 20, "{found:?}");
}

/// glibc puts the size of a block, 8 bytes on 64-bit machines, before it, and asks the
/// system for more memory.
pub(crate) fn the_system_has_a_header_and_grows() {
    if cfg!(not(all(target_env = "gnu", target_pointer_width = "64"))) {
        return;
    }
    let mut heap = Heap::new(Global(System), architecture::BLOCKS);
    let found = architecture::architecture(&mut heap);
    assert_eq!(found.values[3..5], [8, 1]);
    assert_eq!(found.report.successful(), found.report.requests);
}

pub(crate) fn waste_is_the_distance_between_neighbours() {
    // This arena hands out multiples of 8 bytes, one after the other.
    let mut heap = Heap::new(WatchedArena::new(1 << 20), 3 * waste::BLOCKS);
    let mut found = |sizes: &[_], align| {
        let [requested, consumed, ..] = waste::waste(&mut heap, sizes, align).values;
        (requested, consumed)
    };
    assert_eq!(found(&[31], 8), (31_000, 32_000));
    assert_eq!(
        found(&waste::MIXED, 1),
        (1_000 * (7 + 31 + 63), 1_000 * (8 + 32 + 64))
    );
}
