//! The numbers of one iteration, in records.

use alloc_requirement::{Counts, NativeCounts, Reading, Unit};

use crate::json::{ToJson, object};

object!(Counts {
    "allocs" Required allocs,
    "reallocs" Required reallocs,
    "deallocs" Required deallocs,
    "bytes" Required bytes,
    "freed-bytes" Required freed_bytes,
});

object!(NativeCounts {
    "allocs" Required allocs,
    "bytes" Required bytes,
    "reallocs" Required reallocs,
    "realloc-bytes" Required realloc_bytes,
    "frees" Required frees,
    "failed" Required failed,
});

object!(Reading {
    "counts" Required counts,
    "peak-bytes" Optional peak_bytes,
    "native" Omitted native,
});

/// By name.
impl ToJson for Unit {
    fn write(&self, out: &mut String) {
        self.name().write(out);
    }
}
