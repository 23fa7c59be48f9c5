//! [`Shared`]: one subject that several threads use.

use std::alloc::Layout;
use std::sync::Arc;

use crate::subject::{Kind, Subject};

/// A handle to a subject that several threads use.
#[derive(Debug)]
pub struct Shared<S>(Arc<S>);

impl<S: Subject> Shared<S> {
    /// Whether there can be one of this subject. Arenas are one per thread: a reset
    /// would take the blocks of the other threads back.
    pub const POSSIBLE: bool = S::SHARED && !matches!(S::KIND, Kind::Arena);

    /// A handle to the subject; `None` where that is not [possible](Self::POSSIBLE).
    pub fn of(subject: &Arc<Self>) -> Option<Self> { None }
}

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

// SAFETY: it exists only of subjects with `SHARED`, which promises that several
// threads may use one at once; `reset`, which it leaves out, is not called.
unsafe impl<S: Subject> Send for Shared<S> {}

// SAFETY: as above.
unsafe impl<S: Subject> Sync for Shared<S> {}

// SAFETY: the subject's own promise, passed on.
unsafe impl<S: Subject> Subject for Shared<S> {
    const KIND: Kind = S::KIND;

    #[inline]
    fn take(&self, layout: Layout) -> *mut u8 {
        self.0.take(layout)
    }

    #[inline]
    unsafe fn give(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.give(block, layout) }
    }

    #[inline]
    unsafe fn usable_size(&self, block: *mut u8, layout: Layout) -> Option<usize> {
        // SAFETY: the caller's contract, passed on.
        unsafe { self.0.usable_size(block, layout) }
    }
}
