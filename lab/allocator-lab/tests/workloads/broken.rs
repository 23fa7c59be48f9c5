//! Allocators that are broken on purpose, each in one way. There is memory behind all of
//! their blocks, so that these can be written and read.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use allocator_lab::{Report, Subject};

/// The faults: null, misaligned, overlapping, corrupt.
pub(crate) fn faults(report: &Report) -> [u64; 4] {
    [
        report.nulls,
        report.misaligned,
        report.overlapping,
        report.corrupt,
    ]
}

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

    /// The address of this many bytes at an offset; null if they are not in the region.
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

/// Memory, and the way in which blocks are placed in it. Nothing is taken back.
#[derive(Debug)]
pub(crate) struct Broken {
    region: Region,
    /// The state of `place`: an offset, or a number of requests.
    state: AtomicUsize,
    place: Place,
}

type Place = fn(&Region, &AtomicUsize, Layout) -> *mut u8;

impl Broken {
    fn new(bytes: usize, state: usize, place: Place) -> Self {
        Self {
            region: Region::new(bytes),
            state: AtomicUsize::new(state),
            place,
        }
    }
}

// SAFETY: each block is a part of the region and can be read and written as bytes. The
// faults to be found are that two blocks are one, and that a block is written to.
unsafe impl Subject for Broken {
    fn take(&self, layout: Layout) -> *mut u8 {
        (self.place)(&self.region, &self.state, layout)
    }

    unsafe fn give(&self, _block: *mut u8, _layout: Layout) {}
}

/// Hands out 1 MiB, takes nothing back, and then refuses all requests.
pub(crate) fn runs_full() -> Broken {
    Broken::new(1 << 20, 0, |region, used, layout| {
        let offset = used.load(Relaxed).next_multiple_of(layout.align());
        let block = region.at(offset, layout.size());
        if !block.is_null() {
            used.store(offset + layout.size(), Relaxed);
        }
        block
    })
}

/// Hands out blocks that begin 4 bytes past a multiple of 16, whatever the alignment; after 32 MiB
/// from the beginning again.
pub(crate) fn ignores_alignment() -> Broken {
    Broken::new(33 << 20, 4, |region, used, layout| {
        let offset = used.fetch_add(layout.size().next_multiple_of(16), Relaxed);
        region.at(offset % (32 << 20), layout.size())
    })
}

/// Hands out every block twice, one request after the other, in 4,096 places of 64 KiB, over and
/// over.
pub(crate) fn hands_out_twice() -> Broken {
    Broken::new(4_096 << 16, 0, |region, requests, layout| {
        let place = requests.fetch_add(1, Relaxed) / 2 % 4_096;
        region.at(place << 16, layout.size())
    })
}

/// Refuses every request.
pub(crate) fn refuses() -> Broken {
    Broken::new(16, 0, |_, _, _| ptr::null_mut())
}

/// Writes the header of each block over the end of the one before.
pub(crate) fn writes_headers() -> Broken {
    Broken::new(64 << 20, 8, |region, used, layout| {
        let offset = used.load(Relaxed).next_multiple_of(layout.align());
        used.store(offset + layout.size(), Relaxed);
        let header = region.at(offset - 8, 8);
        // SAFETY: the 8 bytes are in the region.
        unsafe { header.write_bytes(0xff, 8) };
        region.at(offset, layout.size())
    })
}

/// Hands out the same block again and again.
pub(crate) fn hands_out_one_block() -> Broken {
    Broken::new(1 << 20, 0, |region, _, layout| region.at(0, layout.size()))
}
