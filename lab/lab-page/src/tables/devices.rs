//! Ways of obtaining memory of a device: allocations, and copies with an allocation inside.

use crate::figure::Unit::{Bytes, Count, Rate, Time};
use crate::figure::{Figure, Per, Statistic, Value};
use crate::results::Cell;
use crate::tables::{Draft, derived, max, min, table};

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

/// All of them, by the numbers of XSigma's report.
pub(super) fn tables() -> Vec<Draft<'static>> {
    let table = |number: usize, title: &str, rows, cells: String| {
        let title = format!("Table {number}, CUDA: {title}");
        let draft = table(&format!("cuda-{number}"), &title, "");
        draft.by(rows).of(&cells)
    };
    let loads = (19..).zip(LOADS).map(|(number, (load, title))| {
        let cells = format!("cuda-allocate/load={load}");
        allocations(table(number, title, "way", cells))
    });
    let directions = (23..).zip(DIRECTIONS).map(|(number, (direction, title))| {
        // A row is a scenario.
        copies(table(number, title, "", format!("cuda-{direction}")))
    });
    loads.chain(directions).collect()
}

fn allocations(table: Draft<'static>) -> Draft<'static> {
    let net = |name, statistic| Figure {
        is_net: true,
        ..time(name, statistic, Per::Element)
    };
    table
        .column("fastest", net("finished-time", Statistic::Min))
        .column("median", net("finished-time", Statistic::P50))
        .column("enqueued", net("enqueued-time", Statistic::Min))
        .column("requests", min("requests", Count))
        .column("hits", min("hits", Count))
        .column("driver calls", min("driver-calls", Count))
        .column("reserved, bytes", max("reserved-bytes", Bytes))
        .column("overhead, bytes", derived(overhead, Bytes))
}

fn copies(table: Draft<'static>) -> Draft<'static> {
    let finished = |statistic| time("finished-time", statistic, Per::Call);
    table
        .column("fastest", finished(Statistic::Min))
        .column("median", finished(Statistic::P50))
        .column("slowest", finished(Statistic::Max))
        .column("MB/s", derived(rate, Rate))
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
