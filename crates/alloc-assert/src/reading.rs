//! A measurement of the counter as a [`Reading`], from which metrics are computed.

use alloc_results::{Counts, Metric, Reading};
use counting_alloc::{Measured, Tally};

/// A measurement as a reading.
pub(crate) fn reading<T>(measured: &Measured<T>) -> Reading {
    Reading {
        counts: counts(measured.tally),
        peak_bytes: measured.peak_bytes,
    }
}

/// The counter's tally as a reading.
pub(crate) fn counts(tally: Tally) -> Counts {
    Counts {
        allocs: tally.allocs,
        reallocs: tally.reallocs,
        deallocs: tally.deallocs,
        bytes: tally.bytes,
        freed_bytes: tally.freed_bytes,
    }
}

/// Whether nothing was allocated.
pub(crate) fn allocates_nothing(reading: &Reading) -> bool {
    Metric::Allocs.value(reading) == Some(0)
}
