//! The tables of allocators.

use super::{Table, table};
use crate::results::Cell;
use crate::value::Statistic::Min;
use crate::value::Unit::{Count, Memory, Percent, Rate, Time, YesNo};
use crate::value::{
    CALL, ELEMENT, Value, derived, element_time, least, less, max, min, more, time,
};

/// Pairs that a workload times apart.
const PAIRS: Value = element_time("pairs-time", Min);

const PROGRAM: Value = time("program-time");
const PEAK: Value = least("peak-resident", Memory);
const FAULTS: Value = least("page-faults", Count);
const FIRST_FAULTS: Value = less(first_faults, Count);
const TAKEN: Value = more(|cell| rate(cell, "alloc-time"), Rate);
const GIVEN: Value = more(|cell| rate(cell, "free-time"), Rate);
const BOTH: Value = more(|cell| rate(cell, "pairs-time"), Rate);
const THROUGHPUT: Value = more(throughput, Rate);
const LIBRARIES: Value = max("shared-libraries", Count);
const OVERHEAD: Value = less(overhead_bytes, Count);
const OVERHEAD_PERCENT: Value = derived(overhead_percent, Percent);
const RESIDENT: Value = least("resident-growth", Memory);
const MAPPED: Value = min("mapped-growth", Memory);
const HUGE: Value = min("huge-growth", Memory);
const REGION: Value = less(region_percent, Percent);
const SUCCESSFUL: Value = more(successful_percent, Percent);
const REUSED: Value = max("reused", YesNo);
const COALESCED: Value = max("coalesced", YesNo);
const GROWING: Value = max("growing", YesNo);
const TOTAL: Value = max("total-bytes", Count);

