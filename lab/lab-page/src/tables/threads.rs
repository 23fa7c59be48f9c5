//! Times of several threads.

use crate::figure::Unit::Rate;
use crate::results::Cell;
use crate::tables::{CALL, ELEMENT, Table, column, more, table, time};

/// The pairs of all threads in a microsecond.
fn throughput(cell: &Cell) -> Option<f64> {
    let pairs = cell.elements? * cell.threads_at_work();
    Some(1e3 * pairs as f64 / cell.headline()?)
}

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![table(
        "threads",
        "Several threads",
        "Time of a pair on all threads at once, from the first beginning to the last end, \
             divided by the pairs of one thread; of 64 bytes, and of 16 to 2,048. Then the pairs \
             of all threads in a microsecond, with their loop; nothing is written. Handover: the \
             time of a block of 16 to 2,048 bytes; one thread takes and writes all blocks, the \
             second verifies and gives back this percentage of them. A server: the time of a \
             request; each thread replaces random blocks of 16 to 1,000 bytes of a set, and hands \
             its set to the next thread after a while. A burst: 4 threads take 1,000 blocks each of \
             1 to 64 KiB, write every byte, read it back, and give all back.",
        vec![
            column("64 bytes,", "concurrent/sizes=64,threads=*", ELEMENT),
            column("mixed,", "concurrent/sizes=mixed,threads=*", ELEMENT),
            column(
                "mixed, pairs/µs,",
                "concurrent/sizes=mixed,threads=*",
                more(throughput, Rate),
            ),
            column("handover,", "handover/remote=*", ELEMENT),
            column("server,", "larson/threads=*", ELEMENT),
            column("burst,", "burst/threads=*", CALL),
            column("burst, CPU time,", "burst/threads=*", time("cpu-time")),
        ],
    )]
}
