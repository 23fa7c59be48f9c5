//! A contender as the timed loop calls it: a static value, with its copies of the
//! loop, and with a reading of its own counter that shows that it counts when it is
//! called like this.
//!
//! The contenders themselves are defined in the program that runs them. The code
//! that is made for their types is then a program's, as that of a global allocator
//! mostly is: a library's finds its thread-locals by a longer way.

use std::fmt;

use super::LIVE;
use super::shim::{COPIES, Counter, Slice, copies};
use crate::error::Error;
use crate::mode::Mode;

/// All who are timed.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// What the others are compared with.
    pub opponent: Racer,
    /// The others, in the order of the tables.
    pub racers: &'static [Racer],
}

/// Someone to be timed.
#[derive(Clone, Copy)]
pub struct Racer {
    pub(super) name: &'static str,
    pub(super) mode: Mode,
    /// By the number of blocks at once, and by the copy of the code.
    pub(super) slices: [[Slice; COPIES]; LIVE.len()],
    /// It makes this fraction of the pairs, and so does its opponent.
    pub(super) divisor: u64,
    /// It takes part in each round of this number.
    pub(super) every: usize,
    /// It does only a part of what a counter does.
    pub(super) part: bool,
    counted: Counted,
}

/// What a counter says to have counted of what `work` does.
pub type Reading = fn(work: &mut dyn FnMut()) -> u64;

/// How many allocations a counter has after some were made.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    /// As many more as were made, by this reading.
    All(Reading),
    /// None of them, by this reading.
    None(Reading),
    /// It is not a counter, or it shows its counts to nobody.
    Unknown,
}

impl Racer {
    /// `C`, called so in the tables, in `mode`.
    #[must_use]
    pub const fn new<C: Counter>(name: &'static str, mode: Mode, counted: Counted) -> Self {
        Self {
            name,
            mode,
            slices: [copies::<C, { LIVE[0] }>(), copies::<C, { LIVE[1] }>()],
            divisor: 1,
            every: 1,
            part: false,
            counted,
        }
    }

    /// A slow one, that makes a fraction of the pairs in a fraction of the rounds.
    #[must_use]
    pub const fn seldom(self, divisor: u64, every: usize) -> Self {
        Self {
            divisor,
            every,
            ..self
        }
    }

    /// One that does only a part of what a counter does: it is in the tables, and not
    /// in the plot.
    #[must_use]
    pub const fn part(self) -> Self {
        Self { part: true, ..self }
    }

    /// Makes some pairs in the mode, and compares their number with what was
    /// counted, where that can be read.
    pub(super) fn check(&self) -> Result<(), Error> {
        const MADE: u64 = 1_000;
        let (read, expected): (Reading, u64) = match self.counted {
            Counted::All(read) => (read, MADE),
            Counted::None(read) => (read, 0),
            Counted::Unknown => return Ok(()),
        };
        let slice = self.slices[0][0];
        // What a counter does at its first call, such as taking up memory.
        slice(1);
        let mut counted = 0;
        self.mode.run(&mut || {
            counted = read(&mut || {
                slice(MADE);
            });
        });
        if counted == expected {
            return Ok(());
        }
        Err(Error::Miscounted {
            contender: self.name,
            expected,
            counted,
        })
    }
}

impl fmt::Debug for Racer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Racer")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
