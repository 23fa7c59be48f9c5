//! Results without files.

use lab_page::results::{Cell, Metric, Results, Run, SubjectCrate, Unit, Windows};
use lab_page::{markdown, tables};

/// A measured cell whose fastest window, or on several threads the median,
/// takes this many nanoseconds; the median takes one more than the fastest, the 99th percentile
/// ten more.
pub(crate) fn cell(scenario: &str, headline: f64) -> Cell {
    let cell = Cell {
        scenario: scenario.to_owned(),
        threads: 1,
        processes: 3,
        elements: Some(1),
        ..Cell::default()
    };
    let fastest = match cell.threads_at_work() {
        1 => headline,
        _ => headline - 1.0,
    };
    Cell {
        time: Some(Windows {
            fastest,
            p50: fastest + 1.0,
            p99: fastest + 10.0,
            slowest: fastest + 20.0,
            windows: 63,
        }),
        ..cell
    }
}

/// Cells of a scenario with a subject in place of `{}`: `system 10, talc 8.5` gives two.
pub(crate) fn times(scenario: &str, times: &str) -> Vec<Cell> {
    let each = times.split(", ").map(|one| {
        let (subject, time) = one.split_once(' ').unwrap();
        cell(&scenario.replace("{}", subject), time.parse().unwrap())
    });
    each.collect()
}

/// A cell without times, with metrics that are the same in all three processes: `bytes 5, n 1`.
pub(crate) fn measured(scenario: &str, metrics: &str) -> Cell {
    let each = metrics.split(", ").map(|one| {
        let (name, value) = one.split_once(' ').unwrap();
        let value = value.parse().unwrap();
        let metric = Metric::from((Unit::Bytes, [value; 4], 3, vec![value; 3]));
        (name.to_owned(), metric)
    });
    Cell {
        time: None,
        metrics: each.collect(),
        ..cell(scenario, 0.0)
    }
}

/// Such cells of a scenario with a subject in place of `{}`: `system: bytes 5, n 1; talc: bytes 6`.
pub(crate) fn all_measured(scenario: &str, all: &str) -> Vec<Cell> {
    let each = all.split("; ").map(|one| {
        let (subject, metrics) = one.split_once(": ").unwrap();
        measured(&scenario.replace("{}", subject), metrics)
    });
    each.collect()
}

/// A cell that could not be measured.
pub(crate) fn unavailable(scenario: &str, reason: &str) -> Cell {
    Cell {
        time: None,
        elements: None,
        processes: 0,
        unavailable: Some(reason.to_owned()),
        ..cell(scenario, 0.0)
    }
}

/// The results of a run on two cores.
pub(crate) fn results(cells: impl IntoIterator<Item = Cell>) -> Results {
    Results {
        run: Run {
            cores: 2,
            ..Run::default()
        },
        cells: cells.into_iter().collect(),
    }
}

/// Times whose ratios are easy to work out. In `pair` the floor is 2 ns and the one of arenas
/// 1 ns, so that the system's net times are 8 and 32 ns. `frame` has no floor. The second measurement
/// of the system takes 1.1 and 1 times as long in `pair`, 1.02 times in `frame`, and 1.25 times in
/// `concurrent`.
pub(crate) fn example() -> Results {
    let small = "floor 2, floor-arena 1, system 10, mimalloc 4, talc 18, bumpalo 1.8, \
                 system-again 10.8, mine 8.4, buddy 5";
    let large = "floor 2, floor-arena 1, system 34, mimalloc 10, talc 34, bumpalo 4.2, \
                 system-again 34";
    let frames = "system 100, mimalloc 50, talc 101, bumpalo 10, system-again 102";
    let threads = "system 20, mimalloc 10, talc 80, buddy 60, system-again 25";
    let mut cells = times("pair/subject={},size=64", small);
    cells[8].failure = Some(String::from("16 faults"));
    cells.extend(times("pair/subject={},size=4096", large));
    for size in [64, 4096] {
        let name = format!("pair/subject=jemalloc,size={size}");
        cells.push(unavailable(&name, "built without the feature `jemalloc`"));
    }
    cells.extend(times("frame/subject={}", frames));
    cells.extend(times(
        "concurrent/subject={},threads=1,sizes=mixed",
        threads,
    ));
    cells.extend(times(
        "concurrent/subject={},threads=4,sizes=mixed",
        threads,
    ));
    let mut results = results(cells);
    results.run.crates = vec![SubjectCrate {
        subject: String::from("talc"),
        name: String::from("talc"),
        version: String::from("5.1.1"),
        licence: String::from("MIT OR Apache-2.0"),
    }];
    results
}

/// The text of a table.
pub(crate) fn text(title: &str, results: &Results) -> String {
    let mut tables = tables::all().into_iter();
    let table = tables.find(|table| table.title == title).unwrap();
    markdown::table(&table, results)
}