pub(super) fn tables() -> Vec<Table> {
    vec![
        table(
            "Real programs",
            "Three programs of the registry, each built with the allocator as its global one: \
             pulldown-cmark renders a book of 1.0 MB, serde_json reads, sorts and writes a \
             document of 4,000 records, minijinja compiles a template and renders 1,000 records. \
             The time of one such work: on one thread the fastest of eight in a process, on two \
             the mean of eight that begin together. Peak: resident memory of the process on one \
             thread (VmHWM, which lags by up to 64 pages a core). Page faults: until it has worked \
             once.",
            &[
                ("programs/threads=1,program=*", "", PROGRAM),
                ("programs/threads=2,program=*", "2 threads,", PROGRAM),
                ("programs/threads=1,program=*", "peak,", PEAK),
                ("programs/threads=1,program=*", "page faults,", FAULTS),
            ],
        ),
        table(
            "One block at a time",
            "Time of a pair by size in bytes, one block live, nothing written, or every byte as by \
             `Box::new([0; N])`. An arena gives nothing back by itself; it is reset whenever it \
             has handed out 65,536 bytes.",
            &[
                ("pair/memory=untouched,size=*", "", ELEMENT),
                ("pair/memory=filled,size=*", "written,", ELEMENT),
            ],
        ),
        table(
            "Batches and frames",
            "Time to take blocks and to give all of them back. A batch of 64,000 bytes: 1,000 \
             blocks of 64 bytes, 125 of 512, or one. A frame: physics has 800 blocks of 86,400 \
             bytes, particles 10,000 of 640,000, ui 200 of 32,800. An arena is reset. Touched: the \
             first byte of each block and of each 4,096 bytes is written.",
            &[
                ("batch/pattern=*", "", ELEMENT),
                ("frame/memory=untouched,scene=*", "untouched,", ELEMENT),
                ("frame/memory=touched,scene=*", "touched,", ELEMENT),
            ],
        ),
        table(
            "All taken, then all given back",
            "Time of a pair where all blocks are taken before the first is given back, and of both \
             halves, in memory that was used before: the fastest round after the first of a \
             process. Blocks of 4,096 bytes are aligned to 64; mixed are 100 to 1,000 bytes. How \
             long the first round takes depends on the memory of the machine at that moment; its \
             page faults are exact.",
            &[
                ("phases/load=*", "", PAIRS),
                ("phases/load=*", "taking,", element_time("alloc-time", Min)),
                ("phases/load=*", "giving,", element_time("free-time", Min)),
                (
                    "phases/load=10000x4096,load=*",
                    "page faults of the first round,",
                    FIRST_FAULTS,
                ),
            ],
        ),
        table(
            "Blocks in a second",
            "The same rounds: millions of blocks that are taken, given back, or both in a second, \
             with the loop.",
            &[
                ("phases/load=*", "taken,", TAKEN),
                ("phases/load=*", "given,", GIVEN),
                ("phases/load=*", "both,", BOTH),
            ],
        ),
        table(
            "Vectors that grow, and recorded programs",
            "Time of a resize: 64 vectors double in turns from 64 bytes to 64 KiB, every byte \
             written; one more block lies above them, without which glibc returns the end of its heap to the system each time. An allocator that extends a block in place, or moves its pages, need not \
             copy. Then the time of an event of a trace of allocations, resizes and deallocations: \
             this project reading a file of rules, and serde_json reading a document; the first \
             byte of each block and of each 4,096 bytes is written.",
            &[
                ("vectors", "vectors", ELEMENT),
                ("replay/trace=*", "replay,", ELEMENT),
            ],
        ),
        table(
            "Single calls",
            "The 99.9th percentile and the slowest of 100,000 calls that take or give a block of \
             16 to 2,048 bytes: the least of the processes, clock included; the floor's row shows \
             the clock. The time of a pair of 500 bytes after every other one of 1,000 blocks of \
             100 bytes was given back.",
            &[
                ("tails/call=*", "p99.9,", least("call-p999", Time)),
                ("tails/call=*", "slowest,", least("call-max", Time)),
                ("fragmentation", "fragmented", PAIRS),
            ],
        ),
        table(
            "Several threads",
            "Time of a pair on all threads at once, from the first beginning to the last end, \
             divided by the pairs of one thread; of 64 bytes, and of 16 to 2,048; nothing is \
             written. Then the pairs of all threads in a microsecond, with their loop. Handover: \
             the time of a block of 16 to 2,048 bytes; one thread takes and writes all blocks, the \
             second verifies and gives back this percentage of them. A server: the time of a \
             request; each thread replaces random blocks of 16 to 1,000 bytes of its own 500. A burst: 4 threads take 1,000 blocks each \
             of 1 to 64 KiB, write every byte, read it back, and give all back.",
            &[
                ("concurrent/sizes=64,threads=*", "64 bytes,", ELEMENT),
                ("concurrent/sizes=mixed,threads=*", "mixed,", ELEMENT),
                (
                    "concurrent/sizes=mixed,threads=*",
                    "mixed, pairs/µs,",
                    THROUGHPUT,
                ),
                ("handover/remote=*", "handover,", ELEMENT),
                ("server/threads=*", "server,", ELEMENT),
                ("burst/threads=*", "burst,", CALL),
                ("burst/threads=*", "burst, CPU time,", time("cpu-time")),
            ],
        ),
        table(
            "Resident memory",
            "100,000 steps replace random blocks of 16 to 4,096 bytes. Then 10,000 blocks are live, \
             and in the end 5,000, after random ones were given back: the growth of the process's \
             resident memory in percent of the live bytes, and in huge pages.",
            &[
                ("resident", "10,000 live", less(full_percent, Percent)),
                ("resident", "5,000 live", less(half_percent, Percent)),
                ("resident", "in huge pages", min("half-huge", Memory)),
            ],
        ),
        table(
            "Building a program",
            "The time of `cargo build --release --jobs 1` from nothing, the size of the program \
             without symbols, and how many shared libraries it needs to start. The floor is cargo \
             alone, which finds nothing to build. Each is built once.",
            &[
                ("compilation", "build", time("build-time")),
                ("compilation", "program", least("program-bytes", Memory)),
                ("compilation", "shared libraries", LIBRARIES),
            ],
        ),
        table(
            "Waste of blocks",
            "The share of the memory of 1,000 blocks that was not requested, by size, alignment 1; \
             mix is 7, 31 and 63 bytes, one after the other. The time to take them again, after as \
             many were given back. The bytes beside 1,000 blocks of 1,024, alignment 8.",
            &[
                ("waste/align=1,size=*", "", less(waste_percent, Percent)),
                ("waste/align=1,size=*", "time,", time("again-time")),
                ("waste/align=8,size=1024", "beside 1,000 x 1,024", OVERHEAD),
                ("waste/align=8,size=1024", "overhead", OVERHEAD_PERCENT),
            ],
        ),
        table(
            "Memory of a thread and of a process",
            "The growth of the process's memory for a thread that takes and writes a block of each \
             of eight sizes, 16 to 2,048 bytes: an eighth of what eight threads take. The growth \
             of a new process from before the allocator is opened until it has such blocks. The \
             rows of the floors show the thread itself, and are not subtracted.",
            &[
                ("overhead/of=thread", "thread, resident", RESIDENT),
                ("overhead/of=thread", "thread, mapped", MAPPED),
                ("overhead/of=process", "process, resident", RESIDENT),
                ("overhead/of=process", "process, mapped", MAPPED),
                ("overhead/of=process", "process, in huge pages", HUGE),
            ],
        ),
        table(
            "In a fixed region",
            "The smallest region, of all multiples of 256 bytes, that serves a recorded program, \
             in percent of the most bytes that are live in it. Filled: how much of a region of \
             1 MiB was handed out when the first request was refused, of blocks of 16 to 2,048 \
             bytes; of 24, 40, 100 and 300; or of the sizes that a recorded program requests. Both \
             are exact.",
            &[
                ("smallest-region/trace=*", "smallest region,", REGION),
                ("fill/sizes=*", "filled,", more(granted_percent, Percent)),
            ],
        ),
        table(
            "Architecture",
            "Measured. Reuses: the next block of 64 bytes has the address of the one just freed. \
             Joins: a block of 65,536 bytes lies where 256 blocks of 1,024 bytes were just freed. \
             More memory: a block of more than 512 MiB succeeds; no fixed region has that much. \
             Header: the bytes of each block besides the requested ones.",
            &[
                ("architecture", "for several threads", max("shared", YesNo)),
                ("architecture", "reuses a freed block at once", REUSED),
                ("architecture", "joins freed neighbours", COALESCED),
                ("architecture", "asks for more memory", GROWING),
                ("architecture", "header, bytes", max("header-bytes", Count)),
            ],
        ),
        table(
            "Alignment, large blocks and stress",
            "Alignment: blocks of 1 to 65,536 bytes, aligned to 16 to 1,024, 64 of each, all live \
             at once. Large blocks: every byte is written and read back. \
             Stress: 10,000 steps by the Mersenne Twister of seed 42; two of three take a block of \
             1 to 65,536 bytes and fill it, the third verifies a random one and gives it back. A \
             burst: 4,000 blocks of 1 to 64 KiB on 4 threads.",
            &[
                ("alignment", "addresses", max("addresses", Count)),
                ("alignment", "aligned", min("aligned", Count)),
                ("large/mebibytes=*", "successful,", SUCCESSFUL),
                ("stress", "stress: allocations", max("allocations", Count)),
                ("stress", "peak, blocks", max("most-blocks", Count)),
                ("stress", "live at the end, bytes", max("live-bytes", Count)),
                ("stress", "allocated in all, bytes", TOTAL),
                ("stress", "time", CALL),
                ("burst", "burst: successful", min("successful", Count)),
            ],
        ),
        table(
            "The cost of counting",
            "Time of 1,000 pairs of 64 bytes through a wrapper around the system's allocator, on \
             each of the threads. Where code lies in a program moves such a ratio by some percent, \
             which `none-again` can't show; [performance.md](../../design/performance.md) has the \
             same in instructions, which are exact.",
            &[("wrapper/threads=*", "", CALL)],
        )
        .by("wrapper"),
        table(
            "Prefetching",
            "Time to bump 1,000 blocks of 256 bytes off an arena, with and without a prefetch hint \
             for the next one. The floor is the same loop without an arena: one block each time, \
             and no cursor is moved.",
            &[("prefetch/work=*", "", CALL)],
        )
        .by("prefetch"),
    ]
}

