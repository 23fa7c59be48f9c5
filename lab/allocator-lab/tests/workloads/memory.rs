//! What workloads find out about memory: live bytes, as other programs of the same random
//! numbers have them, resident memory, headers and waste.

use std::alloc::System;

use allocator_lab::workload::{architecture, resident, waste};
use allocator_lab::{Global, Heap};

use crate::watched::{WatchedArena, seen};

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
