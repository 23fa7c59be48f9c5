//! The tables of XSigma's report.

use std::borrow::Cow;

use crate::figure::{Figure, Per, Statistic, Unit};
use crate::tables::{Columns, Figures, Table, aligned_percent, successful_percent};

/// In the order of the report.
pub(super) const TABLES: [Table; 7] = [
    Table {
        name: "speed-4k",
        title: Cow::Borrowed("10,000 blocks of 4 KiB"),
        caption: "Time to take 10,000 blocks of 4,096 bytes aligned to 64, and to give them back in \
              the same order, in memory that was used before: the fastest round after the first of a \
              process. How long the first one takes depends on the memory of the machine at that \
              moment; its page faults are exact.",
        workload: "phases",
        only: &[("load", &["10000x4096"])],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::time_metric("allocation", "alloc-time", Per::Call),
            Figure::time_metric("deallocation", "free-time", Per::Call),
            Figure::time_metric("total", "pairs-time", Per::Call),
            Figure::first("page faults of the first call", "page-faults"),
        ]),
    },
    Table {
        name: "alignment",
        title: Cow::Borrowed("Alignment"),
        caption: "Blocks of 1, 8, 16, 64, 256, 1,024, 4,096 and 65,536 bytes, aligned to 16, 32, 64, \
              128, 256, 512 and 1,024, 64 of each, all live at once.",
        workload: "alignment",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("addresses", "addresses", Statistic::Max, Unit::Count),
            Figure::metric("aligned", "aligned", Statistic::Min, Unit::Count),
            Figure::derived("rate", aligned_percent, Unit::Percent),
        ]),
    },
    Table {
        name: "large",
        title: Cow::Borrowed("Large blocks"),
        caption: "Blocks whose first and last 4,096 bytes are written and read back.",
        workload: "large",
        only: &[("memory", &["verified"])],
        rows: "subject",
        columns: Columns::Axis("mebibytes"),
        figures: Figures::Listed(&[Figure::derived(
            "successful",
            successful_percent,
            Unit::Percent,
        )]),
    },
    Table {
        name: "large-pair",
        title: Cow::Borrowed("Large blocks, untouched"),
        caption: "Time of a pair of a large block, nothing written.",
        workload: "large",
        only: &[("memory", &["untouched"])],
        rows: "subject",
        columns: Columns::Axis("mebibytes"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "large-pair-touched",
        title: Cow::Borrowed("Large blocks, touched"),
        caption: "Time of a pair of a large block, the first byte of each 4,096 bytes written.",
        workload: "large",
        only: &[("memory", &["touched"])],
        rows: "subject",
        columns: Columns::Axis("mebibytes"),
        figures: Figures::Listed(&[Figure::time("a pair", Per::Element)]),
    },
    Table {
        name: "burst",
        title: Cow::Borrowed("Threads, all at once"),
        caption: "4 threads take 1,000 blocks each of 1 to 64 KiB, write every byte, read it back, and \
              give all back.",
        workload: "burst",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("allocations", "requests", Statistic::Max, Unit::Count),
            Figure::metric("successful", "successful", Statistic::Min, Unit::Count),
            Figure::time("time", Per::Call),
            Figure::time_metric("CPU time", "cpu-time", Per::Call),
        ]),
    },
    Table {
        name: "stress",
        title: Cow::Borrowed("Stress"),
        caption: "10,000 steps by the Mersenne Twister of seed 42: two of three take a block of 1 to \
              65,536 bytes and fill it, the third verifies a random one and gives it back.",
        workload: "stress",
        only: &[],
        rows: "subject",
        columns: Columns::Figures,
        figures: Figures::Listed(&[
            Figure::metric("allocations", "allocations", Statistic::Max, Unit::Count),
            Figure::metric("peak, blocks", "most-blocks", Statistic::Max, Unit::Count),
            Figure::metric(
                "live at the end, bytes",
                "live-bytes",
                Statistic::Max,
                Unit::Bytes,
            ),
            Figure::metric(
                "allocated in all, bytes",
                "total-bytes",
                Statistic::Max,
                Unit::Bytes,
            ),
            Figure::time("time", Per::Call),
        ]),
    },
];
