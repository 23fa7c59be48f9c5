//! Counting wrappers: the time of a pair through [`CountingAlloc`], paused and counting,
//! and through the two atomics that projects write for themselves. They have no subject:
//! the allocator beneath is the system's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use alloc_scenario::counting_alloc::pause;
use alloc_scenario::{CountingAlloc, Suite};

use crate::axis::axis_values;
use crate::crew::Crew;
use crate::floor::Floor;
use crate::heap::{Heap, Memory};
use crate::report::Found;
use crate::subject::{Global, Subject};
use crate::suite::{Plan, recorded};
use crate::window::{WINDOW, Window};
use crate::workload::pair::{self, pairs};

/// The size of the blocks.
const SIZE: usize = 64;

axis_values! {
    /// A wrapper around the system's allocator.
    pub enum Wrapper {
        /// No wrapper and no allocator: the loop alone.
        Floor = "floor",
        /// Nothing.
        None = "none",
        /// [`CountingAlloc`], paused.
        CountingOff = "counting-off",
        /// [`CountingAlloc`], counting; no window is open.
        CountingOn = "counting-on",
        /// Two atomics that all threads share, one for calls and one for bytes.
        TwoAtomics = "two-atomics",
        /// Nothing; measured a second time.
        NoneAgain = "none-again",
    }
}

/// Threads that make pairs of 64 bytes through a wrapper, 1,000 in a pass.
#[must_use]
pub fn crew(wrapper: Wrapper, threads: usize) -> Crew {
    fn through<S: Subject + 'static>(threads: usize, open: fn() -> S) -> Crew {
        let open = move || Heap::new(open(), pair::blocks(SIZE));
        Crew::with_own(threads, open, |heap| pairs(heap, SIZE, Memory::Untouched))
    }
    match wrapper {
        Wrapper::None | Wrapper::NoneAgain => through(threads, || Global(System)),
        Wrapper::Floor => through(threads, || Floor::<false>),
        Wrapper::CountingOff | Wrapper::CountingOn => {
            through(threads, || Global(CountingAlloc::system()))
        }
        Wrapper::TwoAtomics => through(threads, || Global(TwoAtomics)),
    }
}

/// As [`Crew::window`]. No counting window may be open here: a pause would invalidate it.
pub fn window(crew: &mut Crew, wrapper: Wrapper) -> Window {
    // A pause is for all threads.
    let _paused = (wrapper == Wrapper::CountingOff).then(pause);
    crew.window()
}

/// The system's allocator behind two sums that all threads share.
#[derive(Debug)]
struct TwoAtomics;

static ALLOCS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

// SAFETY: both methods hand their arguments to `System`'s and return what it returns.
unsafe impl GlobalAlloc for TwoAtomics {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller's contract, passed on.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The windows are measured before the iterations open theirs, for the pause.
pub(crate) fn measure(suite: &mut Suite<'static>) {
    let made = RefCell::new(None);
    suite.scenario_with("wrapper", |b| {
        let calls = b
            .fresh_process()
            .axis("wrapper", Wrapper::ALL)
            .axis("threads", [1_usize, 2])
            .elements(|_| pair::PAIRS)
            .warm_up(Plan::THREADS.0)
            .iterations(Plan::THREADS.1)
            .untimed()
            .input(move |&(wrapper, threads)| {
                let mut made = made.borrow_mut();
                let crew = made.get_or_insert_with(|| crew(wrapper, threads));
                Found::from(window(crew, wrapper))
            })
            .run(Found::without_faults);
        recorded(calls, WINDOW)
    });
}
