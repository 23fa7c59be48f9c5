//! [`ProcessPeakSpan`]: keeps the peaks of the process, and the sizes of its requests,
//! while a window is open.

use crate::process_peak::{Slot, SlotKept, SlotSettings};
use crate::registry::Registry;

/// Keeps the process's peak above the level at the opening of a window. Dropping
/// it ends that, also in a panic.
#[derive(Debug)]
pub(crate) struct ProcessPeakSpan {
    registry: &'static Registry,
    slot: Option<Slot>,
}

impl ProcessPeakSpan {
    /// Begins to keep the peak, and what the settings say; `None` when too many windows do.
    pub(crate) fn open(registry: &'static Registry, settings: SlotSettings<'_>) -> Option<Self> {
        let slot = Some(registry.open_peak(settings)?);
        Some(Self { registry, slot })
    }

    /// Ends it, and returns what was kept.
    pub(crate) fn close(mut self) -> SlotKept {
        let slot = self.slot.take();
        slot.map_or_else(SlotKept::default, |slot| self.registry.close_peak(&slot))
    }
}

impl Drop for ProcessPeakSpan {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.registry.close_peak(&slot);
        }
    }
}
