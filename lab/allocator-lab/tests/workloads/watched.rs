//! Subjects that log their calls: an independent count of a workload's requests.

use std::alloc::{Layout, System};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::ptr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use allocator_lab::{Global, Subject};

/// The calls of subjects; `bytes` are taken or resized to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) takes: u64,
    pub(crate) bytes: u64,
    pub(crate) resizes: u64,
    pub(crate) gives: u64,
    pub(crate) resets: u64,
    /// Blocks that another thread gave back than the one that took them.
    pub(crate) remote: u64,
}

/// The calls of all [`Watched`] and [`WatchedArena`] so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) seen: Seen,
    /// Who took the live blocks of [`Watched`].
    pub(crate) owners: HashMap<usize, ThreadId>,
    /// Who took any.
    pub(crate) threads: HashSet<ThreadId>,
}

static LOG: LazyLock<Mutex<Log>> = LazyLock::new(Mutex::default);

fn log() -> MutexGuard<'static, Log> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The log, which begins anew.
pub(crate) fn take_log() -> Log {
    mem::take(&mut *log())
}

/// What was seen, which begins anew; live blocks stay in the log.
pub(crate) fn seen() -> Seen {
    mem::take(&mut log().seen)
}

impl Log {
    fn take(&mut self, bytes: usize) {
        self.seen.takes += 1;
        self.seen.bytes += bytes as u64;
    }

    fn own(&mut self, block: *mut u8) {
        self.owners.insert(block.addr(), thread::current().id());
        self.threads.insert(thread::current().id());
    }

    fn disown(&mut self, block: *mut u8) {
        let owner = self.owners.remove(&block.addr()).unwrap();
        self.seen.remote += u64::from(owner != thread::current().id());
    }
}

/// The system's allocator, watched.
#[derive(Debug)]
pub(crate) struct Watched;

// SAFETY: its blocks are the system's allocator's.
unsafe impl Subject for Watched {
    fn take(&self, layout: Layout) -> *mut u8 {
        let block = Global(System).take(layout);
        let mut log = log();
        log.take(layout.size());
        log.own(block);
        block
    }

    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        let mut log = log();
        log.seen.gives += 1;
        log.disown(block);
        drop(log);
        // SAFETY: the caller's contract, passed on.
        unsafe { Global(System).give(block, layout) }
    }

    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let mut log = log();
        log.seen.resizes += 1;
        log.seen.bytes += size as u64;
        log.disown(block);
        // SAFETY: the caller's contract, passed on.
        let block = unsafe { Global(System).resize(block, layout, size) };
        log.own(block);
        block
    }
}

/// An arena over memory that it keeps, watched; its blocks follow one another. It refuses
/// requests when it is full.
#[derive(Debug)]
pub(crate) struct WatchedArena {
    memory: Box<[Cell<u64>]>,
    used: Cell<usize>,
}

impl WatchedArena {
    pub(crate) fn new(bytes: usize) -> Self {
        Self {
            memory: vec![Cell::new(0); bytes / 8].into_boxed_slice(),
            used: Cell::new(0),
        }
    }
}

// SAFETY: each block is a part of the memory of its own, until all are taken back.
unsafe impl Subject for WatchedArena {
    const IS_ARENA: bool = true;

    fn with_region(&self, bytes: usize) -> Option<Self> {
        Some(Self::new(bytes))
    }

    fn take(&self, layout: Layout) -> *mut u8 {
        log().take(layout.size());
        let base = self.memory.as_ptr().addr();
        let begin = (base + self.used.get() * 8).next_multiple_of(layout.align().max(8));
        let begin = (begin - base) / 8;
        let end = begin + layout.size().div_ceil(8);
        let Some(block) = self.memory.get(begin..end) else {
            return ptr::null_mut();
        };
        self.used.set(end);
        block.as_ptr().cast::<u8>().cast_mut()
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {
        log().seen.gives += 1;
    }

    fn reset(&mut self) {
        log().seen.resets += 1;
        self.used.set(0);
    }
}
