//! The settings that a window changes: the peak and the buffer of first operations of its
//! thread, and the peak of the process. Dropping a span restores them, also in a panic.

use std::cell::Cell;

use crate::block::Block;
use crate::counters::{Flags, Levels};
use crate::first::{FreePlaces, Trace};
use crate::process_peak::Slot;
use crate::registry::Registry;

/// Keeps the peak of the thread above the level at the opening. Opening restarts the
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
            let outer = self.at_opening.peak;
            self.block.main.set_peak(peak.max(outer));
        }
        peak.wrapping_sub(self.at_opening.live) as u64
    }
}

impl Drop for PeakSpan {
    fn drop(&mut self) {
        self.close();
    }
}

/// Records the thread's operations in the buffer of a window instead of the buffer of the outer
/// window, which gets them when the span closes: the outer buffer has no more places than
/// the inner one, so operations without a place here have none there.
#[derive(Debug)]
pub(crate) struct TraceSpan<'trace> {
    block: &'static Block,
    trace: &'trace Trace,
    outer: FreePlaces,
}

impl<'trace> TraceSpan<'trace> {
    /// Opens a span for the owner of `block`. Spans close in the reverse order of
    /// their opening.
    pub(crate) fn open(block: &'static Block, trace: &'trace Trace) -> Self {
        let outer = block.main.room();
        let room = trace.open(block.main.read().operations());
        // SAFETY: `trace` outlives the span, which sets another room as it closes.
        unsafe { block.main.set_room(room) };
        Self {
            block,
            trace,
            outer,
        }
    }
}

impl Drop for TraceSpan<'_> {
    fn drop(&mut self) {
        let main = &self.block.main;
        self.trace.close(main.read().operations());
        let recorded = self.trace.recorded(main.room());
        // SAFETY: none, or the places of an outer span, which is still open.
        unsafe { main.set_room(self.outer) };
        for operation in recorded.iter().take(self.outer.places()) {
            // SAFETY: the block belongs to this thread.
            unsafe { main.record(operation.get()) };
        }
    }
}

/// Keeps the process's peak above the level at the opening of a window. Dropping
/// it ends that, also in a panic.
#[derive(Debug)]
pub(crate) struct ProcessPeakSpan {
    registry: &'static Registry,
    slot: Option<Slot>,
}

impl ProcessPeakSpan {
    /// Begins to keep the peak; `None` when too many windows do.
    pub(crate) fn open(registry: &'static Registry) -> Option<Self> {
        let slot = Some(registry.open_peak()?);
        Some(Self { registry, slot })
    }

    /// Ends it, and returns the peak.
    pub(crate) fn close(mut self) -> u64 {
        let slot = self.slot.take();
        slot.map_or(0, |slot| self.registry.close_peak(&slot))
    }
}

impl Drop for ProcessPeakSpan {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.registry.close_peak(&slot);
        }
    }
}
