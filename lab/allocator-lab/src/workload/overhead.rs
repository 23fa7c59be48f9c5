//! Overhead: the memory that a subject takes for its first small blocks, in the process
//! and on each thread.

use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError};

use alloc_scenario::{Scenario, Unit};

use crate::bare_threads;
use crate::entry::Opener;
use crate::heap::{Heap, Room};
use crate::memory::Footprint;
use crate::registration::{SubjectSuite, Workload};
use crate::report::Report;
use crate::request::{ALIGN, layout};
use crate::shared::{Shared, on_threads};
use crate::subject::Subject;

/// Threads whose memory is measured together.
pub const THREADS: usize = 8;

/// The sizes of the blocks, one of each.
const SIZES: [usize; 8] = [16, 32, 64, 128, 256, 512, 1_024, 2_048];

/// Blocks that a heap needs room for.
pub const BLOCKS: usize = SIZES.len();

/// The requests and the growth of the process's memory; on threads, the share of one.
pub type Grown = (Report, Footprint);

/// The growth from before the subject is opened until a block of each of eight sizes was
/// taken and written. Only a fresh process shows it.
pub fn global<S: Subject>(open: impl FnOnce() -> S) -> Grown {
    let before = Footprint::now();
    let mut heap = Heap::new(open(), BLOCKS);
    let mut report = Report::default();
    take_one_of_each(&mut heap, &mut report);
    let grown = Footprint::now().since(before);
    heap.give_all();
    (report, grown)
}

/// An eighth of the growth from before eight threads are started until each has taken and
/// written a block of each of eight sizes. It includes the stacks of the threads, which
/// the floor's row shows. The lists of the heaps are made before, on this thread, and the
/// threads are those of the C library: for anything else that is allocated on a thread, the
/// system's allocator would take an arena.
pub fn per_thread<S: Subject>(subject: impl Fn() -> S + Sync) -> Grown {
    beside_a_thread_with_an_arena(|| growth_per_thread(&subject))
}

/// Calls `measure` while another thread has a block of the system's allocator. glibc gives the
/// arena of a thread that has ended to the next thread, and there was one before: the first of
/// eight threads would need no arena.
fn beside_a_thread_with_an_arena<R>(measure: impl FnOnce() -> R) -> R {
    let taken = Barrier::new(2);
    let measured = Barrier::new(2);
    let holder = || {
        let block = black_box(Box::new(0_u8));
        taken.wait();
        measured.wait();
        drop(block);
    };
    bare_threads::run([holder], || {
        taken.wait();
        let result = measure();
        measured.wait();
        result
    })
}

fn growth_per_thread<S: Subject>(subject: &(impl Fn() -> S + Sync)) -> Grown {
    let rooms: [_; THREADS] = std::array::from_fn(|_| Room::for_blocks(BLOCKS));
    let ready = Barrier::new(THREADS + 1);
    let read = Barrier::new(THREADS + 1);
    let sum = Mutex::new(Report::default());
    let before = Footprint::now();
    let parts = rooms.map(|room| {
        let (ready, read, sum) = (&ready, &read, &sum);
        move || {
            let mut report = Report::default();
            let mut heap = Heap::with_room(subject(), room);
            take_one_of_each(&mut heap, &mut report);
            ready.wait();
            read.wait();
            heap.give_all();
            *sum.lock().unwrap_or_else(PoisonError::into_inner) += report;
        }
    });
    let after = bare_threads::run(parts, || {
        ready.wait();
        let after = Footprint::now();
        read.wait();
        after
    });
    let report = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    let grown = after.since(before);
    let threads = THREADS as i64;
    let share = Footprint {
        mapped: grown.mapped / threads,
        resident: grown.resident / threads,
        huge: grown.huge / threads,
    };
    (report, share)
}

fn take_one_of_each<S: Subject>(heap: &mut Heap<S>, report: &mut Report) {
    for size in SIZES {
        let block = heap.take(layout(size, ALIGN), report);
        if let Some(mut block) = block.filter(|_| S::HAS_MEMORY) {
            block.fill(1);
        }
    }
}

pub(crate) struct Scenarios;

impl Workload for Scenarios {
    fn measure<S: Subject + 'static>(&self, suite: &mut SubjectSuite<'_, S>) {
        record(suite, "process", |b| b, |open| global(|| open.subject()));
        record(suite, "thread", on_threads::<S, _>, |open| {
            if !Shared::<S>::POSSIBLE {
                return per_thread(|| open.subject());
            }
            let shared = Shared::new(open.subject());
            // The part that all threads share is the process's: it exists before them.
            let mut first = Heap::new(shared.clone(), BLOCKS);
            take_one_of_each(&mut first, &mut Report::default());
            first.give_all();
            per_thread(|| shared.clone())
        });
    }
}

fn record<S: Subject + 'static>(
    suite: &mut SubjectSuite<'_, S>,
    of: &'static str,
    noted: fn(Of) -> Of,
    measure: impl Fn(Opener<S>) -> Grown + 'static,
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
            let (report, grown) = measure(open);
            report.found([grown.resident, grown.mapped, grown.huge])
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

    /// A list of the lab that is made on the thread makes glibc map 64 MiB of addresses for
    /// an arena, and write to its first pages.
    #[test]
    fn the_floor_of_a_thread_is_its_stack_alone() {
        in_fresh_process(|| {
            let grown = per_thread(|| Floor).1;
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
            let grown = per_thread(|| Global(System)).1;
            assert!(grown.mapped > 65 << 20, "{grown:?}");
        });
    }
}
