//! [`Block`]: one live block, whose contents are written and read.

use std::hint::black_box;
use std::slice;

use super::{Contents, Heap, Memory};
use crate::subject::Subject;

/// The distance of the bytes that touching a block writes.
const PAGE_BYTES: usize = 4_096;

/// A live block; it borrows its heap.
#[derive(Debug)]
pub struct Block<'h, S> {
    pub(super) heap: &'h mut Heap<S>,
    pub(super) index: usize,
}

impl<S: Subject> Block<'_, S> {
    /// Writes as much of the block as `memory` says.
    #[inline]
    pub fn touch(&mut self, memory: Memory) {
        match memory {
            Memory::Untouched => {}
            Memory::Touched => {
                let live = self.heap.live[self.index];
                for offset in (0..live.size as usize).step_by(PAGE_BYTES) {
                    self.write(offset, 1);
                }
            }
            Memory::Filled => self.fill(1),
        }
    }

    /// Writes this byte to the whole block.
    #[inline]
    pub fn fill(&mut self, byte: u8) {
        self.fill_from(0, byte);
        self.heap.live[self.index].contents = Contents::Filled(byte);
    }

    /// Writes this byte from the offset `first` to the end of the block.
    #[inline]
    pub fn fill_from(&mut self, first: usize, byte: u8) {
        let live = self.heap.live[self.index];
        let size = live.size as usize;
        assert!(first <= size, "{first} is past the block");
        // The compiler would remove what is written just before a deallocation that it
        // knows.
        let block = black_box(live.block);
        // SAFETY: the block is live and not smaller.
        let begin = unsafe { block.add(first) };
        // SAFETY: the block is live and has this size, so that it can be written.
        unsafe { begin.write_bytes(byte, size - first) };
        black_box(block);
    }

    /// Whether the block, which was filled before, holds that byte everywhere.
    #[inline]
    pub fn is_intact(&self) -> bool {
        assert!(S::HAS_MEMORY, "the blocks of the floor keep no contents");
        let live = self.heap.live[self.index];
        let Contents::Filled(byte) = live.contents else {
            panic!("the block was not filled");
        };
        let block = black_box(live.block);
        // SAFETY: the block is live and has this size, and all of it was written; nobody
        // writes to it while `self` borrows its heap.
        let bytes = unsafe { slice::from_raw_parts(block, live.size as usize) };
        // Each byte is the one before: one call of `memcmp`, also without optimizations.
        let mut rest = bytes.split_first().into_iter();
        rest.all(|(first, rest)| *first == byte && rest == &bytes[..rest.len()])
    }

    /// The size in bytes, as it was requested.
    #[inline]
    pub fn size(&self) -> usize {
        self.heap.live[self.index].size as usize
    }

    /// Where the block begins.
    pub fn address(&self) -> usize {
        self.heap.live[self.index].block.addr()
    }

    /// How many bytes of the block can be used, if the subject tells.
    pub fn usable_size(&self) -> Option<usize> {
        let live = self.heap.live[self.index];
        // SAFETY: the block is on the list of live ones, with its layout.
        unsafe { self.heap.subject.usable_size(live.block, live.layout()) }
    }

    /// Volatile: a compiler that knows deallocation would remove a write just before it.
    #[inline]
    fn write(&mut self, offset: usize, byte: u8) {
        let live = self.heap.live[self.index];
        debug_assert!(offset < live.size as usize, "{offset} is past the block");
        // SAFETY: the callers keep the offset within the block.
        let place = unsafe { live.block.add(offset) };
        // SAFETY: the block is live and can be written.
        unsafe { place.write_volatile(byte) };
    }
}
