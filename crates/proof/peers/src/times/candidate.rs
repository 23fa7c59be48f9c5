//! [`Candidate`]: a counter to be timed, with its copies of the timed loop and a
//! reading of its own count.
//!
//! The program that runs the candidates defines them, not this library. So their
//! code is compiled in a program, like that of most global allocators: in a library
//! the access to thread-locals is slower.

use std::fmt;

use super::shim::{COPIES, Slice, TimedAllocator, copies};
use super::table::LIVE;
use crate::error::Error;
use proof_pairs::mode::Mode;

/// All candidates.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    /// The candidate that the others are compared with.
    pub baseline: Candidate,
    /// The others, in the order of the tables.
    pub others: &'static [Candidate],
}

/// A counter to be timed.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub(super) name: &'static str,
    pub(super) mode: Mode,
    /// The timed loop for each of [`LIVE`], in all copies of the code.
    pub(super) slices: [[Slice; COPIES]; LIVE.len()],
    /// The divisor of the number of pairs in its slices and the baseline's.
    pub(super) divisor: u64,
    /// It runs in every round that is a multiple of this.
    pub(super) every: usize,
    counted: Counted,
}

/// Runs `work` and returns the number of allocations that the counter counted.
pub type Reading = fn(work: &mut dyn FnMut()) -> u64;

/// The count that is expected of a counter.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    /// This reading counts all allocations.
    All(Reading),
    /// This reading counts no allocations.
    None(Reading),
    /// It is not a counter, or its count can't be read.
    Unknown,
}

impl Candidate {
    /// The counter `C` in `mode`, with its name in the tables.
    #[must_use]
    pub const fn new<C: TimedAllocator>(name: &'static str, mode: Mode, counted: Counted) -> Self {
        Self {
            name,
            mode,
            slices: [copies::<C, { LIVE[0] }>(), copies::<C, { LIVE[1] }>()],
            divisor: 1,
            every: 1,
            counted,
        }
    }

    /// A slow candidate: divides its pairs by `divisor`, and runs in every `every`th
    /// round only.
    #[must_use]
    pub const fn slow(self, divisor: u64, every: usize) -> Self {
        Self {
            divisor,
            every,
            ..self
        }
    }

    /// Makes some pairs in the mode, and compares their number with the count, if that
    /// can be read.
    pub(super) fn check(&self) -> Result<(), Error> {
        const MADE: u64 = 1_000;
        let (read, expected): (Reading, u64) = match self.counted {
            Counted::All(read) => (read, MADE),
            Counted::None(read) => (read, 0),
            Counted::Unknown => return Ok(()),
        };
        let slice = self.slices[0][0];
        // The first call may do more, such as allocating memory for the counter.
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
            counter: self.name,
            expected,
            counted,
        })
    }
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
