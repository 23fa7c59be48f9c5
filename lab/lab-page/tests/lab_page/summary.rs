//! Ratios, noise and means of workloads.

use lab_page::query::Ratio;
use lab_page::results::{Cell, Results, Windows};
use lab_page::summary::{Column, SMALLEST, Score, Summary, arena_factor, mean};

use crate::support::{cell, example, results, times, unavailable};

fn column<'s>(summary: &'s Summary, heading: &str) -> &'s Column {
    let mut columns = summary.columns.iter();
    let column = columns.find(|column| column.heading() == heading);
    column.unwrap_or_else(|| panic!("no column {heading}"))
}

#[track_caller]
fn assert_ratio(score: Score, expected: f64, partial: bool) {
    let Score::Ratio { ratio, is_partial } = score else {
        panic!("{score:?}");
    };
    assert!((ratio - expected).abs() < 1e-9, "{ratio}");
    assert_eq!(is_partial, partial);
}

#[test]
fn a_score_is_the_geometric_mean_of_net_ratios() {
    let summary = Summary::new(&example());
    let pair = column(&summary, "pair");
    let score = |subject| summary.score(pair, subject);
    // (4 - 2) / (10 - 2) and (10 - 2) / (34 - 2) are both 0.25.
    assert_ratio(score("mimalloc"), 0.25, false);
    // (18 - 2) / (10 - 2) is 2, and (34 - 2) / (34 - 2) is 1.
    assert_ratio(score("talc"), 2.0_f64.sqrt(), false);
    // With the floor of arenas, 0.8 / 8 and 3.2 / 32.
    assert_ratio(score("bumpalo"), 0.1, false);
    assert_ratio(score("mine"), 0.8, true);
    assert_eq!(score("buddy"), Score::Failed);
    assert_eq!(score("jemalloc"), Score::NotMeasured);
    assert_eq!(score("nobody"), Score::NotMeasured);
    // Without a floor, 50 / 100.
    assert_ratio(
        summary.score(column(&summary, "frame"), "mimalloc"),
        0.5,
        false,
    );
}

#[test]
fn noise_is_what_the_baseline_differs_from_itself_but_not_less_than_the_median() {
    let summary = Summary::new(&example());
    let noise = |heading| column(&summary, heading).noise.unwrap();
    // 8.8 / 8 is 1.1, and 32 / 32 is 1.
    let of_pair = 1.1_f64.sqrt();
    assert!((noise("pair") - of_pair).abs() < 1e-9);
    // 1.02 is less than the median of 1.02, that of `pair` and 1.25.
    assert!((noise("frame") - of_pair).abs() < 1e-9);
    assert!((noise("concurrent") - 1.25).abs() < 1e-9);
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
/// the third power of 0.25. Shrinking is a column of the kind of `realloc`.
#[test]
fn each_kind_counts_once_and_real_programs_three_times() {
    let mut results = Results::default();
    for (workload, all) in [
        ("pair/subject={}", "system 10, talc 5"),
        ("fragmentation/subject={}", "system 10, talc 5"),
        ("replay/subject={}", "system 10, talc 2.5"),
        ("realloc/subject={},change=grow", "system 10, talc 40"),
        ("realloc/subject={},change=shrink", "system 10, talc 2.5"),
    ] {
        results.cells.extend(times(workload, all));
    }
    let summary = Summary::new(&results);
    let headings: Vec<_> = summary.columns.iter().map(Column::heading).collect();
    let expected = [
        "pair",
        "fragmentation",
        "replay",
        "realloc",
        "realloc, shrink",
    ];
    assert_eq!(headings, expected);
    let mean_of = |columns: &[&str]| {
        let is_asked = |column: &&Column| columns.contains(&column.workload.as_str());
        let columns = summary.columns.iter().filter(is_asked);
        let ratios = columns.map(|column| (column, summary.score(column, "talc").ratio().unwrap()));
        mean(&ratios.collect::<Vec<_>>()).unwrap()
    };
    let expected = (0.5 * 0.25_f64.powi(3)).powf(0.25);
    assert!((mean_of(&["pair", "fragmentation", "replay"]) - expected).abs() < 1e-9);
    assert!((mean_of(&["realloc", "realloc, shrink"]) - 1.0).abs() < 1e-9);
}

#[test]
fn a_net_time_below_the_floor_counts_as_the_error_of_its_measurement() {
    let mut results = example();
    let cells = times("x/subject={}", "floor 5, system 15, talc 4");
    results.cells.extend(cells);
    let score = |results: &Results| {
        let summary = Summary::new(results);
        summary.score(column(&summary, "x"), "talc")
    };
    // There is no second measurement that tells the error.
    assert_ratio(score(&results), SMALLEST, false);
    // Two measurements differ by a fifth, and a fifth of 4 is 0.8: the system has 10.
    let again = cell("x/subject=system-again", 18.0);
    results.cells.push(again);
    assert_ratio(score(&results), 0.08, false);
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

/// Floors of 2 and 1 ns, the baseline 10 and again 12 ns.
fn small() -> Results {
    let all = "floor 2, floor-arena 1, system 10, quick 6, near 11, slow 26, bumpalo 3, \
               system-again 12";
    results(times("pair/subject={},size=64", all))
}

fn of<'r>(results: &'r Results, subject: &str) -> &'r Cell {
    let mut cells = results.cells.iter();
    cells.find(|cell| cell.subject() == Some(subject)).unwrap()
}

