//! The counters at the limits of a program's life: before `main`, while a thread is
//! torn down, when the allocator below calls back or has no memory for a thread's
//! counters, after a fork, through panics, and at the end of the process.
#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "the allocator below implements GlobalAlloc, and the edges are reached by C calls"
    )
)]

#[cfg(unix)]
mod bare_thread;
#[cfg(unix)]
mod below;
#[cfg(unix)]
mod fork;
// dhat has a lock of its own, which another thread can hold at the fork.
#[cfg(all(
    feature = "sites",
    target_os = "linux",
    target_arch = "x86_64",
    not(feature = "over-dhat")
))]
mod fork_in_capture;
#[cfg(all(feature = "sites", target_os = "linux", target_arch = "x86_64"))]
mod signal_in_capture;
#[cfg(target_os = "linux")]
mod startup;
mod teardown;
#[cfg(unix)]
#[path = "../model/watched.rs"]
mod watched;

use std::env;
use std::hint::black_box;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::process::{ExitCode, abort};
use std::sync::Barrier;
use std::thread;

use counting_alloc::{
    CountingAlloc, Scope, Tally, measure, process_tally, thread_tally, try_measure,
};
use own_process::inner::{Around, around};
use own_process::trials;

#[cfg(unix)]
#[global_allocator]
static ALLOC: Around<CountingAlloc<watched::Watched<below::Misbehaving>>> =
    around(CountingAlloc::new(watched::Watched::new()));

#[cfg(not(unix))]
#[global_allocator]
static ALLOC: Around<CountingAlloc<own_process::inner::Inner>> =
    around(CountingAlloc::new(own_process::inner::INNER));

/// Set in a process that ends while windows are open.
const ENDING: &str = "COUNTING_ALLOC_ENDING";

fn main() -> ExitCode {
    if env::var_os(ENDING).is_some() {
        return end_with_open_windows();
    }
    #[cfg(unix)]
    if let Ok(action) = env::var(below::ACTION) {
        return below::alone(&action);
    }
    own_process::run(trials![
        #[cfg(target_os = "linux")]
        startup::code_before_main_is_counted_and_can_be_measured,
        teardown::destructors_of_thread_locals_are_counted_whenever_they_run,
        #[cfg(unix)]
        teardown::the_very_last_destructors_are_counted_and_no_thread_measures_them,
        #[cfg(unix)]
        below::an_allocator_below_that_calls_back_is_counted_once_for_each_call,
        #[cfg(unix)]
        below::a_refusal_of_any_call_of_a_new_thread_loses_no_count,
        #[cfg(unix)]
        fork::a_forked_child_goes_on_counting,
        #[cfg(unix)]
        fork::a_child_forked_beside_other_threads_goes_on_counting,
        #[cfg(all(
            feature = "sites",
            target_os = "linux",
            target_arch = "x86_64",
            not(feature = "over-dhat")
        ))]
        fork_in_capture::a_child_forked_beside_a_capturing_thread_does_not_hang,
        #[cfg(all(feature = "sites", target_os = "linux", target_arch = "x86_64"))]
        signal_in_capture::a_signal_handler_that_interrupts_a_capture_is_counted,
        a_panic_through_windows_of_both_scopes_closes_them,
        a_process_may_end_while_detached_threads_measure,
    ])
}

/// Allocates and frees a block of this many bytes.
fn one_block(size: usize) {
    drop(black_box(Vec::<u8>::with_capacity(size)));
}

/// The tally of [`one_block`] by definition.
const fn one_block_is(size: u64) -> Tally {
    Tally::ZERO.with_blocks(1, size).with_deallocs(1, size)
}

/// The work of a started thread. It has the same type for all work, so that std
/// allocates the same for it.
type Work = fn();

/// The operations of the process while a thread that does `work` is started and joined,
/// less those for a thread that does nothing.
fn beyond_an_idle_thread(work: Work) -> Tally {
    let idle = || ();
    // Not compared, because std allocates once for the first thread of a process: on musl
    // its map of threads, which elsewhere has the main thread already.
    counted_of_a_thread(idle);
    let of_idle = counted_of_a_thread(idle);
    counted_of_a_thread(work) - of_idle
}

fn counted_of_a_thread(work: Work) -> Tally {
    let before = process_tally();
    let ended = thread::spawn(work).join();
    let counted = process_tally() - before;
    ended.expect("the thread works");
    counted
}

fn a_panic_through_windows_of_both_scopes_closes_them() {
    let throw = || panic::resume_unwind(Box::new(()));
    let outer = try_measure(Scope::Process, || {
        for _ in 0..100 {
            let caught = panic::catch_unwind(AssertUnwindSafe(|| {
                let _held = black_box(Vec::<u8>::with_capacity(10));
                try_measure(Scope::Process, || {
                    measure(|| {
                        let _held = black_box(Vec::<u8>::with_capacity(3_000));
                        try_measure(Scope::Process, throw).map(|measured| measured.value)
                    })
                    .value
                })
                .map(|measured| measured.value)
            }));
            assert!(caught.is_err());
        }
        let inner = measure(|| one_block(77));
        assert_eq!(inner.tally, one_block_is(77));
        assert_eq!(inner.peak_bytes, Some(77));
    })
    .expect("the counter is installed");
    let tally = outer.tally;
    // The allocations of unwinding are unknown. Both blocks of each round and the last
    // block are counted, and everything is freed.
    let known = 100 * (10 + 3_000) + 77;
    assert!(tally.allocs > 200 && tally.bytes >= known, "{tally}");
    assert_eq!((tally.net_bytes(), tally.net_blocks()), (0, 0), "{tally}");
    assert_eq!(outer.foreign, Tally::ZERO);
}

fn a_process_may_end_while_detached_threads_measure() {
    for _ in 0..20 {
        let status = own_process::command()
            .env(ENDING, "1")
            .status()
            .expect("this program starts once more");
        assert!(status.success(), "{status}");
    }
}

/// Returns from `main` while detached threads open nested windows of both scopes in an
/// endless loop.
fn end_with_open_windows() -> ExitCode {
    static ALL_HAVE_MEASURED: Barrier = Barrier::new(4);
    for _ in 0..3 {
        thread::spawn(|| {
            let mut is_first = true;
            loop {
                let outer = try_measure(Scope::Process, || measure(|| one_block(100)));
                let right = outer.is_ok_and(|outer| {
                    let inner = outer.value.tally;
                    inner == one_block_is(100) && outer.tally.allocs >= 1
                });
                if !right {
                    abort();
                }
                if mem::take(&mut is_first) {
                    ALL_HAVE_MEASURED.wait();
                }
            }
        });
    }
    ALL_HAVE_MEASURED.wait();
    ExitCode::SUCCESS
}
