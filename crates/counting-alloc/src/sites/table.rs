//! [`Table`]: call stacks, and the operations of a window at each. A thread has one for
//! its windows, and the process has one.

use std::ptr;

use crate::operation::Operation;
use crate::sites::array::Array;
use crate::sites::live::{Live, LiveBlocks};
use crate::tally::Tally;

/// The most stacks of a table.
pub(crate) const MOST_STACKS: usize = 1 << 14;

/// The most frames of all stacks of a table.
const MOST_WORDS: usize = 1 << 20;

const BUCKETS: usize = 1 << 12;

/// The number of all further stacks, when the table is full. Numbers of stacks begin at 1.
pub(crate) const REST: u32 = 0;

/// What a window keeps besides operations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// Whether live blocks are kept with the stack that allocated them.
    pub(crate) live: bool,
    /// Whether each stack is unwound, and compared with the one that was found.
    pub(crate) checked: bool,
}

/// The counts of a stack in a window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// The operations that this stack did.
    pub(crate) tally: Tally,
    /// The smallest and the largest size of its requests; 0 without a request.
    pub(crate) smallest: u64,
    pub(crate) largest: u64,
    /// The blocks that it allocated and that are live, and their bytes.
    pub(crate) kept_blocks: i64,
    pub(crate) kept_bytes: i64,
    /// Those bytes at the peak of this number. At a later peak they are still the present
    /// ones, which are noted only when they change.
    pub(crate) peak_bytes: i64,
    peak: u64,
}

impl Counts {
    #[inline(always)]
    fn add(&mut self, operation: Operation) {
        self.tally.add(operation);
        if let Some(size) = operation.requested() {
            self.smallest = smallest(self.smallest, size);
            self.largest = self.largest.max(size);
        }
    }

