//! Assertions on the whole process. They have their own `main`, since libtest's threads
//! allocate.

use std::cell::RefCell;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use alloc_assert::counting_alloc::pause;
use alloc_assert::{AssertMeasured, CountingAlloc, Steady, Window, assert_allocs};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

fn main() -> ExitCode {
    own_process::run(own_process::trials![
        operations_of_other_threads_are_counted_and_hinted_at,
        the_process_can_be_asserted_on_in_every_repeat,
        a_pause_fails_an_assertion_of_zero,
        a_quiet_process_has_no_other_threads_in_its_message,
        a_thread_that_outlives_the_window_fails_an_assertion,
        the_allocations_of_other_threads_can_be_asserted_on,
    ])
}

/// Runs `f` while another thread makes and drops 4,096 bytes between two waits at
/// the barrier. It has started before and ends afterwards, so that neither is in
/// a window of `f`.
fn beside_another_thread<T>(f: impl FnOnce(&Barrier) -> T) -> T {
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            barrier.wait();
            barrier.wait();
            drop(black_box(vec![1_u8; 4096]));
            barrier.wait();
            barrier.wait();
        });
        barrier.wait();
        let value = f(&barrier);
        barrier.wait();
        // The end of the scope only waits for the closure. Later deallocations of the
        // thread would be in a window of the next test.
        assert!(other.join().is_ok(), "the thread can't panic");
        value
    })
}

/// The message of a failure. The output of the panic is suppressed, since this `main`
/// does not capture it.
fn message_of(f: impl FnOnce()) -> String {
    let printing = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(f));
    panic::set_hook(printing);
    let panicked = outcome.expect_err("the assertion has to fail");
    panicked
        .downcast_ref::<String>()
        .expect("a message")
        .clone()
}

fn operations_of_other_threads_are_counted_and_hinted_at() {
    let message = beside_another_thread(|barrier| {
        message_of(|| {
            Window::process()
                .with_peak()
                .with_first_operations()
                .measure(|| {
                    barrier.wait();
                    barrier.wait();
                    drop(black_box(vec![1_u8; 24]));
                })
                .assert("allocs == 1");
        })
    });
    let (message, _) = message.split_once("\n  lines:").unwrap_or((&message, ""));
    assert_eq!(
        message,
        "assertion failed: expected `allocs == 1`, got 2
  other counts:     bytes 4_120, deallocs 2, peak-bytes 4_096
  first operations: alloc 24, dealloc 24
  other threads:    allocs 1, bytes 4_096, deallocs 1 (included)
                    `Window::thread()` leaves them out; `in_fresh_process` runs a test alone"
    );
}

fn the_process_can_be_asserted_on_in_every_repeat() {
    let steady = Steady::new()
        .warm_up(1)
        .repeats(20)
        .window(Window::process());
    steady.assert("bytes >= 4096, net-bytes == 0", || {
        let joined = thread::spawn(|| drop(black_box(vec![1_u8; 4096]))).join();
        assert!(joined.is_ok());
    });
}

fn a_pause_fails_an_assertion_of_zero() {
    let message = message_of(|| {
        assert_allocs!(drop(pause()), "== 0");
    });
    assert_eq!(
        message,
        "allocations were not measured: counting was paused while the measurement ran
  expression:       drop(pause())"
    );
}

fn a_quiet_process_has_no_other_threads_in_its_message() {
    let message = message_of(|| assert_allocs!((), "== 1"));
    let expected = "assertion failed: expected `allocs == 1`, got 0
  expression:       ()
  first operations: none";
    assert_eq!(message, expected);
}

/// Frees its bytes when its thread ends, but not before `SLOW_MAY_END`.
struct Slow(#[expect(dead_code, reason = "only its drop matters")] Vec<u8>);

static SLOW_MAY_END: AtomicBool = AtomicBool::new(false);

impl Drop for Slow {
    fn drop(&mut self) {
        while !SLOW_MAY_END.load(Ordering::Acquire) {
            thread::yield_now();
        }
    }
}

thread_local!(static SLOW: RefCell<Option<Slow>> = const { RefCell::new(None) });

/// Waits for the thread's closure and not for its thread-local, as the implicit join of a
/// scope does. On Windows no other thread can start until `end_slow` was called.
fn leave_a_slow_thread() -> JoinHandle<()> {
    let thread = thread::spawn(|| SLOW.set(Some(Slow(black_box(vec![1_u8; 4096])))));
    while !thread.is_finished() {
        thread::yield_now();
    }
    thread
}

/// An explicit join waits for the thread-local: nothing is left for the next window.
fn end_slow(thread: Option<JoinHandle<()>>) {
    SLOW_MAY_END.store(true, Ordering::Release);
    let joined = thread.map(JoinHandle::join);
    assert!(joined.is_some_and(|joined| joined.is_ok()));
    SLOW_MAY_END.store(false, Ordering::Release);
}

fn a_thread_that_outlives_the_window_fails_an_assertion() {
    let running = "allocations were not measured: 1 thread of the window still runs
  call `join()` inside the window, or start the threads before it";
    // The deallocations are missing, and the limit would hold.
    let mut thread = None;
    let message = message_of(|| {
        Window::process()
            .measure(|| thread = Some(leave_a_slow_thread()))
            .assert("deallocs < 100");
    });
    assert_eq!(message, running);
    end_slow(thread);
    let steady = Steady::new().repeats(2).window(Window::process());
    let mut thread = None;
    let message = message_of(|| {
        steady.warm_up(0).assert("deallocs < 100", || {
            if thread.is_none() {
                thread = Some(leave_a_slow_thread());
            }
        });
    });
    assert_eq!(message, running);
    end_slow(thread);
    // A thread that began in the warm-up is not part of a repeat, such as a pool's.
    let (begun, stay) = (Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        let mut thread = None;
        steady.warm_up(1).assert("allocs == 0", || {
            if thread.is_none() {
                thread = Some(scope.spawn(|| {
                    begun.wait();
                    stay.wait();
                }));
                begun.wait();
            }
        });
        stay.wait();
        assert!(thread.is_some_and(|thread| thread.join().is_ok()));
    });
}

fn the_allocations_of_other_threads_can_be_asserted_on() {
    let measure = |barrier: &Barrier| {
        Window::thread().measure(|| {
            barrier.wait();
            barrier.wait();
            drop(black_box(vec![1_u8; 24]));
        })
    };
    beside_another_thread(|barrier| {
        measure(barrier).assert("foreign-allocs == 1, allocs == 1");
    });
    let hint = "\n  other threads:    allocs 1, bytes 4_096, deallocs 1 (not included)
                    `Window::process()` includes them; `in_fresh_process` runs a test alone";
    for (requirements, first) in [
        (
            "foreign-allocs == 0",
            "assertion failed: expected `foreign-allocs == 0`, got 1\n",
        ),
        // The other thread did the rest.
        (
            "bytes >= 4096",
            "assertion failed: expected `bytes >= 4_096`, got 24\n",
        ),
    ] {
        let message =
            beside_another_thread(|barrier| message_of(|| measure(barrier).assert(requirements)));
        assert!(message.starts_with(first), "{message}");
        assert!(message.contains(hint), "{message}");
    }
}
