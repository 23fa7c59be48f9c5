//! The stacks of several threads.

use std::cell::RefCell;
use std::sync::{Barrier, mpsc};
use std::thread;

use counting_alloc::{Measured, Sites, Window};

use super::{bytes, row};

/// Runs `f` in a window of the process, and checks the sum.
fn measure<T>(f: impl FnOnce() -> T) -> (Measured<T>, Sites) {
    let (measured, sites) = Window::process()
        .measure_sites(f)
        .expect("the counter is installed");
    assert_eq!(sites.tally(), measured.tally);
    // The window keeps no peak of the process.
    assert_eq!(sites.before_peak_bytes, None);
    (measured, sites)
}

pub(crate) fn threads_of_the_process_add_up() {
    // Threads that began before the window, and threads that begin in it.
    let barrier = Barrier::new(3);
    thread::scope(|scope| {
        let work = || {
            barrier.wait();
            for _ in 0..500 {
                drop(bytes(48));
            }
            barrier.wait();
            // The thread ends after the window.
            barrier.wait();
        };
        let early = [scope.spawn(work), scope.spawn(work)];
        let (_, counts) = measure(|| {
            barrier.wait();
            let late = thread::spawn(|| drop(bytes(49)));
            barrier.wait();
            late.join().expect("it ends");
        });
        assert_eq!(row(&counts, 2 * 500 * 48).tally.allocs, 1_000);
        assert_eq!(row(&counts, 49).tally.allocs, 1);
        barrier.wait();
        for thread in early {
            thread.join().expect("it ends");
        }
    });
}

pub(crate) fn a_block_that_another_thread_frees_has_its_origin() {
    let (post, inbox) = mpsc::sync_channel::<Vec<u8>>(0);
    let (_, counts) = measure(|| {
        let consumer = thread::spawn(move || {
            let mut kept = Vec::with_capacity(100);
            for mut block in &inbox {
                if kept.len() < 10 {
                    block.reserve_exact(1_000);
                    kept.push(block);
                }
            }
            kept
        });
        for _ in 0..100 {
            post.send(bytes(200)).expect("it is received");
        }
        drop(post);
        consumer.join().expect("it ends")
    });
    let made = row(&counts, 100 * 200);
    assert_eq!((made.kept.blocks, made.kept.bytes), (10, 10 * 1_200));
}

pub(crate) fn a_thread_and_the_process_capture_at_once() {
    let mut own = None;
    let (outer, counts) = measure(|| {
        own = Some(super::measure(|| drop(bytes(71))));
        drop(bytes(72));
    });
    let (inner, own) = own.expect("it was measured");
    assert_eq!((inner.tally.allocs, outer.tally.allocs), (1, 2));
    assert_eq!(row(&own, 71).tally.allocs, 1);
    assert_eq!(row(&counts, 71).tally.allocs, 1);
    assert_eq!(row(&counts, 72).tally.allocs, 1);
}

pub(crate) fn operations_of_ending_threads_are_in_the_sum() {
    thread_local! {
        static LATE: RefCell<Option<Late>> = const { RefCell::new(None) };
    }

    struct Late;

    impl Drop for Late {
        fn drop(&mut self) {
            drop(bytes(81));
        }
    }

    let (measured, counts) = measure(|| {
        let late = thread::spawn(|| {
            // Registered before the thread's counters, it is destroyed after them or
            // before, as the platform likes.
            LATE.with(|late| late.replace(Some(Late)));
            drop(bytes(80));
        });
        late.join().expect("it ends");
    });
    assert_eq!(row(&counts, 80).tally.allocs, 1);
    // `measure` compared the sum.
    assert!(measured.tally.bytes >= 161);
}

pub(crate) fn threads_measure_themselves_at_once() {
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for size in 60..64 {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                let (_, counts) = super::measure(|| {
                    for _ in 0..300 {
                        drop(bytes(size));
                    }
                });
                assert_eq!(row(&counts, 300 * size as u64).tally.allocs, 300);
                assert_eq!(counts.rows.len(), 2);
            });
        }
    });
}
