//! The stand-in on targets where stacks are not captured.

use std::ops::Range;

use crate::sites::memo::Slot;

/// Whether stacks can be captured.
pub(crate) const AVAILABLE: bool = false;

/// Calls nothing.
pub(crate) fn walk(_: Range<usize>, _: &mut dyn FnMut(Slot) -> bool) {}

/// Unknown.
pub(crate) fn stack_of_thread() -> Range<usize> {
    0..0
}

/// No word.
///
/// # Safety
///
/// It needs nothing.
pub(crate) unsafe fn read_word(_: usize) -> usize {
    0
}
