//! `measure` in ordinary tests, as users write them: under libtest, in parallel,
//! without flags. The expected numbers follow from the requested sizes and from the
//! documented growth of std's collections.

use std::collections::VecDeque;
use std::hint::black_box;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use counting_alloc::thread_tally;
use counting_alloc::{Tally, measure, prove};

#[test]
fn an_empty_window_is_zero_in_every_field() {
    let measured = measure(|| ());
    assert_eq!(measured.tally, Tally::ZERO);
    assert_eq!(measured.peak_bytes, Some(0));
}

#[test]
fn each_operation_is_counted_as_what_it_is() {
    let measured = measure(|| {
        let mut bytes = black_box(Vec::<u8>::with_capacity(64));
        bytes.extend_from_slice(&[1; 16]);
        bytes.reserve_exact(128);
        bytes.shrink_to_fit();
        let zeroed = black_box(vec![0_u8; 32]);
        drop(bytes);
        drop(zeroed);
    });
    assert_eq!(
        measured.tally,
        Tally::ZERO
            .with_blocks(2, 64 + 32)
            .with_deallocs(2, 16 + 32)
            .with_grows(1, 144 - 64)
            .with_shrinks(1, 144 - 16)
    );
    assert_eq!(measured.peak_bytes, Some(144));
    assert_eq!(measured.tally.net_bytes(), 0);
}

#[test]
fn a_realloc_to_the_same_size_is_a_shrink_by_nothing() {
    use std::alloc::{Layout, alloc, dealloc, realloc};
    let layout = Layout::new::<[u64; 4]>();
    #[expect(
        unsafe_code,
        reason = "std's collections never reallocate to the same size"
    )]
    let measured = measure(|| {
        // SAFETY: the size is not zero.
        let block = black_box(unsafe { alloc(layout) });
        assert!(!block.is_null());
        // SAFETY: `block` is live with this layout, and the size is not zero.
        let block = black_box(unsafe { realloc(block, layout, layout.size()) });
        assert!(!block.is_null());
        // SAFETY: `block` is live with this layout and not used afterwards.
        unsafe { dealloc(block, layout) };
    });
    let size = layout.size() as u64;
    let expected = Tally::ZERO.with_blocks(1, size).with_shrinks(1, 0);
    assert_eq!(measured.tally, expected.with_deallocs(1, size));
}

#[test]
fn the_return_value_is_dropped_outside() {
    let measured = measure(|| black_box(Box::new([0_u8; 100])));
    assert_eq!(measured.tally.allocs, 1);
    assert_eq!(measured.tally.deallocs, 0);
    assert_eq!(measured.tally.net_bytes(), 100);
    assert_eq!(measured.tally.net_blocks(), 1);
}

#[test]
fn memory_from_before_the_window_makes_net_bytes_negative() {
    let before = black_box(vec![1_u8; 50]);
    let measured = measure(|| drop(before));
    assert_eq!(measured.tally.net_bytes(), -50);
    assert_eq!(measured.peak_bytes, Some(0));
}

#[test]
fn an_inner_window_is_part_of_the_outer_one_and_keeps_its_own_peak() {
    let outer = measure(|| {
        drop(black_box(vec![0_u8; 1_000]));
        let kept = black_box(vec![0_u8; 10]);
        let inner = measure(|| drop(black_box(vec![0_u8; 100])));
        assert_eq!(inner.tally.allocs, 1);
        assert_eq!(inner.peak_bytes, Some(100));
        let second = measure(|| drop(black_box(vec![0_u8; 3_000])));
        assert_eq!(second.peak_bytes, Some(3_000));
        drop(kept);
    });
    assert_eq!(outer.tally.allocs, 4);
    assert_eq!(outer.tally.net_bytes(), 0);
    assert_eq!(outer.peak_bytes, Some(3_010));
}

