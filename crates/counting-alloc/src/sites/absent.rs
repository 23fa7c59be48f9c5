//! The stand-in on targets where stacks are not captured.

use std::ops::Range;

/// Whether stacks can be captured.
pub(crate) const AVAILABLE: bool = false;

/// A frame's return address, and the place on the stack where it should lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Return {
    pub(crate) address: usize,
    pub(crate) slot: usize,
}

/// Calls nothing.
pub(crate) fn walk(_: &mut dyn FnMut(Return) -> bool) {}

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
