//! Calls of C code while a thread has no counters yet, or no counters any more.

use std::hint::black_box;
use std::ptr;
use std::sync::{Barrier, OnceLock};
use std::thread;

use counting_alloc::{NativeTally, Scope, pause, process_native_tally, try_measure};

use crate::c::{self, Block};
use crate::counts::{ONE_OF_100, native};

static BEFORE_MAIN: OnceLock<NativeTally> = OnceLock::new();

extern "C" fn before_main() {
    let before = process_native_tally();
    for _ in 0..3 {
        c::take_and_free(1_000);
    }
    if let (Some(before), Some(after)) = (before, process_native_tally()) {
        BEFORE_MAIN.get_or_init(|| after - before);
    }
}

#[used]
// SAFETY: the section holds pointers to such functions.
#[unsafe(link_section = ".init_array")]
static CALLED_BEFORE_MAIN: extern "C" fn() = before_main;

pub(crate) fn calls_before_main_are_counted() {
    let expected = NativeTally::ZERO.with_blocks(3, 3_000).with_frees(3);
    assert_eq!(BEFORE_MAIN.get(), Some(&expected));
}

fn in_process(f: impl FnOnce()) -> NativeTally {
    let measured = try_measure(Scope::Process, f).expect("the counter is installed");
    measured.native.expect("native calls are measured here")
}

/// Runs `work` on `count` threads that were not started by Rust.
fn on_c_threads(count: usize, work: extern "C" fn(Block) -> Block) {
    let threads: Vec<_> = (0..count)
        .map(|_| {
            let mut thread = 0;
            // SAFETY: the place is valid, and `work` takes any argument.
            let code =
                unsafe { c::pthread_create(&raw mut thread, ptr::null(), work, ptr::null_mut()) };
            assert_eq!(code, 0);
            thread
        })
        .collect();
    for thread in threads {
        // SAFETY: a thread that was started and is joined once.
        assert_eq!(unsafe { c::pthread_join(thread, ptr::null_mut()) }, 0);
    }
}

const C_THREADS: usize = 4;

/// Runs them at the same time, so that each disturbs the others.
static AT_WORK: Barrier = Barrier::new(C_THREADS);

extern "C" fn waits(_: Block) -> Block {
    AT_WORK.wait();
    ptr::null_mut()
}

extern "C" fn waits_and_takes(block: Block) -> Block {
    waits(block);
    for _ in 0..200_000 {
        c::take_and_free(10);
    }
    ptr::null_mut()
}

pub(crate) fn threads_that_c_started_are_counted_in_the_process() {
    // Starting a thread allocates too. With stacks kept from before, it always
    // allocates the same.
    on_c_threads(C_THREADS, waits);
    let starting = in_process(|| on_c_threads(C_THREADS, waits));
    let all = in_process(|| on_c_threads(C_THREADS, waits_and_takes));
    let expected = NativeTally::ZERO
        .with_blocks(800_000, 8_000_000)
        .with_frees(800_000);
    assert_eq!(all - starting, expected);
    let own = native(|| on_c_threads(C_THREADS, waits_and_takes));
    assert!(own.frees < 800_000, "{own}");
}

pub(crate) fn a_pause_holds_for_threads_without_counters() {
    let before = process_native_tally();
    assert!(before.is_some());
    let paused = pause();
    on_c_threads(C_THREADS, waits_and_takes);
    drop(paused);
    assert_eq!(process_native_tally(), before);
}

extern "C" fn takes_one_of_100(_: Block) {
    c::take_and_free(100);
}

pub(crate) fn operations_of_a_thread_after_its_end_are_counted_in_the_process() {
    let mut key = 0;
    // SAFETY: the place is valid, and the function takes any argument.
    let code = unsafe { c::pthread_key_create(&raw mut key, takes_one_of_100) };
    assert_eq!(code, 0);
    // glibc calls such destructors after those of thread-locals.
    let run = |has_destructor: bool| {
        thread::spawn(move || {
            drop(black_box(vec![0_u8; 8]));
            if has_destructor {
                // SAFETY: the key was made, and the value is only passed on.
                unsafe { c::pthread_setspecific(key, ptr::without_provenance(1)) };
            }
        })
        .join()
        .expect("no panic");
    };
    run(true);
    let without = in_process(|| run(false));
    let with = in_process(|| run(true));
    assert_eq!(with - without, ONE_OF_100);
}

pub(crate) fn acquiring_counters_is_not_counted() {
    // The thread's first allocation acquires its counters and registers a destructor
    // for them, for which glibc allocates and frees memory. All threads run at once, so
    // that none acquires another's counters.
    extern "C" fn allocates_and_waits(block: Block) -> Block {
        drop(black_box(vec![0_u8; 8]));
        waits(block)
    }
    on_c_threads(C_THREADS, waits);
    let without = in_process(|| on_c_threads(C_THREADS, waits));
    let with_new_ones = in_process(|| on_c_threads(C_THREADS, allocates_and_waits));
    let with_handed_on_ones = in_process(|| on_c_threads(C_THREADS, allocates_and_waits));
    assert_eq!([with_new_ones, with_handed_on_ones], [without; 2]);
}

pub(crate) fn a_forked_child_goes_on_counting() {
    // SAFETY: the child only calls what it needs and leaves with `_exit`; no
    // other thread of this process holds a lock that it needs.
    let child = unsafe { c::fork() };
    if child == 0 {
        let counted = native(|| c::take_and_free(100));
        // SAFETY: it accepts any code.
        unsafe { c::_exit(if counted == ONE_OF_100 { 42 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: the place is valid.
    assert_eq!(unsafe { c::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status >> 8, 42, "the child's exit code");
}
