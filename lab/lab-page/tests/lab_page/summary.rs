//! Ratios, noise and means of workloads.

use lab_page::results::{Results, Windows};
use lab_page::summary::{Column, SMALLEST, Summary, arena_factor, mean};

use crate::support::{cell, example, times};

fn column<'s>(summary: &'s Summary, heading: &str) -> &'s Column {
    let mut columns = summary.columns.iter();
    let column = columns.find(|column| column.heading() == heading);
    column.unwrap_or_else(|| panic!("no column {heading}"))
}

#[test]
fn noise_is_what_the_baseline_differs_from_itself_but_not_less_than_the_median() {
    let summary = Summary::new(&example());
    // 8.8 / 8 is 1.1, and 32 / 32 is 1. 1.02 of `frame` is less than the median of 1.02, the one of
    // `pair` and 1.25.
    let of_pair = 1.1_f64.sqrt();
    for (heading, expected) in [("pair", of_pair), ("frame", of_pair), ("concurrent", 1.25)] {
        let noise = column(&summary, heading).noise.unwrap();
        assert!((noise - expected).abs() < 1e-9, "{heading}: {noise}");
    }
    let frame = column(&summary, "frame");
    assert!(frame.is_noise(1.04) && frame.is_noise(1.0 / 1.04));
    assert!(!frame.is_noise(1.06) && !frame.is_noise(0.94));
}

/// On two threads 20 ns where one takes 10: what the threads share can't be told.
#[test]
fn ratios_of_threads_are_noise_if_arenas_that_share_nothing_take_longer() {
    let mut results = example();
    for (threads, time) in [(1, 9.0), (2, 18.0), (4, 400.0)] {
        let name = format!("concurrent/subject=bumpalo,threads={threads},sizes=mixed");
        let mut cell = cell(&name, time);
        cell.time = cell.time.map(|windows| Windows {
            p50: time,
            ..windows
        });
        results.cells.push(cell);
    }
    // Four threads are more than the cores.
    assert_eq!(arena_factor(&results), Some(2.0));
    let noise = |results: &Results, heading| {
        let noise = column(&Summary::new(results), heading).noise.unwrap();
        (noise * 1e9).round() / 1e9
    };
    assert_eq!(noise(&results, "concurrent, threads"), 2.0);
    assert_eq!(noise(&results, "concurrent"), 1.25);
    results
        .cells
        .retain(|cell| cell.axis("threads") != Some("2"));
    assert_eq!(arena_factor(&results), None);
    assert_eq!(noise(&results, "concurrent, threads"), 1.25);
}

/// One block at a time 0.5 and 0.5, real programs 0.25 three times: the fourth root of 0.5 and
/// the third power of 0.25.
#[test]
fn each_kind_counts_once_and_real_programs_three_times() {
    let mut results = Results::default();
    for (workload, all) in [
        ("pair/subject={}", "system 10, talc 5"),
        ("fragmentation/subject={}", "system 10, talc 5"),
        ("replay/subject={}", "system 10, talc 2.5"),
    ] {
        results.cells.extend(times(workload, all));
    }
    let summary = Summary::new(&results);
    let columns = summary.columns.iter();
    let ratios = columns.map(|column| (column, summary.score(column, "talc").ratio().unwrap()));
    let mean = mean(&ratios.collect::<Vec<_>>()).unwrap();
    let expected = (0.5 * 0.25_f64.powi(3)).powf(0.25);
    assert!((mean - expected).abs() < 1e-9, "{mean}");
}

#[test]
fn a_net_time_below_the_floor_counts_as_the_error_of_its_measurement() {
    let mut results = example();
    let cells = times("x/subject={}", "floor 5, system 15, talc 4");
    results.cells.extend(cells);
    let score = |results: &Results| {
        let summary = Summary::new(results);
        let score = summary.score(column(&summary, "x"), "talc");
        (score.ratio().unwrap() * 1e9).round() / 1e9
    };
    // There is no second measurement that tells the error.
    assert_eq!(score(&results), SMALLEST);
    // Two measurements differ by a fifth, and a fifth of 4 is 0.8: the system has 10.
    let again = cell("x/subject=system-again", 18.0);
    results.cells.push(again);
    assert_eq!(score(&results), 0.08);
}

#[test]
fn a_repeat_below_the_floor_is_noise_and_not_an_exact_measurement() {
    let mut results = example();
    let cells = times("x/subject={}", "floor 5, system 9, system-again 4");
    results.cells.extend(cells);
    let summary = Summary::new(&results);
    let noise = column(&summary, "x").noise.unwrap();
    assert!((noise - 1.0 / SMALLEST).abs() < 1e-9, "{noise}");
}
