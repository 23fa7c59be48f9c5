//! Pairs on several threads at once. The generator of the sizes is a small one: its cost
//! is the same for all, and in the row of the floor.

use std::fmt;
use std::hint::black_box;

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::{Kind, Subject};

use super::{ALIGN, layout};

/// The numbers of threads.
pub const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Pairs of one call, on one thread.
pub const STEPS: u64 = 40_000;

/// Live blocks that the heap of a thread needs room for: those of an arena until it
/// is reset.
pub const BLOCKS: usize = 64;

/// Which sizes are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sizes {
    /// 64 bytes, as framealloc's benchmarks have it.
    Same,
    /// 16, 32, 64 bytes and so on to 2,048, each as likely as the others, as frusa's
    /// README has it.
    Mixed,
}

impl Sizes {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Same, Self::Mixed];
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "64",
            Self::Mixed => "mixed",
        })
    }
}

/// A xorshift generator, which is three shifts a number.
#[derive(Clone, Debug)]
struct Shifts(u32);

impl Shifts {
    #[inline]
    fn draw(&mut self) -> u16 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 16) as u16
    }
}

/// [`STEPS`] pairs of these sizes, in the same order on every thread and in every call.
/// Nothing is written. A size is drawn in either case, so that both have that cost.
///
/// An arena is reset after 64 blocks, and at the end.
#[inline(never)]
pub fn steps<S: Subject>(heap: &mut Heap<S>, sizes: Sizes) -> Report {
    let mut report = Report::default();
    let mut shifts = Shifts(0x9e37_79b9);
    for _ in 0..STEPS {
        let drawn = black_box(16 << (shifts.draw() % 8));
        let size = match sizes {
            Sizes::Same => 64,
            Sizes::Mixed => drawn,
        };
        let taken = heap.take(layout(size, ALIGN), &mut report).is_some();
        match S::KIND {
            Kind::General if taken => heap.give_last(),
            Kind::Arena if heap.live_blocks() == BLOCKS => heap.give_all(),
            Kind::General | Kind::Arena => {}
        }
    }
    heap.give_all();
    report
}
