//! How calls of C code are counted, and in which window.

use std::future;
use std::hint::black_box;
use std::pin::pin;
use std::ptr;
use std::task::{Context, Poll, Waker};
use std::thread;

use counting_alloc::{
    Measured, NativeTally, Scope, Tally, Window, measure, pause, process_native_tally, try_measure,
    uncounted,
};

use crate::c::{self, Block};

/// The native tally of a window of the calling thread.
pub(crate) fn native(f: impl FnOnce()) -> NativeTally {
    native_tally(&measure(f))
}

fn native_tally<T>(measured: &Measured<T>) -> NativeTally {
    measured.native.expect("native calls are measured here")
}

pub(crate) const ONE_OF_100: NativeTally = NativeTally::ZERO.with_blocks(1, 100).with_frees(1);

pub(crate) fn calls_of_the_c_library_are_native_and_calls_of_rust_are_not() {
    let measured = measure(|| {
        let mut grown: Vec<u64> = (0..10).collect();
        grown.extend(0..100);
        // SAFETY: the argument is a string.
        let copy = black_box(unsafe { c::strdup(c"12345678".as_ptr()) });
        drop(black_box(grown));
        // SAFETY: null, or a block that nothing else refers to.
        unsafe { c::free(copy.cast()) };
    });
    // 10 numbers, then at least twice as many, which is still not enough, so 110.
    assert_eq!(
        measured.tally,
        Tally::ZERO
            .with_blocks(1, 80)
            .with_deallocs(1, 880)
            .with_grows(1, 800)
    );
    // Eight characters and the zero.
    let copied = NativeTally::ZERO.with_blocks(1, 9).with_frees(1);
    assert_eq!(native_tally(&measured), copied);
    assert_eq!(native(|| ()), NativeTally::ZERO);
}

pub(crate) fn every_function_is_counted_as_what_it_does() {
    const NULL: Block = ptr::null_mut();
    /// Checks that the calls of `f` are counted as `expected`.
    #[track_caller]
    fn check(f: impl FnOnce() -> Block, expected: NativeTally) -> Block {
        let measured = measure(|| black_box(f()));
        assert_eq!(native_tally(&measured), expected);
        assert_eq!(measured.tally, Tally::ZERO);
        measured.value
    }
    let alloc = |bytes| NativeTally::ZERO.with_blocks(1, bytes);
    let realloc = |realloc_bytes| NativeTally::ZERO.with_reallocs(1, realloc_bytes);
    let freed = NativeTally::ZERO.with_frees(1);
    // SAFETY: it accepts any size, as do the other functions without a block.
    let one = check(|| unsafe { c::malloc(100) }, alloc(100));
    // SAFETY: a block of `malloc` that is not used again.
    let one = check(|| unsafe { c::realloc(one, 5_000) }, realloc(5_000));
    // SAFETY: as above.
    let one = check(|| unsafe { c::reallocarray(one, 4, 5) }, realloc(20));
    // SAFETY: as above.
    assert!(check(|| unsafe { c::realloc(one, 0) }, freed).is_null());
    let rest = [
        // SAFETY: as for the first.
        check(|| unsafe { c::malloc(0) }, alloc(0)),
        // SAFETY: as for the first.
        check(|| unsafe { c::calloc(3, 7) }, alloc(21)),
        // SAFETY: the function accepts null as a block.
        check(|| unsafe { c::realloc(NULL, 5) }, alloc(5)),
        // SAFETY: the function accepts null as a block.
        check(|| unsafe { c::reallocarray(NULL, 3, 5) }, alloc(15)),
        // SAFETY: as for the first.
        check(|| unsafe { c::memalign(64, 10) }, alloc(10)),
        // SAFETY: as for the first.
        check(|| unsafe { c::aligned_alloc(64, 128) }, alloc(128)),
        // SAFETY: as for the first.
        check(|| unsafe { c::valloc(1) }, alloc(1)),
        // SAFETY: as for the first.
        check(|| unsafe { c::pvalloc(1) }, alloc(1)),
        check(
            || {
                let mut block = NULL;
                // SAFETY: the place is valid.
                unsafe { c::posix_memalign(&raw mut block, 64, 33) };
                block
            },
            alloc(33),
        ),
    ];
    for block in rest {
        assert!(!block.is_null());
        let free = || {
            // SAFETY: a block of one of the functions, which is not used again.
            unsafe { c::free(block) };
            NULL
        };
        check(free, freed);
    }
    let free_null = || {
        // SAFETY: `free` accepts null.
        unsafe { c::free(NULL) };
        NULL
    };
    check(free_null, NativeTally::ZERO);
}

