//! The counters of each thread: the one registry of the process, and
//! the thread-locals through which a thread finds its block.
//!
//! A thread finds its counters through a `const` thread-local without a destructor,
//! which is usable before `main` and while a thread is torn down. Nothing here
//! locks, unwinds or allocates through the global allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::block::Block;
use crate::counters::{Counters, Flags};
use crate::first::Trace;
use crate::inner;
use crate::measured::{MeasureError, Scope};
use crate::operation::Operation;
use crate::process::process;
use crate::registry::Registry;
#[cfg(feature = "sites")]
use crate::sites::capture::{self, SHARED};
use crate::spans::{PeakSpan, TraceSpan};
use crate::tally::Tally;

/// The blocks of this process.
pub(crate) static REGISTRY: Registry = Registry::new();

/// The counters that threads without a block point to. Their gate leads to the rare
/// path, and their counts are never read.
static UNOWNED: Counters = Counters::new(Flags::UNOWNED);

thread_local! {
    /// The counters of the thread; `UNOWNED` while it has no block.
    static COUNTERS: Cell<*const Counters> = const { Cell::new(&raw const UNOWNED) };

    /// The thread's block; null while it has none.
    static BLOCK: Cell<*const Block> = const { Cell::new(ptr::null()) };

    /// The stage of the thread, which says why `BLOCK` is null. Only the rare path
    /// reads it.
    static STAGE: Cell<Stage> = const { Cell::new(Stage::Beginning) };

    /// Releases the block when the thread ends.
    static RELEASE_BLOCK: ReleaseBlock = const { ReleaseBlock };
}

/// The stages of a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The thread acquires a block with its next operation.
    Beginning,
    /// The thread is acquiring a block. Allocations of that are counted in the shared
    /// counters.
    Acquiring,
    /// The thread has a block.
    Counting,
    /// The thread has released its block.
    Ended,
}

/// The counters of the calling thread.
#[inline(always)]
pub(crate) fn counters() -> &'static Counters {
    // `COUNTERS` has no destructor and is accessible as long as the thread runs.
    //
    // SAFETY: the cell's pointer is valid for a read by the thread that it belongs
    // to. The read is volatile, as is the write: the optimizer may assume that
    // allocators read no memory of the program, and must not move it over calls of
    // them.
    let counters = COUNTERS.try_with(|cell| unsafe { cell.as_ptr().read_volatile() });
    let counters = counters.unwrap_or(&raw const UNOWNED);
    // SAFETY: `COUNTERS` holds the address of a static, or of counters in a block of
    // the list, and blocks are never freed.
    unsafe { &*counters }
}

/// The counters of no thread.
#[inline(always)]
pub(crate) fn unowned() -> &'static Counters {
    &UNOWNED
}

/// The calling thread's block, if it has one.
#[inline]
pub(crate) fn own_block() -> Option<&'static Block> {
    let block = BLOCK.try_with(Cell::get).unwrap_or(ptr::null());
    // SAFETY: `BLOCK` holds null or a block of the list, and blocks are never
    // freed.
    unsafe { block.as_ref() }
}

/// The calling thread's counters, for a window of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnCounters(&'static Block);

impl OwnCounters {
    /// The counters of the calling thread, if it has any.
    #[inline]
    pub(crate) fn find() -> Option<Self> {
        own_block().map(Self)
    }

    /// The operations that they counted.
    #[inline]
    pub(crate) fn read(self) -> Tally {
        self.0.main.read()
    }

    /// Makes the counters for `scope` follow the present modes.
    pub(crate) fn follow_modes(self, scope: Scope) {
        match scope {
            Scope::Thread => REGISTRY.follow_now(self.0),
            Scope::Process => REGISTRY.follow_all_now(),
        }
    }

    /// The operations in excluded regions in `scope`.
    pub(crate) fn read_excluded(self, scope: Scope) -> Tally {
        match scope {
            Scope::Thread => self.0.excluded.read(),
            Scope::Process => REGISTRY.total_excluded(),
        }
    }

    /// Begins to keep the peak if it `keeps_peak`, and to record operations.
    pub(crate) fn open_spans(self, keeps_peak: bool, trace: Option<&Trace>) -> Spans<'_> {
        Spans {
            peak: keeps_peak.then(|| PeakSpan::open(self.0)),
            trace: trace.map(|trace| TraceSpan::open(self.0, trace)),
        }
    }
}

/// The spans of a window on its own thread.
#[derive(Debug)]
pub(crate) struct Spans<'open> {
    peak: Option<PeakSpan>,
    trace: Option<TraceSpan<'open>>,
}

