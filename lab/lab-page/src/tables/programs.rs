//! Real programs as whole processes.

use crate::figure::Figure;
use crate::figure::Unit::{Count, Memory};
use crate::summary::PROGRAMS;
use crate::tables::{Draft, least, table, time};

const TIME: Figure = time("program-time");

/// The table.
pub(super) fn tables() -> Vec<Draft<'static>> {
    vec![
        table(
            PROGRAMS,
            "Real programs",
            "Three programs of the registry, each built with the allocator as its global one: \
             pulldown-cmark renders a book of 1.0 MB, serde_json reads, sorts and writes a \
             document of 4,000 records, minijinja compiles a template and renders 1,000 \
             records. The time of one such work: on one thread the fastest of eight in a \
             process, on two the mean of eight that begin together. The most memory that a \
             process on one thread had, with its code and its text, exact to 64 pages a core. \
             The page faults until it has worked once.",
        )
        .of("programs/threads=1,program=*")
        .column("", TIME)
        .of("programs/threads=2,program=*")
        .column("2 threads,", TIME)
        .of("programs/threads=1,program=*")
        .column("peak,", least("peak-resident", Memory))
        .column("page faults,", least("page-faults", Count)),
    ]
}
