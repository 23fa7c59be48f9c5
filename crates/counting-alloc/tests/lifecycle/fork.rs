//! A fork: the child has a copy of the parent's counters and counts on from there.

use std::ffi::c_int;
use std::panic;
use std::sync::Barrier;
use std::thread;

use counting_alloc::{Scope, Tally, measure, process_tally, try_measure};

use crate::{one_block, one_block_is, thread_tally};

unsafe extern "C" {
    fn fork() -> c_int;
    fn waitpid(pid: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn _exit(code: c_int) -> !;
}

/// Runs `f` in a forked child, and returns the exit status of the child.
pub(crate) fn in_a_child(f: fn()) -> c_int {
    // SAFETY: the child runs in a copy of this process. Locks of other threads stay
    // locked there, and `f` takes none of them.
    let pid = unsafe { fork() };
    assert!(pid >= 0, "the process could not fork");
    if pid == 0 {
        let code = match panic::catch_unwind(f) {
            Ok(()) => 0,
            // The message of the panic is on stderr already.
            Err(_) => 1,
        };
        // SAFETY: it ends the child at once, so that nothing of the parent is flushed
        // or torn down twice.
        unsafe { _exit(code) };
    }
    let mut status = -1;
    // SAFETY: `pid` is a child of this process, and `status` is written to
    // while it is borrowed.
    let ended = unsafe { waitpid(pid, &mut status, 0) };
    assert_eq!(ended, pid);
    status
}

fn goes_on_counting() {
    let (thread_before, process_before) = (thread_tally(), process_tally());
    one_block(600);
    assert_eq!(thread_tally() - thread_before, one_block_is(600));
    assert_eq!(process_tally() - process_before, one_block_is(600));
    // The counts of the parent are kept.
    assert!(process_before.allocs >= thread_before.allocs && thread_before.allocs > 0);
    let measured = measure(|| one_block(700));
    assert_eq!(measured.tally, one_block_is(700));
    assert_eq!(measured.peak_bytes, Some(700));
    assert_eq!(measured.foreign, Tally::ZERO);
    let in_process = |work: fn()| {
        let run = || thread::spawn(work).join().expect("the thread works");
        let window = try_measure(Scope::Process, run);
        window.expect("the counter is installed").tally
    };
    in_process(|| ());
    let idle = in_process(|| ());
    let counted = in_process(|| one_block(800));
    assert_eq!(counted - idle, one_block_is(800));
}

pub(crate) fn a_forked_child_goes_on_counting() {
    let before = process_tally();
    assert_eq!(in_a_child(goes_on_counting), 0);
    assert_eq!(process_tally(), before, "the child's counts are its own");
}

/// The other threads do not exist in the child, but their counters do.
pub(crate) fn a_child_forked_beside_other_threads_goes_on_counting() {
    let (started, forked) = (Barrier::new(4), Barrier::new(4));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                one_block(1_000);
                started.wait();
                forked.wait();
            });
        }
        started.wait();
        let status = in_a_child(goes_on_counting);
        forked.wait();
        assert_eq!(status, 0);
    });
}