impl Spans<'_> {
    /// Closes the spans, and returns the peak if it was kept.
    pub(crate) fn close(self) -> Option<u64> {
        drop(self.trace);
        self.peak.map(|span| span.close())
    }
}

/// Whether the calling thread has released its block at its end.
pub(crate) fn is_past_end() -> bool {
    stage() == Stage::Ended
}

/// Runs `f` on a new thread; `None` when no thread could be started.
pub(crate) fn on_new_thread<T: Send>(f: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, f).ok()?;
        thread.join().ok()
    })
}

/// The reason why the calling thread has no counters, if it is known.
pub(crate) fn error() -> Option<MeasureError> {
    is_past_end().then_some(MeasureError::ThreadEnded)
}

/// The operations of the calling thread since it started.
///
/// The counters only rise, and a measurement is the difference of two readings. A
/// thread that has ended, in late destructors of thread-locals, reads zero.
///
/// Before the first window of the process, and of a thread that has not allocated yet, the thread
/// allocates and frees one byte twice, to see that it is counted. Tallies have these operations; the
/// window begins after them.
///
/// ```
/// # use counting_alloc::{CountingAlloc, thread_tally};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let before = thread_tally();
/// let numbers = std::hint::black_box(vec![0_u8; 100]);
/// assert_eq!((thread_tally() - before).bytes, 100);
/// # drop(numbers);
/// # }
/// ```
#[must_use]
pub fn thread_tally() -> Tally {
    own_block().map_or(Tally::ZERO, Block::counted_by_owner)
}

/// Counts `operation` in all cases that the fast path does not handle.
///
/// `inner` makes the thread's block if it has none. `block` is the address of the
/// operation: for a call that was refused, null.
pub(crate) fn record_rare<A: GlobalAlloc>(inner: &A, operation: Operation, block: *mut u8) {
    let Some(own) = own_block().or_else(|| begin(inner)) else {
        record_shared(operation);
        return;
    };
    let counters = counters();
    let flags = counters.flags();
    if flags.contain(Flags::OFF) {
        return;
    }
    counters.add_owned(operation);
    if flags.contain(Flags::PEAK) {
        counters.keep_peak();
    }
    if flags.contain(Flags::PROCESS_PEAK) {
        REGISTRY.peaks.follow(operation);
    }
    if flags.contain(Flags::TRACE) {
        // SAFETY: these are the thread's counters.
        unsafe { counters.record(operation) };
    }
    #[cfg(feature = "sites")]
    // SAFETY: they are the thread's own.
    unsafe {
        capture::add(&own.sites, flags, operation, block)
    };
    #[cfg(not(feature = "sites"))]
    let _ = (own, block);
}

/// Without call stacks, no mode follows live blocks.
#[cfg(not(feature = "sites"))]
pub(crate) fn before_resize(_: *mut u8) {}

/// Prepares for a reallocation of `block` in a mode that may follow live blocks.
#[cfg(feature = "sites")]
pub(crate) fn before_resize(block: *mut u8) {
    let flags = counters().flags();
    if !flags.contain(Flags::SITES) && !flags.contain(Flags::PROCESS_PEAK) {
        return;
    }
    if let Some(own) = own_block() {
        // SAFETY: they are the thread's own.
        unsafe { capture::before_resize(&own.sites, flags, block) };
    }
}

/// Counts `operation` in the modes that only the owner sets.
#[inline(always)]
pub(crate) fn record_owned(counters: &Counters, flags: Flags, operation: Operation) {
    counters.add_owned(operation);
    if flags.contain(Flags::PEAK) {
        counters.keep_peak();
    }
    if flags.contain(Flags::TRACE) {
        // SAFETY: these are the thread's counters.
        unsafe { counters.record(operation) };
    }
}

