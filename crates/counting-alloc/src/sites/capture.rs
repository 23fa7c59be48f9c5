//! Captures the stacks of operations: [`ThreadSites`] for the windows of a thread, and
//! [`SHARED`] for a window of the process.

use std::cell::UnsafeCell;
use std::hint::{black_box, spin_loop};
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, compiler_fence};
use std::thread;

use crate::counters::{Counters, Flags};
use crate::operation::Operation;
use crate::process::process;
use crate::sites::array::Array;
use crate::sites::live::Live;
use crate::sites::table::Table;
use crate::sites::unwind;
use crate::tally::Tally;

/// More bytes than a frame has.
const LARGEST_FRAME: usize = 1 << 20;

/// The most frames of a stack. Those further out are left out.
const MOST_FRAMES: usize = 512;

/// The stacks of one thread. Only the owner of its block uses them.
#[derive(Debug)]
pub(crate) struct ThreadSites {
    state: UnsafeCell<State>,
    /// Whether the state is in use. A signal handler can interrupt that.
    is_used: AtomicBool,
    /// The operations of such handlers in a window of the thread.
    missed: Counters,
}

// SAFETY: only the thread that owns the block uses the content, see `with`. A block is
// handed on by a store with release order, and taken with acquire order.
unsafe impl Sync for ThreadSites {}

#[derive(Debug)]
struct State {
    /// The stacks of the thread's own window.
    table: Table,
    /// An address in the frame that opened this window; `None` if none is open.
    opener: Option<usize>,
    /// The return addresses of the present stack, innermost first.
    frames: Array<usize>,
    /// The block that the thread is resizing, as it was in its own table and in the table of
    /// the process.
    resizing: [Option<Live>; 2],
}

impl ThreadSites {
    pub(crate) const fn new() -> Self {
        Self {
            state: UnsafeCell::new(State {
                table: Table::new(),
                opener: None,
                frames: Array::new(),
                resizing: [None; 2],
            }),
            is_used: AtomicBool::new(false),
            missed: Counters::new(Flags::NONE),
        }
    }

    /// Passes the state to `f`. `None` in a signal handler that interrupted another call.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block.
    unsafe fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> Option<T> {
        if self.is_used.load(Relaxed) {
            return None;
        }
        // A handler that runs here has ended before the next line.
        self.is_used.store(true, Relaxed);
        let _unlock = Unlock(&self.is_used);
        compiler_fence(AcqRel);
        // SAFETY: this function's contract, and no other call is running.
        Some(f(unsafe { &mut *self.state.get() }))
    }

    /// Prepares for a new owner.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block.
    pub(crate) unsafe fn reset(&self) {
        // A fork copies the blocks of threads that it does not copy.
        self.is_used.store(false, Relaxed);
        // SAFETY: this function's contract.
        unsafe { self.close() };
    }

    /// Begins a window; `false` if one is open. `opener` is an address in a frame that stays
    /// until it is closed.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block.
    pub(crate) unsafe fn open(&self, opener: usize) -> bool {
        // SAFETY: this function's contract; what runs inside allocates from the system.
        let opened = unsafe {
            self.with(|state| {
                if state.opener.is_some() {
                    return false;
                }
                state.opener = Some(opener);
                self.missed.write(Tally::ZERO);
                state.table.open();
                true
            })
        };
        opened == Some(true)
    }

    /// Ends the window.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block.
    pub(crate) unsafe fn close(&self) {
        // SAFETY: this function's contract.
        unsafe { self.with(|state| state.opener = None) };
    }

    /// Passes the table of a window that does not capture any more to `f`, which can
    /// allocate, and the operations without a stack. The thread captures nothing meanwhile.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block, and counts in an excluded region.
    pub(crate) unsafe fn read<T>(&self, f: impl FnOnce(&Table, Tally) -> T) -> Option<T> {
        // SAFETY: this function's contract: excluded operations are not captured.
        unsafe { self.with(|state| f(&state.table, self.missed.read())) }
    }
}

/// Unlocks, also in a panic.
struct Unlock<'lock>(&'lock AtomicBool);

impl Drop for Unlock<'_> {
    fn drop(&mut self) {
        self.0.store(false, Release);
    }
}

/// Captures the stack of an operation of the calling thread, for the windows that its
/// `flags` say.
///
/// # Safety
///
/// `sites` belong to the calling thread.
#[inline(never)]
pub(crate) unsafe fn add(sites: &ThreadSites, flags: Flags, operation: Operation, block: *mut u8) {
    let is_own = flags.contain(Flags::SITES);
    let is_shared = flags.contain(Flags::PROCESS_PEAK) && SHARED.is_open();
    if !is_own && !is_shared {
        return;
    }
    // The stack begins at the caller of this function.
    let here = MaybeUninit::<usize>::uninit();
    let here = black_box(here.as_ptr()).addr();
    // SAFETY: this function's contract; what runs inside allocates from the system.
    let captured = unsafe {
        sites.with(|state| {
            let resized = state.resized(operation);
            if is_own {
                state.unwind(here, state.opener.unwrap_or(usize::MAX));
                let frames = state.frames.as_slice();
                state.table.add(frames, operation, block.addr(), resized[0]);
            }
            if is_shared {
                state.unwind(here, SHARED.opener.load(Relaxed));
                let frames = state.frames.as_slice();
                SHARED.with(|table| table.add(frames, operation, block.addr(), resized[1]));
            }
        })
    };
    if captured.is_none() {
        if is_own {
            sites.missed.add_shared(operation);
        }
        if is_shared {
            SHARED.miss(operation);
        }
    }
}

