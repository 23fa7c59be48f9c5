//! Memory that the system provides, and memory that blocks take.

use crate::figure::Unit::{Bytes, Count, Memory, Percent};
use crate::results::Cell;
use crate::tables::{Draft, derived, least, less, max, min, percent, smallest, table, time};

/// The memory that blocks take beside the requested bytes.
fn overhead_bytes(cell: &Cell) -> Option<f64> {
    Some(smallest(cell, "consumed-bytes")? - smallest(cell, "requested-bytes")?)
}

/// The share of the consumed bytes that was not requested.
fn waste_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 * overhead_bytes(cell)? / smallest(cell, "consumed-bytes")?)
}

/// The overhead in percent of the requested bytes.
fn overhead_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 * overhead_bytes(cell)? / smallest(cell, "requested-bytes")?)
}

/// The resident memory in percent of the live bytes, after churn.
fn full_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "full-growth", "full-bytes")
}

/// The same after half of the blocks were given back.
pub(crate) fn half_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "half-growth", "half-bytes")
}

/// All of them.
pub(super) fn tables() -> Vec<Draft<'static>> {
    vec![
        table(
            "memory",
            "Resident memory over time",
            "100,000 steps replace random blocks of 16 to 4,096 bytes. Then 10,000 blocks are \
             live, and in the end 5,000, after random ones were given back: the growth of the \
             process's resident memory in percent of the live bytes, and in huge pages.",
        )
        .of("resident")
        .column("10,000 live", less(full_percent, Percent))
        .column("5,000 live", less(half_percent, Percent))
        .column("in huge pages", min("half-huge", Memory)),
        table(
            "compilation",
            "Building a program",
            "The time of `cargo build --release --jobs 1` from nothing, the size of the program \
             without symbols, and how many shared libraries it needs to start; its floor is \
             cargo alone, which finds nothing to build. Each is built once.",
        )
        .of("compilation")
        .column("build", time("build-time"))
        .column("program", least("program-bytes", Memory))
        .column("shared libraries", max("shared-libraries", Count)),
        table(
            "waste",
            "Waste of blocks",
            "The share of the memory of 1,000 blocks that was not requested, by size, alignment \
             1; mix is 7, 31 and 63 bytes, one after the other. The time to take them again, \
             after as many were given back. The bytes beside 1,000 blocks of 1,024, alignment \
             8.",
        )
        .of("waste/align=1,size=*")
        .column("", less(waste_percent, Percent))
        .column("time,", time("again-time"))
        .of("waste/align=8,size=1024")
        .column("beside 1,000 x 1,024", less(overhead_bytes, Bytes))
        .column("overhead", derived(overhead_percent, Percent)),
        table(
            "overhead",
            "Memory of a thread and of a process",
            "The growth of the process's memory for a thread that takes and writes a block of \
             each of eight sizes, 16 to 2,048 bytes: an eighth of that of eight threads. The \
             growth of a new process from before the allocator is opened until it has such \
             blocks. The rows of the floors show the thread itself, and are not subtracted.",
        )
        .of("overhead/of=thread")
        .column("thread, resident", least("resident-growth", Memory))
        .column("thread, mapped", min("mapped-growth", Memory))
        .of("overhead/of=process")
        .column("process, resident", least("resident-growth", Memory))
        .column("process, mapped", min("mapped-growth", Memory))
        .column("process, in huge pages", min("huge-growth", Memory)),
    ]
}
