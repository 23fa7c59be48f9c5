//! Times on one thread.

use crate::figure::Unit::{Count, Rate};
use crate::figure::{Better, Figure, Unit};
use crate::results::Cell;
use crate::tables::{CALL, Draft, ELEMENT, element_time, less, median, more, table};

/// Pairs that a workload times apart.
const PAIRS: Figure = element_time("pairs-time");

/// The page faults in the first call of a process: the least of all processes.
fn first_faults(cell: &Cell) -> Option<f64> {
    let least = cell.metrics.get("page-faults")?.first.iter().min()?;
    Some(*least as f64)
}

/// The median of a percentile of single calls, with the loop: the difference of two percentiles is
/// not that of any call.
const fn percentile(metric: &str) -> Figure<'_> {
    median(metric, Unit::Time).better(Better::Less)
}

/// Millions of blocks in a second, by the fastest time of a phase.
fn rate(cell: &Cell, time: &str) -> Option<f64> {
    Some(1e3 * cell.elements? as f64 / cell.metrics.get(time)?.min as f64)
}

const fn millions<'a>(rate: fn(&Cell) -> Option<f64>) -> Figure<'a> {
    more(rate, Rate)
}

/// All of them.
pub(super) fn tables() -> Vec<Draft<'static>> {
    vec![
        table(
            "pair-by-size",
            "One block at a time",
            "Time of a pair by size in bytes, one block live, nothing written, or every byte as \
             by `Box::new([0; N])`. An arena gives nothing back by itself; it is reset whenever \
             it has handed out 65,536 bytes.",
        )
        .of("pair/memory=untouched,size=*")
        .column("", ELEMENT)
        .of("pair/memory=filled,size=*")
        .column("written,", ELEMENT),
        table(
            "frames",
            "Batches and frames",
            "Time to take blocks and to give all of them back. A batch of 64,000 bytes: 1,000 \
             blocks of 64 bytes, 125 of 512, or one. A frame: physics has 800 blocks of 86,400 \
             bytes, particles 10,000 of 640,000, ui 200 of 32,800. An arena is reset. Touched, \
             the first byte of each block and of each 4,096 bytes is written.",
        )
        .of("batch/pattern=*")
        .column("", ELEMENT)
        .of("frame/memory=untouched,scene=*")
        .column("untouched,", ELEMENT)
        .of("frame/memory=touched,scene=*")
        .column("touched,", ELEMENT),
        table(
            "phases",
            "All taken, then all given back",
            "Time of a pair where all blocks are taken before the first is given back, and of \
             both halves, in memory that was used before: the fastest round after the first of \
             a process. Blocks of 4,096 bytes are aligned to 64; mixed are 100 to 1,000 bytes. \
             How long the first round takes depends on the memory of the machine at that \
             moment; its page faults are exact.",
        )
        .of("phases/load=*")
        .column("", PAIRS)
        .column("taking,", element_time("alloc-time"))
        .column("giving,", element_time("free-time"))
        .of("phases/load=10000x4096,load=*")
        .column("page faults of the first round,", less(first_faults, Count)),
        table(
            "throughput",
            "Blocks in a second",
            "The same rounds: millions of blocks that are taken, that are given back, and that \
             are taken and given back in a second, with the loop.",
        )
        .of("phases/load=*")
        .column("taken,", millions(|cell| rate(cell, "alloc-time")))
        .column("given,", millions(|cell| rate(cell, "free-time")))
        .column("both,", millions(|cell| rate(cell, "pairs-time"))),
        table(
            "growth",
            "Vectors that grow, and real programs",
            "Time of a resize: 64 vectors double in turns from 64 bytes to 64 KiB, every byte \
             written. One more block lies above them: without one, glibc returns the end of its \
             heap to the system each time. And the time of an event of a trace of allocations, resizes and deallocations: this \
             project reading a file of rules, and serde_json reading a document; the first byte of each block and of each 4,096 \
             bytes of it is written.",
        )
        .of("vectors")
        .column("vectors", ELEMENT)
        .of("replay/trace=*")
        .column("replay,", ELEMENT),
        table(
            "calls",
            "Single calls",
            "The 99.9th percentile and the slowest of 100,000 calls that take or give a block \
             of 16 to 2,048 bytes: the median of the processes, with the reading of the clock, \
             which the floor's row shows. The time of a pair of 500 bytes after every other one \
             of 1,000 blocks of 100 bytes was given back.",
        )
        .of("tails/call=*")
        .column("p99.9,", percentile("call-p999"))
        .column("slowest,", percentile("call-max"))
        .of("fragmentation")
        .column("fragmented", PAIRS),
        table(
            "counting-cost",
            "Cost of counting",
            "Time of 1,000 pairs of 64 bytes through a wrapper around the system's allocator, \
             on each of the threads.",
        )
        .of("wrapper/threads=*")
        .column("", CALL)
        .by("wrapper"),
        table(
            "prefetch",
            "Prefetching",
            "Time to bump 1,000 blocks of 256 bytes off an arena, with and without a prefetch \
             hint for the next one. The floor is the same loop without an arena: one block each \
             time, and no cursor is moved.",
        )
        .of("prefetch/work=*")
        .column("", CALL)
        .by("prefetch"),
    ]
}
