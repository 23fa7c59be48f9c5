//! The settings that a window changes for its thread: the thread's peak, and its
//! buffer of first operations. Dropping a span restores them, also in a panic.

use std::cell::Cell;
use std::ptr;

use crate::block::Block;
use crate::counters::{Flags, Levels};
use crate::first::Trace;

/// Keeps the thread's peak above the level at the opening. Opening restarts the
/// peak at the present level. Closing restores the peak of the outer window, which
/// is at least the peak that was reached inside.
#[derive(Debug)]
pub(crate) struct PeakSpan {
    block: &'static Block,
    at_opening: Levels,
    /// Whether no outer window keeps the peak.
    is_outermost: bool,
    closed: Cell<bool>,
}

impl PeakSpan {
    /// Opens a span for the owner of `block`. Spans close in the reverse order of
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

/// Links a buffer for the thread's operations in front of those of the outer
/// windows.
#[derive(Debug)]
pub(crate) struct TraceSpan<'trace> {
    block: &'static Block,
    trace: &'trace Trace,
}

impl<'trace> TraceSpan<'trace> {
    /// Opens a span for the owner of `block`. Spans close in the reverse order of
    /// their opening.
    pub(crate) fn open(block: &'static Block, trace: &'trace Trace) -> Self {
        trace.open(block.trace(), block.main.read().operations());
        block.set_trace(ptr::from_ref(trace).cast_mut());
        Self { block, trace }
    }

    /// The number of the thread's operations.
    pub(crate) fn operations(&self) -> u64 {
        self.block.main.read().operations()
    }
}

impl Drop for TraceSpan<'_> {
    fn drop(&mut self) {
        self.block.set_trace(self.trace.outer().cast_mut());
    }
}
