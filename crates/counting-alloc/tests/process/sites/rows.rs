//! The counts of each stack, and the settings of the window.

use std::hint::black_box;
use std::panic;

use counting_alloc::{
    KeptBlocks, MeasureError, Scope, Sites, Tally, Window, thread_tally, uncounted,
};

use super::{SiteRow, bytes, measure, of_bytes, row};

pub(crate) fn a_window_says_that_there_are_no_stacks() {
    let refused = Window::thread().measure_sites(|| ());
    assert_eq!(refused.err(), Some(MeasureError::NoSites));
}

pub(crate) fn every_field_adds_up() {
    let (measured, counts) = measure(|| {
        let mut grown = Vec::<u8>::with_capacity(16);
        for more in 1..200 {
            grown.resize(more * 7, 1);
        }
        grown.truncate(10);
        grown.shrink_to_fit();
        let refused = Vec::<u8>::new().try_reserve_exact(1 << 58);
        assert!(refused.is_err());
        drop(black_box(vec![0_u8; 64]));
        #[repr(align(64))]
        struct Aligned([u8; 64]);
        let aligned = black_box(Box::new(Aligned([1; 64])));
        assert_eq!(aligned.0[3], 1);
        grown.len()
    });
    let tally = measured.tally;
    assert_eq!(
        (tally.allocs, tally.deallocs, tally.failed),
        (tally.reallocs + 3, 3, 1)
    );
    assert!(tally.reallocs > 4, "{tally}");
    // `measure` compared all fields of the sum. No row has all of them.
    assert!(counts.rows.iter().all(|row| row.stack.is_some()));
    assert!(counts.rows.iter().all(|row| row.tally != tally));
}

pub(crate) fn a_line_has_a_row_and_a_loop_has_one() {
    let (_, counts) = measure(|| {
        for _ in 0..100 {
            drop(bytes(40));
        }
        drop(bytes(41));
        drop(bytes(42));
    });
    let looped = row(&counts, 4_000);
    assert_eq!((looped.tally.allocs, looped.tally.deallocs), (100, 0));
    assert_eq!(row(&counts, 41).tally, Tally::ZERO.with_blocks(1, 41));
    assert_ne!(row(&counts, 42).stack, row(&counts, 41).stack);
    // Three calls of `bytes`, and three lines that drop.
    assert_eq!(counts.rows.len(), 6, "{counts:#?}");
}

pub(crate) fn each_stack_has_the_sizes_of_its_requests() {
    let mut counts = Sites::default();
    let mut window = || {
        let (_, sites) = measure(|| {
            for size in [64, 40, 41, 65, 30] {
                drop(bytes(size));
            }
            let mut grown = bytes(39);
            grown.reserve_exact(61);
            grown.truncate(7);
            grown.shrink_to_fit();
            drop(grown);
            let refused = Vec::<u8>::new().try_reserve_exact(1 << 58);
            assert!(refused.is_err());
        });
        counts += &sites;
    };
    for _ in 0..black_box(2) {
        window();
    }
    let sizes = |row: &SiteRow| (row.smallest, row.largest);
    assert_eq!(sizes(&row(&counts, 480)), (30, 65));
    assert_eq!(sizes(&row(&counts, 78)), (39, 39));
    let of = |is_it: fn(&SiteRow) -> bool| {
        let found = counts.rows.iter().find(|row| is_it(row));
        sizes(found.expect("a row has it"))
    };
    assert_eq!(of(|row| row.tally.bytes == 2 * 61), (100, 100));
    assert_eq!(of(|row| row.tally.freed_bytes == 2 * 93), (7, 7));
    // Calls that fail and calls that free request nothing.
    assert_eq!(of(|row| row.tally.failed == 2), (0, 0));
}

pub(crate) fn windows_nest() {
    let mut inner = None;
    let (outer, counts) = measure(|| {
        drop(bytes(10));
        inner = counting_alloc::try_measure(Scope::Thread, || drop(bytes(20))).ok();
        drop(bytes(30));
    });
    assert_eq!(inner.expect("it is measured").tally.allocs, 1);
    assert_eq!(outer.tally.allocs, 3);
    assert_eq!(row(&counts, 20).tally.allocs, 1);
    // What an inner one allocates for its rows is excluded.
    let outer = Window::thread().measure(|| measure(|| drop(bytes(20))).0);
    let outer = outer.expect("it is measured");
    assert!(outer.uncounted.allocs > 0);
    let inner = outer.value;
    // The vector of rows that `measure` drops was allocated uncounted.
    assert_eq!(outer.tally.allocs, inner.tally.allocs);
}

pub(crate) fn a_second_window_is_refused() {
    let (outer, counts) = measure(|| {
        drop(bytes(10));
        let inner = Window::thread().measure_sites(|| ());
        assert_eq!(inner.err(), Some(MeasureError::SitesOpen));
        drop(bytes(30));
    });
    assert_eq!(outer.tally.allocs, 2);
    assert_eq!(row(&counts, 30).tally.allocs, 1);
    // Closed windows don't count.
    assert_eq!(measure(|| drop(bytes(1))).0.tally.allocs, 1);
}

pub(crate) fn an_excluded_region_has_no_rows() {
    let (measured, counts) = measure(|| {
        let inside = uncounted(|| bytes(50));
        drop(bytes(60));
        inside
    });
    assert_eq!(measured.uncounted.allocs, 1);
    assert!(of_bytes(&counts, 50).is_empty());
    assert_eq!(row(&counts, 60).tally.allocs, 1);
}

pub(crate) fn a_panic_ends_the_capture() {
    struct Frees(#[expect(dead_code, reason = "it is dropped")] Vec<u8>);

    impl Drop for Frees {
        fn drop(&mut self) {
            drop(bytes(70));
        }
    }

    let panicked = panic::catch_unwind(|| {
        let _ = Window::thread().measure_sites(|| {
            let _frees = Frees(bytes(80));
            panic::resume_unwind(Box::new("on purpose"));
        });
    });
    assert!(panicked.is_err());
    // A panic that ends inside of a window is a part of it.
    let (_, counts) = measure(|| {
        let caught = panic::catch_unwind(|| {
            let _frees = Frees(bytes(80));
            panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(caught.is_err());
    });
    assert_eq!(row(&counts, 70).tally.allocs, 1);
    assert_eq!(row(&counts, 80).tally.allocs, 1);
}

pub(crate) fn sites_are_summed_by_stack() {
    let before = thread_tally();
    let (mut sum, mut tally) = (Sites::default(), Tally::ZERO);
    sum.before = Some(KeptBlocks::default());
    for times in black_box(1..=3) {
        let (measured, sites) = measure(|| {
            for _ in 0..times {
                drop(bytes(10));
            }
        });
        tally += measured.tally;
        uncounted(|| {
            sum += &sites;
            drop(sites);
        });
    }
    assert_eq!(sum.tally(), tally);
    assert_eq!(row(&sum, 60).tally.allocs, 6);
    assert_eq!(sum.before.map(|before| before.blocks), Some(0));
    assert_eq!(sum.rows.len(), 2);
    // What only one of them has is not known of the sum.
    sum += &Sites::default();
    assert_eq!((sum.before, sum.rows.len()), (None, 2));
    assert!((thread_tally() - before).allocs >= 6);
}
