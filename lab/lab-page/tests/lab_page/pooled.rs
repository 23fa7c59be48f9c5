//! Rounds are pooled from the records, and refused where they don't belong together.

use std::fs;
use std::path::PathBuf;

use lab_page::results::{Cell, Metric, Results, Run, Unit, Windows};
use lab_page::rounds;
use serde_json::{Value, json};
use tempfile::TempDir;

const PAIR: &str = "pair/subject=system,size=64";

/// The records of the bench `lab` in a round: the environment, these, and the end.
fn round(records: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let records: Vec<Value> = records.into_iter().collect();
    let planned: Vec<_> = records.iter().map(|one| &one["name"]).collect();
    let proof = json!({
        "expected": counts(1), "this-thread": counts(1), "spawned-thread": counts(1),
        "idle": counts(0),
    });
    let environment = json!({
        "schema": 1, "record": "environment",
        "bench": { "package": "allocator-lab", "target": "lab" },
        "rustc": "rustc 1.95.0", "target": "x86_64-unknown-linux-gnu", "profile": "bench",
        "features": [], "allocator": "std::alloc::System", "debug-assertions": false,
        "harness": "alloc-scenario 0.1.0", "proof": proof,
        "planned": planned, "cores": 2, "unavailable": [],
    });
    let failed = records
        .iter()
        .filter(|one| one["record"] == "failure")
        .count();
    let end = json!({
        "schema": 1, "record": "end", "scenarios": records.len() - failed, "failed": failed,
    });
    [vec![environment], records, vec![end]].concat()
}

/// Counts of these allocations alone.
fn counts(allocs: u64) -> Value {
    json!({
        "allocs": allocs, "reallocs": 0, "deallocs": 0, "bytes": 0, "freed-bytes": 0,
    })
}

