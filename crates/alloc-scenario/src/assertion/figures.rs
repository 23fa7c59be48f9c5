//! [`Figures`]: all that a measurement holds but its value.

use alloc_results::Reading;
use counting_alloc::{FirstOperations, Measured, Mode, Scope, Tally};

/// What a report tells of one measurement.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) scope: Scope,
    pub(super) mode: Mode,
    pub(super) joined: u64,
    pub(super) tally: Tally,
    pub(super) reading: Reading,
    pub(super) foreign: Tally,
    pub(super) uncounted: Tally,
    pub(super) first: Option<FirstOperations>,
}

impl Figures {
    pub(super) fn of<T>(measured: &Measured<T>) -> Self {
        Self {
            scope: measured.scope,
            mode: measured.mode,
            joined: measured.joined,
            tally: measured.tally,
            reading: crate::measure::reading(measured),
            foreign: measured.foreign,
            uncounted: measured.uncounted,
            first: measured.first,
        }
    }
}
