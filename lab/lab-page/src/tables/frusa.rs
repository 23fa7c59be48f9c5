//! The tables of frusa's README.

use std::borrow::Cow;

use crate::figure::{Figure, Per};
use crate::tables::{Columns, Figures, Table};

/// In the order of the report.
pub(super) const TABLES: [Table; 1] = [Table {
    name: "concurrent-pairs",
    title: Cow::Borrowed("Threads, mixed sizes"),
    caption: "Time of a pair of 16 to 2,048 bytes on all threads at once, from the common start \
              to the last end: the wall clock, divided by the pairs of one thread; and the CPU \
              time of all threads, divided by all pairs. Nothing is written.",
    workload: "concurrent",
    only: &[("sizes", &["mixed"])],
    rows: "subject",
    columns: Columns::Axis("threads"),
    figures: Figures::Listed(&[
        Figure::time("a pair of a thread", Per::Element),
        Figure::time_metric("CPU time of a pair", "cpu-time", Per::ThreadElement),
    ]),
}];
