//! Switching the counting off, for a timed pass. Process-wide; a window that a
//! pause falls into reports it instead of a number that is too low.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};

/// Pauses in force at present.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// Pauses ever begun, so that a window sees one that came and went.
static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Counting is off in the whole process while this is alive.
#[derive(Debug)]
#[must_use = "counting goes on again as soon as this is dropped"]
pub struct Paused(());

/// Switches counting off in the whole process until the returned value is
/// dropped; several pauses may overlap.
///
/// For a harness that times code and wants the wrapper out of the way: an
/// operation then costs one relaxed load and a branch more than the inner
/// allocator. A [`try_measure`](crate::try_measure) on any thread that
/// overlaps with a pause returns [`MeasureError::Paused`](crate::MeasureError).
pub fn pause() -> Paused {
    BEGUN.fetch_add(1, SeqCst);
    ACTIVE.fetch_add(1, SeqCst);
    Paused(())
}

impl Drop for Paused {
    fn drop(&mut self) {
        ACTIVE.fetch_sub(1, SeqCst);
    }
}

/// Whether counting is off: the one load that each operation pays for.
#[inline(always)]
pub(crate) fn is_paused() -> bool {
    ACTIVE.load(Relaxed) != 0
}

/// The number of pauses ever begun, or `None` while one is in force.
pub(crate) fn uninterrupted() -> Option<usize> {
    let begun = BEGUN.load(Acquire);
    (ACTIVE.load(Acquire) == 0).then_some(begun)
}
