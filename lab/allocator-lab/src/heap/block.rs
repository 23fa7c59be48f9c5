//! [`Block`]: one live block, whose contents are written and read.

use std::hint::black_box;
use std::slice;

use super::{Contents, Heap, Live, Memory};
use crate::subject::Subject;

/// The distance of the bytes that touching a block writes.
const PAGE_BYTES: usize = 4_096;

/// The bytes of a stamp.
const STAMP_BYTES: u32 = 8;

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
                    // SAFETY: the offset is within the block.
                    let place = unsafe { live.block.add(offset) };
                    // A compiler that knows deallocation would remove a write just before it.
                    // SAFETY: the block is live and can be written.
                    unsafe { place.write_volatile(1) };
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

    /// Writes this number to the first and to the last 8 bytes of the block, in a few instructions,
    /// so that a timed loop can contain it. Does nothing on a floor, which has no memory.
    #[inline]
    pub fn stamp(&mut self, number: u64) {
        if S::HAS_MEMORY {
            let (first, last) = ends(self.heap.live[self.index]);
            // SAFETY: the 8 bytes are in the block, which is live and can be written.
            unsafe { first.write_unaligned(number) };
            // SAFETY: as above.
            unsafe { last.write_unaligned(number) };
            self.heap.live[self.index].contents = Contents::Stamped;
        }
    }

    /// Whether the block, which was stamped before, has this number at both ends: another
    /// block that overlaps one of them has overwritten it. Always true on a floor.
    #[inline]
    pub fn is_stamped(&self, number: u64) -> bool {
        if !S::HAS_MEMORY {
            return true;
        }
        let live = self.heap.live[self.index];
        assert!(
            live.contents == Contents::Stamped,
            "the block was not stamped"
        );
        let (first, last) = ends(live);
        // SAFETY: the 8 bytes are in the block, which is live, and were written.
        let at_first = unsafe { first.read_unaligned() };
        // SAFETY: as above.
        let at_last = unsafe { last.read_unaligned() };
        at_first == number && at_last == number
    }
}

/// The places of both numbers. The compiler must not know that a block is the one that
/// was stamped: it would remove the reading, and the writing as well.
#[inline]
fn ends(live: Live) -> (*mut u64, *mut u64) {
    assert!(
        live.size >= 2 * STAMP_BYTES,
        "the block has no room for a stamp"
    );
    let block = black_box(live.block);
    // SAFETY: the offset is within the block.
    let last = unsafe { block.add((live.size - STAMP_BYTES) as usize) };
    (block.cast(), last.cast())
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use super::*;
    use crate::report::Report;
    use crate::request::layout;
    use crate::subject::Global;

    /// The last 8 bytes of the longer block were never written.
    #[test]
    #[should_panic(expected = "the block was not stamped")]
    fn a_block_of_another_size_has_no_stamp() {
        let mut report = Report::default();
        let mut heap = Heap::new(Global(System), 1);
        let mut block = heap.take(layout(16, 8), &mut report).unwrap();
        block.stamp(7);
        assert!(block.is_stamped(7));
        heap.resize(0, 32, &mut report).unwrap();
        let _ = heap.block(0).is_stamped(7);
    }
}
