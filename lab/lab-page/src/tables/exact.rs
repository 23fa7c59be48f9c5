//! What allocators do, and whether their blocks are right.

use crate::figure::Unit::{Bytes, Count, Percent, YesNo};
use crate::results::Cell;
use crate::tables::{CALL, Draft, granted_percent, less, max, min, more, percent, table};

/// The share of the requests that succeeded.
fn successful_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "successful", "requests")
}

/// The smallest region that serves a program, in percent of the most bytes that are live in it.
pub(crate) fn region_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "smallest-bytes", "peak-live-bytes")
}

/// All of them.
pub(super) fn tables() -> Vec<Draft<'static>> {
    vec![
        table(
            "architecture",
            "Architecture",
            "Reuses: the next block of 64 bytes has the address of the one just freed. Joins: a \
             block of 65,536 bytes lies where 256 blocks of 1,024 bytes were just freed. More \
             memory: a block of more than 512 MiB succeeds; no fixed region has that much. \
             Header: the bytes of each block besides the requested ones.",
        )
        .of("architecture")
        .column("for several threads", max("shared", YesNo))
        .column("reuses a freed block at once", max("reused", YesNo))
        .column("joins freed neighbours", max("coalesced", YesNo))
        .column("asks for more memory", max("growing", YesNo))
        .column("header, bytes", max("header-bytes", Bytes)),
        table(
            "no-std",
            "Without an operating system, in a fixed region",
            "The smallest region, of all multiples of 256 bytes, \
             that serves a real program, in percent of the most bytes that are live in it. \
             Filled: how much of a region of 1 MiB was handed out when the first request was \
             refused, of blocks of 16, 64 or 1,024 bytes; of 16 to 2,048; of 24, 40, 100 and \
             300; or of the sizes that a real program requests.",
        )
        .of("smallest-region/trace=*")
        .column("smallest region,", less(region_percent, Percent))
        .of("fill/sizes=*")
        .column("filled,", more(granted_percent, Percent)),
        table(
            "checks",
            "Alignment, large blocks and stress",
            "Alignment: blocks of 1 to 65,536 bytes, aligned to 16 to 1,024, 64 of each, all \
             live at once. Large blocks, of which every byte is written and read back. Stress: 10,000 steps by the \
             Mersenne Twister of seed 42; two of three take a block of 1 to 65,536 bytes and \
             fill it, the third verifies a random one and gives it back. A burst: 4,000 blocks \
             of 1 to 64 KiB on 4 threads.",
        )
        .of("alignment")
        .column("addresses", max("addresses", Count))
        .column("aligned", min("aligned", Count))
        .of("large/mebibytes=*")
        .column("successful,", more(successful_percent, Percent))
        .of("stress")
        .column("stress: allocations", max("allocations", Count))
        .column("peak, blocks", max("most-blocks", Count))
        .column("live at the end, bytes", max("live-bytes", Count))
        .column("allocated in all, bytes", max("total-bytes", Count))
        .column("time", CALL)
        .of("burst")
        .column("burst: successful", min("successful", Count)),
    ]
}
