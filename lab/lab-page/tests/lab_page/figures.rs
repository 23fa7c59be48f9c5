//! The figures of single tables.

use lab_page::results::{Metric, Unit};

use crate::support::{cell, results};
use crate::text::{metric, rows, text, with_metrics};

#[test]
fn derived_figures_follow_from_the_metrics() {
    let waste = |subject: &str, consumed| {
        with_metrics(
            cell(
                &format!("waste/subject={subject},size=recorded,align=8"),
                1.0,
            ),
            &[
                ("requested-bytes", Unit::Bytes, 750),
                ("consumed-bytes", Unit::Bytes, consumed),
            ],
        )
    };
    let cells = [
        waste("system", 1_000),
        waste("other", 1_500),
        waste("tight", 750),
    ];
    let text = text("waste-recorded", &results(cells));
    assert_eq!(
        rows(&text)[2..],
        [
            "| system | 1,000 | 25.0 % | 75.0 % |",
            "| other | 1,500 | 50.0 % | 50.0 % |",
            "| tight | 750 | **0.0 %** | **100.0 %** |",
        ]
    );
}

#[test]
fn resident_memory_is_compared_with_the_live_bytes() {
    let resident = |subject: &str, full, half| {
        with_metrics(
            cell(&format!("resident/subject={subject}"), 1.0),
            &[
                ("full-bytes", Unit::Bytes, 20_480),
                ("full-growth", Unit::Bytes, full),
                ("half-bytes", Unit::Bytes, 10_240),
                ("half-growth", Unit::Bytes, half),
            ],
        )
    };
    let cells = [
        resident("system", 30_720, 30_720),
        resident("other", 40_960, 20_480),
    ];
    let text = text("resident", &results(cells));
    // 30,720 / 20,480, 30,720 / 10,240; 40,960 / 20,480, 20,480 / 10,240.
    assert_eq!(
        rows(&text)[2..],
        [
            "| system | 30.0 KiB | **150.0 %** | 30.0 KiB | 300.0 % |",
            "| other | 40.0 KiB | 200.0 % | 20.0 KiB | **200.0 %** |",
        ]
    );
}

#[test]
fn page_faults_are_the_least_of_all_first_calls() {
    let phases = |subject: &str, first: &[i64], min| {
        let mut cell = cell(&format!("phases/subject={subject},load=10000x4096"), 1.0);
        let faults = Metric {
            first: first.to_vec(),
            ..metric(Unit::Count, 0)
        };
        let time = metric(Unit::Nanoseconds, min);
        let metrics = [("page-faults", faults), ("alloc-time", time)];
        cell.metrics = metrics
            .map(|(name, metric)| (name.to_owned(), metric))
            .into();
        cell
    };
    let results = results([
        phases("floor", &[0, 0], 50),
        phases("system", &[10_002, 10_001], 1_050),
        phases("other", &[512, 600], 550),
    ]);
    let text = text("speed-4k", &results);
    // 550 - 50 of `other`. The other figures were not measured.
    assert_eq!(rows(&text)[4], "| other | **500 ns** (0.50x) | **512** |");
}

#[test]
fn tails_are_compared_with_the_clock_in_them() {
    let tails = |subject: &str, p99| {
        let mut cell = cell(&format!("tails/subject={subject},call=take"), 1.0);
        // Of three processes, the median is shown.
        let time = Metric {
            min: 20,
            max: 1_000,
            ..metric(Unit::Nanoseconds, p99)
        };
        cell.metrics = [("call-p99".to_owned(), time)].into();
        cell
    };
    let cells = [tails("floor", 30), tails("system", 100), tails("other", 50)];
    let text = text("tails-take", &results(cells));
    assert_eq!(
        rows(&text),
        [
            "| subject | p99 |",
            "|---|---:|",
            "| floor | 30.0 ns |",
            "| system | 100 ns |",
            "| other | **50.0 ns** (0.50x) |",
        ]
    );
    assert!(!text.contains("include the loop"), "{text}");
    assert!(
        text.contains("| other | 20.0 / 50.0 / 50.0 ns, 3 |"),
        "{text}"
    );
}

#[test]
fn cpu_time_is_divided_by_the_elements_of_all_threads() {
    let concurrent = |subject: &str, cpu| {
        let name = format!("concurrent/subject={subject},threads=4,sizes=64");
        let mut cell = with_metrics(cell(&name, 1.0), &[("cpu-time", Unit::Nanoseconds, cpu)]);
        cell.elements = Some(10);
        cell
    };
    let cells = [concurrent("floor", 80), concurrent("system", 400)];
    let text = text("concurrent-64", &results(cells));
    // On two cores the four threads take turns, and the floor is no part of their wall time.
    assert!(text.contains("| system | 0.1 ns |"), "{text}");
    // (400 - 80) / (4 * 10)
    let (_, cpu) = text.split_once("**CPU time of a pair**").unwrap();
    assert!(cpu.contains("| system | 8.0 ns |"), "{text}");
}
