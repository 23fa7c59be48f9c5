//! What allocators do, and whether their blocks are right.

use crate::facts::{Facts, Strategy};
use crate::figure::{Better, Figure, Per, Statistic, Unit};
use crate::results::Cell;
use crate::tables::{Table, column, percent};

/// The share of the requests that succeeded.
fn successful_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "successful", "requests")
}

/// The strategy of a subject, of which there is a fact and no measurement.
fn strategy(cell: &Cell) -> Option<f64> {
    let facts = Facts::find(cell.subject()?)?;
    Some(f64::from(facts.strategy as u8))
}

/// The smallest region that serves a program, in percent of the most bytes that are live in it.
pub(crate) fn region_percent(cell: &Cell) -> Option<f64> {
    percent(cell, "smallest-bytes", "peak-live-bytes")
}

/// A property: yes or no.
const fn property<'a>(metric: &'a str) -> Figure<'a> {
    Figure::metric("", metric, Statistic::Max, Unit::YesNo)
}

/// A number.
const fn count<'a>(metric: &'a str, statistic: Statistic) -> Figure<'a> {
    Figure::metric("", metric, statistic, Unit::Count)
}

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    vec![
        Table {
            name: "architecture",
            title: String::from("Architecture"),
            caption: "Reuses: the next block of 64 bytes has the address of the one just freed. Joins: a \
                  block of 65,536 bytes lies where 256 blocks of 1,024 bytes were just freed. More \
                  memory: a block of more than 512 MiB succeeds; no fixed region has that much. \
                  Header: the bytes of each block besides the requested ones. How it finds a free \
                  block, and how long that takes, are from its source.",
            rows: "subject",
            columns: vec![
                column(
                    "finds a free block in",
                    "architecture",
                    Figure::derived("", strategy, Unit::OneOf(&Strategy::NAMES)),
                ),
                column(
                    "time of a call",
                    "architecture",
                    Figure::derived("", strategy, Unit::OneOf(&Strategy::COSTS)),
                ),
                column("for several threads", "architecture", property("shared")),
                column(
                    "reuses a freed block at once",
                    "architecture",
                    property("reused"),
                ),
                column(
                    "joins freed neighbours",
                    "architecture",
                    property("coalesced"),
                ),
                column("asks for more memory", "architecture", property("growing")),
                column(
                    "header, bytes",
                    "architecture",
                    Figure::metric("", "header-bytes", Statistic::Max, Unit::Bytes),
                ),
            ],
        },
        Table {
            name: "no-std",
            title: String::from("Without an operating system"),
            caption: "Code: the bytes of flash memory that the allocator adds to a program on a Cortex-M4 \
                  (thumbv7em), optimised for size. Instructions: the most of a single call, on x86-64, \
                  where 1,000 random blocks of 256 are replaced, of 16 to 1,024 bytes; counted by \
                  valgrind. The smallest region, of all multiples of 256 bytes, that serves a real \
                  program, in percent of the most bytes that are live in it.",
            rows: "subject",
            columns: vec![
                column(
                    "code, bytes",
                    "code-size",
                    Figure::metric("", "code-bytes", Statistic::Max, Unit::Bytes)
                        .better(Better::Less),
                ),
                column(
                    "instructions: taking",
                    "worst-call",
                    count("take-instructions", Statistic::Max).better(Better::Less),
                ),
                column(
                    "giving",
                    "worst-call",
                    count("give-instructions", Statistic::Max).better(Better::Less),
                ),
                column(
                    "smallest region,",
                    "smallest-region",
                    Figure::derived("", region_percent, Unit::Percent).better(Better::Less),
                )
                .over("trace"),
            ],
        },
        Table {
            name: "checks",
            title: String::from("Alignment, large blocks and stress"),
            caption: "Alignment: blocks of 1 to 65,536 bytes, aligned to 16 to 1,024, 64 of each, all live \
                  at once. Large blocks, whose first and last 4,096 bytes are written and read back; \
                  and the time of a pair of one, nothing written. Stress: 10,000 steps by the Mersenne \
                  Twister of seed 42; two of three take a block of 1 to 65,536 bytes and fill it, the \
                  third verifies a random one and gives it back. A burst: 4,000 blocks of 1 to 64 KiB \
                  on 4 threads.",
            rows: "subject",
            columns: vec![
                column("addresses", "alignment", count("addresses", Statistic::Max)),
                column("aligned", "alignment", count("aligned", Statistic::Min)),
                column(
                    "successful,",
                    "large",
                    Figure::derived("", successful_percent, Unit::Percent).better(Better::More),
                )
                .only(&[("memory", "verified")])
                .over("mebibytes"),
                column("pair,", "large", Figure::time("", Per::Element))
                    .only(&[("memory", "untouched")])
                    .over("mebibytes"),
                column(
                    "stress: allocations",
                    "stress",
                    count("allocations", Statistic::Max),
                ),
                column(
                    "peak, blocks",
                    "stress",
                    count("most-blocks", Statistic::Max),
                ),
                column(
                    "live at the end, bytes",
                    "stress",
                    count("live-bytes", Statistic::Max),
                ),
                column(
                    "allocated in all, bytes",
                    "stress",
                    count("total-bytes", Statistic::Max),
                ),
                column("time", "stress", Figure::time("", Per::Call)),
                column(
                    "burst: successful",
                    "burst",
                    count("successful", Statistic::Min),
                ),
            ],
        },
    ]
}
