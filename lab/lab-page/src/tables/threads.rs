//! Tables of threads, beyond those of the reports.

use std::borrow::Cow;

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::tables::{Columns, Figures, Table};

/// All of them.
pub(super) const TABLES: [Table; 3] = [
    Table {
        name: "handover",
        title: Cow::Borrowed("Blocks given back by another thread"),
        caption: "Time of a block of 16 to 2,048 bytes. One thread takes and writes all blocks; the \
              second verifies and gives back this percentage of them, the first the rest.",
        workload: "handover",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("remote"),
        figures: Figures::Listed(&[
            Figure::time("a block", Per::Element),
            Figure::time_metric(
                "CPU time of a block, both threads",
                "cpu-time",
                Per::Element,
            ),
        ]),
    },
    Table {
        name: "larson",
        title: Cow::Borrowed("A server"),
        caption: "Time of a request on several threads: each replaces random blocks of 16 to 1,000 \
              bytes of a set, and hands its set to the next thread after a while; and the CPU \
              time of all threads, divided by all requests.",
        workload: "larson",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("threads"),
        figures: Figures::Listed(&[
            Figure::time("a request of a thread", Per::Element),
            Figure::time_metric("CPU time of a request", "cpu-time", Per::ThreadElement),
        ]),
    },
    Table {
        name: "thread-churn",
        title: Cow::Borrowed("Threads that come and go"),
        caption: "200 threads, one or four at once, each of which takes 100 blocks, gives them back \
              and ends: the time of a thread, and the growth of the process's resident memory \
              during 200 threads, after 200 earlier ones. The row of the floor shows the threads themselves; it is not \
              subtracted.",
        workload: "thread-churn",
        only: &[],
        rows: "subject",
        columns: Columns::Axis("at-once"),
        figures: Figures::Listed(&[
            Figure::time("a thread", Per::Element).gross(),
            Figure::metric(
                "resident growth",
                "resident-growth",
                Statistic::Min,
                Unit::Memory,
            )
            .better(Better::Less),
        ]),
    },
];
