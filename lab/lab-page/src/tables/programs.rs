//! Real programs as whole processes.

use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::summary::PROGRAMS;
use crate::tables::memory::memory;
use crate::tables::{Table, column};

const TIME: Figure = Figure::time_metric("", "program-time", Per::Call);

/// The table.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![Table {
        name: PROGRAMS,
        title: String::from("Real programs"),
        caption: "Three programs of the registry, each built with the allocator as its global one: \
                  pulldown-cmark renders a book of 0.9 MiB, serde_json reads, sorts and writes a \
                  document of 4,000 records, minijinja compiles a template and renders 1,000 records. \
                  The time of one such work: on one thread the fastest of eight in a process, on two \
                  the mean of eight that begin together. The most memory that a process on one thread \
                  had, with its code and its text, exact to 64 pages a core. The page faults until it \
                  has worked once.",
        rows: "subject",
        columns: vec![
            column("", PROGRAMS, TIME)
                .only(&[("threads", "1")])
                .over("program"),
            column("2 threads,", PROGRAMS, TIME)
                .only(&[("threads", "2")])
                .over("program"),
            column("peak,", PROGRAMS, memory("peak-bytes"))
                .only(&[("threads", "1")])
                .over("program"),
            column(
                "page faults,",
                PROGRAMS,
                Figure::metric("", "page-faults", Statistic::Min, Unit::Count).better(Better::Less),
            )
            .only(&[("threads", "1")])
            .over("program"),
        ],
    }]
}
