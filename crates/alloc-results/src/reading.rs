//! The numbers of one iteration, in records.

use alloc_requirement::{Counts, NativeCounts, Reading, Unit};

use crate::json::{ToJson, object};

object!(Counts {
    "allocs" Required allocs,
    "alloc-bytes" Required alloc_bytes,
    "deallocs" Required deallocs,
    "dealloc-bytes" Required dealloc_bytes,
    "grows" Required grows,
    "grow-bytes" Required grow_bytes,
    "shrinks" Required shrinks,
    "shrink-bytes" Required shrink_bytes,
    "failed" Required failed,
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
