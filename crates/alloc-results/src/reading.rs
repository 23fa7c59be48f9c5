//! The numbers of one iteration, in records.

use alloc_requirement::{Counts, Reading, Unit};

use crate::json::{ToJson, object};

object!(Counts {
    "allocs" Required allocs,
    "reallocs" Required reallocs,
    "deallocs" Required deallocs,
    "bytes" Required bytes,
    "freed-bytes" Required freed_bytes,
});

object!(Reading {
    "counts" Required counts,
    "peak-bytes" Optional peak_bytes,
});

/// By name.
impl ToJson for Unit {
    fn write(&self, out: &mut String) {
        self.name().write(out);
    }
}
