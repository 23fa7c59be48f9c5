//! Streams of records as a bench writes them, and results without files.

use std::fs;
use std::path::{Path, PathBuf};

use lab_page::results::{Cell, Metric, Results, Run, SubjectCrate, Unit, Windows};
use lab_page::{markdown, tables};
use serde_json::{Value, json};

/// A stream of records of the bench `lab`.
pub(crate) struct Stream {
    pub(crate) rustc: &'static str,
    pub(crate) filtered: bool,
    pub(crate) scenarios: Vec<Value>,
    /// Names and reasons.
    pub(crate) unavailable: Vec<(&'static str, &'static str)>,
    /// Names and messages.
    pub(crate) failures: Vec<(&'static str, &'static str)>,
    pub(crate) has_end: bool,
}

impl Stream {
    pub(crate) fn new(scenarios: impl IntoIterator<Item = Value>) -> Self {
        Self {
            rustc: "rustc 1.95.0",
            filtered: false,
            scenarios: scenarios.into_iter().collect(),
            unavailable: Vec::new(),
            failures: Vec::new(),
            has_end: true,
        }
    }

    /// Writes the stream as the only file of a folder below `parent`.
    pub(crate) fn write(&self, parent: &Path, folder: &str) -> PathBuf {
        let folder = parent.join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("lab.jsonl"), self.text()).unwrap();
        folder
    }

    fn text(&self) -> String {
        let planned = self.scenarios.iter().map(|one| one["name"].clone());
        let mut planned: Vec<_> = planned.collect();
        planned.extend(self.failures.iter().map(|(name, _)| json!(name)));
        let unavailable = self.unavailable.iter().map(|(name, reason)| {
            json!({
                "name": name, "axes": axes(name), "reason": reason,
                "location": { "file": "lab.rs", "line": 1 },
            })
        });
        let mut lines = vec![json!({
            "schema": 1, "record": "environment",
            "bench": { "package": "allocator-lab", "target": "lab" },
            "rustc": self.rustc, "target": "x86_64-unknown-linux-gnu", "profile": "bench",
            "features": [], "allocator": "std::alloc::System", "debug-assertions": false,
            "harness": "alloc-scenario 0.1.0",
            "proof": {
                "expected": counts(1), "this-thread": counts(1), "spawned-thread": counts(1),
                "idle": counts(0),
            },
            "filtered": self.filtered, "planned": planned, "cores": 2,
            "unavailable": unavailable.collect::<Vec<_>>(),
        })];
        lines.extend(self.scenarios.iter().cloned());
        lines.extend(self.failures.iter().map(|(name, message)| {
            json!({
                "schema": 1, "record": "failure", "name": name,
                "location": { "file": "lab.rs", "line": 1 }, "message": message,
            })
        }));
        if self.has_end {
            let [count, failed] = [self.scenarios.len(), self.failures.len()];
            lines.push(
                json!({ "schema": 1, "record": "end", "scenarios": count, "failed": failed }),
            );
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// Counts of these allocations alone.
fn counts(allocs: u64) -> Value {
    json!({
        "allocs": allocs, "alloc-bytes": 0, "deallocs": 0, "dealloc-bytes": 0,
        "grows": 0, "grow-bytes": 0, "shrinks": 0, "shrink-bytes": 0, "failed": 0,
    })
}

/// A scenario with one counted call, whose windows are batches of `batch` calls.
pub(crate) fn scenario(name: &str, batch: u64, nanoseconds: &[u64]) -> Value {
    let counts = counts(0);
    let reading = json!({ "counts": counts, "peak-resident": 0 });
    json!({
        "schema": 1, "record": "scenario", "name": name, "group": null, "axes": axes(name),
        "location": { "file": "lab.rs", "line": 1 }, "scope": "thread", "threads": 1,
        "output-drop": "inside", "warmup": 0, "iterations": 1,
        "work": { "elements": 10, "bytes": null },
        "first": reading, "samples": [{ "reading": reading, "times": 1 }],
        "foreign": counts, "metrics": [],
        "outside": {
            "foreign-first": counts, "uncounted": counts, "uncounted-first": counts,
            "still-running": 0, "still-running-first": 0,
        },
        "time": { "batch": batch, "nanoseconds": nanoseconds, "first": 1000 },
    })
}

/// Adds a metric with these values, each of this many calls.
pub(crate) fn with_metric(
    mut scenario: Value,
    name: &str,
    unit: &str,
    first: i64,
    values: &[(i64, u64)],
) -> Value {
    let calls: u64 = values.iter().map(|(_, times)| times).sum();
    let samples = values.iter();
    let samples: Vec<_> = samples
        .map(|(value, times)| json!({ "value": value, "times": times }))
        .collect();
    scenario["iterations"] = json!(calls);
    scenario["samples"][0]["times"] = json!(calls);
    scenario["metrics"] = json!([{
        "name": name, "unit": unit, "first": first, "samples": samples,
    }]);
    scenario
}

/// The same scenario with failed requests.
pub(crate) fn with_faults(mut scenario: Value, kind: &str, faults: u64, requests: u64) -> Value {
    let timed = json!({ "requests": 0 });
    let counted = json!({ "requests": requests, "faults": { kind: faults } });
    scenario["outcome"] = json!({ "counted": counted, "timed": timed });
    scenario
}

/// The axes of a name such as `pair/subject=system,size=64`.
fn axes(name: &str) -> Value {
    let axes = parts(name)
        .into_iter()
        .map(|(axis, value)| json!({ "axis": axis, "value": value }));
    axes.collect()
}

fn parts(name: &str) -> Vec<(String, String)> {
    let (_, axes) = name.split_once('/').unwrap();
    let axes = axes.split(',').map(|axis| axis.split_once('=').unwrap());
    axes.map(|(axis, value)| (axis.to_owned(), value.to_owned()))
        .collect()
}

/// A measured cell of the bench `lab`, whose fastest window, or on several threads the median,
/// takes this many nanoseconds; the median takes one more than the fastest, the 99th percentile
/// ten more.
pub(crate) fn cell(scenario: &str, headline: f64) -> Cell {
    let cell = Cell {
        bench: "lab".to_owned(),
        scenario: scenario.to_owned(),
        axes: parts(scenario),
        threads: 1,
        processes: 3,
        elements: Some(1),
        requests: 1_000,
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
pub(crate) fn figures(scenario: &str, metrics: &str) -> Cell {
    let each = metrics.split(", ").map(|one| {
        let (name, value) = one.split_once(' ').unwrap();
        (name.to_owned(), metric(value.parse().unwrap()))
    });
    Cell {
        time: None,
        metrics: each.collect(),
        ..cell(scenario, 0.0)
    }
}

/// A metric that is the same in all three processes.
pub(crate) fn metric(value: i64) -> Metric {
    Metric {
        unit: Unit::Bytes,
        min: value,
        p50: value,
        p99: value,
        max: value,
        n: 3,
        first: vec![value; 3],
    }
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

/// The run of a day on a machine.
pub(crate) fn run(date: &str, cpu: &str) -> Run {
    Run {
        date: date.to_owned(),
        cpu: cpu.to_owned(),
        cores: 2,
        ..Run::default()
    }
}

/// The results of one run.
pub(crate) fn results(cells: impl IntoIterator<Item = Cell>) -> Results {
    Results {
        runs: vec![Run {
            id: 1,
            ..run("2026-11-23", "CPU")
        }],
        cells: cells.into_iter().collect(),
    }
}

/// Figures whose ratios are easy to work out. In `pair` the floor is 2 ns and that of arenas 1 ns,
/// so that the system's net times are 8 and 32 ns. `frame` has no floor. The second measurement
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
    cells[8].faults = [(String::from("null"), 16)].into();
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
    let consumed = "system 1100, mimalloc 1200, talc 1050, bumpalo 1000, system-again 1100";
    for mut waste in times("waste/subject={},size=recorded,align=8", consumed) {
        let consumed = waste.time.take().unwrap().fastest as i64;
        let metrics = format!("consumed-bytes {consumed}, requested-bytes 1000");
        cells.push(figures(&waste.scenario, &metrics));
    }
    let mut results = results(cells);
    results.runs[0].crates = vec![SubjectCrate {
        subject: String::from("talc"),
        name: String::from("talc"),
        version: String::from("5.1.1"),
        licence: String::from("MIT OR Apache-2.0"),
    }];
    results
}

/// The text of a table.
pub(crate) fn text(name: &str, results: &Results) -> String {
    let mut tables = tables::all().into_iter();
    let table = tables.find(|table| table.name == name).unwrap();
    markdown::table(&table, results)
}

/// The lines of the first table.
pub(crate) fn rows(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).collect()
}
