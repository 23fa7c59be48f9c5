//! One set of counters that all threads share, for targets without `std` and its
//! thread-locals: real atomics, the scope of the process alone. It offers what
//! `threads` offers.

use core::alloc::GlobalAlloc;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::{Acquire, SeqCst};

use crate::counters::{Counters, Flags};
use crate::first::{FirstOperations, Trace};
use crate::inner;
use crate::measured::{MeasureError, Scope};
use crate::native::platform::counters::NativeCounters;
use crate::operation::Operation;
use crate::registry::Registry;
use crate::tally::Tally;

/// The counters of this process: a list of no blocks, and the sheet that is
/// shared.
pub(crate) static REGISTRY: Registry = Registry::new();

/// What is done in excluded regions.
static EXCLUDED: Counters = Counters::new(Flags::UNOWNED);

/// Excluded regions that have begun and not ended.
static REGIONS: AtomicUsize = AtomicUsize::new(0);

/// The sheet whose flags every operation looks at; they lead to [`record_rare`].
#[inline(always)]
pub(crate) fn counters() -> &'static Counters {
    &REGISTRY.shared
}

/// Tallies `operation`.
pub(crate) fn record_rare<A: GlobalAlloc>(_: &A, operation: Operation) {
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
        REGISTRY.peaks.follow(operation.net_bytes());
    }
}

/// Runs `f` with everything excluded from counting, on all threads.
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

/// Whether a region that is excluded from counting has begun.
pub(crate) fn is_excluded() -> bool {
    REGIONS.load(Acquire) != 0
}

/// The counters that all threads share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own;

impl Own {
    #[expect(
        clippy::unnecessary_wraps,
        reason = "a thread may have none in `threads`"
    )]
    pub(crate) fn find() -> Option<Self> {
        Some(Self)
    }

    pub(crate) fn read(self) -> Tally {
        REGISTRY.total()
    }

    /// What C code does is not watched without `std`.
    pub(crate) fn native(self) -> &'static NativeCounters {
        static NONE: NativeCounters = NativeCounters::new();
        &NONE
    }

    /// The modes are looked at with each operation.
    pub(crate) fn follow_modes(self, _: Scope) {}

    pub(crate) fn read_excluded(self, _: Scope) -> Tally {
        EXCLUDED.read()
    }

    /// Nothing: both the peak of a thread and the order of its operations need
    /// to know which thread it is.
    pub(crate) fn open_spans(self, _: bool, trace: Option<&Trace>) -> Spans<'_> {
        Spans { _trace: trace }
    }
}

/// What a window keeps of its own thread beside counts: nothing.
#[derive(Debug)]
pub(crate) struct Spans<'trace> {
    _trace: Option<&'trace Trace>,
}

impl Spans<'_> {
    pub(crate) fn close(self) -> (Option<u64>, Option<FirstOperations>) {
        (None, None)
    }
}

/// What [`measure`](crate::measure()) measures.
pub(crate) const FINEST_SCOPE: Scope = Scope::Process;

/// Whether windows in `scope` can be told from others.
pub(crate) fn can_measure(scope: Scope) -> bool {
    scope == Scope::Process
}

/// Nothing: others can't be told from the caller. The two were not read at once,
/// so their difference would be noise.
pub(crate) fn foreign(_: Tally, _: Tally) -> Tally {
    Tally::ZERO
}

/// There are no threads to be had.
pub(crate) fn on_new_thread<T>(_: impl FnOnce() -> T) -> Option<T> {
    None
}

/// The counters are those of the process, and last as long.
pub(crate) fn excuse() -> Option<MeasureError> {
    None
}

/// The ends of threads are not known here.
pub(crate) fn wait_before_opening() {}

/// The ends of threads are not known here.
pub(crate) fn wait_for_exits(_: u64) {}
