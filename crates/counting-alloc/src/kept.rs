//! [`Buffers`] and [`KeptByWindow`]: what a window keeps of its own thread besides counts, while
//! it is open and when it has closed.

use crate::first::{FirstOperations, Trace};

/// The buffers that an open window needs for its own thread.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) trace: Option<Trace>,
}

impl Buffers {
    /// The first operations of a window that has closed, if it kept them.
    pub(crate) fn first(&self) -> Option<FirstOperations> {
        self.trace.as_ref().map(Trace::operations)
    }
}

/// What a window kept of its own thread.
#[derive(Debug, Default)]
pub(crate) struct KeptByWindow {
    pub(crate) peak: Option<u64>,
}
