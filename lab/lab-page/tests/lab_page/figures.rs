//! The figures of single tables.

use lab_page::results::{Cell, Metric};

use crate::support::{cell, figures, metric, results};
use crate::text::{rows, text};

#[test]
fn derived_figures_follow_from_the_metrics() {
    let waste = |subject: &str, consumed| {
        figures(
            &format!("waste/subject={subject},size=recorded,align=8"),
            &[("requested-bytes", 750), ("consumed-bytes", consumed)],
        )
    };
    let cells = [
        waste("system", 1_000),
        waste("other", 1_500),
        waste("tight", 750),
    ];
    let recorded = text("waste", &results(cells));
    assert_eq!(
        rows(&recorded)[2..],
        [
            "| system | 75.0 % |",
            "| other | 50.0 % |",
            "| tight | **100.0 %** |",
        ]
    );
    let cells = [waste("odd", 1_000), waste("tight", 750)].map(|mut cell| {
        cell.scenario = cell
            .scenario
            .replace("size=recorded,align=8", "size=7,align=1");
        cell.axes[1].1 = "7".to_owned();
        cell.axes[2].1 = "1".to_owned();
        cell
    });
    let odd = text("waste", &results(cells));
    assert_eq!(
        rows(&odd)[2..],
        ["| odd | 25.0 % |", "| tight | **0.0 %** |"]
    );
}

#[test]
fn resident_memory_is_compared_with_the_live_bytes() {
    let resident = |subject: &str, full, half| {
        figures(
            &format!("resident/subject={subject}"),
            &[
                ("full-bytes", 20_480),
                ("full-growth", full),
                ("half-bytes", 10_240),
                ("half-growth", half),
            ],
        )
    };
    let cells = [
        resident("system", 30_720, 30_720),
        resident("other", 40_960, 20_480),
    ];
    let text = text("memory", &results(cells));
    // 30,720 / 20,480, 30,720 / 10,240; 40,960 / 20,480, 20,480 / 10,240.
    assert_eq!(
        rows(&text)[2..],
        [
            "| system | **150.0 %** | 300.0 % |",
            "| other | 200.0 % | **200.0 %** |",
        ]
    );
}

#[test]
fn page_faults_are_the_least_of_all_first_calls() {
    let phases = |subject: &str, first: &[i64], min| {
        let mut cell = cell(&format!("phases/subject={subject},load=10000x4096"), 1.0);
        let faults = Metric {
            first: first.to_vec(),
            ..metric(0)
        };
        let time = metric(min);
        let metrics = [("page-faults", faults), ("pairs-time", time)];
        cell.elements = Some(1);
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
    let text = text("phases", &results);
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
            ..metric(p99)
        };
        cell.metrics = [("call-p999".to_owned(), time)].into();
        cell
    };
    let cells = [tails("floor", 30), tails("system", 100), tails("other", 50)];
    let text = text("calls", &results(cells));
    assert_eq!(
        rows(&text),
        [
            "| subject | p99.9, call take |",
            "|---|---:|",
            "| floor | 30.0 ns |",
            "| system | 100 ns |",
            "| other | **50.0 ns** (0.50x) |",
        ]
    );
}

#[test]
fn beyond_the_cores_cpu_time_is_net_and_wall_time_is_not() {
    let burst = |subject: &str, cpu| {
        let name = format!("burst/subject={subject},threads=4");
        Cell {
            metrics: [("cpu-time".to_owned(), metric(cpu))].into(),
            ..cell(&name, 10.0)
        }
    };
    let text = text(
        "sharing",
        &results([burst("floor", 8), burst("system", 40)]),
    );
    // On two cores the four threads take turns, and the floor is no part of their wall time.
    assert_eq!(
        rows(&text),
        [
            "| subject | burst, threads 4 \\* † | burst, CPU time, threads 4 \\* |",
            "|---|---:|---:|",
            "| floor | 10.0 ns | 8.0 ns |",
            "| system | 10.0 ns | 32.0 ns |",
        ]
    );
}

#[test]
fn throughput_is_that_of_all_threads() {
    let name = "concurrent/subject=system,threads=2,sizes=mixed";
    let mut pairs = cell(name, 800.0);
    pairs.elements = Some(10);
    // 20 pairs in 800 ns.
    let text = text("threads", &results([pairs]));
    assert_eq!(rows(&text)[2], "| system | 80.0 ns | 25.0 |");
}
