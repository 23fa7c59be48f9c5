//! Captures the stacks of operations: [`ThreadSites`] for the windows of a thread, and
//! [`SHARED`] for a window of the process.

use std::cell::UnsafeCell;
use std::hint::{black_box, spin_loop};
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, compiler_fence};
use std::thread;

use crate::counters::{Counters, Flags};
use crate::operation::Operation;
use crate::process::process;
use crate::sites::live::Live;
use crate::sites::memo::{Ids, Memos};
use crate::sites::table::{REST, Settings, Table};
use crate::tally::Tally;

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
    memos: Memos,
    /// The stacks of the thread's own windows.
    table: Table,
    is_open: bool,
    /// The generation of [`SHARED`] that the memos have numbers of.
    generation: u32,
    /// The block that the thread is resizing, as it was in its own table and in that of
    /// the process.
    resizing: [Option<Live>; 2],
}

impl ThreadSites {
    pub(crate) const fn new() -> Self {
        Self {
            state: UnsafeCell::new(State {
                memos: Memos::new(),
                table: Table::new(),
                is_open: false,
                generation: 0,
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
    pub(crate) unsafe fn hand_on(&self) {
        // A fork copies the blocks of threads that it does not copy.
        self.is_used.store(false, Relaxed);
        // SAFETY: this function's contract; what runs inside does not allocate.
        unsafe {
            self.with(|state| {
                state.memos.hand_on();
                state.is_open = false;
            });
        }
    }

    /// Begins a window; `false` if one is open. `opener` is an address in a frame that stays
    /// until it is closed.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block.
    pub(crate) unsafe fn open(&self, settings: Settings, opener: usize) -> bool {
        // SAFETY: this function's contract; what runs inside allocates from the system.
        let opened = unsafe {
            self.with(|state| {
                if state.is_open {
                    return false;
                }
                state.is_open = true;
                self.missed.write(Tally::ZERO);
                state.memos.open(opener);
                if state.table.open(settings) {
                    state.memos.forget_ids();
                }
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
        unsafe {
            self.with(|state| {
                state.is_open = false;
                state.memos.close();
            });
        }
    }

    /// Passes the table of a window that does not capture any more to `f`, which can
    /// allocate, and the operations without a stack. The thread captures nothing meanwhile.
    ///
    /// # Safety
    ///
    /// The calling thread owns the block, and counts in an excluded region.
    pub(crate) unsafe fn read(&self, f: impl FnOnce(&Table, Tally)) {
        // SAFETY: this function's contract: excluded operations are not captured.
        unsafe { self.with(|state| f(&state.table, self.missed.read())) };
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
/// `sites` are those of the calling thread.
#[inline(never)]
pub(crate) unsafe fn add(sites: &ThreadSites, flags: Flags, operation: Operation, block: *mut u8) {
    let is_shared = flags.contain(Flags::PROCESS_PEAK) && SHARED.is_open();
    if !flags.contain(Flags::SITES) && !is_shared {
        return;
    }
    // The innermost frame that the memos know begins at this function, whose frame has a
    // fixed size.
    let place = MaybeUninit::<usize>::uninit();
    let anchor = black_box(place.as_ptr()).addr();
    // SAFETY: this function's contract.
    let captured = unsafe {
        sites.with(|state| {
            if flags.contain(Flags::SITES) {
                state.add_own(anchor, operation, block);
            }
            if is_shared {
                state.add_shared(anchor, operation, block);
            }
        })
    };
    if captured.is_none() {
        if flags.contain(Flags::SITES) {
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
/// `sites` are those of the calling thread.
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
    #[inline(always)]
    fn add_own(&mut self, anchor: usize, operation: Operation, block: *mut u8) {
        let (memo, is_wrong) = self.memos.capture(anchor, self.table.is_checked());
        if is_wrong {
            self.table.note_mismatch();
        }
        let number = match self.memos.ids(memo).own {
            Some(number) => number,
            None => self.number(memo),
        };
        let resized = self.resized(0, operation);
        self.table.add(number, operation, block.addr(), resized);
    }

    /// Enters the stack of `memo` in the thread's own table.
    #[cold]
    #[inline(never)]
    fn number(&mut self, memo: u32) -> u32 {
        let number = self.table.number(self.memos.stack(memo));
        let ids = Ids {
            own: Some(number),
            ..self.memos.ids(memo)
        };
        self.memos.set_ids(memo, ids);
        number
    }

    /// The block that `operation` resized, or was to resize.
    #[inline(always)]
    fn resized(&mut self, table: usize, operation: Operation) -> Option<Live> {
        match operation {
            Operation::Alloc { .. } | Operation::AllocZeroed { .. } | Operation::Dealloc { .. } => {
                None
            }
            Operation::Grow { .. } | Operation::Shrink { .. } | Operation::Failed { .. } => {
                self.resizing[table].take()
            }
        }
    }

    #[inline(never)]
    fn add_shared(&mut self, anchor: usize, operation: Operation, block: *mut u8) {
        let generation = SHARED.generation.load(Acquire);
        if self.generation != generation {
            self.memos.forget_ids();
            self.generation = generation;
        }
        let is_checked = SHARED.checked.load(Relaxed);
        let (memo, is_wrong) = self.memos.capture(anchor, is_checked);
        let ids = self.memos.ids(memo);
        let resized = self.resized(1, operation);
        SHARED.with(|table| {
            if is_wrong {
                table.note_mismatch();
            }
            // A thread that nothing synchronises with the window can be late.
            if SHARED.generation.load(Relaxed) != generation {
                return table.add(REST, operation, block.addr(), None);
            }
            let number = ids.shared.unwrap_or_else(|| {
                let shared = table.number(self.memos.stack(memo));
                let shared_known = Ids {
                    shared: Some(shared),
                    ..ids
                };
                self.memos.set_ids(memo, shared_known);
                shared
            });
            table.add(number, operation, block.addr(), resized);
        });
    }
}

/// The stacks of a window of the process.
pub(crate) static SHARED: SharedSites = SharedSites {
    claimed: AtomicBool::new(false),
    open: AtomicBool::new(false),
    checked: AtomicBool::new(false),
    generation: AtomicU32::new(0),
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
    checked: AtomicBool,
    /// Rises when the numbers of stacks lose their meaning.
    generation: AtomicU32,
    /// The operations of threads without a block, and those of signal handlers that interrupted
    /// a capture.
    missed: Counters,
    locked: AtomicBool,
    /// The process that opened the window.
    process: AtomicU64,
    table: UnsafeCell<Table>,
}

// SAFETY: the table is only used behind the lock.
unsafe impl Sync for SharedSites {}

impl SharedSites {
    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        self.open.load(Relaxed)
    }

    /// Begins a window; `false` if one is open.
    pub(crate) fn open(&self, settings: Settings) -> bool {
        if self.claimed.swap(true, Acquire) {
            return false;
        }
        self.process.store(process(), Relaxed);
        let opened = self.with(|table| {
            if table.open(settings) {
                self.generation.fetch_add(1, Release);
            }
        });
        if opened.is_none() {
            return false;
        }
        self.missed.write(Tally::ZERO);
        self.checked.store(settings.checked, Relaxed);
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
