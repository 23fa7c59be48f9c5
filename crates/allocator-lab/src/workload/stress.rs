//! Stress, as XSigma's report has it: 10,000 steps that take blocks or give random
//! ones back, with contents verified. Its counts follow from the seed alone and are
//! the same on every subject that refuses nothing.

use crate::heap::Heap;
use crate::report::Report;
use crate::subject::Subject;
use crate::twister::Twister;

use super::{ALIGN, layout};

/// Steps of the sequence.
pub const STEPS: usize = 10_000;

/// Live blocks that the heap needs room for, at the most one a step.
pub const BLOCKS: usize = STEPS;

/// How many steps pass between looks for blocks that overlap.
const STEPS_BETWEEN_LOOKS: usize = 1_000;

/// The seed of the sequence.
const SEED: u32 = 42;

/// The largest size in bytes; the smallest is 1.
const LARGEST: u32 = 65_536;

/// What the sequence did. On a subject that refused nothing, there were 6,718
/// requests of 217,383,926 bytes, 3,436 blocks were live at the most, and at the end
/// 110,956,206 bytes were.
#[derive(Clone, Copy, Debug)]
pub struct Stress {
    /// What was requested.
    pub report: Report,
    /// The most live blocks.
    pub peak_blocks: u64,
    /// Bytes of the blocks that were live after the last step.
    pub live_bytes: u64,
    /// Bytes of all blocks that were handed out.
    pub total_bytes: u64,
}

/// A live block, as the sequence remembers it.
#[derive(Clone, Copy, Debug)]
struct Filled {
    size: u32,
    pattern: u8,
}

/// What the sequence remembers, made before it is run.
#[derive(Debug)]
pub struct Memo(Vec<Filled>);

impl Memo {
    /// With room for every step.
    #[must_use]
    pub fn new() -> Self {
        Self(Vec::with_capacity(STEPS))
    }
}

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

/// The sequence. In each step:
///
/// * with no live block, or where the next number of mt19937 is no multiple of 3, a
///   block of `1 + n * 65,536 / 2^32` bytes is taken, of which `n` is the number after
///   that, and filled;
/// * otherwise, the block of index `n % live` is verified and given back, of which `n`
///   is the number after that and blocks are in the order in which they were taken.
///
/// At the end all are verified and given back. An arena gives nothing back before,
/// so that it needs room for 217,383,926 bytes.
///
/// Live blocks are looked through for such as overlap every 1,000 steps; one that
/// overlaps for longer is counted each time.
#[inline(never)]
pub fn stress<S: Subject>(heap: &mut Heap<S>, memo: &mut Memo) -> Stress {
    let mut report = Report::default();
    let live = &mut memo.0;
    live.clear();
    let mut twister = Twister::new(SEED);
    let (mut peak_blocks, mut live_bytes, mut total_bytes) = (0, 0, 0);
    for step in 1..=STEPS {
        if live.is_empty() || !twister.draw().is_multiple_of(3) {
            let size = 1 + twister.draw_below(LARGEST);
            let pattern = (step % 251) as u8 + 1;
            if let Some(mut block) = heap.take(layout(size as usize, ALIGN), &mut report) {
                block.fill(pattern);
                live.push(Filled { size, pattern });
                live_bytes += u64::from(size);
                total_bytes += u64::from(size);
                peak_blocks = peak_blocks.max(live.len() as u64);
            }
        } else {
            let index = twister.draw() as usize % live.len();
            let filled = live.remove(index);
            live_bytes -= u64::from(filled.size);
            report.corrupt += u64::from(!heap.block(index).holds(filled.pattern));
            heap.give_at(index);
        }
        if step % STEPS_BETWEEN_LOOKS == 0 {
            report.overlapping += heap.overlapping();
        }
    }
    for (index, filled) in live.iter().enumerate() {
        report.corrupt += u64::from(!heap.block(index).holds(filled.pattern));
    }
    heap.give_all();
    Stress {
        report,
        peak_blocks,
        live_bytes,
        total_bytes,
    }
}
