//! [`Missed`]: the operations of a window whose stacks are not captured.

use crate::counters::{Counters, Flags};
use crate::operation::Operation;
use crate::sites::table::Settings;
use crate::sizes::{SizeCounts, Sizes};
use crate::tally::Tally;

/// Operations without a stack. Any thread adds them, also in a signal handler.
#[derive(Debug)]
pub(crate) struct Missed {
    tally: Counters,
    sizes: SizeCounts,
}

impl Missed {
    pub(crate) const fn new() -> Self {
        Self {
            tally: Counters::new(Flags::NONE),
            sizes: SizeCounts::new(),
        }
    }

    /// Begins a window.
    pub(crate) fn open(&self, settings: &Settings) {
        self.tally.write(Tally::ZERO);
        self.sizes.open(&settings.limits);
    }

    pub(crate) fn add(&self, operation: Operation) {
        self.tally.add_shared(operation);
        if let Some(size) = operation.requested() {
            self.sizes.add(size);
        }
    }

    /// Ends the window. Without an operation, the sizes have no limits, as those of no row.
    pub(crate) fn close(&self) -> (Tally, Sizes) {
        let (tally, sizes) = (self.tally.read(), self.sizes.close());
        let sizes = sizes.filter(|_| tally != Tally::ZERO);
        (tally, sizes.unwrap_or_default())
    }
}
