//! Switching counting off in the whole process, for a timed pass. A window that
//! overlaps with a pause returns an error instead of counts that are too low.

use crate::threads::REGISTRY;

/// Keeps counting switched off in the whole process until it is dropped.
#[derive(Debug)]
#[must_use = "counting resumes as soon as this is dropped"]
pub struct Paused(());

/// Switches counting off in the whole process until the returned value is
/// dropped; several pauses may overlap.
///
/// A harness uses it to time code without the cost of counting: an operation then
/// costs one relaxed load and a branch more than the inner allocator. A
/// [`try_measure`](crate::try_measure) on any thread that overlaps with a pause
/// returns [`MeasureError::Paused`](crate::MeasureError).
///
/// ```
/// # use counting_alloc::{CountingAlloc, MeasureError, Window, pause};
/// # #[global_allocator]
/// # static ALLOC: CountingAlloc = CountingAlloc::system();
/// # fn main() {
/// let paused = pause();
/// let measured = Window::thread().measure(|| ());
/// assert_eq!(measured.unwrap_err(), MeasureError::Paused);
/// drop(paused);
/// assert!(Window::thread().measure(|| ()).is_ok());
/// # }
/// ```
pub fn pause() -> Paused {
    REGISTRY.pause();
    Paused(())
}

impl Drop for Paused {
    fn drop(&mut self) {
        REGISTRY.resume();
    }
}
