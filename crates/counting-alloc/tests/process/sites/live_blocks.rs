//! Live blocks by the stack that allocated them: at the end of a window and at its peak.

use std::hint::black_box;

use counting_alloc::{KeptBlocks, Sites};

use super::{bytes, measure, row};

fn kept(blocks: KeptBlocks) -> (i64, i64) {
    (blocks.blocks, blocks.bytes)
}

fn before(counts: &Sites) -> (i64, i64) {
    kept(counts.before.expect("live blocks are kept"))
}

pub(crate) fn blocks_are_kept_by_the_line_that_allocated_them() {
    let (measured, counts) = measure(|| {
        let leaked = [bytes(100), bytes(100)].map(black_box);
        let mut grown = bytes(300);
        grown.reserve_exact(700);
        let mut shrunk = bytes(400);
        shrunk.truncate(150);
        shrunk.shrink_to_fit();
        assert!(grown.try_reserve_exact(1 << 58).is_err());
        drop(bytes(500));
        (leaked, grown, shrunk)
    });
    let lines = counts.rows.iter().filter(|row| row.kept.blocks > 0);
    assert_eq!(lines.count(), 4, "{counts:#?}");
    // A block that was resized keeps the line that allocated it.
    assert_eq!(kept(row(&counts, 300).kept), (1, 1_000));
    assert_eq!(kept(row(&counts, 400).kept), (1, 150));
    assert_eq!(kept(row(&counts, 500).kept), (0, 0));
    assert_eq!(kept(counts.kept()), (4, 1_350));
    assert_eq!(measured.tally.net_bytes(), 1_350);
    assert_eq!(before(&counts), (0, 0));
    drop(measured);
}

pub(crate) fn blocks_from_before_are_a_part_of_their_own() {
    let (old, mut grown) = (bytes(1_000), bytes(10));
    let (measured, counts) = measure(|| {
        drop(old);
        grown.reserve_exact(90);
        bytes(600)
    });
    assert_eq!(kept(counts.kept()), (1, 600));
    assert_eq!(before(&counts), (-1, -1_000 + 90));
    let tally = measured.tally;
    assert_eq!((tally.net_blocks(), tally.net_bytes()), (0, -310));
}

pub(crate) fn an_address_that_comes_back_is_another_block() {
    // Freed uncounted, its address is free for the next block.
    let (measured, counts) = measure(|| {
        let first = bytes(120);
        counting_alloc::uncounted(|| drop(first));
        let second = bytes(121);
        drop(second);
        bytes(122)
    });
    assert_eq!(kept(row(&counts, 120).kept), (1, 120));
    assert_eq!(kept(row(&counts, 121).kept), (0, 0));
    assert_eq!(kept(row(&counts, 122).kept), (1, 122));
    assert_eq!(before(&counts), (0, 0));
    assert_eq!(measured.tally.net_bytes(), 242);
}

pub(crate) fn the_peak_is_held_by_the_line_that_allocated() {
    let (measured, counts) = measure(|| {
        drop(bytes(900));
        let long = bytes(400);
        let mut grown = bytes(10);
        grown.reserve_exact(590);
        drop(grown);
        drop(bytes(250));
        long
    });
    assert_eq!(measured.peak_bytes, Some(1_000));
    assert_eq!(
        (counts.peak_bytes(), counts.before_peak_bytes),
        (1_000, Some(0))
    );
    assert_eq!(row(&counts, 900).peak_bytes, 0);
    assert_eq!(row(&counts, 400).peak_bytes, 400);
    assert_eq!(row(&counts, 10).peak_bytes, 600);
    assert_eq!(row(&counts, 250).peak_bytes, 0);
    // Of two peaks of the same height, the first.
    let (measured, counts) = measure(|| {
        drop(bytes(300));
        drop(bytes(301));
        drop(bytes(302));
        drop([bytes(2), bytes(300)]);
    });
    assert_eq!(measured.peak_bytes, Some(302));
    assert_eq!(row(&counts, 302).peak_bytes, 302);
    assert_eq!(counts.peak_bytes(), 302);
    // The level falls below that at the opening, and then rises above it.
    let old = bytes(2_000);
    let (measured, counts) = measure(|| {
        drop(old);
        bytes(2_400)
    });
    assert_eq!(measured.peak_bytes, Some(400));
    assert_eq!(row(&counts, 2_400).peak_bytes, 2_400);
    assert_eq!(counts.before_peak_bytes, Some(-2_000));
    // Nothing is live at a peak of zero.
    let (measured, counts) = measure(|| ());
    assert_eq!((measured.peak_bytes, counts.peak_bytes()), (Some(0), 0));
    assert_eq!(counts.before_peak_bytes, Some(0));
}
