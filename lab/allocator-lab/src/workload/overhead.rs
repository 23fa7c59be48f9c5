//! Overhead: the memory that a subject takes for its first small blocks, in the process
//! and on each thread.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::ptr;
use std::sync::Barrier;

use alloc_scenario::{Scenario, Unit};

use crate::memory::Footprint;
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::subject::{Shared, Subject};
use crate::suite::{Opener, SubjectSuite, on_threads};

/// Threads whose memory is measured together.
pub const THREADS: usize = 8;

/// The sizes of the blocks, one of each.
const SIZES: [usize; 8] = [16, 32, 64, 128, 256, 512, 1_024, 2_048];

/// The growth of the process's memory from before the subject is opened until a block of each
/// of eight sizes was taken and written. Only a fresh process shows it.
pub fn global<S: Subject>(open: impl FnOnce() -> S) -> Footprint {
    let before = Footprint::now();
    let subject = open();
    let mut grown = Footprint::default();
    with_one_of_each(&subject, || grown = Footprint::now().since(before));
    grown
}

/// An eighth of the growth from before eight threads are started until each has taken and
/// written a block of each of eight sizes. It includes the stacks of the threads, which
/// the floor's row shows.
///
/// glibc gives the arena of a thread that has ended to the next thread, and there was one before:
/// another thread has a block meanwhile, so that each of the eight needs an arena of its own.
pub fn per_thread<S: Subject>(subject: impl Fn() -> S + Sync) -> Footprint {
    let holder = |hold: &dyn Fn()| {
        let block = black_box(Box::new(0_u8));
        hold();
        drop(block);
    };
    let take = |hold: &dyn Fn()| with_one_of_each(&subject(), hold);
    let grown = beside::<1, _, _>(&holder, || {
        let before = Footprint::now();
        beside::<THREADS, _, _>(&take, Footprint::now).since(before)
    });
    let share = |bytes| bytes / THREADS as i64;
    Footprint {
        mapped: share(grown.mapped),
        resident: share(grown.resident),
        huge: share(grown.huge),
    }
}

/// Calls `work` while a block of each size is live. A [`Heap`](crate::Heap) would allocate its
/// lists on the thread.
fn with_one_of_each<S: Subject>(subject: &S, work: impl FnOnce()) {
    let layouts = SIZES.map(|size| layout(size, ALIGN));
    let blocks = layouts.map(|layout| {
        let block = black_box(subject.take(layout));
        assert!(!block.is_null(), "{layout:?} is refused");
        if S::HAS_MEMORY {
            // SAFETY: the block is live and has this size.
            unsafe { block.write_bytes(1, layout.size()) };
        }
        block
    });
    work();
    if !S::IS_ARENA {
        for (block, layout) in blocks.into_iter().zip(layouts) {
            // SAFETY: the block was taken above, with this layout.
            unsafe { subject.give(block, layout) };
        }
    }
}

/// Calls `part` on N threads at once, and `meanwhile` on this one while all of them are in the
/// call that `part` gets. A panic aborts.
///
/// The threads are the C library's: one of std looks for the guard page of its stack as it begins,
/// for which glibc allocates on that thread, and so maps an arena of 64 MiB.
fn beside<const N: usize, P: Fn(&dyn Fn()) + Sync, R>(
    part: &P,
    meanwhile: impl FnOnce() -> R,
) -> R {
    let (held, over) = (Barrier::new(N + 1), Barrier::new(N + 1));
    let work = || {
        part(&|| {
            held.wait();
            over.wait();
        })
    };
    // SAFETY: they are joined below, before the work is dropped.
    let threads = [(); N].map(|()| unsafe { start(&work) });
    held.wait();
    let result = catch_unwind(AssertUnwindSafe(meanwhile));
    let result = result.unwrap_or_else(|_| process::abort());
    over.wait();
    for thread in threads {
        // SAFETY: the thread was started, and nobody else waits for it.
        unsafe { libc::pthread_join(thread, ptr::null_mut()) };
    }
    result
}

/// Starts a thread.
///
/// # Safety
///
/// The thread is joined before the work is dropped.
unsafe fn start<W: Fn() + Sync>(work: &W) -> libc::pthread_t {
    /// A panic does not leave this function: it aborts.
    extern "C" fn begin<W: Fn()>(work: *mut libc::c_void) -> *mut libc::c_void {
        // SAFETY: `start` passes a reference of this type, which lives until the thread ends.
        let work = unsafe { &*work.cast::<W>() };
        work();
        ptr::null_mut()
    }
    let mut thread = MaybeUninit::uninit();
    let work = ptr::from_ref(work).cast_mut().cast();
    // SAFETY: `work` is what `begin` expects, and may be used by several threads.
    let outcome =
        unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), begin::<W>, work) };
    if outcome != 0 {
        process::abort();
    }
    // SAFETY: the call has succeeded, and so has filled it in.
    unsafe { thread.assume_init() }
}

pub(crate) fn measure<S: Subject + 'static>(suite: &mut SubjectSuite<'_, S>) {
    record(suite, "process", |b| b, |open| global(|| open.subject()));
    record(suite, "thread", on_threads::<S, _>, |open| {
        if S::IS_ARENA {
            return per_thread(|| open.subject());
        }
        let shared = Shared::new(open.subject());
        // The part that all threads share is the process's: it exists before them.
        with_one_of_each(&shared, || ());
        per_thread(|| shared.clone())
    });
}

fn record<S: Subject + 'static>(
    suite: &mut SubjectSuite<'_, S>,
    of: &'static str,
    noted: fn(Of) -> Of,
    measure: impl Fn(Opener<S>) -> Footprint + 'static,
) {
    suite.once(
        "overhead",
        &[],
        &[
            ("resident-growth", Unit::Bytes),
            ("mapped-growth", Unit::Bytes),
            ("huge-growth", Unit::Bytes),
        ],
        |b| noted(b.axis("of", [of])),
        move |open, _| {
            let grown = measure(open);
            Report::default().found([grown.resident, grown.mapped, grown.huge])
        },
    );
}

/// A scenario of a subject and of one of the two parts.
type Of = Scenario<'static, (String, &'static str)>;

#[cfg(test)]
mod tests {
    use std::alloc::System;
    use std::thread;

    use alloc_assert::in_fresh_process;

    use super::*;
    use crate::floor::Floor;
    use crate::subject::Global;

    /// Anything that is allocated on the thread makes glibc map 64 MiB of addresses for an arena,
    /// and write to its first pages.
    #[test]
    fn the_floor_of_a_thread_is_its_stack_alone() {
        in_fresh_process(|| {
            let grown = per_thread(|| Floor::<false>);
            // A stack has mostly 8 MiB, and an arena 64.
            assert!(grown.mapped < 64 << 20, "{grown:?}");
            assert!((4 << 10..=32 << 10).contains(&grown.resident), "{grown:?}");
        });
    }

    /// An arena of glibc maps 64 MiB, and a stack some more. The thread before leaves an arena,
    /// which one of the eight must not get.
    #[cfg(target_env = "gnu")]
    #[test]
    fn each_thread_on_the_system_has_an_arena_of_its_own() {
        in_fresh_process(|| {
            let before = thread::spawn(|| drop(black_box(Box::new(0_u8))));
            before.join().unwrap();
            let grown = per_thread(|| Global(System));
            assert!(grown.mapped > 65 << 20, "{grown:?}");
        });
    }
}