pub(crate) fn refused_calls_are_only_failed() {
    const TOO_MUCH: usize = isize::MAX as usize;
    let kept = native(|| {
        // SAFETY: it accepts any size.
        let block = unsafe { c::malloc(8) };
        // SAFETY: the block is live, and stays so if the call is refused.
        assert!(black_box(unsafe { c::realloc(block, TOO_MUCH) }).is_null());
        // SAFETY: as above.
        assert!(black_box(unsafe { c::reallocarray(block, usize::MAX, 2) }).is_null());
        // SAFETY: the block is live and not used afterwards.
        unsafe { c::free(block) };
        // SAFETY: it accepts any size.
        assert!(black_box(unsafe { c::malloc(TOO_MUCH) }).is_null());
        // SAFETY: it accepts any sizes.
        assert!(black_box(unsafe { c::calloc(usize::MAX, 2) }).is_null());
        let mut place = ptr::null_mut();
        // SAFETY: the place is valid.
        assert_ne!(unsafe { c::posix_memalign(&raw mut place, 3, 8) }, 0);
    });
    let expected = NativeTally::ZERO
        .with_blocks(1, 8)
        .with_frees(1)
        .with_failed(5);
    assert_eq!(kept, expected);
}

pub(crate) fn a_pause_and_an_excluded_region_hold_for_c_too() {
    let counted = native(|| {
        c::take_and_free(100);
        uncounted(|| c::take_and_free(7));
    });
    assert_eq!(counted, ONE_OF_100);
    let before = process_native_tally();
    assert!(before.is_some());
    let paused = pause();
    c::take_and_free(100);
    drop(paused);
    assert_eq!(process_native_tally(), before);
}

pub(crate) fn a_window_of_the_thread_has_none_of_what_other_threads_do() {
    let (send, receive) = std::sync::mpsc::sync_channel::<()>(0);
    let (done, is_done) = std::sync::mpsc::sync_channel::<()>(0);
    let worker = thread::spawn(move || {
        drop(black_box(vec![0_u8; 8]));
        while receive.recv().is_ok() {
            c::take_and_free(100);
            done.send(()).expect("the test waits");
        }
    });
    let go = || {
        send.send(()).expect("the worker waits");
        is_done.recv().expect("the worker answers");
    };
    go();
    assert_eq!(native(go), NativeTally::ZERO);
    let process = try_measure(Scope::Process, go).expect("the counter is installed");
    assert_eq!(native_tally(&process), ONE_OF_100);
    drop(send);
    worker.join().expect("no panic");
}

pub(crate) fn polls_and_phases_have_the_sum() {
    let mut polls = 0;
    let two_polls = future::poll_fn(|_| {
        polls += 1;
        c::take_and_free(20 + 20 * polls);
        if polls == 2 {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    });
    let mut measuring = pin!(Window::thread().measure_future(two_polls));
    let mut context = Context::from_waker(Waker::noop());
    assert!(measuring.as_mut().poll(&mut context).is_pending());
    c::take_and_free(7);
    let Poll::Ready(polled) = measuring.as_mut().poll(&mut context) else {
        panic!("the second poll is the last");
    };
    assert_eq!(
        native_tally(&polled.expect("the counter is installed")),
        two_of_100
    );

    let phased = Window::thread()
        .measure_phases(|phases| {
            c::take_and_free(40);
            phases.run("inner", || c::take_and_free(60));
        })
        .expect("the counter is installed");
    assert_eq!(native_tally(&phased.whole), two_of_100);
}
