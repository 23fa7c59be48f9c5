//! [`Table`]: the call stacks of a window, and the operations of each. A thread has one for
//! its windows, and the process has one.

use crate::operation::Operation;
use crate::sites::array::Array;
use crate::sites::live::{Live, LiveBlocks};
use crate::tally::Tally;

/// The most stacks of a table.
const MOST_STACKS: usize = 1 << 14;

/// The most frames of all stacks of a table.
const MOST_WORDS: usize = 1 << 20;

const BUCKETS: usize = 1 << 12;

/// The number of all further stacks, when the table is full. Numbers of stacks begin at 1.
const REST: u32 = 0;

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
    fn add(&mut self, operation: Operation) {
        self.tally.add(operation);
        if let Some(size) = operation.requested() {
            self.smallest = smallest(self.smallest, size);
            self.largest = self.largest.max(size);
        }
    }

    /// Notes the bytes at the peak of this number, if it is a later one.
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
    counts: Counts,
}

/// The stacks of a window by their return addresses, and what each did.
#[derive(Debug)]
pub(crate) struct Table {
    words: Array<usize>,
    stacks: Array<Stack>,
    /// The newest stack of each bucket.
    buckets: Array<u32>,
    /// The counts of further stacks.
    rest: Counts,
    live: LiveBlocks,
    /// Whether a live block is missing, for lack of memory.
    has_lost: bool,
    /// Live bytes above the level at the opening.
    level: i64,
    /// The highest level so far, and the number of times that it has risen.
    highest: i64,
    peak: u64,
}

impl Table {
    pub(crate) const fn new() -> Self {
        Self {
            words: Array::new(),
            stacks: Array::new(),
            buckets: Array::new(),
            rest: NOTHING,
            live: LiveBlocks::new(),
            has_lost: false,
            level: 0,
            highest: 0,
            peak: 0,
        }
    }

    /// Begins a window.
    pub(crate) fn open(&mut self) {
        self.words.truncate(0);
        self.stacks.truncate(0);
        self.buckets.truncate(0);
        self.rest = NOTHING;
        self.live.clear();
        self.has_lost = false;
        (self.level, self.highest, self.peak) = (0, 0, 0);
    }

    /// The number of a stack by its return addresses.
    fn number(&mut self, frames: &[usize]) -> u32 {
        if frames.is_empty() || (self.buckets.len() == 0 && !self.buckets.fill(BUCKETS, REST)) {
            return REST;
        }
        let hash = hash(frames);
        let bucket = hash as usize % BUCKETS;
        let newest = self.buckets.as_slice()[bucket];
        let mut number = newest;
        while number != REST {
            let stack = self.stacks.as_slice()[number as usize - 1];
            if stack.hash == hash && self.words_of(&stack) == frames {
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

    fn words_of(&self, stack: &Stack) -> &[usize] {
        let words = &self.words.as_slice()[stack.first as usize..];
        &words[..stack.len as usize]
    }

    /// Adds an operation of a stack on the block at `address`. `resized` is what
    /// [`take`](Self::take) returned before a reallocation.
    pub(crate) fn add(
        &mut self,
        frames: &[usize],
        operation: Operation,
        address: usize,
        resized: Option<Live>,
    ) {
        let number = self.number(frames);
        counts(&mut self.rest, &mut self.stacks, number).add(operation);
        self.follow(number, operation, address, resized);
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

    /// The counts of the window: the return addresses of each stack, innermost first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&[usize], Counts)> {
        let stacks = self.stacks.as_slice().iter();
        stacks.map(|stack| (self.words_of(stack), self.finished(stack.counts)))
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
        !self.has_lost
    }

    /// The peak, if the window has all live blocks.
    pub(crate) fn peak(&self) -> Option<i64> {
        self.has_live().then_some(self.highest)
    }
}

/// The counts of a stack, or of further ones.
fn counts<'t>(rest: &'t mut Counts, stacks: &'t mut Array<Stack>, number: u32) -> &'t mut Counts {
    match number {
        REST => rest,
        _ => &mut stacks.as_mut_slice()[number as usize - 1].counts,
    }
}

/// The smaller of two sizes, where 0 means none: subtracting one makes it the largest number.
pub(super) fn smallest(one: u64, other: u64) -> u64 {
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
