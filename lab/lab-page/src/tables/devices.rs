//! The tables of device memory: allocations, and copies with an allocation inside.

use super::{Table, table};
use crate::results::Cell;
use crate::value::Statistic::{self, Min, P50};
use crate::value::Unit::{Count, Rate, Time};
use crate::value::{Better, Value, derived, element_time, max, median, min};

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

/// Nothing is bold: a row that is measured again would be, too.
const fn net(metric: &'static str, statistic: Statistic) -> Value {
    element_time(metric, statistic).better(Better::Neither)
}

/// All of them, by the numbers of XSigma's report.
pub(super) fn tables() -> Vec<Table> {
    let loads = (19..).zip(LOADS).map(|(number, (load, title))| {
        let cells = &*format!("cuda-allocate/load={load}");
        let columns = [
            (cells, "fastest", net("finished-time", Min)),
            (cells, "median", net("finished-time", P50)),
            (cells, "enqueued", net("enqueued-time", Min)),
            (cells, "requests", min("requests", Count)),
            (cells, "hits", min("hits", Count)),
            (cells, "driver calls", min("driver-calls", Count)),
            (cells, "reserved, bytes", max("reserved-bytes", Count)),
            (cells, "overhead, bytes", derived(overhead, Count)),
        ];
        table(&format!("Table {number}, CUDA: {title}"), "", &columns).by("way")
    });
    let directions = (23..).zip(DIRECTIONS).map(|(number, (direction, title))| {
        let cells = &*format!("cuda-{direction}");
        let columns = [
            (cells, "fastest", min("finished-time", Time)),
            (cells, "median", median("finished-time", Time)),
            (cells, "slowest", max("finished-time", Time)),
            (cells, "MB/s", derived(rate, Rate)),
        ];
        table(&format!("Table {number}, CUDA: {title}"), "", &columns).by("")
    });
    loads.chain(directions).collect()
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