fn net(results: &Results, subject: &str) -> Option<f64> {
    results.net_of(of(results, subject), Cell::headline)
}

fn ratio(results: &Results, subject: &str) -> Ratio {
    let ratio = results.ratio_of(of(results, subject), true, Cell::headline);
    ratio.unwrap()
}

#[test]
fn net_figures_are_without_the_floor_of_their_kind() {
    let mut results = small();
    assert_eq!(net(&results, "quick"), Some(4.0));
    assert_eq!(net(&results, "bumpalo"), Some(2.0));
    assert_eq!(net(&results, "floor"), None);
    // A workload without a floor of arenas.
    results.cells.remove(1);
    assert_eq!(net(&results, "bumpalo"), Some(1.0)); // 3 - 2
    // It is not known what the arena's loop takes if its floor could not be measured.
    let absent = unavailable("pair/subject=floor-arena,size=64", "no memory");
    results.cells.push(absent);
    assert_eq!(net(&results, "bumpalo"), None);
}

#[test]
fn ratios_are_of_net_figures_and_noise_is_what_the_baseline_and_its_repeat_differ_by() {
    let results = small();
    let ratios = ["quick", "slow", "bumpalo", "near", "system-again"];
    let ratios = ratios.map(|subject| ratio(&results, subject));
    // 4, 24, 2, 9 and 10 over 8. The repeat differs by 2.
    assert_eq!(
        ratios.map(|ratio| ratio.value),
        [0.5, 3.0, 0.25, 1.125, 1.25]
    );
    assert_eq!(
        ratios.map(|ratio| ratio.is_noise),
        [false, false, false, true, true]
    );
}

#[test]
fn noise_is_a_difference_of_net_figures_and_not_of_loops() {
    let mut results = small();
    // 8.5 and 10 ns are within the noise, and 7.5 and 8 ns without their floors are, too.
    results.cells[6] = cell("pair/subject=bumpalo,size=64", 8.5);
    assert!(ratio(&results, "bumpalo").is_noise);
    // 8.5 and 10 ns again; without their floors, 4.5 and 8 ns are not.
    results.cells[1] = cell("pair/subject=floor-arena,size=64", 4.0);
    assert!(!ratio(&results, "bumpalo").is_noise);
}

#[test]
fn the_repeat_is_noise_whatever_its_figures_are() {
    // Differences of such figures are not exact.
    let all = "floor 4.537, system 10.471, system-again 16.424";
    let results = results(times("pair/subject={},size=64", all));
    assert!(ratio(&results, "system-again").is_noise);
}
