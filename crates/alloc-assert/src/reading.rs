//! A measurement of the counter as a [`Reading`], from which metrics are computed.

use alloc_requirement::{Counts, Metric, NativeCounts, Reading};
use counting_alloc::{Measured, NativeTally, Tally};

/// A measurement as a reading.
pub fn reading<T>(measured: &Measured<T>) -> Reading {
    Reading {
        counts: counts(measured.tally),
        peak_bytes: measured.peak_bytes,
        native: measured.native.map(native_counts).map(Box::new),
    }
}

/// The counter's tally as a reading.
pub fn counts(tally: Tally) -> Counts {
    Counts {
        allocs: tally.allocs,
        reallocs: tally.reallocs,
        deallocs: tally.deallocs,
        bytes: tally.bytes,
        freed_bytes: tally.freed_bytes,
    }
}

/// The counter's tally of C code as a reading.
pub fn native_counts(tally: NativeTally) -> NativeCounts {
    NativeCounts {
        allocs: tally.allocs,
        bytes: tally.bytes,
        reallocs: tally.reallocs,
        realloc_bytes: tally.realloc_bytes,
        frees: tally.frees,
        failed: tally.failed,
    }
}

/// Whether nothing was allocated.
pub fn allocates_nothing(reading: &Reading) -> bool {
    Metric::Allocs.value(reading) == Some(0)
}
