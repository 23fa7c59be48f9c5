//! Small results for tests, with figures whose ratios are easy to work out.
//!
//! In `pair` the floor is 2 ns and that of arenas 1 ns, so that the system's net times are 8
//! and 32 ns. `frame` has no floor. The second measurement of the system takes 1.1 and 1 times
//! as long in `pair`, 1.02 times in `frame`, and 1.25 times in `concurrent`.

use std::collections::BTreeMap;

use crate::results::{Cell, Metric, Results, Run, SubjectCrate, Unit, Windows};

/// A cell whose fastest window, or on several threads the median, takes this many nanoseconds.
pub(crate) fn timed(scenario: &str, headline: f64) -> Cell {
    let mut cell = untimed(scenario);
    let fastest = match cell.threads_at_work() {
        1 => headline,
        _ => headline - 1.0,
    };
    cell.time = Some(Windows {
        fastest,
        p50: fastest + 1.0,
        p99: fastest + 2.0,
        slowest: fastest + 3.0,
        windows: 21,
    });
    cell
}

/// A cell without figures.
pub(crate) fn untimed(scenario: &str) -> Cell {
    let axes = scenario.split_once('/').map_or("", |(_, axes)| axes);
    let axes = axes.split(',').filter_map(|axis| axis.split_once('='));
    let axes: Vec<(String, String)> = axes.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
    let threads = axes.iter().find(|(axis, _)| axis == "threads");
    Cell {
        bench: String::from("lab"),
        scenario: scenario.to_owned(),
        threads: threads.map_or(1, |(_, threads)| threads.parse().expect("a number")),
        axes,
        processes: 3,
        requests: 1_000,
        ..Cell::default()
    }
}

/// A cell with figures of its own.
pub(crate) fn with_metrics(scenario: &str, unit: Unit, metrics: &[(&str, i64)]) -> Cell {
    let metric = |value| Metric {
        unit,
        min: value,
        p50: value,
        p99: value,
        max: value,
        n: 1,
        first: vec![value],
    };
    let metrics = metrics
        .iter()
        .map(|(name, value)| ((*name).to_owned(), metric(*value)));
    Cell {
        metrics: metrics.collect(),
        ..untimed(scenario)
    }
}

/// The results.
pub(crate) fn results() -> Results {
    let mut cells = Vec::new();
    for (subject, small, large) in [
        ("floor", 2.0, 2.0),
        ("floor-arena", 1.0, 1.0),
        ("system", 10.0, 34.0),
        ("mimalloc", 4.0, 10.0),
        ("talc", 18.0, 34.0),
        ("bumpalo", 1.8, 4.2),
        ("system-again", 10.8, 34.0),
    ] {
        cells.push(timed(&format!("pair/subject={subject},size=64"), small));
        cells.push(timed(&format!("pair/subject={subject},size=4096"), large));
    }
    cells.push(timed("pair/subject=mine,size=64", 8.4));
    let mut failed = timed("pair/subject=buddy,size=64", 5.0);
    failed.faults = BTreeMap::from([(String::from("null"), 16)]);
    cells.push(failed);
    for size in [64, 4096] {
        let mut absent = untimed(&format!("pair/subject=jemalloc,size={size}"));
        absent.unavailable = Some(String::from("built without the feature `jemalloc`"));
        cells.push(absent);
    }
    for (subject, time) in [
        ("system", 100.0),
        ("mimalloc", 50.0),
        ("talc", 101.0),
        ("bumpalo", 10.0),
        ("system-again", 102.0),
    ] {
        cells.push(timed(&format!("frame/subject={subject}"), time));
    }
    for threads in [1, 4] {
        for (subject, time) in [
            ("system", 20.0),
            ("mimalloc", 10.0),
            ("talc", 80.0),
            ("buddy", 60.0),
            ("system-again", 25.0),
        ] {
            let name = format!("concurrent/subject={subject},threads={threads},sizes=mixed");
            cells.push(timed(&name, time));
        }
    }
    for (subject, consumed) in [
        ("system", 1_100),
        ("mimalloc", 1_200),
        ("talc", 1_050),
        ("bumpalo", 1_000),
        ("system-again", 1_100),
    ] {
        cells.push(with_metrics(
            &format!("waste/subject={subject},size=recorded,align=8"),
            Unit::Bytes,
            &[("consumed-bytes", consumed), ("requested-bytes", 1_000)],
        ));
    }
    let run = Run {
        date: String::from("2026-11-23"),
        cores: 2,
        crates: vec![SubjectCrate {
            subject: String::from("talc"),
            name: String::from("talc"),
            version: String::from("5.1.1"),
            licence: String::from("MIT OR Apache-2.0"),
        }],
        ..Run::default()
    };
    Results {
        runs: vec![run],
        cells,
    }
}
