//! [`Figures`]: the figures of a measurement, without its value.

use alloc_results::Reading;
use counting_alloc::{FirstOperations, Measured, Mode, Scope, Tally};

/// The figures that a report shows of one measurement.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) scope: Scope,
    pub(super) mode: Mode,
    pub(super) joined: u64,
    pub(super) polls: u64,
    pub(super) tally: Tally,
    pub(super) reading: Reading,
    pub(super) foreign: Tally,
    pub(super) uncounted: Tally,
    pub(super) first: Option<FirstOperations>,
}

impl Figures {
    pub(super) fn from_measured<T>(measured: &Measured<T>) -> Self {
        Self {
            scope: measured.scope,
            mode: measured.mode,
            joined: measured.joined,
            polls: measured.polls,
            tally: measured.tally,
            reading: crate::measure::reading(measured),
            foreign: measured.foreign,
            uncounted: measured.uncounted,
            first: measured.first,
        }
    }
}

#[cfg(test)]
impl Default for Figures {
    fn default() -> Self {
        Self {
            scope: Scope::Thread,
            mode: Mode::Counting,
            joined: 0,
            polls: 0,
            tally: Tally::ZERO,
            reading: Reading::default(),
            foreign: Tally::ZERO,
            uncounted: Tally::ZERO,
            first: None,
        }
    }
}
