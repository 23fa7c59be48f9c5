//! Subjects that record their calls: an independent count of a workload's requests.

use std::alloc::{Layout, System};
use std::cell::Cell;
use std::ptr;

use allocator_lab::{Global, Kind, Subject};

/// The calls of a subject; `bytes` are those of takes and resizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) takes: u64,
    pub(crate) bytes: u64,
    pub(crate) resizes: u64,
    pub(crate) gives: u64,
    pub(crate) resets: u64,
}

impl Seen {
    fn add(seen: &Cell<Self>, call: impl FnOnce(&mut Self)) {
        let mut calls = seen.get();
        call(&mut calls);
        seen.set(calls);
    }
}

/// The system's allocator, watched.
#[derive(Debug)]
pub(crate) struct Watched<'s> {
    seen: &'s Cell<Seen>,
}

impl<'s> Watched<'s> {
    pub(crate) fn new(seen: &'s Cell<Seen>) -> Self {
        Self { seen }
    }
}

// SAFETY: its blocks are those of the system's allocator.
unsafe impl Subject for Watched<'_> {
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        Seen::add(self.seen, |seen| {
            seen.takes += 1;
            seen.bytes += layout.size() as u64;
        });
        Global(System).take(layout)
    }

    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        Seen::add(self.seen, |seen| seen.gives += 1);
        // SAFETY: the caller's contract, passed on.
        unsafe { Global(System).give(block, layout) }
    }

    unsafe fn resize(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Seen::add(self.seen, |seen| {
            seen.resizes += 1;
            seen.bytes += size as u64;
        });
        // SAFETY: the caller's contract, passed on.
        unsafe { Global(System).resize(block, layout, size) }
    }
}

/// An arena over memory that it keeps, watched; its blocks follow one another. It refuses
/// requests when it is full.
#[derive(Debug)]
pub(crate) struct WatchedArena<'s> {
    seen: &'s Cell<Seen>,
    memory: Box<[Cell<u64>]>,
    used: Cell<usize>,
}

impl<'s> WatchedArena<'s> {
    pub(crate) fn new(seen: &'s Cell<Seen>, bytes: usize) -> Self {
        Self {
            seen,
            memory: vec![Cell::new(0); bytes / 8].into_boxed_slice(),
            used: Cell::new(0),
        }
    }
}

// SAFETY: each block is a part of the memory of its own, until all are taken back.
unsafe impl Subject for WatchedArena<'_> {
    const KIND: Kind = Kind::Arena;
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        Seen::add(self.seen, |seen| {
            seen.takes += 1;
            seen.bytes += layout.size() as u64;
        });
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
        Seen::add(self.seen, |seen| seen.gives += 1);
    }

    fn reset(&mut self) {
        Seen::add(self.seen, |seen| seen.resets += 1);
        self.used.set(0);
    }
}