/// The smallest value of a metric; most metrics have the same in every call.
fn smallest(cell: &Cell, name: &str) -> Option<f64> {
    Some(cell.metrics.get(name)?.min as f64)
}

/// A metric in percent of another one.
fn percent(cell: &Cell, part: &str, whole: &str) -> Option<f64> {
    Some(100.0 * smallest(cell, part)? / smallest(cell, whole)?)
}

/// The page faults in the first call of a process: the least of all processes.
fn first_faults(cell: &Cell) -> Option<f64> {
    let least = cell.metrics.get("page-faults")?.first.iter().min()?;
    Some(*least as f64)
}

/// Millions of blocks in a second, by the fastest time of a phase.
fn rate(cell: &Cell, time: &str) -> Option<f64> {
    Some(1e3 * cell.elements? as f64 / smallest(cell, time)?)
}

/// The pairs of all threads in a microsecond.
fn throughput(cell: &Cell) -> Option<f64> {
    let pairs = cell.elements? * cell.threads_at_work();
    Some(1e3 * pairs as f64 / cell.headline()?)
}

/// The resident memory in percent of the live bytes, after all steps.
fn full_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "full-growth", "full-bytes")
}

/// The same after half of the blocks were given back.
pub fn half_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "half-growth", "half-bytes")
}

/// The memory that blocks take beside the requested bytes.
fn overhead_bytes(cell: &Cell) -> Option<f64> {
    Some(smallest(cell, "consumed-bytes")? - smallest(cell, "requested-bytes")?)
}

/// The share of the consumed bytes that was not requested.
fn waste_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 - percent(cell, "requested-bytes", "consumed-bytes")?)
}

/// The overhead in percent of the requested bytes.
fn overhead_percent(cell: &Cell) -> Option<f64> {
    Some(percent(cell, "consumed-bytes", "requested-bytes")? - 100.0)
}

/// The share of the requests that succeeded.
fn successful_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "successful", "requests")
}

/// The smallest region that serves a program, in percent of the most bytes that are live in it.
pub fn region_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "smallest-bytes", "peak-live-bytes")
}

/// The share of a region that was handed out.
pub fn granted_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "granted-bytes", "region-bytes")
}
