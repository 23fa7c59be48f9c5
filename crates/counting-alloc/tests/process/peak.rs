//! The peak of the process over several threads: deallocations of libtest's threads would lower
//! the level. The expected peaks follow from the order that barriers enforce.

use std::hint::black_box;
use std::panic;
use std::sync::Barrier;
use std::sync::mpsc;
use std::thread;

use counting_alloc::{MeasureError, Measured, Mode, Tally, Window, pause, uncounted};
use libtest_mimic::Trial;
use own_process::trials;

pub(crate) fn all() -> Vec<Trial> {
    trials![
        an_empty_window_has_no_peak,
        the_peak_is_that_of_all_threads_together,
        peaks_that_were_not_at_the_same_time_do_not_add_up,
        a_block_that_another_thread_frees_is_live_until_then,
        windows_of_several_threads_overlap,
        windows_nest,
        a_thread_that_has_no_counters_yet_is_part_of_it,
        uncounted_and_paused_operations_are_excluded,
        a_17th_window_is_an_error_and_the_others_go_on,
    ]
}

fn with_peak<T>(f: impl FnOnce() -> T) -> Measured<T> {
    let measured = Window::process().with_peak().measure(f);
    measured.expect("the counter is installed")
}

fn bytes(size: usize) -> Vec<u8> {
    black_box(vec![1_u8; black_box(size)])
}

/// Runs `f` while two threads are ready, so that the cost of starting them is not in
/// its window. All three share a barrier.
fn beside<T>(
    one: impl FnOnce(&Barrier) + Send,
    other: impl FnOnce(&Barrier) + Send,
    f: impl FnOnce(&Barrier) -> T,
) -> T {
    let (ready, barrier) = (&Barrier::new(3), &Barrier::new(3));
    // A thread has its counters after its first allocation.
    let get_ready = || {
        drop(bytes(1));
        ready.wait();
    };
    thread::scope(|scope| {
        let one = scope.spawn(move || {
            get_ready();
            one(barrier);
        });
        let other = scope.spawn(move || {
            get_ready();
            other(barrier);
        });
        ready.wait();
        let value = f(barrier);
        for thread in [one, other] {
            thread.join().expect("no panic");
        }
        value
    })
}

fn meet(barrier: &Barrier, times: usize) {
    for _ in 0..times {
        barrier.wait();
    }
}

fn an_empty_window_has_no_peak() {
    for _ in 0..100 {
        let measured = with_peak(|| ());
        let kept = (measured.mode, measured.tally, measured.peak_bytes);
        assert_eq!(kept, (Mode::ProcessPeak, Tally::ZERO, Some(0)));
    }
    // Afterwards the peak is not kept any more.
    let plain = Window::process()
        .measure(|| drop(bytes(8)))
        .expect("counts");
    assert_eq!((plain.mode, plain.peak_bytes), (Mode::Counting, None));
}

fn the_peak_is_that_of_all_threads_together() {
    for _ in 0..5 {
        let work = |size| {
            move |barrier: &Barrier| {
                barrier.wait();
                let held = bytes(size);
                barrier.wait();
                drop(held);
                barrier.wait();
            }
        };
        let measured = beside(work(3_000), work(500), |barrier| {
            with_peak(|| work(70)(barrier))
        });
        assert_eq!(measured.peak_bytes, Some(3_570));
        assert_eq!(measured.tally.allocs, 3);
    }
}

fn peaks_that_were_not_at_the_same_time_do_not_add_up() {
    let first = |barrier: &Barrier| {
        barrier.wait();
        drop(bytes(3_000));
        meet(barrier, 2);
    };
    let second = |barrier: &Barrier| {
        meet(barrier, 2);
        drop(bytes(2_000));
        barrier.wait();
    };
    let measured = beside(first, second, |barrier| with_peak(|| meet(barrier, 3)));
    assert_eq!(measured.peak_bytes, Some(3_000));
    assert_eq!(measured.tally.bytes, 5_000);
}

