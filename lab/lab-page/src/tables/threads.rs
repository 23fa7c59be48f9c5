//! Times of several threads.

use crate::figure::{Better, Figure, Per, Unit};
use crate::results::Cell;
use crate::tables::{Table, column};

/// A pair, a block or a request.
const ELEMENT: Figure = Figure::time("an element", Per::Element);

/// The pairs of all threads in a microsecond.
fn throughput(cell: &Cell) -> Option<f64> {
    let pairs = cell.elements? * cell.threads_at_work();
    Some(1e3 * pairs as f64 / cell.headline()?)
}

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![
        Table {
            name: "threads",
            title: String::from("Pairs on several threads"),
            caption: "Time of a pair on all threads at once, from the first beginning to the last end, \
                  divided by the pairs of one thread; of 64 bytes, and of 16 to 2,048. Then the pairs \
                  of all threads in a microsecond, with their loop. Nothing is written.",
            rows: "subject",
            columns: vec![
                column("64 bytes,", "concurrent", ELEMENT)
                    .only(&[("sizes", "64")])
                    .over("threads"),
                column("mixed,", "concurrent", ELEMENT)
                    .only(&[("sizes", "mixed")])
                    .over("threads"),
                column(
                    "mixed, pairs/µs,",
                    "concurrent",
                    Figure::derived("", throughput, Unit::Rate).better(Better::More),
                )
                .only(&[("sizes", "mixed")])
                .over("threads"),
            ],
        },
        Table {
            name: "sharing",
            title: String::from("Blocks that other threads give back"),
            caption: "Handover: the time of a block of 16 to 2,048 bytes; one thread takes and writes all \
                  blocks, the second verifies and gives back this percentage of them. A server: the \
                  time of a request; each thread replaces random blocks of 16 to 1,000 bytes of a \
                  set, and hands its set to the next thread after a while. A burst: 4 threads take \
                  1,000 blocks each of 1 to 64 KiB, write every byte, read it back, and give all \
                  back.",
            rows: "subject",
            columns: vec![
                column("handover,", "handover", ELEMENT).over("remote"),
                column("server,", "larson", ELEMENT).over("threads"),
                column("burst,", "burst", Figure::time("", Per::Call)).over("threads"),
                column(
                    "burst, CPU time,",
                    "burst",
                    Figure::time_metric("", "cpu-time", Per::Call),
                )
                .over("threads"),
            ],
        },
    ]
}