    /// Notes the bytes at the peak of this number, if it is a later one.
    #[inline(always)]
    fn note_peak(&mut self, peak: u64) {
        if self.peak != peak {
            (self.peak_bytes, self.peak) = (self.kept_bytes, peak);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Stack {
    /// The first of its words, and their number.
    first: u32,
    len: u32,
    hash: u32,
    /// The next stack of the same bucket.
    next: u32,
    /// The number of the last window with an operation of this stack, or on a block that
    /// it allocated.
    window: u64,
    counts: Counts,
}

/// Stacks, and the counts of the present window.
#[derive(Debug)]
pub(crate) struct Table {
    words: Array<usize>,
    stacks: Array<Stack>,
    /// The newest stack of each bucket.
    buckets: Array<u32>,
    /// The stacks of the window.
    touched: Array<u32>,
    /// The counts of further stacks.
    rest: Counts,
    live: LiveBlocks,
    /// Rises when stacks are dropped.
    generation: u32,
    /// Whether a live block is missing, for lack of memory.
    has_lost: bool,
    settings: Settings,
    /// The number of the window.
    window: u64,
    /// Live bytes above the level at the opening.
    level: i64,
    /// The highest level so far, and the number of times that it has risen.
    highest: i64,
    peak: u64,
    mismatches: u64,
}

impl Table {
    pub(crate) const fn new() -> Self {
        Self {
            words: Array::new(),
            stacks: Array::new(),
            buckets: Array::new(),
            touched: Array::new(),
            rest: NOTHING,
            live: LiveBlocks::new(),
            generation: 0,
            has_lost: false,
            settings: Settings {
                live: false,
                checked: false,
            },
            window: 0,
            level: 0,
            highest: 0,
            peak: 0,
            mismatches: 0,
        }
    }

    /// Begins a window. Returns whether stacks were dropped, because the table was half
    /// full; then the numbers from before are no longer valid.
    pub(crate) fn open(&mut self, settings: Settings) -> bool {
        self.touched.truncate(0);
        self.rest = NOTHING;
        self.live.clear();
        self.has_lost = false;
        self.settings = settings;
        self.window += 1;
        self.level = 0;
        self.highest = 0;
        self.peak = 0;
        self.mismatches = 0;
        let is_dropped = self.stacks.len() > MOST_STACKS / 2 || self.words.len() > MOST_WORDS / 2;
        if is_dropped {
            self.stacks.truncate(0);
            self.words.truncate(0);
            self.buckets.truncate(0);
            self.generation = self.generation.wrapping_add(1);
        }
        is_dropped
    }

    pub(crate) fn is_checked(&self) -> bool {
        self.settings.checked
    }

    /// Notes that a memo was wrong.
    pub(crate) fn note_mismatch(&mut self) {
        self.mismatches += 1;
    }

    /// The number of a stack.
    #[cold]
    #[inline(never)]
    pub(crate) fn number(&mut self, frames: &[usize]) -> u32 {
        if frames.is_empty() || (self.buckets.len() == 0 && !self.buckets.fill(BUCKETS, REST)) {
            return REST;
        }
        let hash = hash(frames);
        let bucket = hash as usize % BUCKETS;
        let newest = self.buckets.as_slice()[bucket];
        let mut number = newest;
        while number != REST {
            let stack = self.stacks.as_slice()[number as usize - 1];
            let is_equal = || {
                let words = &self.words.as_slice()[stack.first as usize..];
                words[..stack.len as usize] == *frames
            };
            if stack.hash == hash && is_equal() {
                return number;
            }
            number = stack.next;
        }
        let first = self.words.len();
        if self.stacks.len() >= MOST_STACKS || first + frames.len() > MOST_WORDS {
            return REST;
        }
        let stack = Stack {
            first: first as u32,
            len: frames.len() as u32,
            hash,
            next: newest,
            window: 0,
            counts: NOTHING,
        };
        if !frames.iter().all(|&word| self.words.push(word)) || !self.stacks.push(stack) {
            self.words.truncate(first);
            return REST;
        }
        let number = self.stacks.len() as u32;
        self.buckets.as_mut_slice()[bucket] = number;
        number
    }

    /// Adds an operation on the block at `address` by the stack of that number.
    /// `resized` is what [`take`](Self::take) returned before a reallocation.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        number: u32,
        operation: Operation,
        address: usize,
        resized: Option<Live>,
    ) {
        let number = self.touch(number);
        let counts = counts(&mut self.rest, &mut self.stacks, number);
        counts.add(operation);
        if self.settings.live {
            self.follow(number, operation, address, resized);
        }
    }

    /// Follows live blocks and their peak.
    fn follow(&mut self, number: u32, operation: Operation, address: usize, resized: Option<Live>) {
        let block = match operation {
            Operation::Alloc { size } | Operation::AllocZeroed { size } => Some(Live {
                address,
                size,
                origin: number,
            }),
            Operation::Dealloc { .. } => {
                self.take(address);
                None
            }
            // A block keeps the stack that allocated it.
            Operation::Grow { to, .. } | Operation::Shrink { to, .. } => {
                resized.map(|block| Live {
                    address,
                    size: to,
                    ..block
                })
            }
            Operation::Failed { .. } => resized,
        };
        if let Some(block) = block {
            self.keep(block, 1);
            self.has_lost |= !self.live.insert(block);
        }
        self.level += operation.net_bytes() as i64;
        if self.level > self.highest {
            self.highest = self.level;
            self.peak += 1;
        }
    }

    /// Takes the block at `address` out of the live ones, to free or resize it.
    pub(crate) fn take(&mut self, address: usize) -> Option<Live> {
        let block = self.live.remove(address)?;
        self.keep(block, -1);
        Some(block)
    }

    fn keep(&mut self, block: Live, times: i64) {
        let peak = self.peak;
        let counts = counts(&mut self.rest, &mut self.stacks, block.origin);
        counts.note_peak(peak);
        counts.kept_blocks += times;
        counts.kept_bytes += times * block.size as i64;
    }

    /// Makes the stack one of this window. Returns its number, or that of further stacks
    /// without memory.
    #[inline(always)]
    fn touch(&mut self, number: u32) -> u32 {
        if number == REST {
            return REST;
        }
        let stack = &mut self.stacks.as_mut_slice()[number as usize - 1];
        if stack.window != self.window {
            if !self.touched.push(number) {
                return REST;
            }
            stack.window = self.window;
            stack.counts = NOTHING;
        }
        number
    }

    /// For as long as this is the same, a number means the same stack. Tables stay at their
    /// address.
    pub(crate) fn id(&self) -> (usize, u32) {
        (ptr::from_ref(self).addr(), self.generation)
    }

    /// The counts of the window: the number and the return addresses of each stack, innermost
    /// first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (u32, &[usize], Counts)> {
        self.touched.as_slice().iter().map(|&number| {
            let stack = &self.stacks.as_slice()[number as usize - 1];
            let words = &self.words.as_slice()[stack.first as usize..];
            let words = &words[..stack.len as usize];
            (number, words, self.finished(stack.counts))
        })
    }

    /// The counts of further stacks.
    pub(crate) fn rest(&self) -> Counts {
        self.finished(self.rest)
    }

    /// The counts, with the bytes at the last peak.
    fn finished(&self, mut counts: Counts) -> Counts {
        counts.note_peak(self.peak);
        counts
    }

    /// Whether the window has all live blocks.
    pub(crate) fn has_live(&self) -> bool {
        self.settings.live && !self.has_lost
    }

    /// The peak, if the window has all live blocks.
    pub(crate) fn peak(&self) -> Option<i64> {
        self.has_live().then_some(self.highest)
    }

    /// The number of memos that were wrong.
    pub(crate) fn mismatches(&self) -> u64 {
        self.mismatches
    }
}

/// The counts of a stack, or of further ones.
#[inline(always)]
fn counts<'t>(rest: &'t mut Counts, stacks: &'t mut Array<Stack>, number: u32) -> &'t mut Counts {
    match number {
        REST => rest,
        _ => &mut stacks.as_mut_slice()[number as usize - 1].counts,
    }
}

/// The smaller of two sizes, of which 0 is none: one less, that is the largest number.
#[inline(always)]
pub(crate) fn smallest(one: u64, other: u64) -> u64 {
    let less = one.wrapping_sub(1).min(other.wrapping_sub(1));
    less.wrapping_add(1)
}

const NOTHING: Counts = Counts {
    tally: Tally::ZERO,
    smallest: 0,
    largest: 0,
    kept_blocks: 0,
    kept_bytes: 0,
    peak_bytes: 0,
    peak: 0,
};

fn hash(frames: &[usize]) -> u32 {
    let hash = frames.iter().fold(0_u64, |hash, &frame| {
        (hash.rotate_left(5) ^ frame as u64).wrapping_mul(0x517C_C1B7_2722_0A95)
    });
    (hash >> 32) as u32
}
