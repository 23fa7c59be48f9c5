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
        alloc_bytes: tally.alloc_bytes,
        deallocs: tally.deallocs,
        dealloc_bytes: tally.dealloc_bytes,
        grows: tally.grows,
        grow_bytes: tally.grow_bytes,
        shrinks: tally.shrinks,
        shrink_bytes: tally.shrink_bytes,
        failed: tally.failed,
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

/// Whether there was no call that returned new memory.
pub fn allocates_nothing(reading: &Reading) -> bool {
    Metric::AllocCalls.value(reading) == Some(0)
}
