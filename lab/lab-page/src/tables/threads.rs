//! Times of several threads.

use crate::figure::Unit::Rate;
use crate::results::Cell;
use crate::tables::{CALL, Draft, ELEMENT, more, table, time};

/// The pairs of all threads in a microsecond.
fn throughput(cell: &Cell) -> Option<f64> {
    let pairs = cell.elements? * cell.threads_at_work();
    Some(1e3 * pairs as f64 / cell.headline()?)
}

/// All of them.
pub(super) fn tables() -> Vec<Draft<'static>> {
    vec![
        table(
            "threads",
            "Several threads",
            "Time of a pair on all threads at once, from the first beginning to the last end, \
             divided by the pairs of one thread; of 64 bytes, and of 16 to 2,048. Then the \
             pairs of all threads in a microsecond, with their loop; nothing is written. \
             Handover: the time of a block of 16 to 2,048 bytes; one thread takes and writes \
             all blocks, the second verifies and gives back this percentage of them. A server: \
             the time of a request; each thread replaces random blocks of 16 to 1,000 bytes of \
             a set, and hands its set to the next thread after a while. A burst: 4 threads take \
             1,000 blocks each of 1 to 64 KiB, write every byte, read it back, and give all \
             back.",
        )
        .of("concurrent/sizes=64,threads=*")
        .column("64 bytes,", ELEMENT)
        .of("concurrent/sizes=mixed,threads=*")
        .column("mixed,", ELEMENT)
        .column("mixed, pairs/µs,", more(throughput, Rate))
        .of("handover/remote=*")
        .column("handover,", ELEMENT)
        .of("larson/threads=*")
        .column("server,", ELEMENT)
        .of("burst/threads=*")
        .column("burst,", CALL)
        .column("burst, CPU time,", time("cpu-time")),
    ]
}
