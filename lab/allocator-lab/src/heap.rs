//! [`Heap`]: a subject with its live blocks, as a safe interface. Workloads name a block
//! by its index, so that no block is used after it was given back, or given back twice or
//! to another subject.

mod block;

use std::alloc::Layout;
use std::hint::black_box;
use std::ptr;

pub use block::Block;

use crate::axis::axis_values;
use crate::report::Report;
use crate::request;
use crate::subject::Subject;

axis_values! {
    /// Whether a workload writes to the blocks that it takes.
    pub enum Memory {
        /// It does not, so that the allocator alone is measured.
        Untouched = "untouched",
        /// It writes the first byte of the block and of each 4,096 bytes of it, so that the
        /// system has to provide the pages.
        Touched = "touched",
        /// It writes every byte, as `Box::new([0; N])` does.
        Filled = "filled",
    }
}

/// A subject and its live blocks.
///
/// Only its lists allocate, when it is made. There is no `Drop`: blocks that are live at the
/// end go with the subject, or leak.
#[derive(Debug)]
pub struct Heap<S> {
    subject: S,
    live: Vec<Live>,
    /// For sorting the ranges of live blocks, with the capacity of `live`.
    ranges: Vec<(usize, usize)>,
}

/// A block that was taken and not given back.
#[derive(Clone, Copy, Debug)]
struct Live {
    block: *mut u8,
    /// `u32`, so that the list costs workloads with small blocks little.
    size: u32,
    align: u16,
    contents: Contents,
}

/// What was written to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    Unknown,
    /// This byte, everywhere.
    Filled(u8),
    /// A number at both ends, by [`Block::stamp`].
    Stamped,
}

impl Live {
    /// A block that a subject returned, and its request in the report. `None` if it was refused.
    #[inline(always)]
    fn counted(block: *mut u8, layout: Layout, report: &mut Report) -> Option<Self> {
        let (Ok(size @ 1..), Ok(align)) =
            (u32::try_from(layout.size()), u16::try_from(layout.align()))
        else {
            panic!("unexpected request of {layout:?}: no workload makes it");
        };
        // The compiler must not know the address: it would remove a request whose
        // block is given back unused.
        let block = black_box(block);
        report.requests += 1;
        report.requested_bytes += u64::from(size);
        if block.is_null() {
            report.nulls += 1;
            return None;
        }
        report.misaligned += u64::from(block.addr() & (layout.align() - 1) != 0);
        report.checksum = report.checksum.wrapping_add(block.addr() as u64);
        Some(Self {
            block,
            size,
            align,
            contents: Contents::Unknown,
        })
    }

    #[inline]
    fn layout(self) -> Layout {
        // SAFETY: both were taken from a layout in `Heap::take`.
        unsafe { Layout::from_size_align_unchecked(self.size as usize, usize::from(self.align)) }
    }
}

impl<S: Subject> Heap<S> {
    /// A heap of this subject, with room for this many live blocks.
    pub fn new(subject: S, blocks: usize) -> Self {
        let nothing = Live {
            block: ptr::null_mut(),
            size: 1,
            align: 1,
            contents: Contents::Unknown,
        };
        Self {
            subject,
            live: room(blocks, nothing),
            ranges: room(blocks, (1, 1)),
        }
    }

    /// How many blocks are live.
    #[inline]
    pub fn live_blocks(&self) -> usize {
        self.live.len()
    }

    /// Takes as many bytes in blocks of 4,096 bytes, and one more block, which stays live when
    /// the others are given back. An allocator that returns the end of its memory to the system
    /// can't return what lies before that block, as in a program that has other live blocks, too.
    ///
    /// An arena keeps its memory without one.
    pub fn anchor(&mut self, bytes: usize) {
        if S::IS_ARENA {
            return;
        }
        let layout = request::layout(4_096, request::ALIGN);
        let taken = (0..=bytes / layout.size()).map(|_| self.subject.take(layout));
        let taken: Vec<_> = taken.filter(|block| !block.is_null()).collect();
        for &block in &taken[..taken.len().saturating_sub(1)] {
            // SAFETY: the subject returned it just now, for this layout.
            unsafe { self.subject.give(black_box(block), layout) }
        }
    }

