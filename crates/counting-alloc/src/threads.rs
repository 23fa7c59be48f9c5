//! Which block is whose: the one registry of the process, and the thread-locals
//! through which a thread finds its block.
//!
//! A thread finds its sheet through a `const` thread-local without a destructor,
//! which is usable before `main` and while a thread is torn down. Nothing here
//! locks, unwinds or allocates through the global allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use crate::block::Block;
use crate::counters::{Counters, Flags};
use crate::first::{FirstOperations, Trace};
use crate::inner;
use crate::measured::{MeasureError, Scope};
use crate::native::platform::caller::{as_rust, ignore_next_free};
use crate::native::platform::counters::NativeCounters;
use crate::operation::Operation;
use crate::registry::Registry;
use crate::spans::{PeakSpan, TraceSpan};
use crate::tally::Tally;

/// The blocks of this process.
pub(crate) static REGISTRY: Registry = Registry::new();

/// What threads without a block point to: its gate leads to the rare path, and
/// nothing that is counted in it is ever read.
static UNOWNED: Counters = Counters::new(Flags::UNOWNED);

thread_local! {
    /// The sheet that the thread counts in; `NOBODYS` while it has no block.
    static COUNTERS: Cell<*const Counters> = const { Cell::new(&raw const UNOWNED) };

    /// The thread's block; null while it has none.
    static BLOCK: Cell<*const Block> = const { Cell::new(ptr::null()) };

    /// Why `BLOCK` is null, where it is; looked at on the rare path alone.
    static LIFE: Cell<Life> = const { Cell::new(Life::Beginning) };

    /// Hands the block on when the thread ends.
    static HAND_ON: HandOn = const { HandOn };
}

/// How far the calling thread is, as counting goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// It takes up a block with its next operation.
    Beginning,
    /// It is taking one up: what that allocates is counted in the shared sheet.
    TakingUp,
    /// It has a block.
    Counting,
    /// It has handed its block on.
    Ended,
}

/// The sheet that the calling thread counts in.
#[inline(always)]
pub(crate) fn counters() -> &'static Counters {
    // `SHEET` has no destructor and is accessible as long as the thread runs.
    //
    // SAFETY: the cell's pointer is valid for a read by the thread that it belongs
    // to. Volatile, as is the write: an optimizer that knows that allocators read
    // no memory of the program's may not move it over calls of them.
    let counters = COUNTERS.try_with(|cell| unsafe { cell.as_ptr().read_volatile() });
    let counters = counters.unwrap_or(&raw const UNOWNED);
    // SAFETY: `SHEET` holds the address of a static, or of a sheet in a block of
    // the list, and blocks are never freed.
    unsafe { &*counters }
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
pub(crate) struct Own(&'static Block);

impl Own {
    /// Those of the calling thread, if it has any.
    #[inline]
    pub(crate) fn find() -> Option<Self> {
        own_block().map(Self)
    }

    /// What was counted in them.
    #[inline]
    pub(crate) fn read(self) -> Tally {
        self.0.main.read()
    }

    /// Those of what C code does.
    #[inline]
    pub(crate) fn native(self) -> &'static NativeCounters {
        &self.0.native
    }

    /// Has the counters for `scope` follow the modes, as far as they don't yet.
    pub(crate) fn follow_modes(self, scope: Scope) {
        match scope {
            Scope::Thread => REGISTRY.follow_now(self.0),
            Scope::Process => REGISTRY.follow_all_now(),
        }
    }

    /// What was counted in `scope` in excluded regions.
    pub(crate) fn read_excluded(self, scope: Scope) -> Tally {
        match scope {
            Scope::Thread => self.0.excluded.read(),
            Scope::Process => REGISTRY.total_excluded(),
        }
    }

    /// Begins to keep the peak, and to write operations down.
    pub(crate) fn open_spans(self, peak: bool, trace: Option<&Trace>) -> Spans<'_> {
        Spans {
            peak: peak.then(|| PeakSpan::open(self.0)),
            trace: trace.map(|trace| (trace, TraceSpan::open(self.0, trace))),
        }
    }
}

/// What a window keeps of its own thread beside counts.
#[derive(Debug)]
pub(crate) struct Spans<'trace> {
    peak: Option<PeakSpan>,
    trace: Option<(&'trace Trace, TraceSpan<'trace>)>,
}

impl Spans<'_> {
    /// Ends it, with the peak and the operations.
    pub(crate) fn close(self) -> (Option<u64>, Option<FirstOperations>) {
        let peak = self.peak.map(|span| span.close());
        let first = self.trace.map(|(trace, span)| {
            drop(span);
            trace.operations()
        });
        (peak, first)
    }
}

/// Whether the calling thread is past the end at which its block was handed on.
pub(crate) fn is_past_end() -> bool {
    life() == Life::Ended
}

/// What [`measure`](crate::measure()) measures.
pub(crate) const FINEST_SCOPE: Scope = Scope::Thread;

/// What others did of all that was done, where the caller did `thread`.
#[inline(always)]
pub(crate) fn foreign(process: Tally, thread: Tally) -> Tally {
    process.since(thread)
}

