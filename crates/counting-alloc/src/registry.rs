//! The list of all blocks, and which one is whose.
//!
//! A thread finds its block through a `const` thread-local without a
//! destructor, which is usable before `main` and while a thread is torn down.
//! Nothing here locks, unwinds or allocates through the global allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::any;
use std::cell::Cell;
use std::mem;
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU64};

use crate::Tally;
use crate::block::{Block, Operation};
use crate::pause;

/// The newest block; the others follow through `next`. Blocks are never freed.
static NEWEST: AtomicPtr<Block> = AtomicPtr::new(ptr::null_mut());

/// What threads count that have no block of their own: while one is being
/// taken up, after it was handed on, or because no memory was left for one.
static SHARED: Block = Block::new();

/// Operations of threads that had handed their block on already. With compilers
/// of today there are none but those of a program's own late destructors; older
/// ones free the thread's handle then.
static LATE: AtomicU64 = AtomicU64::new(0);

/// Hand-overs of blocks to threads so far.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// The function that names the type of the inner allocator, as a pointer.
static NAMER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// The thread's block; null while it has none to use.
    static MINE: Cell<*const Block> = const { Cell::new(ptr::null()) };

    /// Why `MINE` is null, where it is; looked at on the rare path alone.
    static LIFE: Cell<Life> = const { Cell::new(Life::Beginning) };

    /// Hands the block on when the thread ends.
    static HAND_ON: HandOn = const { HandOn };
}

/// How far the calling thread is, as counting goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    /// It takes up a block with its next operation.
    Beginning,
    /// It is taking one up: what that allocates is counted in `SHARED`.
    TakingUp,
    /// It has a block.
    Counting,
    /// It has handed its block on.
    Ended,
}

/// Tallies `operation` for the calling thread. `inner` makes the thread's block
/// when it has none.
#[inline(always)]
pub(crate) fn record<A: GlobalAlloc>(inner: &A, operation: Operation) {
    if pause::is_paused() {
        return;
    }
    match own_block() {
        Some(block) => block.add_owned(operation),
        None => record_without_block(inner, operation),
    }
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

/// What all threads of the process counted since it started, those that ended
/// included.
///
/// Exact for everything that happened before the call: in this thread, in
/// threads that were joined, before a message that was received. Of threads
/// that run at the same time it holds what they have stored so far.
#[must_use]
pub fn process_tally() -> Tally {
    blocks().fold(SHARED.counted(), |sum, block| sum + block.counted())
}

/// The type name of the allocator below the counter, such as
/// `std::alloc::System`, or `None` when nothing was counted yet.
#[must_use]
pub fn inner_allocator() -> Option<&'static str> {
    let namer = NAMER.load(Acquire);
    if namer.is_null() {
        return None;
    }
    // SAFETY: `NAMER` holds null or a pointer that `remember_name` made from a
    // function of exactly this type.
    let namer = unsafe { mem::transmute::<*mut (), fn() -> &'static str>(namer) };
    Some(namer())
}

/// The calling thread's block, if it has one.
#[inline(always)]
pub(crate) fn own_block() -> Option<&'static Block> {
    // SAFETY: `MINE` holds null or a block of the list, and blocks are never
    // freed.
    unsafe { mine().as_ref() }
}

/// Whether the calling thread is past the end at which its block was handed on.
pub(crate) fn is_past_end() -> bool {
    life() == Life::Ended
}

/// The number of hand-overs so far: a mark in time for [`held_since`].
pub(crate) fn taken_so_far() -> u64 {
    TAKEN.load(Acquire)
}

/// Operations so far of threads that had handed their block on.
pub(crate) fn late_so_far() -> u64 {
    LATE.load(Acquire)
}

/// Whether another thread holds a block that it took up after `mark`, so that
/// it may not have come to its end.
pub(crate) fn held_since(mark: u64) -> bool {
    let mine = mine();
    blocks().any(|block| {
        // Acquire: once a block is seen handed on, its counts are seen too.
        block.owned.load(Acquire)
            && block.taken.load(Relaxed) > mark
            && !ptr::eq(ptr::from_ref(block), mine)
    })
}

