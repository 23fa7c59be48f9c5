//! Rounds are pooled from the records, and refused where they don't belong together.

use std::path::PathBuf;

use lab_page::results::{Cell, Metric, Run, Unit, Windows};
use lab_page::rounds::{self, Pooled};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Stream, run, scenario, with_faults, with_metric};

const PAIR: &str = "pair/subject=system,size=64";

fn pooled(streams: &[Stream]) -> Result<Vec<Cell>, String> {
    pool(streams).map(|pooled| pooled.cells)
}

fn pool(streams: &[Stream]) -> Result<Pooled, String> {
    let folder = TempDir::new().unwrap();
    let write = |(index, stream): (usize, &Stream)| {
        stream.write(folder.path(), &format!("round-{}", index + 1))
    };
    let folders: Vec<PathBuf> = streams.iter().enumerate().map(write).collect();
    rounds::read(&folders, &Run::default()).map_err(|error| error.to_string())
}

#[test]
fn percentiles_are_those_of_all_windows_together() {
    // Nanoseconds of a call: 10, 11 and 30; then 9 and 20.
    let cells = pooled(&[
        Stream::new([scenario(PAIR, 10, &[100, 110, 300])]),
        Stream::new([scenario(PAIR, 20, &[180, 400])]),
    ]);
    let cell = &cells.unwrap()[0];
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
        let scenario = scenario(PAIR, 1, &[5]);
        Stream::new([with_metric(
            scenario,
            "alloc-time",
            "nanoseconds",
            first,
            values,
        )])
    };
    let cells = pooled(&[time(7, &[(10, 3)]), time(9, &[(4, 1), (20, 2)])]).unwrap();
    assert_eq!(
        cells[0].metrics["alloc-time"],
        // 4, 10, 10, 10, 20, 20: rank 3 of 6 is the median, rank 6 the 99th percentile.
        Metric {
            unit: Unit::Nanoseconds,
            min: 4,
            p50: 10,
            p99: 20,
            max: 20,
            n: 6,
            first: vec![7, 9],
        }
    );
}

/// A scenario of threads measures its windows itself: 700 ns twice, and 900 ns.
#[test]
fn windows_of_threads_that_did_not_work_together_do_not_count() {
    const THREADS: &str = "larson/subject=system,threads=2";
    let round = |together| {
        let windows = with_metric(
            scenario(THREADS, 1, &[]),
            "wall-time",
            "nanoseconds",
            5_000,
            &[(700, 2), (900, 1)],
        );
        let mut both = with_metric(windows.clone(), "together", "count", 1, &[(together, 3)]);
        let metrics = both["metrics"].as_array_mut().unwrap();
        metrics.insert(0, windows["metrics"][0].clone());
        both["time"] = json!(null);
        Stream::new([both])
    };
    let one = &pooled(&[round(1), round(0)]).unwrap()[0];
    assert_eq!(
        one.time,
        Some(Windows {
            fastest: 700.0,
            p50: 700.0,
            p99: 900.0,
            slowest: 900.0,
            windows: 3,
        })
    );
    assert_eq!(one.headline(), Some(700.0), "the median");
    assert!(one.metrics.is_empty());
    let none = &pooled(&[round(0)]).unwrap()[0];
    assert_eq!((none.time, none.headline()), (None, None));
}

#[test]
fn a_run_is_of_a_machine_and_of_what_its_records_tell() {
    let folder = TempDir::new().unwrap();
    let round = Stream::new([scenario(PAIR, 1, &[5])]).write(folder.path(), "round-1");
    let run = rounds::read(&[round], &run("2026-11-23", "CPU"))
        .unwrap()
        .run;
    assert_eq!(
        (&*run.cpu, &*run.rustc, run.cores),
        ("CPU", "rustc 1.95.0", 2)
    );
}

#[test]
fn faults_and_requests_of_all_rounds_are_added() {
    let round = |faults| Stream::new([with_faults(scenario(PAIR, 1, &[5]), "null", faults, 100)]);
    let cells = pooled(&[round(1), round(2)]).unwrap();
    assert_eq!((cells[0].requests, cells[0].fault_count()), (200, 3));
}

#[test]
fn a_bench_is_whole_if_no_filter_was_used_in_some_round() {
    let round = |filtered| {
        let mut stream = Stream::new([scenario(PAIR, 1, &[5])]);
        stream.filtered = filtered;
        stream
    };
    let whole = |filtered: &[bool]| {
        let streams: Vec<_> = filtered.iter().map(|&filtered| round(filtered)).collect();
        pool(&streams)
            .unwrap()
            .whole
            .into_iter()
            .collect::<Vec<_>>()
    };
    assert_eq!(whole(&[false, true]), ["lab"]);
    assert!(whole(&[true, true]).is_empty());
}

#[test]
fn a_scenario_that_some_round_measured_is_available() {
    let unavailable = || {
        let mut stream = Stream::new([]);
        stream.unavailable.push((PAIR, "no memory"));
        stream
    };
    let never = &pooled(&[unavailable(), unavailable()]).unwrap()[0];
    assert_eq!(never.unavailable.as_deref(), Some("no memory"));
    assert_eq!((never.processes, never.time), (0, None));
    assert_eq!(never.subject(), Some("system"));
    let once = &pooled(&[unavailable(), Stream::new([scenario(PAIR, 1, &[5])])]).unwrap()[0];
    assert_eq!(once.unavailable, None);
    assert_eq!((once.processes, once.headline()), (1, Some(5.0)));
}

#[test]
fn a_scenario_that_failed_in_one_round_has_no_figure() {
    let mut failed = Stream::new([]);
    failed.failures.push((PAIR, "out of memory"));
    let cells = pooled(&[failed, Stream::new([scenario(PAIR, 1, &[5])])]).unwrap();
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0].failure.as_deref(), Some("out of memory"));
    assert_eq!(cells[0].headline(), None);
    // The record of a failure has no axes; that of the other round has them.
    assert_eq!(cells[0].subject(), Some("system"));
}

#[test]
fn rounds_that_do_not_belong_together_are_refused() {
    let round = || Stream::new([scenario(PAIR, 1, &[5])]);
    let error = |other| pooled(&[round(), other]).unwrap_err();
    let mut other = round();
    other.rustc = "rustc 1.96.0";
    let compilers = error(other);
    let message = "the rounds don't belong together: Compiler is `rustc 1.95.0` in the first \
                   stream and `rustc 1.96.0` in ";
    assert!(compilers.starts_with(message), "{compilers}");
    let mut other = round();
    other.scenarios[0]["work"]["elements"] = json!(11);
    let elements = error(other);
    let message = "`pair/subject=system,size=64` has other elements or threads in";
    assert!(elements.contains(message), "{elements}");
    let mut other = round();
    other.has_end = false;
    let end = error(other);
    assert!(end.contains("the end record is missing"), "{end}");
}
