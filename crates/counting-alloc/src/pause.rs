//! Switching the counting off, for a timed pass. Process-wide; a window that a
//! pause falls into reports it instead of a number that is too low.

use crate::backend::REGISTRY;

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
    REGISTRY.pause();
    Paused(())
}

impl Drop for Paused {
    fn drop(&mut self) {
        REGISTRY.resume();
    }
}