#[inline(always)]
fn mine() -> *const Block {
    // `MINE` has no destructor and is accessible as long as the thread runs.
    MINE.try_with(Cell::get).unwrap_or(ptr::null())
}

fn life() -> Life {
    // The same holds for `LIFE`.
    LIFE.try_with(Cell::get).unwrap_or(Life::Ended)
}

fn enter(life: Life, block: *const Block) {
    // Neither fails, see `mine` and `life`; if one did, `SHARED` would be used.
    let _ = LIFE.try_with(|cell| cell.set(life));
    let _ = MINE.try_with(|cell| cell.set(block));
}

fn blocks() -> impl Iterator<Item = &'static Block> {
    let deref = |block: *mut Block| {
        // SAFETY: `NEWEST` and every `next` hold null or a block that was
        // written whole before it was published, and blocks are never freed.
        unsafe { block.as_ref() }
    };
    std::iter::successors(deref(NEWEST.load(Acquire)), move |block| {
        deref(block.next.load(Acquire))
    })
}

/// The rare case of [`record`]: the thread's first operation, or one for which
/// it has no block.
#[cold]
#[inline(never)]
fn record_without_block<A: GlobalAlloc>(inner: &A, operation: Operation) {
    match life() {
        Life::Beginning => {}
        // In `Counting` there is a block, and this is not reached.
        Life::TakingUp | Life::Counting => {
            SHARED.add_shared(operation);
            return;
        }
        Life::Ended => {
            SHARED.add_shared(operation);
            // Release: whoever sees the number sees the operation.
            LATE.fetch_add(1, Release);
            return;
        }
    }
    remember_name::<A>();
    enter(Life::TakingUp, ptr::null());
    let Some(block) = take_up(inner) else {
        // The next operation tries again.
        enter(Life::Beginning, ptr::null());
        SHARED.add_shared(operation);
        return;
    };
    enter(Life::Counting, block);
    block.add_owned(operation);
    // After `MINE` is set: on platforms where registering a destructor
    // allocates, that is counted like anything else. Where the thread is past
    // registering destructors, its block stays taken.
    let _ = HAND_ON.try_with(|_| ());
}

/// A block that another thread handed on, or else a new one, made ready for the
/// calling thread; `None` when `inner` has no memory for it.
fn take_up<A: GlobalAlloc>(inner: &A) -> Option<&'static Block> {
    let handed_on = blocks().find(|block| {
        // Acquire: what the last owner counted is seen by the next.
        !block.owned.load(Relaxed)
            && block
                .owned
                .compare_exchange(false, true, Acquire, Relaxed)
                .is_ok()
    });
    let block = match handed_on {
        Some(block) => block,
        None => make(inner)?,
    };
    block.inherit();
    block.taken.store(TAKEN.fetch_add(1, AcqRel) + 1, Relaxed);
    Some(block)
}

/// A new block, already owned, in the list.
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
    let mut newest = NEWEST.load(Relaxed);
    loop {
        block.next.store(newest, Relaxed);
        // Release: whoever finds the block finds it initialised.
        match NEWEST.compare_exchange_weak(newest, memory, AcqRel, Relaxed) {
            Ok(_) => return Some(block),
            Err(now) => newest = now,
        }
    }
}

fn remember_name<A>() {
    let namer: fn() -> &'static str = any::type_name::<A>;
    NAMER.store(namer as *mut (), Release);
}

/// Its destructor hands the thread's block on.
struct HandOn;

impl Drop for HandOn {
    fn drop(&mut self) {
        if let Some(block) = own_block() {
            enter(Life::Ended, ptr::null());
            // Release: the next owner, and a window that waits for this, see
            // all that was counted.
            block.owned.store(false, Release);
        }
    }
}
