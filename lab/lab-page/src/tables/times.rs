//! Times on one thread.

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::results::Cell;
use crate::tables::{Table, column};

/// A pair, an event or another element.
const ELEMENT: Figure = Figure::time("an element", Per::Element);

/// Pairs that a workload times apart.
const PAIRS: Figure = Figure::time_metric("a pair", "pairs-time", Per::Element);

/// Millions of blocks in a second, by the fastest time of a phase.
fn rate(cell: &Cell, time: &str) -> Option<f64> {
    Some(1e3 * cell.elements? as f64 / cell.metrics.get(time)?.min as f64)
}

const fn millions<'a>(rate: fn(&Cell) -> Option<f64>) -> Figure<'a> {
    Figure::derived("", rate, Unit::Rate).better(Better::More)
}

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![
        Table {
            name: "pair-by-size",
            title: String::from("One block at a time"),
            caption: "Time of a pair by size in bytes, one block live, nothing written. An arena gives \
                  nothing back by itself; it is reset whenever it has handed out 65,536 bytes.",
            rows: "subject",
            columns: vec![
                column("", "pair", ELEMENT)
                    .only(&[("memory", "untouched")])
                    .over("size"),
            ],
        },
        Table {
            name: "frames",
            title: String::from("Batches and frames"),
            caption: "Time to take blocks and to give all of them back. A batch of 64,000 bytes: 1,000 \
                  blocks of 64 bytes, 125 of 512, or one. A frame: physics has 800 blocks of 86,400 \
                  bytes, particles 10,000 of 640,000, ui 200 of 32,800. An arena is reset. Touched, \
                  the first byte of each block and of each 4,096 bytes is written.",
            rows: "subject",
            columns: vec![
                column("", "batch", ELEMENT).over("pattern"),
                column("untouched,", "frame", ELEMENT)
                    .only(&[("memory", "untouched")])
                    .over("scene"),
                column("touched,", "frame", ELEMENT)
                    .only(&[("memory", "touched")])
                    .over("scene"),
            ],
        },
        Table {
            name: "phases",
            title: String::from("All taken, then all given back"),
            caption: "Time of a pair where all blocks are taken before the first is given back, in memory \
                  that was used before: the fastest round after the first of a process. Blocks of \
                  4,096 bytes are aligned to 64; mixed are 100 to 1,000 bytes. How long the first \
                  round takes depends on the memory of the machine at that moment; its page faults \
                  are exact.",
            rows: "subject",
            columns: vec![
                column("", "phases", PAIRS).over("load"),
                column(
                    "page faults of the first round,",
                    "phases",
                    Figure::first("page faults", "page-faults"),
                )
                .only(&[("load", "10000x4096")])
                .over("load"),
            ],
        },
        Table {
            name: "phases-apart",
            title: String::from("Allocation and deallocation apart"),
            caption: "Both phases of the same rounds, per block.",
            rows: "subject",
            columns: vec![
                column(
                    "taking,",
                    "phases",
                    Figure::time_metric("", "alloc-time", Per::Element),
                )
                .over("load"),
                column(
                    "giving,",
                    "phases",
                    Figure::time_metric("", "free-time", Per::Element),
                )
                .over("load"),
            ],
        },
        Table {
            name: "throughput",
            title: String::from("Blocks in a second"),
            caption: "Both phases of the same rounds: millions of blocks that are taken, that are given \
                  back, and that are taken and given back in a second, with the loop.",
            rows: "subject",
            columns: vec![
                column(
                    "taken,",
                    "phases",
                    millions(|cell| rate(cell, "alloc-time")),
                )
                .over("load"),
                column("given,", "phases", millions(|cell| rate(cell, "free-time"))).over("load"),
                column("both,", "phases", millions(|cell| rate(cell, "pairs-time"))).over("load"),
            ],
        },
        Table {
            name: "growth",
            title: String::from("Vectors that grow, and real programs"),
            caption: "Time of a resize: 64 vectors double in turns from 64 bytes to 64 KiB, every byte \
                  written; one block doubles from 16 bytes to 1 MiB, two do so in turns, or one \
                  halves from 1 MiB to 16 bytes, nothing written. One more block lies above them: \
                  without one, glibc returns the end of its heap to the system each time. And the \
                  time of an event of a trace of allocations, resizes and deallocations: this \
                  project reading a file of rules, and serde_json reading a document.",
            rows: "subject",
            columns: vec![
                column("vectors", "vectors", ELEMENT),
                column("", "realloc", ELEMENT)
                    .only(&[("memory", "untouched")])
                    .over("change"),
                column("replay, touched,", "replay", ELEMENT)
                    .only(&[("memory", "touched")])
                    .over("trace"),
                column("replay, untouched,", "replay", ELEMENT)
                    .only(&[("memory", "untouched")])
                    .over("trace"),
            ],
        },
        Table {
            name: "calls",
            title: String::from("Single calls"),
            caption: "The 99.9th percentile and the slowest of 100,000 calls that take or give a block of \
                  16 to 2,048 bytes: the median of the processes, with the reading of the clock, \
                  which the floor's row shows. The time of a pair of 500 bytes after every other one \
                  of 1,000 blocks of 100 bytes was given back. The instructions of 1,000 pairs of 64 \
                  bytes, with the loop, counted by valgrind: they have no noise.",
            rows: "subject",
            columns: vec![
                column(
                    "p99.9,",
                    "tails",
                    Figure::median_time_metric("", "call-p999", Per::Call).gross(),
                )
                .over("call"),
                column(
                    "slowest,",
                    "tails",
                    Figure::median_time_metric("", "call-max", Per::Call).gross(),
                )
                .over("call"),
                column("fragmented", "fragmentation", PAIRS),
                column(
                    "instructions,",
                    "instructions",
                    Figure::metric("", "instructions", Statistic::Min, Unit::Count)
                        .better(Better::Less),
                )
                .over("loop"),
            ],
        },
        Table {
            name: "counting-cost",
            title: String::from("Cost of counting"),
            caption: "Time of 1,000 pairs of 64 bytes through a wrapper around the system's allocator, on \
                  each of the threads.",
            rows: "wrapper",
            columns: vec![column("", "wrapper", Figure::time("", Per::Call)).over("threads")],
        },
        Table {
            name: "prefetch",
            title: String::from("Prefetching"),
            caption: "Time to bump 1,000 blocks of 256 bytes off an arena, with and without a prefetch \
                  hint for the next one. The floor is the same loop without an arena: one block each \
                  time, and no cursor is moved.",
            rows: "prefetch",
            columns: vec![column("", "prefetch", Figure::time("", Per::Call)).over("work")],
        },
    ]
}
