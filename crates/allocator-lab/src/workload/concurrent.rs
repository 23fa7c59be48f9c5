//! Pairs on several threads at once, as frusa's README has it, but for the generator
//! of the sizes: its cost is small, the same for all, and in the row of the floor.

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::{Kind, Subject};

use super::{ALIGN, layout};

/// The numbers of threads.
pub const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Pairs of one call, on one thread.
pub const STEPS: u64 = 10_000;

/// Live blocks that the heap of a thread needs room for: those of an arena until it
/// is reset.
pub const BLOCKS: usize = 64;

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

/// [`STEPS`] pairs of 16, 32, 64 bytes and so on to 2,048, each as likely as the
/// others; in the same order on every thread and in every call. Nothing is written.
///
/// An arena is reset after 64 blocks, and at the end.
#[inline(never)]
pub fn steps<S: Subject>(heap: &mut Heap<S>) -> Report {
    let mut report = Report::default();
    let mut shifts = Shifts(0x9e37_79b9);
    for _ in 0..STEPS {
        let size = 16 << (shifts.draw() % 8);
        let taken = heap.take(layout(size, ALIGN), &mut report).is_some();
        match S::KIND {
            Kind::General | Kind::Floor if taken => heap.give_last(),
            Kind::Arena if heap.live_blocks() == BLOCKS => heap.give_all(),
            Kind::General | Kind::Floor | Kind::Arena => {}
        }
    }
    heap.give_all();
    report
}
