//! The figures of single tables.

use lab_page::results::{Cell, Metric};

use crate::support::{cell, figures, metric, results, rows, text};

#[test]
fn derived_figures_follow_from_the_metrics() {
    let waste = |subject: &str, axes: &str, consumed: u64| {
        let name = format!("waste/subject={subject},{axes}");
        let metrics = format!("requested-bytes 750, consumed-bytes {consumed}");
        figures(&name, &metrics)
    };
    let recorded = |subject, consumed| waste(subject, "size=recorded,align=8", consumed);
    let cells = [
        recorded("system", 1_000),
        recorded("other", 1_500),
        recorded("tight", 750),
    ];
    let text_of = |cells| text("waste", &results(cells));
    let all = text_of(cells.to_vec());
    let expected = [
        "| system | 75.0 % |",
        "| other | 50.0 % |",
        "| tight | **100.0 %** |",
    ];
    assert_eq!(rows(&all)[2..], expected);
    let odd = |subject, consumed| waste(subject, "size=7,align=1", consumed);
    let all = text_of(vec![odd("odd", 1_000), odd("tight", 750)]);
    assert_eq!(
        rows(&all)[2..],
        ["| odd | 25.0 % |", "| tight | **0.0 %** |"]
    );
}

#[test]
fn resident_memory_is_compared_with_the_live_bytes() {
    let resident = |subject: &str, growth: &str| {
        let metrics = format!("full-bytes 20480, half-bytes 10240, {growth}");
        figures(&format!("resident/subject={subject}"), &metrics)
    };
    let cells = [
        resident("system", "full-growth 30720, half-growth 30720"),
        resident("other", "full-growth 40960, half-growth 20480"),
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
    let phases = |subject: &str, first: [i64; 2], min: u64| {
        let name = format!("phases/subject={subject},load=10000x4096");
        let mut cell = figures(&name, &format!("page-faults 0, pairs-time {min}"));
        let faults = cell.metrics.get_mut("page-faults");
        faults.unwrap().first = first.to_vec();
        cell
    };
    let results = results([
        phases("floor", [0, 0], 50),
        phases("system", [10_002, 10_001], 1_050),
        phases("other", [512, 600], 550),
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
    let burst = |subject: &str, cpu: u64| {
        let name = format!("burst/subject={subject},threads=4");
        Cell {
            metrics: figures(&name, &format!("cpu-time {cpu}")).metrics,
            ..cell(&name, 10.0)
        }
    };
    let cells = [burst("floor", 8), burst("system", 40)];
    let text = text("threads", &results(cells));
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
