//! The model: the expected counts, in plain integers, by the definitions in
//! `docs/counting.md`.

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

    /// Closes the innermost window, and returns the most live bytes above the level at its opening.
    pub(crate) fn close(&mut self) -> u64 {
        self.open -= 1;
        let most = self.highest[self.open] - self.level[self.open];
        u64::try_from(most).expect("never negative")
    }
}
