//! [`OwnPeaks`], [`Buffers`] and [`KeptByWindow`]: what a window keeps of its own thread besides
//! counts, while it is open and when it has closed.

use crate::first::{FirstOperations, Trace};
use crate::sizes::{SizeCounts, SizeLimits, Sizes};

/// The peaks that a window keeps of its own thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnPeaks {
    /// It is kept beside that of blocks as well.
    pub(crate) bytes: bool,
    pub(crate) blocks: bool,
}

/// The buffers that an open window needs for its own thread.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) trace: Option<Trace>,
    pub(crate) sizes: Option<(SizeLimits, SizeCounts)>,
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
    pub(crate) peak_blocks: Option<u64>,
    pub(crate) sizes: Option<Sizes>,
}
