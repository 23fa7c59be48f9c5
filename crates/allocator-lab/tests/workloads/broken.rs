//! Allocators that are broken on purpose, each in one way. There is memory behind all of
//! their blocks, so that these can be written and read.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

use allocator_lab::Subject;

/// Zeroed memory from the system, given back at the end.
#[derive(Debug)]
struct Region {
    begin: *mut u8,
    layout: Layout,
}

impl Region {
    fn new(bytes: usize) -> Self {
        let layout = Layout::from_size_align(bytes, 4_096).unwrap();
        // SAFETY: its size is not 0.
        let begin = unsafe { System.alloc_zeroed(layout) };
        assert!(!begin.is_null(), "the system has {bytes} bytes");
        Self { begin, layout }
    }

    /// The address of so many bytes at an offset; null if they are not in the region.
    fn at(&self, offset: usize, bytes: usize) -> *mut u8 {
        if offset + bytes > self.layout.size() {
            return ptr::null_mut();
        }
        // SAFETY: the offset is within the region.
        unsafe { self.begin.add(offset) }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: it was allocated in `new` with this layout.
        unsafe { System.dealloc(self.begin, self.layout) };
    }
}

/// Hands out 1 MiB, takes nothing back, and then refuses all requests.
#[derive(Debug)]
pub(crate) struct RunsFull {
    region: Region,
    used: Cell<usize>,
}

impl RunsFull {
    pub(crate) fn new() -> Self {
        Self {
            region: Region::new(1 << 20),
            used: Cell::new(0),
        }
    }
}

// SAFETY: each block is a part of the region of its own.
unsafe impl Subject for RunsFull {
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        let offset = self.used.get().next_multiple_of(layout.align());
        let block = self.region.at(offset, layout.size());
        if !block.is_null() {
            self.used.set(offset + layout.size());
        }
        block
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}

/// Hands out blocks that begin 8 bytes past a multiple of 16, whatever the alignment.
#[derive(Debug)]
pub(crate) struct IgnoresAlignment {
    region: Region,
    used: Cell<usize>,
}

impl IgnoresAlignment {
    pub(crate) fn new() -> Self {
        Self {
            region: Region::new(32 << 20),
            used: Cell::new(8),
        }
    }
}

// SAFETY: each block is a part of the region of its own.
unsafe impl Subject for IgnoresAlignment {
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        let offset = self.used.get();
        self.used.set(offset + layout.size().next_multiple_of(16));
        self.region.at(offset, layout.size())
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}

/// Hands out every block twice, one request after the other.
#[derive(Debug)]
pub(crate) struct HandsOutTwice {
    region: Region,
    requests: Cell<usize>,
}

impl HandsOutTwice {
    /// The largest block, and the distance between them.
    const SLOT: usize = 65_536;

    pub(crate) fn new(requests: usize) -> Self {
        Self {
            region: Region::new(requests.div_ceil(2) * Self::SLOT),
            requests: Cell::new(0),
        }
    }
}

// SAFETY: each block can be read and written as bytes; the fault to be found is that two
// blocks are one.
unsafe impl Subject for HandsOutTwice {
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        let request = self.requests.get();
        self.requests.set(request + 1);
        self.region.at(request / 2 * Self::SLOT, layout.size())
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}

/// Writes the header of each block over the end of the one before.
#[derive(Debug)]
pub(crate) struct WritesHeaders {
    region: Region,
    used: Cell<usize>,
}

impl WritesHeaders {
    pub(crate) fn new() -> Self {
        Self {
            region: Region::new(64 << 20),
            used: Cell::new(8),
        }
    }
}

// SAFETY: each block is a part of the region of its own; the fault to be found is that
// the allocator writes to it.
unsafe impl Subject for WritesHeaders {
    const SHARED: bool = false;

    fn take(&self, layout: Layout) -> *mut u8 {
        let offset = self.used.get().next_multiple_of(layout.align());
        self.used.set(offset + layout.size());
        let header = self.region.at(offset - 8, 8);
        // SAFETY: the 8 bytes are in the region.
        unsafe { header.write_bytes(0xff, 8) };
        self.region.at(offset, layout.size())
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}