/// Runs `f` without counting its operations, neither in a window of the calling
/// thread nor in the totals of the process.
///
/// Use it for work that a test has to do in the middle of a measurement. The
/// operations are in [`Measured::uncounted`], so that an excluded region is not
/// mistaken for an empty one. A block that is allocated inside and freed outside,
/// or the other way round, is one operation on either side, and net bytes show it.
///
/// It excludes the operations of the calling thread. Work that `f` passes to other
/// threads is counted. Regions nest. A window can't open inside a region. On a thread that is being torn down, `f` runs without effect
/// on counting.
///
/// ```
/// use counting_alloc::{CountingAlloc, measure, uncounted};
///
/// #[global_allocator]
/// static ALLOC: CountingAlloc = CountingAlloc::system();
///
/// # fn main() {
/// let measured = measure(|| {
///     let log = uncounted(|| String::from("a line of the test's own log"));
///     drop(vec![0_u8; 16]);
///     log
/// });
/// assert_eq!(measured.tally.allocs, 1);
/// assert_eq!(measured.uncounted.allocs, 1);
///
/// // Made inside, dropped outside; and the other way round.
/// let bytes = || std::hint::black_box(vec![1_u8; 300]);
/// let out = measure(|| drop(uncounted(bytes)));
/// assert_eq!((out.tally.deallocs, out.tally.net_bytes()), (1, -300));
/// assert_eq!((out.uncounted.allocs, out.uncounted.deallocs), (1, 0));
/// let into = measure(|| {
///     let made = bytes();
///     uncounted(|| drop(made));
/// });
/// assert_eq!((into.tally.allocs, into.tally.net_bytes()), (1, 300));
/// assert_eq!((into.uncounted.allocs, into.uncounted.deallocs), (0, 1));
/// # }
/// ```
///
/// [`Measured::uncounted`]: crate::Measured::uncounted
pub fn uncounted<T>(f: impl FnOnce() -> T) -> T {
    /// Restores the counters from before, also when `f` panics.
    struct Restore(*const Counters);

    impl Drop for Restore {
        fn drop(&mut self) {
            // A thread that has ended has no counters to restore.
            if stage() == Stage::Counting {
                set_counters(self.0);
            }
        }
    }

    let Some(block) = own_block() else {
        return f();
    };
    let _restore = Restore(ptr::from_ref(counters()));
    set_counters(&raw const block.excluded);
    f()
}

/// Whether the calling thread is in a region that is excluded from counting.
pub(crate) fn is_excluded() -> bool {
    own_block().is_some_and(|block| ptr::eq(counters(), &raw const block.excluded))
}

/// Counts for a thread without a block.
fn record_shared(operation: Operation) {
    if REGISTRY.is_paused() {
        return;
    }
    REGISTRY.shared.add_shared(operation);
    if REGISTRY.peaks.is_kept() {
        REGISTRY.peaks.follow(operation);
        #[cfg(feature = "sites")]
        SHARED.miss(operation);
    }
    if is_past_end() {
        REGISTRY.add_late();
    }
}

/// Acquires a block, if the thread is at its beginning.
fn begin<A: GlobalAlloc>(inner: &A) -> Option<&'static Block> {
    match stage() {
        Stage::Beginning => {}
        Stage::Acquiring | Stage::Counting | Stage::Ended => return None,
    }
    inner::remember_name::<A>();
    set_stage(Stage::Acquiring);
    let Some(block) = REGISTRY.acquire(process(), || make(inner)) else {
        // The next operation tries again.
        set_stage(Stage::Beginning);
        return None;
    };
    // Neither fails, see `counters`. If one did, the shared counters would be used.
    let _ = BLOCK.try_with(|cell| cell.set(block));
    set_counters(&raw const block.main);
    set_stage(Stage::Counting);
    // The destructor is registered after the block is set, so that an allocation of
    // that is counted. If it is too late to register destructors, the thread keeps
    // its block.
    let _ = RELEASE_BLOCK.try_with(|_| ());
    Some(block)
}

/// A new block, already owned.
fn make<A: GlobalAlloc>(inner: &A) -> Option<&'static Block> {
    // SAFETY: the layout of `Block` is not of size zero.
    let memory = unsafe { inner.alloc(Layout::new::<Block>()) }.cast::<Block>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: `memory` is valid for a `Block` and aligned to it, as its layout
    // asked, and nothing else refers to it.
    unsafe { memory.write(Block::new()) };
    // SAFETY: `memory` was just initialised, and it is never freed.
    let block: &'static Block = unsafe { &*memory };
    block.owned.store(true, Relaxed);
    Some(block)
}

fn stage() -> Stage {
    // `LIFE` has no destructor either.
    STAGE.try_with(Cell::get).unwrap_or(Stage::Ended)
}

fn set_stage(stage: Stage) {
    let _ = STAGE.try_with(|cell| cell.set(stage));
}

fn set_counters(counters: *const Counters) {
    // SAFETY: the cell's pointer is valid for a write by the thread that it belongs
    // to, and nothing refers to the cell's content. Volatile, see `counters`.
    let _ = COUNTERS.try_with(|cell| unsafe { cell.as_ptr().write_volatile(counters) });
}

/// Releases the thread's block when it is dropped.
struct ReleaseBlock;

impl Drop for ReleaseBlock {
    fn drop(&mut self) {
        if let Some(block) = own_block() {
            set_stage(Stage::Ended);
            set_counters(&raw const UNOWNED);
            let _ = BLOCK.try_with(|cell| cell.set(ptr::null()));
            Registry::release(block);
        }
    }
}