/// Whether windows in `scope` can be told from others: all can.
pub(crate) const fn can_measure(_: Scope) -> bool {
    true
}

/// Runs `f` on a thread started for it; `None` when there was none to be had.
pub(crate) fn on_new_thread<T: Send>(f: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, f).ok()?;
        thread.join().ok()
    })
}

/// Why the calling thread's counters don't count, if that is known.
pub(crate) fn excuse() -> Option<MeasureError> {
    is_past_end().then_some(MeasureError::ThreadEnded)
}

/// What the calling thread counted since it started.
///
/// The counters only ever rise; a measurement is the difference of two
/// readings. A thread that is past its end (in late destructors of
/// thread-locals) reads zero.
#[must_use]
pub fn thread_tally() -> Tally {
    own_block().map_or(Tally::ZERO, Block::counted_by_owner)
}

/// Tallies `operation` where there is more to do than to count it, or less:
/// behind a gate that is not open.
///
/// `inner` makes the thread's block when it has none.
pub(crate) fn record_rare<A: GlobalAlloc>(inner: &A, operation: Operation) {
    let Some(block) = own_block().or_else(|| as_rust(|| begin(inner))) else {
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
        counters.keep_peak(operation);
    }
    if flags.contain(Flags::PROCESS_PEAK) {
        REGISTRY.peaks.follow(operation.net_bytes());
    }
    if flags.contain(Flags::TRACE) {
        // SAFETY: the chain consists of buffers of windows that this thread has
        // open, each of which unlinks itself before it goes.
        unsafe { Trace::record(block.trace(), operation) };
    }
}

/// Runs `f` with the calling thread counting in the sheet for excluded regions;
/// without a block, just runs it.
pub(crate) fn excluded<T>(f: impl FnOnce() -> T) -> T {
    /// Goes back to the sheet from before, also when `f` panics.
    struct Back(*const Counters);

    impl Drop for Back {
        fn drop(&mut self) {
            // Past its end, the thread has no sheet to go back to.
            if life() == Life::Counting {
                set_counters(self.0);
            }
        }
    }

    let Some(block) = own_block() else {
        return f();
    };
    let _back = Back(ptr::from_ref(counters()));
    set_counters(&raw const block.excluded);
    f()
}

/// Whether the calling thread is in a region that is excluded from counting.
pub(crate) fn is_excluded() -> bool {
    own_block().is_some_and(|block| ptr::eq(counters(), &raw const block.excluded))
}

/// Counts for a thread that has no block.
fn record_shared(operation: Operation) {
    if REGISTRY.is_paused() {
        return;
    }
    REGISTRY.shared.add_shared(operation);
    if REGISTRY.peaks.is_kept() {
        REGISTRY.peaks.follow(operation.net_bytes());
    }
    if is_past_end() {
        REGISTRY.came_late();
    }
}

/// Takes up a block, if the thread is at its beginning.
fn begin<A: GlobalAlloc>(inner: &A) -> Option<&'static Block> {
    match life() {
        Life::Beginning => {}
        Life::TakingUp | Life::Counting | Life::Ended => return None,
    }
    inner::remember_name::<A>();
    set_life(Life::TakingUp);
    let Some(block) = REGISTRY.take_up(|| make(inner)) else {
        // The next operation tries again.
        set_life(Life::Beginning);
        return None;
    };
    // Neither fails, see `sheet`; if one did, the shared sheet would be used.
    let _ = BLOCK.try_with(|cell| cell.set(block));
    set_counters(&raw const block.main);
    set_life(Life::Counting);
    // After the block is set: on platforms where registering a destructor
    // allocates, that is counted like anything else. Where the thread is past
    // registering destructors, its block stays taken.
    let _ = HAND_ON.try_with(|_| ());
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
    // asked, and nobody else knows of it.
    unsafe { memory.write(Block::new()) };
    // SAFETY: `memory` was just initialised, and it is never freed.
    let block: &'static Block = unsafe { &*memory };
    block.owned.store(true, Relaxed);
    Some(block)
}

fn life() -> Life {
    // `LIFE` has no destructor either.
    LIFE.try_with(Cell::get).unwrap_or(Life::Ended)
}

fn set_life(life: Life) {
    let _ = LIFE.try_with(|cell| cell.set(life));
}

fn set_counters(counters: *const Counters) {
    // SAFETY: the cell's pointer is valid for a write by the thread that it belongs
    // to, and nobody holds a reference into it. Volatile, see `sheet`.
    let _ = COUNTERS.try_with(|cell| unsafe { cell.as_ptr().write_volatile(counters) });
}

/// Its destructor hands the thread's block on.
struct HandOn;

impl Drop for HandOn {
    fn drop(&mut self) {
        if let Some(block) = own_block() {
            set_life(Life::Ended);
            set_counters(&raw const UNOWNED);
            let _ = BLOCK.try_with(|cell| cell.set(ptr::null()));
            Registry::hand_on(block);
            ignore_next_free();
        }
    }
}