fn a_block_that_another_thread_frees_is_live_until_then() {
    let (give, take) = mpsc::sync_channel::<Vec<u8>>(1);
    let giver = move |barrier: &Barrier| {
        barrier.wait();
        give.send(bytes(1_000)).expect("it is taken");
        barrier.wait();
        drop(bytes(10));
        barrier.wait();
    };
    let taker = move |barrier: &Barrier| {
        barrier.wait();
        drop(take.recv().expect("it was sent"));
        meet(barrier, 2);
    };
    let measured = beside(giver, taker, |barrier| with_peak(|| meet(barrier, 3)));
    // The bookkeeping of the channel may be added, and is small. On macOS, mutexes are blocks, too.
    let most = if cfg!(target_os = "macos") {
        1_300
    } else {
        1_200
    };
    let peak = measured.peak_bytes.expect("it is kept");
    assert!((1_000..most).contains(&peak), "{peak}");
}

fn windows_of_several_threads_overlap() {
    let measured = beside(
        |barrier| {
            // This window opens before the window of `main`, and closes inside it.
            let measured = with_peak(|| {
                let held = bytes(100);
                meet(barrier, 2);
                drop(held);
            });
            assert_eq!(measured.peak_bytes, Some(100 + 40));
            meet(barrier, 2);
        },
        |barrier| {
            meet(barrier, 3);
            drop(bytes(9_000));
            barrier.wait();
        },
        |barrier| {
            barrier.wait();
            with_peak(|| {
                drop(bytes(40));
                meet(barrier, 3);
            })
        },
    );
    // The 100 bytes of the other window were live when this one opened, and were freed
    // in it.
    assert_eq!(measured.peak_bytes, Some(9_000 - 100));
}

fn windows_nest() {
    let outer = with_peak(|| {
        let inner = with_peak(|| drop(bytes(500)));
        assert_eq!(inner.peak_bytes, Some(500));
        let held = bytes(100);
        let of_thread = Window::thread().with_peak().measure(|| drop(bytes(7)));
        assert_eq!(of_thread.expect("it counts").peak_bytes, Some(7));
        let inner = with_peak(|| drop(bytes(450)));
        assert_eq!(inner.peak_bytes, Some(450));
        drop(held);
    });
    assert_eq!(outer.peak_bytes, Some(550));
    let caught = panic::catch_unwind(|| with_peak(|| panic::resume_unwind(Box::new(()))));
    assert!(caught.is_err());
    assert_eq!(with_peak(|| drop(bytes(3))).peak_bytes, Some(3));
}

fn a_thread_that_has_no_counters_yet_is_part_of_it() {
    let measured = with_peak(|| {
        thread::spawn(|| drop(bytes(1_000_000)))
            .join()
            .expect("no panic");
    });
    let peak = measured.peak_bytes.expect("it is kept");
    // The memory for starting a thread is live meanwhile.
    assert!((1_000_000..1_010_000).contains(&peak), "{peak}");
    assert_eq!(measured.tally.net_bytes(), 0);
}

fn uncounted_and_paused_operations_are_excluded() {
    let measured = with_peak(|| {
        drop(bytes(10));
        uncounted(|| drop(bytes(1_000)));
    });
    assert_eq!(measured.peak_bytes, Some(10));
    assert_eq!(measured.uncounted.bytes, 1_000);
    let paused = Window::process().with_peak().measure(|| drop(pause()));
    assert_eq!(paused.map(|_| ()), Err(MeasureError::Paused));
    assert_eq!(with_peak(|| drop(bytes(11))).peak_bytes, Some(11));
}

fn a_17th_window_is_an_error_and_the_others_go_on() {
    fn nested(depth: u64) {
        let measured = with_peak(|| {
            let held = bytes(1);
            if depth < 16 {
                nested(depth + 1);
            } else {
                let refused = Window::process().with_peak().measure(|| ());
                assert_eq!(refused.map(|_| ()), Err(MeasureError::TooManyPeaks));
            }
            drop(held);
        });
        assert_eq!(measured.peak_bytes, Some(17 - depth));
    }
    nested(1);
    nested(1);
}
