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
pub(crate) struct Ledger {
    allocs: u64,
    alloc_bytes: u64,
    deallocs: u64,
    dealloc_bytes: u64,
    grows: u64,
    grow_bytes: u64,
    shrinks: u64,
    shrink_bytes: u64,
    failed: u64,
}

impl Ledger {
    pub(crate) fn enter(&mut self, event: Event) {
        match event {
            Event::Allocated { size } => {
                self.allocs += 1;
                self.alloc_bytes += size;
            }
            Event::Freed { size } => {
                self.deallocs += 1;
                self.dealloc_bytes += size;
            }
            Event::Resized { from, to } if to > from => {
                self.grows += 1;
                self.grow_bytes += to - from;
            }
            Event::Resized { from, to } => {
                self.shrinks += 1;
                self.shrink_bytes += from - to;
            }
            Event::Refused => self.failed += 1,
        }
    }

    /// The same numbers in the type of the crate.
    pub(crate) fn tally(&self) -> Tally {
        Tally {
            allocs: self.allocs,
            alloc_bytes: self.alloc_bytes,
            deallocs: self.deallocs,
            dealloc_bytes: self.dealloc_bytes,
            grows: self.grows,
            grow_bytes: self.grow_bytes,
            shrinks: self.shrinks,
            shrink_bytes: self.shrink_bytes,
            failed: self.failed,
        }
    }
}

/// The maximum nesting of windows.
pub(crate) const DEEPEST: usize = 4;

/// The live bytes of a thread's own operations, and their maximum in each open window.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tide {
    live: i64,
    open: usize,
    level: [i64; DEEPEST],
    highest: [i64; DEEPEST],
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
        // Every open window sees the operation, not only the innermost.
        for highest in &mut self.highest[..self.open] {
            *highest = (*highest).max(self.live);
        }
    }

    pub(crate) fn open(&mut self) {
        self.level[self.open] = self.live;
        self.highest[self.open] = self.live;
        self.open += 1;
    }

    /// Closes the innermost window, and returns its peak.
    pub(crate) fn close(&mut self) -> u64 {
        self.open -= 1;
        u64::try_from(self.highest[self.open] - self.level[self.open]).expect("never negative")
    }
}