#[test]
fn a_peak_from_before_an_inner_window_is_not_forgotten() {
    let outer = measure(|| {
        drop(black_box(vec![0_u8; 1_000]));
        let inner = measure(|| drop(black_box(vec![0_u8; 1])));
        assert_eq!(inner.peak_bytes, Some(1));
    });
    assert_eq!(outer.peak_bytes, Some(1_000));
}

#[test]
fn a_panic_inside_leaves_the_counters_right() {
    let outer = measure(|| {
        let caught = panic::catch_unwind(|| {
            measure(|| {
                let _held = black_box(vec![0_u8; 500]);
                panic::resume_unwind(Box::new("no hook, no message"));
            })
        });
        assert!(caught.is_err());
        drop(black_box(caught));
        measure(|| drop(black_box(vec![0_u8; 20])))
    });
    assert_eq!(outer.value.tally.allocs, 1);
    assert_eq!(outer.value.peak_bytes, Some(20));
    assert_eq!(outer.tally.net_bytes(), 0);
    assert!(outer.peak_bytes.is_some_and(|peak| peak >= 500));
}

#[test]
fn another_threads_allocations_are_foreign_and_not_counted() {
    // No barriers: on macOS, their mutexes are blocks.
    let (go, gone) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(&go);
            for _ in 0..10 {
                drop(black_box(vec![0_u8; 1_000_003]));
            }
            gone.store(true, Ordering::Release);
        });
        let measured = measure(|| {
            go.store(true, Ordering::Release);
            wait_for(&gone);
        });
        assert_eq!(measured.tally, Tally::ZERO);
        assert!(measured.foreign.allocs >= 10, "{}", measured.foreign);
        assert!(measured.foreign.bytes >= 10_000_030, "{}", measured.foreign);
    });
}

#[test]
fn the_thread_tally_starts_at_zero_on_a_thread_that_acquired_a_released_block() {
    let first = std::thread::spawn(|| {
        drop(black_box(vec![0_u8; 77]));
        thread_tally()
    });
    assert!(first.join().unwrap().allocs >= 1);
    let second = std::thread::spawn(|| {
        let before = thread_tally();
        drop(black_box(vec![0_u8; 77]));
        (before, thread_tally() - before)
    });
    let (before, counted) = second.join().unwrap();
    assert!(before.allocs < 10, "inherited: {before}");
    assert_eq!((counted.allocs, counted.deallocs), (1, 1));
}

#[test]
fn the_proof_holds_where_the_counter_is_installed() {
    let proof = prove();
    assert_eq!(proof.check(), Ok(()));
    assert_eq!(proof.this_thread, proof.expected);
    assert_eq!(proof.spawned_thread, Some(proof.expected));
}

/// Six tests with 1,000 measurements each, which allocate at random, in parallel with
/// each other and with all tests above.
mod a_thousand_repeats_give_one_number {
    use super::*;

    fn repeat(seed: u64) {
        let mut noise = seed;
        let mut queue = VecDeque::new();
        // Another number of measurements, for Miri.
        for _ in 0..own_process::number("COUNTING_ALLOC_REPEATS").unwrap_or(1_000) {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            queue.push_back(vec![0_u8; (noise >> 52) as usize]);
            if noise & 1 == 0 {
                queue.pop_front();
            }
            let measured = measure(|| {
                let words: Vec<String> = ["one", "two", "three"].map(String::from).into();
                black_box(words.join(" "))
            });
            assert_eq!(measured.tally.allocs, 5);
            assert_eq!(measured.tally.bytes, 3 * 24 + 3 + 3 + 5 + 13);
            assert_eq!(measured.tally.deallocs, 4);
            assert_eq!(measured.tally.reallocs, 0);
        }
    }

    #[test]
    fn in_the_first() {
        repeat(1);
    }
    #[test]
    fn in_the_second() {
        repeat(2);
    }
    #[test]
    fn in_the_third() {
        repeat(3);
    }
    #[test]
    fn in_the_fourth() {
        repeat(4);
    }
    #[test]
    fn in_the_fifth() {
        repeat(5);
    }
    #[test]
    fn in_the_sixth() {
        repeat(6);
    }
}