/// A scenario with one counted call, whose windows are batches of `batch` calls.
fn scenario(name: &str, batch: u64, nanoseconds: &[u64]) -> Value {
    let counts = counts(0);
    let reading = json!({ "counts": counts, "peak-resident": 0 });
    json!({
        "schema": 1, "record": "scenario", "name": name, "group": null, "axes": [],
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

/// Adds a metric whose first call has one value, and the others these, each so often.
fn with_metric(
    mut scenario: Value,
    (name, unit): (&str, &str),
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
    let metric = json!({ "name": name, "unit": unit, "first": first, "samples": samples });
    scenario["metrics"].as_array_mut().unwrap().push(metric);
    scenario
}

/// Pools rounds, each from a folder with one file.
fn pool(rounds: &[Vec<Value>]) -> Result<Results, String> {
    let folder = TempDir::new().unwrap();
    let write = |(nth, records): (usize, &Vec<Value>)| {
        let folder = folder.path().join(format!("round-{nth}"));
        fs::create_dir(&folder).unwrap();
        let lines: String = records.iter().map(|line| format!("{line}\n")).collect();
        fs::write(folder.join("lab.jsonl"), lines).unwrap();
        folder
    };
    let folders: Vec<PathBuf> = rounds.iter().enumerate().map(write).collect();
    let machine = Run {
        cpu: "CPU".to_owned(),
        ..Run::default()
    };
    rounds::read(&folders, &machine).map_err(|error| error.to_string())
}

/// The only cell of rounds.
fn cell(rounds: &[Vec<Value>]) -> Cell {
    let cells: [Cell; 1] = pool(rounds).unwrap().cells.try_into().unwrap();
    let [cell] = cells;
    cell
}

#[test]
fn percentiles_are_those_of_all_windows_together() {
    // Nanoseconds of a call: 10, 11 and 30; then 9 and 20.
    let cell = cell(&[
        round([scenario(PAIR, 10, &[100, 110, 300])]),
        round([scenario(PAIR, 20, &[180, 400])]),
    ]);
    assert_eq!(
        cell.time,
        // 9, 10, 11, 20, 30: rank 3 of 5 is the median, rank 5 the 99th percentile.
        Some(Windows {
            fastest: 9.0,
            p50: 11.0,
            p99: 30.0,
            slowest: 30.0,
            windows: 5,
        })
    );
    assert_eq!(cell.processes, 2);
}

#[test]
fn metrics_are_pooled_by_call_and_cold_values_by_process() {
    let time = |first, values: &[_]| {
        let time = ("alloc-time", "nanoseconds");
        round([with_metric(scenario(PAIR, 1, &[5]), time, first, values)])
    };
    let cell = cell(&[time(7, &[(10, 3)]), time(9, &[(4, 1), (20, 2)])]);
    assert_eq!(
        cell.metrics["alloc-time"],
        // 4, 10, 10, 10, 20, 20: rank 3 of 6 is the median, rank 6 the 99th percentile.
        Metric::from((Unit::Nanoseconds, [4, 10, 20, 20], 6, vec![7, 9]))
    );
}

/// A scenario of threads measures its windows itself.
#[test]
fn windows_of_threads_count_if_they_worked_together_and_the_least_median_is_shown() {
    let threads = |together, windows: &[_]| {
        let mut scenario = scenario("server/subject=system,threads=2", 1, &[]);
        scenario["time"] = json!(null);
        let wall = ("wall-time", "nanoseconds");
        let scenario = with_metric(scenario, wall, 5_000, windows);
        round([with_metric(
            scenario,
            ("together", "count"),
            1,
            &[(together, 3)],
        )])
    };
    let quiet = threads(1, &[(700, 2), (900, 1)]);
    let busy = threads(1, &[(1_300, 2), (1_400, 1)]);
    let apart = || threads(0, &[(10, 3)]);
    let one = cell(&[busy, quiet, apart()]);
    let time = one.time.unwrap();
    // 900 is the median of all.
    assert_eq!((time.p50, time.slowest, time.windows), (700.0, 1400.0, 6));
    assert_eq!(one.headline(), Some(700.0));
    assert!(one.metrics.is_empty());
    let none = cell(&[apart()]);
    assert_eq!((none.time, none.headline()), (None, None));
}

#[test]
fn a_run_is_of_a_machine_and_of_what_its_records_tell() {
    let run = pool(&[round([scenario(PAIR, 1, &[5])])]).unwrap().run;
    let told = (run.cpu.as_str(), run.rustc.as_str(), run.cores);
    assert_eq!(told, ("CPU", "rustc 1.95.0", 2));
}

#[test]
fn a_scenario_that_some_round_measured_is_available() {
    let mut absent = round([]);
    absent[0]["unavailable"] = json!([{
        "name": PAIR, "axes": [], "reason": "no memory",
        "location": { "file": "lab.rs", "line": 1 },
    }]);
    let never = cell(&[absent.clone(), absent.clone()]);
    assert_eq!(never.unavailable.as_deref(), Some("no memory"));
    assert_eq!((never.processes, never.time), (0, None));
    let once = cell(&[absent, round([scenario(PAIR, 1, &[5])])]);
    assert_eq!(once.unavailable, None);
    assert_eq!((once.processes, once.headline()), (1, Some(5.0)));
}

#[test]
fn a_scenario_that_failed_in_one_round_has_no_figure() {
    let failure = json!({
        "schema": 1, "record": "failure", "name": PAIR,
        "location": { "file": "lab.rs", "line": 1 }, "message": "out of memory",
    });
    let cell = cell(&[round([failure]), round([scenario(PAIR, 1, &[5])])]);
    assert_eq!(cell.failure.as_deref(), Some("out of memory"));
    assert_eq!(cell.headline(), None);
}

#[test]
fn a_round_that_did_not_come_to_its_end_is_refused() {
    let mut records = round([scenario(PAIR, 1, &[5])]);
    records.truncate(2);
    let error = pool(&[records]).unwrap_err();
    assert!(error.contains("the end record is missing"), "{error}");
}