    /// Requests a block, and reports whether it is null or misaligned. `None` if it was
    /// refused; otherwise it has the last index.
    #[inline(always)]
    pub fn take(&mut self, layout: Layout, report: &mut Report) -> Option<Block<'_, S>> {
        debug_assert!(
            self.live.len() < self.live.capacity(),
            "a workload keeps more blocks live than its heap has room for"
        );
        let live = Live::counted(self.subject.take(layout), layout, report)?;
        self.live.push(live);
        Some(Block {
            index: self.live.len() - 1,
            heap: self,
        })
    }

    /// The live block of this index.
    #[inline]
    pub fn block(&mut self, index: usize) -> Block<'_, S> {
        assert!(index < self.live.len(), "there is no live block {index}");
        Block { heap: self, index }
    }

    /// Requests another size for the block of this index, and reports whether it was
    /// refused or is misaligned. `None` if it was refused: the block is then as it was.
    #[inline]
    pub fn resize(
        &mut self,
        index: usize,
        size: usize,
        report: &mut Report,
    ) -> Option<Block<'_, S>> {
        let live = self.live[index];
        let layout = request::layout(size, usize::from(live.align));
        let block = black_box(live.block);
        // SAFETY: the block is on the list of live ones, with its layout; there is one of
        // the new size, which no workload has of 0.
        let block = unsafe { self.subject.resize(block, live.layout(), size) };
        self.live[index] = Live::counted(block, layout, report)?;
        Some(Block { heap: self, index })
    }

    /// Reports the block of this index as corrupt if it has lost what it was filled with.
    #[inline]
    pub fn verify(&mut self, index: usize, report: &mut Report) {
        report.corrupt += u64::from(!self.block(index).is_intact());
    }

    /// The same of all live blocks.
    pub fn verify_all(&mut self, report: &mut Report) {
        (0..self.live.len()).for_each(|index| self.verify(index, report));
    }

    /// Gives the block of the last index back. An arena keeps the memory of each block until
    /// [`give_all`](Self::give_all).
    #[inline]
    pub fn give_last(&mut self) {
        if let Some(live) = self.live.pop() {
            self.give(live);
        }
    }

    /// Gives the block of this index back; later ones move down by one.
    #[inline]
    pub fn give_at(&mut self, index: usize) {
        let live = self.live.remove(index);
        self.give(live);
    }

    /// Gives the block of this index back; the last one takes its place.
    #[inline]
    pub fn give_and_swap(&mut self, index: usize) {
        let live = self.live.swap_remove(index);
        self.give(live);
    }

    /// Gives every second block back, the first included; the others keep their order.
    pub fn give_every_other(&mut self) {
        let mut kept = 0;
        for index in 0..self.live.len() {
            let live = self.live[index];
            if index % 2 == 0 {
                self.give(live);
            } else {
                self.live[kept] = live;
                kept += 1;
            }
        }
        self.live.truncate(kept);
    }

    /// Gives all blocks back: one by one, the oldest first, or by one reset if the subject
    /// is an arena.
    #[inline]
    pub fn give_all(&mut self) {
        for index in 0..self.live.len() {
            self.give(self.live[index]);
        }
        self.live.clear();
        self.subject.reset();
    }

    /// How many live blocks begin within another one.
    pub fn overlapping(&mut self) -> u64 {
        self.sort_ranges();
        let mut furthest = 0;
        let mut overlapping = 0;
        for &(begin, end) in &self.ranges {
            overlapping += u64::from(begin < furthest);
            furthest = furthest.max(end);
        }
        overlapping
    }

    /// The median distance in bytes from a live block of this size to the next one by
    /// address; `None` if no such block has a next one.
    pub fn stride(&mut self, size: usize) -> Option<usize> {
        self.sort_ranges();
        let mut gaps = 0;
        for index in 1..self.ranges.len() {
            let (begin, end) = self.ranges[index - 1];
            if end - begin == size {
                let gap = self.ranges[index].0 - begin;
                // Not beyond `index - 1`: what is overwritten was read.
                self.ranges[gaps] = (gap, 0);
                gaps += 1;
            }
        }
        if gaps == 0 {
            return None;
        }
        let (_, &mut (median, _), _) = self.ranges[..gaps].select_nth_unstable(gaps / 2);
        Some(median)
    }

    fn sort_ranges(&mut self) {
        self.ranges.clear();
        self.ranges.extend(self.live.iter().map(|live| {
            let begin = live.block.addr();
            (begin, begin.saturating_add(live.size as usize))
        }));
        self.ranges.sort_unstable();
    }

    /// The compiler must not know the address here either: it would remove a loop that
    /// gives blocks back to a floor.
    #[inline]
    fn give(&self, live: Live) {
        if !S::IS_ARENA {
            // SAFETY: `take` puts the subject's block on the list of live blocks, with its
            // layout; the caller has just removed it from there.
            unsafe { self.subject.give(black_box(live.block), live.layout()) }
        }
    }
}

/// An empty list with room for this many values. All of it was written, so that the system
/// provides its pages before the first call of a workload.
fn room<T: Copy>(count: usize, value: T) -> Vec<T> {
    let mut list = vec![value; count];
    list.clear();
    list
}
