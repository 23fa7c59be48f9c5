//! [`ProcessPeakSpan`]: keeps the peak of the process while a window is open.

use crate::process_peak::Slot;
use crate::registry::Registry;

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
