//! Stamps: a number at both ends of a block. Writing and checking them takes a few
//! instructions, so that a timed loop can contain them.

use std::hint::black_box;

use super::{Block, Contents, Live};
use crate::subject::Subject;

const BYTES: u32 = 8;

impl<S: Subject> Block<'_, S> {
    /// Writes this number to the first and to the last 8 bytes of the block. Does nothing
    /// on a floor, which has no memory.
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
    assert!(live.size >= 2 * BYTES, "the block has no room for a stamp");
    let block = black_box(live.block);
    // SAFETY: the offset is within the block.
    let last = unsafe { block.add((live.size - BYTES) as usize) };
    (block.cast(), last.cast())
}

#[cfg(test)]
mod tests {
    use std::alloc::System;

    use crate::heap::Heap;
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
