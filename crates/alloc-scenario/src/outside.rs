//! [`OutsideSums`]: what the windows of a pass leave out of the figures, summed.

use alloc_results::Outside;
use counting_alloc::{Measured, Tally};

/// The operations that windows left out, and the threads that outlived them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutsideSums {
    /// The operations of other threads.
    pub(crate) foreign: Tally,
    /// The operations inside `uncounted`.
    pub(crate) uncounted: Tally,
    /// The threads that were still running.
    pub(crate) still_running: u64,
}

impl OutsideSums {
    pub(crate) const NOTHING: Self = Self {
        foreign: Tally::ZERO,
        uncounted: Tally::ZERO,
        still_running: 0,
    };

    pub(crate) fn from_window<T>(measured: &Measured<T>) -> Self {
        Self {
            foreign: measured.foreign,
            uncounted: measured.uncounted,
            still_running: measured.still_running,
        }
    }

    pub(crate) fn add(&mut self, one: Self) {
        self.foreign += one.foreign;
        self.uncounted += one.uncounted;
        self.still_running += one.still_running;
    }
}

/// What the first call and the counted pass left out, in the form of the record. The
/// first part is what other threads did during the counted pass.
pub(crate) fn record(first: OutsideSums, counted: OutsideSums) -> (Tally, Outside) {
    let outside = Outside {
        foreign_first: first.foreign,
        uncounted: counted.uncounted,
        uncounted_first: first.uncounted,
        still_running: counted.still_running,
        still_running_first: first.still_running,
    };
    (counted.foreign, outside)
}
