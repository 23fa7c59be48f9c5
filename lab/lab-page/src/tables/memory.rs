//! Tables of memory over time and of fixed heaps.

use std::borrow::Cow;

use crate::figure::{Better, Figure, Statistic, Unit};
use crate::tables::{Columns, Figures, Table, full_percent, granted_percent, half_percent};

/// All of them.
pub(super) const TABLES: [Table; 5] = [
    Table {
        name: "resident",
        title: Cow::Borrowed("Resident memory after churn"),
        caption: "100,000 steps replace random blocks of 16 to 4,096 bytes. Then 10,000 blocks are \
              live, and in the end 5,000, after random ones were given back: the growth of the \
              process's resident memory, and how much that is of the live bytes.",
        workload: "resident",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("live, bytes", "full-bytes", Statistic::Min, Unit::Bytes),
            Figure::metric("resident", "full-growth", Statistic::Min, Unit::Memory),
            Figure::derived("of the live bytes", full_percent, Unit::Percent).better(Better::Less),
            Figure::metric(
                "half live, bytes",
                "half-bytes",
                Statistic::Min,
                Unit::Bytes,
            ),
            Figure::metric(
                "half: resident",
                "half-growth",
                Statistic::Min,
                Unit::Memory,
            ),
            Figure::derived("half: of the live bytes", half_percent, Unit::Percent)
                .better(Better::Less),
        ]),
    },
    Table {
        name: "churn",
        title: Cow::Borrowed("Memory over time"),
        caption: "A heap of 32 MiB in phases: 1 filled with blocks of 256 to 4,096 bytes, 2 emptied by \
              90 %, 3 filled with 4,096 to 65,536 bytes, 4 emptied by 90 %, 5 filled with 128 to \
              2,048 bytes, 6 emptied. After each: the live bytes, the growth of the process's \
              resident memory since the beginning, and the page faults so far.",
        workload: "churn",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("phase"),
        figures: Figures::Listed(&[
            Figure::metric("live bytes", "live-bytes", Statistic::Min, Unit::Memory),
            Figure::metric(
                "resident growth",
                "resident-growth",
                Statistic::Min,
                Unit::Memory,
            )
            .better(Better::Less),
            Figure::metric("page faults", "minor-faults", Statistic::Min, Unit::Count)
                .better(Better::Less),
        ]),
    },
    Table {
        name: "kept",
        title: Cow::Borrowed("Memory that is kept"),
        caption: "The memory by which the process has grown after 64 MiB in blocks of 65,536 bytes were \
              taken, written and given back: at once, and after a wait. Meanwhile, 64 of these \
              blocks are taken and given back a hundred times a second, unwritten: some \
              allocators return memory only in such calls.",
        workload: "kept",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("after"),
        figures: Figures::Listed(&[Figure::metric(
            "keeps of 64 MiB",
            "kept-bytes",
            Statistic::P50,
            Unit::Memory,
        )
        .better(Better::Less)]),
    },
    Table {
        name: "system-calls",
        title: Cow::Borrowed("System calls"),
        caption: "The system calls of 1,000 pairs of one size, after a warm-up.",
        workload: "system-calls",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("size"),
        figures: Figures::Listed(&[Figure::metric(
            "system calls",
            "system-calls",
            Statistic::Max,
            Unit::Count,
        )
        .better(Better::Less)]),
    },
    Table {
        name: "fill",
        title: Cow::Borrowed("Filling a fixed heap"),
        caption: "How much of a region of 1 MiB was handed out when the first request was refused: \
              blocks of 16, 64 or 1,024 bytes; of 16 to 2,048; of 24, 40, 100 and 300; or of the \
              sizes that a real program requests.",
        workload: "fill",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("sizes"),
        figures: Figures::Listed(&[
            Figure::derived("granted", granted_percent, Unit::Percent).better(Better::More)
        ]),
    },
];
