//! The model: the expected counts, in plain integers, by the definitions in
//! `design/counting-model.md`.

use counting_alloc::Tally;

/// One call of the program, and whether the allocator granted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Allocated { size: u64 },
    Freed { size: u64 },
    Resized { from: u64, to: u64 },
    Refused,
}

/// The operations so far, on one thread or in the process.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ledger(Tally);

impl Ledger {
    pub(crate) fn enter(&mut self, event: Event) {
        match event {
            Event::Allocated { size } => {
                self.0.allocs += 1;
                self.0.bytes += size;
            }
            Event::Freed { size } => {
                self.0.deallocs += 1;
                self.0.freed_bytes += size;
            }
            Event::Resized { from, to } if to > from => {
                self.0.allocs += 1;
                self.0.reallocs += 1;
                self.0.bytes += to - from;
            }
            Event::Resized { from, to } => {
                self.0.allocs += 1;
                self.0.reallocs += 1;
                self.0.freed_bytes += from - to;
            }
            Event::Refused => self.0.failed += 1,
        }
    }

    /// The same numbers in the type of the crate.
    pub(crate) fn tally(&self) -> Tally {
        self.0
    }
}

/// The maximum nesting of windows.
pub(crate) const DEEPEST: usize = 4;

/// The live bytes and blocks of a thread's own operations, and in each open window their
/// maxima and the sizes of the requests.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tide {
    live: i64,
    blocks: i64,
    open: usize,
    level: [i64; DEEPEST],
    highest: [i64; DEEPEST],
    level_of_blocks: [i64; DEEPEST],
    most_blocks: [i64; DEEPEST],
    limit: [u64; DEEPEST],
    largest: [u64; DEEPEST],
    over: [u64; DEEPEST],
}

/// What a window has to hold besides counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closed {
    /// The most live bytes above the level at the opening.
    pub(crate) peak: u64,
    /// The same of blocks.
    pub(crate) peak_blocks: u64,
    /// The largest request, and the number of those over the limit.
    pub(crate) sizes: (u64, u64),
}

impl Tide {
    pub(crate) fn enter(&mut self, event: Event) {
        let signed = |size: u64| i64::try_from(size).expect("a size fits in i64");
        self.live += match event {
            Event::Allocated { size } => signed(size),
            Event::Freed { size } => -signed(size),
            Event::Resized { from, to } => signed(to) - signed(from),
            Event::Refused => 0,
        };
        self.blocks += match event {
            Event::Allocated { .. } => 1,
            Event::Freed { .. } => -1,
            Event::Resized { .. } | Event::Refused => 0,
        };
        // Every open window sees the operation, not only the innermost.
        for highest in &mut self.highest[..self.open] {
            *highest = (*highest).max(self.live);
        }
        for most in &mut self.most_blocks[..self.open] {
            *most = (*most).max(self.blocks);
        }
        let (Event::Allocated { size } | Event::Resized { to: size, .. }) = event else {
            return;
        };
        for window in 0..self.open {
            self.largest[window] = self.largest[window].max(size);
            self.over[window] += u64::from(size > self.limit[window]);
        }
    }

    /// Opens a window that counts the requests over `limit`.
    pub(crate) fn open(&mut self, limit: u64) {
        self.level[self.open] = self.live;
        self.highest[self.open] = self.live;
        self.level_of_blocks[self.open] = self.blocks;
        self.most_blocks[self.open] = self.blocks;
        self.limit[self.open] = limit;
        self.largest[self.open] = 0;
        self.over[self.open] = 0;
        self.open += 1;
    }

    /// Closes the innermost window.
    pub(crate) fn close(&mut self) -> Closed {
        self.open -= 1;
        let at = self.open;
        let above = |most: i64, level: i64| u64::try_from(most - level).expect("never negative");
        Closed {
            peak: above(self.highest[at], self.level[at]),
            peak_blocks: above(self.most_blocks[at], self.level_of_blocks[at]),
            sizes: (self.largest[at], self.over[at]),
        }
    }
}
