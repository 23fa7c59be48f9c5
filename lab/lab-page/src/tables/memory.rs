//! Memory that the system provides, and memory that blocks take.

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::results::Cell;
use crate::tables::{Table, column, granted_percent, percent, smallest};

/// The memory that blocks take beside the requested bytes.
fn overhead_bytes(cell: &Cell) -> Option<f64> {
    Some(smallest(cell, "consumed-bytes")? - smallest(cell, "requested-bytes")?)
}

/// The share of the consumed bytes that was not requested.
fn waste_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 * overhead_bytes(cell)? / smallest(cell, "consumed-bytes")?)
}

/// The share of the consumed bytes that was requested.
fn efficiency_percent(cell: &Cell) -> Option<f64> {
    Some(100.0 - waste_percent(cell)?)
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
fn half_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "half-growth", "half-bytes")
}

/// Bytes of which less is better.
pub(super) const fn memory<'a>(metric: &'a str) -> Figure<'a> {
    Figure::metric("", metric, Statistic::Min, Unit::Memory).better(Better::Less)
}

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![
        Table {
            name: "memory",
            title: String::from("Resident memory over time"),
            caption: "100,000 steps replace random blocks of 16 to 4,096 bytes. Then 10,000 blocks are \
                  live, and in the end 5,000, after random ones were given back: the growth of the \
                  process's resident memory in percent of the live bytes, and in huge pages. Then a \
                  heap of 32 MiB in phases, 1 filled with blocks of 256 to 4,096 bytes, 2 emptied by \
                  90 %, 3 filled with 4,096 to 65,536 bytes, 4 emptied by 90 %, 5 filled with 128 to \
                  2,048 bytes, 6 emptied: the growth after each, and after the fifth in huge pages.",
            rows: "subject",
            columns: vec![
                column(
                    "10,000 live",
                    "resident",
                    Figure::derived("", full_percent, Unit::Percent).better(Better::Less),
                ),
                column(
                    "5,000 live",
                    "resident",
                    Figure::derived("", half_percent, Unit::Percent).better(Better::Less),
                ),
                column(
                    "in huge pages",
                    "resident",
                    Figure::metric("", "half-huge", Statistic::Min, Unit::Memory),
                ),
                column("", "churn", memory("resident-growth")).over("phase"),
                column(
                    "in huge pages,",
                    "churn",
                    Figure::metric("", "huge-growth", Statistic::Min, Unit::Memory),
                )
                .only(&[("phase", "5")])
                .over("phase"),
            ],
        },
        Table {
            name: "short-program",
            title: String::from("Short programs, and building them"),
            caption: "The traces of real programs once in a process, the first byte of each 4,096 bytes \
                  written: the pages that the system provides, and the memory that the process \
                  keeps. The time of `cargo build --release --jobs 1` from nothing, the size of the \
                  program without symbols, and how many shared libraries it needs to start; its \
                  floor is cargo alone, which finds nothing to build.",
            rows: "subject",
            columns: vec![
                column(
                    "page faults,",
                    "once",
                    Figure::metric("", "page-faults", Statistic::Min, Unit::Count)
                        .better(Better::Less),
                )
                .over("trace"),
                column("kept,", "once", memory("resident-growth")).over("trace"),
                column(
                    "build",
                    "compilation",
                    Figure::time_metric("", "build-time", Per::Call),
                ),
                column("program", "compilation", memory("program-bytes")),
                column(
                    "shared libraries",
                    "compilation",
                    Figure::metric("", "shared-libraries", Statistic::Max, Unit::Count),
                ),
            ],
        },
        Table {
            name: "waste",
            title: String::from("Waste of blocks"),
            caption: "The share of the memory of 1,000 blocks that was not requested, by size, alignment 1; \
                  mix is 7, 31 and 63 bytes, one after the other. The time to take them again, after \
                  as many were given back. The bytes beside 1,000 blocks of 1,024, alignment 8. The \
                  share of the memory for the sizes that a real program requests, which was \
                  requested.",
            rows: "subject",
            columns: vec![
                column(
                    "",
                    "waste",
                    Figure::derived("", waste_percent, Unit::Percent).better(Better::Less),
                )
                .only(&[("align", "1")])
                .over("size"),
                column(
                    "time,",
                    "waste",
                    Figure::time_metric("", "again-time", Per::Call),
                )
                .only(&[("align", "1")])
                .over("size"),
                column(
                    "beside 1,000 x 1,024",
                    "waste",
                    Figure::derived("", overhead_bytes, Unit::Bytes).better(Better::Less),
                )
                .only(&[("align", "8"), ("size", "1024")]),
                column(
                    "overhead",
                    "waste",
                    Figure::derived("", overhead_percent, Unit::Percent),
                )
                .only(&[("align", "8"), ("size", "1024")]),
                column(
                    "real sizes, efficiency",
                    "waste",
                    Figure::derived("", efficiency_percent, Unit::Percent).better(Better::More),
                )
                .only(&[("align", "8"), ("size", "recorded")]),
            ],
        },
        Table {
            name: "overhead",
            title: String::from("Memory of a thread and of a process"),
            caption: "The growth of the process's memory for a thread that takes and writes a block of \
                  each of eight sizes, 16 to 2,048 bytes: an eighth of that of eight threads. The \
                  growth of a new process from before the allocator is opened until it has such \
                  blocks. The rows of the floors show the thread itself, and are not subtracted.",
            rows: "subject",
            columns: vec![
                column("thread, resident", "overhead", memory("resident-growth"))
                    .only(&[("of", "thread")]),
                column(
                    "thread, mapped",
                    "overhead",
                    Figure::metric("", "mapped-growth", Statistic::Min, Unit::Memory),
                )
                .only(&[("of", "thread")]),
                column("process, resident", "overhead", memory("resident-growth"))
                    .only(&[("of", "process")]),
                column(
                    "process, mapped",
                    "overhead",
                    Figure::metric("", "mapped-growth", Statistic::Min, Unit::Memory),
                )
                .only(&[("of", "process")]),
                column(
                    "process, in huge pages",
                    "overhead",
                    Figure::metric("", "huge-growth", Statistic::Min, Unit::Memory),
                )
                .only(&[("of", "process")]),
            ],
        },
        Table {
            name: "fill",
            title: String::from("Filling a fixed heap"),
            caption: "How much of a region of 1 MiB was handed out when the first request was refused: \
                  blocks of 16, 64 or 1,024 bytes; of 16 to 2,048; of 24, 40, 100 and 300; or of the \
                  sizes that a real program requests.",
            rows: "subject",
            columns: vec![
                column(
                    "",
                    "fill",
                    Figure::derived("", granted_percent, Unit::Percent).better(Better::More),
                )
                .over("sizes"),
            ],
        },
    ]
}
