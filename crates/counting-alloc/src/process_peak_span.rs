//! [`ProcessPeakSpan`]: keeps the peak of the process, and the sizes of its requests,
//! while a window is open.

use crate::process_peak::Slot;
use crate::registry::Registry;
use crate::sizes::{SizeLimits, Sizes};

/// Keeps the process's peak above the level at the opening of a window. Dropping
/// it ends that, also in a panic.
#[derive(Debug)]
pub(crate) struct ProcessPeakSpan {
    registry: &'static Registry,
    slot: Option<Slot>,
}

impl ProcessPeakSpan {
    /// Begins to keep the peak, and the sizes if there are `limits`; `None` when too many
    /// windows do.
    pub(crate) fn open(registry: &'static Registry, limits: Option<&SizeLimits>) -> Option<Self> {
        let slot = Some(registry.open_peak(limits)?);
        Some(Self { registry, slot })
    }

    /// Ends it, and returns the most bytes live at once above the level at the
    /// opening, and the sizes.
    pub(crate) fn close(mut self) -> (u64, Option<Sizes>) {
        self.slot
            .take()
            .map_or((0, None), |slot| self.registry.close_peak(&slot))
    }
}

impl Drop for ProcessPeakSpan {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            self.registry.close_peak(&slot);
        }
    }
}