/// Prepares for the reallocation of `block`: another thread may get its address before
/// the call returns.
///
/// # Safety
///
/// `sites` belong to the calling thread.
#[cold]
pub(crate) unsafe fn before_resize(sites: &ThreadSites, flags: Flags, block: *mut u8) {
    let is_shared = flags.contain(Flags::PROCESS_PEAK) && SHARED.is_open();
    // SAFETY: this function's contract; nothing inside allocates.
    unsafe {
        sites.with(|state| {
            state.resizing = [None; 2];
            if flags.contain(Flags::SITES) {
                state.resizing[0] = state.table.take(block.addr());
            }
            if is_shared {
                state.resizing[1] = SHARED.with(|table| table.take(block.addr())).flatten();
            }
        });
    }
}

impl State {
    /// The block that `operation` resized, or was to resize, in both tables.
    fn resized(&mut self, operation: Operation) -> [Option<Live>; 2] {
        match operation {
            Operation::Alloc { .. } | Operation::AllocZeroed { .. } | Operation::Dealloc { .. } => {
                [None; 2]
            }
            Operation::Grow { .. } | Operation::Shrink { .. } | Operation::Failed { .. } => {
                std::mem::take(&mut self.resizing)
            }
        }
    }

    /// Unwinds the present stack: from the frame outside of the address `here` to the one that
    /// has the address `opener`, or else to its end. Without memory, no frames are known.
    fn unwind(&mut self, here: usize, opener: usize) {
        let frames = &mut self.frames;
        frames.truncate(0);
        let mut before = here;
        unwind::walk(&mut |start, address| {
            if frames.len() == 0 && start <= here {
                // A frame of this module.
                return true;
            }
            // A frame ends where the next one begins. On another stack, such as a
            // coroutine's, no two frames have the opener between them.
            // AddressSanitizer has variables elsewhere: then nothing between is a frame.
            let is_frame = start.wrapping_sub(before) < LARGEST_FRAME;
            let is_last = is_frame && before <= opener && opener < start;
            before = start;
            if !frames.push(address) {
                frames.truncate(0);
                return false;
            }
            // The last one too: what it runs can be a part of it, without a frame of its own.
            !is_last && frames.len() < MOST_FRAMES
        });
    }
}

/// The stacks of a window of the process.
pub(crate) static SHARED: SharedSites = SharedSites {
    claimed: AtomicBool::new(false),
    open: AtomicBool::new(false),
    opener: AtomicUsize::new(0),
    missed: Counters::new(Flags::NONE),
    locked: AtomicBool::new(false),
    process: AtomicU64::new(0),
    table: UnsafeCell::new(Table::new()),
};

/// A table behind a lock. One window of the process at a time uses it.
#[derive(Debug)]
pub(crate) struct SharedSites {
    claimed: AtomicBool,
    open: AtomicBool,
    /// An address in the frame that opened the window, on the stack of its thread.
    opener: AtomicUsize,
    /// The operations of threads without a block, and of signal handlers that interrupted a
    /// capture.
    missed: Counters,
    locked: AtomicBool,
    /// The process that opened the window.
    process: AtomicU64,
    table: UnsafeCell<Table>,
}

// SAFETY: the table is only used behind the lock.
unsafe impl Sync for SharedSites {}

impl SharedSites {
    pub(crate) fn is_open(&self) -> bool {
        self.open.load(Relaxed)
    }

    /// Begins a window; `false` if one is open.
    pub(crate) fn open(&self, opener: usize) -> bool {
        if self.claimed.swap(true, Acquire) {
            return false;
        }
        self.process.store(process(), Relaxed);
        if self.with(Table::open).is_none() {
            return false;
        }
        self.missed.write(Tally::ZERO);
        self.opener.store(opener, Relaxed);
        self.open.store(true, Release);
        true
    }

    /// Captures no more operations.
    pub(crate) fn stop(&self) {
        self.open.store(false, Release);
    }

    /// Ends the window.
    pub(crate) fn close(&self) {
        self.stop();
        self.claimed.store(false, Release);
    }

    /// Adds an operation without a stack.
    pub(crate) fn miss(&self, operation: Operation) {
        if self.is_open() {
            self.missed.add_shared(operation);
        }
    }

    /// The operations without a stack in the window, which captures no more.
    pub(crate) fn missed(&self) -> Tally {
        self.missed.read()
    }

    /// Passes the table to `f`. What `f` does is not captured: it is part of a capture,
    /// or the calling thread counts in an excluded region.
    ///
    /// `None` in a forked child whose parent's other thread held the lock: it is not there to
    /// unlock, so the child captures no more.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&mut Table) -> T) -> Option<T> {
        let mut tries = 0_u32;
        while self
            .locked
            .compare_exchange_weak(false, true, Acquire, Relaxed)
            .is_err()
        {
            tries += 1;
            if tries % 64 == 0 {
                if self.process.load(Relaxed) != process() {
                    self.stop();
                    return None;
                }
                thread::yield_now();
            } else {
                spin_loop();
            }
        }
        let _unlock = Unlock(&self.locked);
        // SAFETY: the lock is held, so nothing else refers to the table.
        Some(f(unsafe { &mut *self.table.get() }))
    }
}
