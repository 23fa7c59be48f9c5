//! Windows of the process over threads that work, end and stay, futures, and a pause.

use std::cell::RefCell;
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};
use std::thread;

use counting_alloc::{
    MeasureError, Measured, Mode, Scope, Tally, Window, measure, pause, process_tally, try_measure,
};

use libtest_mimic::Trial;
use own_process::polling::{block_on, yield_once};
use own_process::trials;

pub(crate) fn all() -> Vec<Trial> {
    trials![
        an_empty_window_is_zero_in_every_field,
        a_thread_that_stays_is_waited_for_in_vain_and_counted_so_far,
        a_thread_that_ends_too_late_is_said_to_be_still_running,
        a_future_is_counted_from_its_first_poll_to_its_last,
        the_peak_and_the_first_operations_of_a_future_in_the_process_are_kept,
        a_pause_inside_a_window_is_an_error,
    ]
}

fn in_process<T>(f: impl FnOnce() -> T) -> Measured<T> {
    try_measure(Scope::Process, f).expect("the counter is installed")
}

fn an_empty_window_is_zero_in_every_field() {
    let measured = in_process(|| ());
    assert_eq!(
        (measured.tally, measured.foreign),
        (Tally::ZERO, Tally::ZERO)
    );
    assert_eq!(measured.peak_bytes, None);
}

/// Starting a thread that does this always allocates the same.
fn work() {
    for _ in 0..100 {
        drop(black_box(vec![0_u8; 1_009]));
    }
}

fn a_thread_that_stays_is_waited_for_in_vain_and_counted_so_far() {
    let (send, receive) = std::sync::mpsc::sync_channel::<()>(1);
    let (done, finished) = std::sync::mpsc::sync_channel::<()>(1);
    let measured = in_process(|| {
        let worker = thread::spawn(move || {
            work();
            done.send(()).expect("the test waits");
            receive.recv().expect("the test sends");
        });
        finished.recv().expect("the worker sends");
        worker
    });
    assert!(measured.tally.allocs >= 100);
    assert_eq!(measured.still_running, 1);
    send.send(()).expect("the worker waits");
    measured.value.join().expect("no panic");
}

/// Frees 8,219 bytes when its thread ends, but not before `SLOW_MAY_END`.
struct Slow(#[expect(dead_code, reason = "only its drop matters")] Vec<u8>);

impl Drop for Slow {
    fn drop(&mut self) {
        while !SLOW_MAY_END.load(Ordering::Acquire) {
            thread::yield_now();
        }
    }
}

static SLOW_MAY_END: AtomicBool = AtomicBool::new(true);

thread_local!(static SLOW: RefCell<Option<Slow>> = const { RefCell::new(None) });

fn a_thread_that_ends_too_late_is_said_to_be_still_running() {
    let fill = || SLOW.set(Some(Slow(black_box(vec![0_u8; 8_219]))));
    // An explicit join waits for the destructor.
    let joined = in_process(|| thread::spawn(fill).join().expect("no panic"));
    assert_eq!((joined.tally.net_bytes(), joined.still_running), (0, 0));
    SLOW_MAY_END.store(false, Ordering::Release);
    // The end of the closure, for which an implicit join waits, does not, and the bytes that
    // are freed later are missing.
    let left = in_process(|| {
        let thread = thread::spawn(fill);
        while !thread.is_finished() {
            thread::yield_now();
        }
        thread
    });
    assert!(left.tally.net_bytes() >= 8_219, "{}", left.tally);
    assert_eq!(left.still_running, 1);
    // Nothing is left to free in a window of the next test.
    SLOW_MAY_END.store(true, Ordering::Release);
    left.value.join().expect("no panic");
}

fn a_future_is_counted_from_its_first_poll_to_its_last() {
    let between = || {
        drop(black_box(vec![0_u8; 30]));
        thread::spawn(work).join().expect("no panic");
    };
    between();
    let outside_polls = in_process(between).tally;
    let future = async {
        let kept = black_box(vec![1_u8; 10]);
        yield_once().await;
        drop(kept);
    };
    let measured = block_on(Window::process().measure_future(future), between);
    let measured = measured.expect("the counter is installed");
    let in_polls = Tally::ZERO.with_blocks(1, 10).with_deallocs(1, 10);
    assert_eq!(measured.tally, outside_polls + in_polls);
    assert_eq!((measured.scope, measured.polls), (Scope::Process, 2));
    assert_eq!(measured.still_running, 0);
    assert_eq!(measured.foreign, outside_polls);
    // Polled to its end in a pause, the window has no result.
    let paused = block_on(Window::process().measure_future(yield_once()), || {
        drop(pause());
    });
    assert_eq!(paused.map(|_| ()), Err(MeasureError::Paused));
}

fn the_peak_and_the_first_operations_of_a_future_in_the_process_are_kept() {
    let window = Window::process().with_peak().with_first_operations();
    let future = async {
        let kept = black_box(vec![1_u8; 10]);
        yield_once().await;
        drop(kept);
    };
    let measured = block_on(window.measure_future(future), || {
        drop(black_box(vec![0_u8; 30]));
    });
    let measured = measured.expect("the counter is installed");
    assert_eq!(measured.mode, Mode::ProcessPeak);
    assert_eq!(measured.peak_bytes, Some(40));
    let first = measured.first.map(|first| first.to_string());
    assert_eq!(first.as_deref(), Some("alloc 10, dealloc 10"));
    // Dropped before its end, the future closes its window of the peak.
    for _ in 0..20 {
        let mut future = pin!(window.measure_future(yield_once()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
    }
    let after = window.measure(|| ()).map(|measured| measured.peak_bytes);
    assert_eq!(after, Ok(Some(0)));
}

fn a_pause_inside_a_window_is_an_error() {
    let paused = pause();
    let before = process_tally();
    drop(black_box(vec![0_u8; 1_000]));
    assert_eq!(process_tally(), before, "nothing is counted in a pause");
    assert_eq!(
        try_measure(Scope::Thread, || ()).map(|_| ()),
        Err(MeasureError::Paused)
    );
    drop(paused);
    assert_eq!(
        try_measure(Scope::Thread, || drop(pause())).map(|_| ()),
        Err(MeasureError::Paused)
    );
    assert_eq!(measure(|| ()).tally, Tally::ZERO);
}
