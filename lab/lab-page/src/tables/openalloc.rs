//! The tables of OpenAlloc's results.

use std::borrow::Cow;

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::tables::{Columns, Figures, Table, overhead_bytes, overhead_percent};

/// In the order of the report.
pub(super) const TABLES: [Table; 7] = [
    Table {
        name: "results",
        title: Cow::Borrowed("All taken, then all given back"),
        caption: "Time of a pair where all blocks are taken before the first is given back: 100,000 of \
              16 bytes, 10,000 of 1,024, 1,000 of 10,240, 50,000 of 100 to 1,000. The fastest \
              round after the first.",
        workload: "phases",
        only: &[(
            "load",
            &["100000x16", "10000x1024", "1000x10240", "50000xmixed"],
        )],
        rows: "subject",
        columns: Columns::Axis("load"),
        figures: Figures::Listed(&[Figure::time_metric("a pair", "pairs-time", Per::Element)]),
    },
    Table {
        name: "fragmentation",
        title: Cow::Borrowed("Fragmentation"),
        caption: "Time of a pair of 500 bytes after 1,000 blocks of 100 bytes were taken and every \
              other one given back.",
        workload: "fragmentation",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[Figure::time_metric("a pair", "pairs-time", Per::Element)]),
    },
    Table {
        name: "malloc-by-size",
        title: Cow::Borrowed("Allocation alone"),
        caption: "The first phase alone, per block.",
        workload: "phases",
        only: &[("load", &["100000x16", "10000x1024", "1000x10240"])],
        rows: "subject",
        columns: Columns::Axis("load"),
        figures: Figures::Listed(&[
            Figure::time_metric("a block", "alloc-time", Per::Element),
            Figure::first("page faults of the first call", "page-faults"),
        ]),
    },
    Table {
        name: "free-by-size",
        title: Cow::Borrowed("Deallocation alone"),
        caption: "The second phase alone, per block.",
        workload: "phases",
        only: &[("load", &["100000x16", "10000x1024", "1000x10240"])],
        rows: "subject",
        columns: Columns::Axis("load"),
        figures: Figures::Listed(&[Figure::time_metric("a block", "free-time", Per::Element)]),
    },
    Table {
        name: "architecture",
        title: Cow::Borrowed("Architecture"),
        caption: "Reuses: the next block of 64 bytes has the address of the one just freed. Joins: a \
              block of 65,536 bytes lies where 256 blocks of 1,024 bytes were just freed. More \
              memory: a block of more than 512 MiB succeeds; no fixed region has that much. \
              Header: the bytes of each block besides the requested ones.",
        workload: "architecture",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("for several threads", "shared", Statistic::Max, Unit::YesNo),
            Figure::metric(
                "reuses a freed block at once",
                "reused",
                Statistic::Max,
                Unit::YesNo,
            ),
            Figure::metric(
                "joins freed neighbours",
                "coalesced",
                Statistic::Max,
                Unit::YesNo,
            ),
            Figure::metric(
                "asks for more memory",
                "growing",
                Statistic::Max,
                Unit::YesNo,
            ),
            Figure::metric("header, bytes", "header-bytes", Statistic::Max, Unit::Bytes),
        ]),
    },
    Table {
        name: "efficiency",
        title: Cow::Borrowed("Memory efficiency"),
        caption: "1,000 blocks of 1,024 bytes with alignment 8.",
        workload: "waste",
        only: &[("size", &["1024"]), ("align", &["8"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::derived("beside 1,000 blocks, bytes", overhead_bytes, Unit::Bytes)
                .better(Better::Less),
            Figure::derived("overhead", overhead_percent, Unit::Percent),
        ]),
    },
    Table {
        name: "compilation",
        title: Cow::Borrowed("Compilation"),
        caption: "Time of `cargo build --release --jobs 1` from nothing, the size of the program \
              without symbols, and how many shared libraries it needs to start. The floor is cargo \
              alone: asked for the baseline's program once more, right after it was built, it \
              finds nothing to build.",
        workload: "compilation",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::time_metric("build", "build-time", Per::Call),
            Figure::metric("program", "program-bytes", Statistic::Min, Unit::Memory)
                .better(Better::Less),
            Figure::metric(
                "shared libraries",
                "shared-libraries",
                Statistic::Max,
                Unit::Count,
            ),
        ]),
    },
];
