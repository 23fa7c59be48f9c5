//! The backend without `std` and its thread-locals: one set of counters that all
//! threads share, with locked instructions. Only the scope of the process can be
//! measured. It has the interface of `threads` and `thread_exit`.

use core::alloc::GlobalAlloc;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::{Acquire, SeqCst};

use crate::counters::{Counters, Flags};
use crate::inner;
use crate::kept::{Buffers, KeptByWindow};
use crate::measured::{MeasureError, Scope};
use crate::operation::Operation;
use crate::registry::Registry;
use crate::tally::Tally;

/// The counters of this process: an empty list of blocks, and the shared counters.
pub(crate) static REGISTRY: Registry = Registry::new();

/// The operations in excluded regions.
static EXCLUDED: Counters = Counters::new(Flags::UNOWNED);

/// The number of excluded regions that are running.
static REGIONS: AtomicUsize = AtomicUsize::new(0);

/// The counters whose flags every operation reads; the flags lead to
/// [`record_rare`].
#[inline(always)]
pub(crate) fn counters() -> &'static Counters {
    &REGISTRY.shared
}

/// The counters of no thread: those of all.
#[inline(always)]
pub(crate) fn unowned() -> &'static Counters {
    &REGISTRY.shared
}

/// Counts `operation`.
pub(crate) fn record_rare<A: GlobalAlloc>(_: &A, operation: Operation, _: *mut u8) {
    if REGISTRY.is_paused() {
        return;
    }
    if is_excluded() {
        EXCLUDED.add_shared(operation);
        return;
    }
    inner::remember_name::<A>();
    REGISTRY.shared.add_shared(operation);
    if REGISTRY.peaks.is_kept() {
        REGISTRY.peaks.follow(operation);
    }
}

/// Does nothing: live blocks are not followed.
pub(crate) fn before_resize(_: *mut u8) {}

/// Never: windows that refuse requests need threads.
pub(crate) fn refuses(_: usize, _: usize) -> bool {
    false
}

/// Runs `f`, and excludes the operations of all threads from counting meanwhile.
pub(crate) fn excluded<T>(f: impl FnOnce() -> T) -> T {
    /// Ends the region, also when `f` panics.
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            REGIONS.fetch_sub(1, SeqCst);
        }
    }

    REGIONS.fetch_add(1, SeqCst);
    let _end = End;
    f()
}

/// Whether an excluded region is running.
pub(crate) fn is_excluded() -> bool {
    REGIONS.load(Acquire) != 0
}

/// The counters that all threads share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnCounters;

impl OwnCounters {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the function of this name in `threads` can return `None`"
    )]
    pub(crate) fn find() -> Option<Self> {
        Some(Self)
    }

    pub(crate) fn read(self) -> Tally {
        REGISTRY.total()
    }

    /// Does nothing, since each operation reads the modes.
    pub(crate) fn follow_modes(self, _: Scope) {}

    pub(crate) fn read_excluded(self, _: Scope) -> Tally {
        EXCLUDED.read()
    }

    /// Keeps nothing: without thread-locals a thread has neither a peak nor an
    /// order of operations.
    pub(crate) fn open_spans(self, _: bool, buffers: &Buffers) -> Spans<'_> {
        Spans { _buffers: buffers }
    }
}

/// Counts nothing: no counters are those of one thread.
pub(crate) fn record_owned(_: &Counters, _: Flags, _: Operation) {}

/// The spans of a window on its own thread: none.
#[derive(Debug)]
pub(crate) struct Spans<'open> {
    _buffers: &'open Buffers,
}

impl Spans<'_> {
    pub(crate) fn close(self) -> KeptByWindow {
        KeptByWindow::default()
    }
}

/// The scope of [`measure`](crate::measure()).
pub(crate) const FINEST_SCOPE: Scope = Scope::Process;

/// Whether a window in `scope` can be measured.
pub(crate) fn can_measure(scope: Scope) -> bool {
    scope == Scope::Process
}

/// Zero: other threads can't be told from the caller.
pub(crate) fn foreign(_: Tally, _: Tally) -> Tally {
    Tally::ZERO
}

/// Never runs `f`, since threads need `std`.
pub(crate) fn on_new_thread<T>(_: impl FnOnce() -> T) -> Option<T> {
    None
}

/// Never, since the counters live as long as the process.
pub(crate) fn excuse() -> Option<MeasureError> {
    None
}

/// Does nothing, since the ends of threads are unknown.
pub(crate) fn wait_before_opening() {}

/// Does nothing, since the ends of threads are unknown.
pub(crate) fn wait_for_exits(_: u64) -> u64 {
    0
}
