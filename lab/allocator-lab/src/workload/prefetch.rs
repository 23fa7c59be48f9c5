//! Prefetching: 1,000 blocks of 256 bytes of a bump arena, with and without a hint to the
//! processor for the next block. It has no subject: the arena is the lab's own.

use std::hint::black_box;

use alloc_scenario::Suite;

use crate::axis::axis_values;
use crate::suite::Plan;

/// Blocks of one call, and the bytes of each.
const BLOCKS: usize = 1_000;
const BYTES: usize = 256;

axis_values! {
    /// The work on each block.
    pub enum Work {
        /// Nothing.
        Take = "alloc",
        /// Every byte is written.
        Write = "alloc+write",
        /// Every byte is read.
        Read = "alloc+read",
    }
}

axis_values! {
    /// Whether the processor gets a hint for the next block.
    pub enum Prefetch {
        /// There is no next block: the first of the arena is handed out each time, and no
        /// cursor moves.
        Floor = "floor",
        /// It does not.
        Off = "off",
        /// It does, by `_mm_prefetch`, into all levels of the cache.
        On = "on",
        /// It does not; measured a second time.
        OffAgain = "off-again",
    }
}

/// The arena: bytes that are handed out from the first to the last.
struct Arena {
    bytes: Box<[u8]>,
    used: usize,
}

impl Arena {
    /// With room for [`BLOCKS`] blocks, all zero.
    fn new() -> Self {
        Self {
            bytes: vec![0; BLOCKS * BYTES].into_boxed_slice(),
            used: 0,
        }
    }

    #[inline]
    fn take(&mut self, prefetch: Prefetch) -> Option<&mut [u8]> {
        if prefetch == Prefetch::Floor {
            return self.bytes.get_mut(..BYTES).map(black_box);
        }
        let rest = self.bytes.get_mut(self.used..)?;
        let (block, rest) = rest.split_at_mut_checked(BYTES)?;
        self.used += BYTES;
        if prefetch == Prefetch::On {
            hint(rest);
        }
        Some(black_box(block))
    }
}

/// Takes all blocks, does the work on each and resets the arena; returns a sum of
/// lengths or of bytes read.
#[inline(never)]
fn bump(arena: &mut Arena, work: Work, prefetch: Prefetch) -> u64 {
    let mut sum = 0;
    // The floor is never full.
    for _ in 0..BLOCKS {
        let Some(block) = arena.take(prefetch) else {
            break;
        };
        match work {
            Work::Take => sum += block.len() as u64,
            Work::Write => {
                block.fill(0xaa);
                sum += black_box(block).len() as u64;
            }
            Work::Read => sum += block.iter().map(|&byte| u64::from(byte)).sum::<u64>(),
        }
    }
    arena.used = 0;
    sum
}

/// A hint to the processor for the bytes that come next; nothing on other processors.
#[inline]
fn hint(_next: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        // SAFETY: a hint loads nothing, and SSE, which has it, is part of x86_64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(_next.as_ptr().cast()) };
    }
}

pub(crate) fn measure(suite: &mut Suite<'static>) {
    for prefetch in Prefetch::ALL {
        for work in Work::ALL {
            // Writing one block again and again took almost three times as long as
            // writing all blocks of the arena once.
            if prefetch == Prefetch::Floor && work != Work::Take {
                continue;
            }
            suite.scenario_with("prefetch", |b| {
                let b = b
                    .axis("work", [work])
                    .axis("prefetch", [prefetch])
                    .elements(|_| BLOCKS)
                    .warm_up(2 * Plan::SHORT.0)
                    .iterations(2 * Plan::SHORT.1);
                if prefetch == Prefetch::On && !cfg!(target_arch = "x86_64") {
                    return b.unavailable("`_mm_prefetch` is an instruction of x86_64");
                }
                b.setup(|_| Arena::new())
                    .run(move |arena| bump(arena, work, prefetch))
                    .into()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_worked_on_with_and_without_the_hint() {
        for prefetch in [Prefetch::Off, Prefetch::On] {
            let mut arena = Arena::new();
            assert_eq!(bump(&mut arena, Work::Take, prefetch), 256_000);
            assert_eq!(bump(&mut arena, Work::Read, prefetch), 0, "not written yet");
            assert_eq!(bump(&mut arena, Work::Write, prefetch), 256_000);
            assert_eq!(bump(&mut arena, Work::Read, prefetch), 0xaa * 256_000);
        }
        let mut arena = Arena::new();
        assert_eq!(bump(&mut arena, Work::Write, Prefetch::Floor), 256_000);
        assert_eq!(
            bump(&mut arena, Work::Read, Prefetch::Off),
            0xaa * 256,
            "one block"
        );
    }
}
