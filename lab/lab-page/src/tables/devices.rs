//! Ways of obtaining memory of a device: allocations, and copies with an allocation inside.

use crate::figure::Unit::{Bytes, Count, Rate, Time};
use crate::figure::{Figure, Per, Statistic, Value};
use crate::results::Cell;
use crate::tables::{Column, Table, column, derived, max, min};

/// The interfaces: their names, that of their workloads, and those of their tables.
const INTERFACES: [(&str, &str, [&str; 6]); 2] = [
    (
        "Vulkan",
        "vulkan",
        [
            "vulkan-19",
            "vulkan-20",
            "vulkan-21",
            "vulkan-22",
            "vulkan-23",
            "vulkan-24",
        ],
    ),
    (
        "CUDA",
        "cuda",
        [
            "cuda-19", "cuda-20", "cuda-21", "cuda-22", "cuda-23", "cuda-24",
        ],
    ),
];

/// The blocks that are live at once and their size, and what is said of them.
const LOADS: [(&str, &str); 4] = [
    ("1x1024", "1 KB, 2,000 times"),
    ("1x65536", "64 KB, 500 times"),
    ("1x4194304", "4 MB, 100 times"),
    ("10x1024", "10 x 1 KB, 200 times"),
];

const DIRECTIONS: [(&str, &str); 2] = [
    ("upload", "host to device, 50 times each"),
    ("download", "device to host, 50 times each"),
];

/// All of them.
pub(super) fn tables() -> Vec<Table<'static>> {
    let mut tables = Vec::new();
    for (interface, workload, names) in INTERFACES {
        let contents = LOADS.into_iter().map(|(load, title)| {
            let cells = format!("{workload}-allocate/load={load}");
            (title, "way", allocations(&cells))
        });
        let copies = DIRECTIONS.into_iter().map(|(direction, title)| {
            // A row is a scenario, with its whole name.
            (title, "", copies(&format!("{workload}-{direction}")))
        });
        let tables_of = names.into_iter().zip((19..).zip(contents.chain(copies)));
        tables.extend(
            tables_of.map(|(name, (number, (title, rows, columns)))| Table {
                name,
                title: format!("Table {number}, {interface}: {title}"),
                caption: "",
                rows,
                columns,
            }),
        );
    }
    tables
}

fn allocations(cells: &str) -> Vec<Column<'static>> {
    let net = |name, statistic| Figure {
        is_net: true,
        ..time(name, statistic, Per::Element)
    };
    vec![
        column("fastest", cells, net("finished-time", Statistic::Min)),
        column("median", cells, net("finished-time", Statistic::P50)),
        column("enqueued", cells, net("enqueued-time", Statistic::Min)),
        column("requests", cells, min("requests", Count)),
        column("hits", cells, min("hits", Count)),
        column("driver calls", cells, min("driver-calls", Count)),
        column("reserved, bytes", cells, max("reserved-bytes", Bytes)),
        column("overhead, bytes", cells, derived(overhead, Bytes)),
    ]
}

fn copies(cells: &str) -> Vec<Column<'static>> {
    let finished = |statistic| time("finished-time", statistic, Per::Call);
    vec![
        column("fastest", cells, finished(Statistic::Min)),
        column("median", cells, finished(Statistic::P50)),
        column("slowest", cells, finished(Statistic::Max)),
        column("MB/s", cells, derived(rate, Rate)),
    ]
}

/// A time of which none wins: a row that is measured again would win, too.
const fn time(name: &str, statistic: Statistic, per: Per) -> Figure<'_> {
    Figure::new(Value::Metric(name, statistic, per), Time)
}

/// The memory that the driver holds beside the requested bytes. Other processes may change what it
/// tells: the most counts.
fn overhead(cell: &Cell) -> Option<f64> {
    let most = |name| Some(cell.metrics.get(name)?.max as f64);
    Some(most("reserved-bytes")? - most("requested-bytes")?)
}

/// Millions of bytes in a second, by the fastest copy.
fn rate(cell: &Cell) -> Option<f64> {
    let bytes: f64 = cell.axis("size")?.parse().ok()?;
    Some(bytes / cell.metrics.get("finished-time")?.min as f64 * 1e3)
}
