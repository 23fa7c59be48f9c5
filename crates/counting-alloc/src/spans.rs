//! What a window has changed for its thread while it is open, each as a value
//! that puts it back: the thread's peak, and its buffer of first operations. A
//! panic that unwinds through the window puts it back too.

use std::cell::Cell;
use std::ptr;

use crate::block::Block;
use crate::counters::{Flags, Levels};
use crate::first::Trace;

/// The thread's peak above the level at the opening. On opening, the peak
/// restarts at the present level; on closing, the outer window's peak is put
/// back, no lower than what was reached inside.
#[derive(Debug)]
pub(crate) struct PeakSpan {
    block: &'static Block,
    at_opening: Levels,
    /// Whether no window around this one keeps the peak.
    is_outermost: bool,
    closed: Cell<bool>,
}

impl PeakSpan {
    /// For the owner of `block` alone. Spans close in the reverse order of
    /// their opening.
    pub(crate) fn open(block: &'static Block) -> Self {
        let is_outermost = !block.main.flags().contain(Flags::PEAK);
        if is_outermost {
            block.main.raise(Flags::PEAK);
        }
        let at_opening = block.main.levels();
        block.main.set_peak(at_opening.live);
        Self {
            block,
            at_opening,
            is_outermost,
            closed: Cell::new(false),
        }
    }

    /// The most bytes live at once above the level at the opening.
    pub(crate) fn close(&self) -> u64 {
        let Levels { peak, .. } = self.block.main.levels();
        if !self.closed.replace(true) {
            if self.is_outermost {
                self.block.main.lower(Flags::PEAK);
            }
            self.block.main.set_peak(peak.max(self.at_opening.peak));
        }
        peak.wrapping_sub(self.at_opening.live).cast_unsigned()
    }
}

impl Drop for PeakSpan {
    fn drop(&mut self) {
        self.close();
    }
}

/// A buffer for the thread's operations, linked in front of those of the windows
/// around it.
#[derive(Debug)]
pub(crate) struct TraceSpan<'trace> {
    block: &'static Block,
    trace: &'trace Trace,
}

impl<'trace> TraceSpan<'trace> {
    /// For the owner of `block` alone. Spans close in the reverse order of
    /// their opening.
    pub(crate) fn open(block: &'static Block, trace: &'trace Trace) -> Self {
        trace.set_outer(block.trace());
        block.set_trace(ptr::from_ref(trace).cast_mut());
        Self { block, trace }
    }
}

impl Drop for TraceSpan<'_> {
    fn drop(&mut self) {
        self.block.set_trace(self.trace.outer().cast_mut());
    }
}
