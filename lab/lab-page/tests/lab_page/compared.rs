//! Net figures, ratios and noise.

use lab_page::query::Ratio;
use lab_page::results::{Cell, Results};

use crate::support::{cell, results, run, unavailable};

/// Floors of 2 and 1 ns, the baseline 10 and again 12 ns.
fn small() -> Results {
    let one = |subject, fastest| cell(&format!("pair/subject={subject},size=64"), fastest);
    results([
        one("floor", 2.0),
        one("floor-arena", 1.0),
        one("system", 10.0),
        one("quick", 6.0),
        one("near", 11.0),
        one("slow", 26.0),
        one("bumpalo", 3.0),
        one("system-again", 12.0),
    ])
}

fn of<'r>(results: &'r Results, subject: &str) -> &'r Cell {
    let mut cells = results.cells.iter();
    cells.find(|cell| cell.subject() == Some(subject)).unwrap()
}

fn net(results: &Results, subject: &str) -> Option<f64> {
    results.net_of(of(results, subject), Cell::headline)
}

fn ratio(results: &Results, subject: &str) -> Option<Ratio> {
    results.ratio_of(of(results, subject), Cell::headline)
}

#[test]
fn net_figures_are_without_the_floor_of_their_kind() {
    let results = small();
    assert_eq!(net(&results, "quick"), Some(4.0));
    assert_eq!(net(&results, "bumpalo"), Some(2.0));
    assert_eq!(net(&results, "floor"), None);
}

#[test]
fn an_arena_has_the_floor_of_the_others_in_a_workload_without_a_floor_of_arenas() {
    let mut results = small();
    results.cells.remove(1);
    assert_eq!(net(&results, "bumpalo"), Some(1.0)); // 3 - 2
    // It is not known what the arena's loop takes if its floor could not be measured.
    let absent = unavailable("pair/subject=floor-arena,size=64", "no memory");
    results.cells.push(absent);
    assert_eq!(net(&results, "bumpalo"), None);
}

#[test]
fn ratios_are_of_net_figures() {
    let results = small();
    let ratio = |subject| ratio(&results, subject).unwrap();
    let net = |value| Ratio {
        value,
        is_noise: false,
    };
    assert_eq!(ratio("quick"), net(0.5)); // 4 / 8
    assert_eq!(ratio("slow"), net(3.0)); // 24 / 8
    assert_eq!(ratio("bumpalo"), net(0.25)); // 2 / 8
}

#[test]
fn what_differs_by_no_more_than_the_baseline_and_its_repeat_is_noise() {
    let results = small();
    let noise = results.noise_of(of(&results, "slow"), Cell::headline);
    assert_eq!(noise, Some(2.0)); // 12 - 10
    let is_noise = |subject| ratio(&results, subject).unwrap().is_noise;
    assert!(is_noise("near")); // 11 - 10
    assert!(is_noise("system-again"));
    assert!(!is_noise("quick")); // 10 - 6
}

#[test]
fn noise_is_a_difference_of_net_figures_and_not_of_loops() {
    let mut results = small();
    // 8.5 and 10 ns are within the noise, and 7.5 and 8 ns without their floors are, too.
    results.cells[6] = cell("pair/subject=bumpalo,size=64", 8.5);
    assert!(ratio(&results, "bumpalo").unwrap().is_noise);
    // 8.5 and 10 ns again; without their floors, 4.5 and 8 ns are not.
    results.cells[1] = cell("pair/subject=floor-arena,size=64", 4.0);
    assert!(!ratio(&results, "bumpalo").unwrap().is_noise);
}

#[test]
fn the_repeat_is_noise_whatever_its_figures_are() {
    // Differences of such figures are not exact.
    let one = |subject, fastest| cell(&format!("pair/subject={subject},size=64"), fastest);
    let results = results([
        one("floor", 4.537),
        one("system", 10.471),
        one("system-again", 16.424),
    ]);
    assert!(ratio(&results, "system-again").unwrap().is_noise);
}

#[test]
fn a_cell_without_a_floor_has_a_ratio_of_gross_figures() {
    let results = results([
        unavailable("pair/subject=floor,size=64", "no memory"),
        cell("pair/subject=system,size=64", 10.0),
        cell("pair/subject=quick,size=64", 6.0),
    ]);
    assert_eq!(net(&results, "quick"), None);
    assert_eq!(ratio(&results, "quick").unwrap().value, 0.6);
}

#[test]
fn runs_of_two_compilers_are_not_compared() {
    let mut results = small();
    let mut other = run("2026-11-24", "CPU");
    other.rustc = "rustc 1.96.0".to_owned();
    results.runs.push(other);
    results.cells[3].run = 1;
    assert_eq!(ratio(&results, "quick"), None);
    assert_eq!(net(&results, "quick"), None);
}

#[test]
fn failed_requests_leave_no_figure() {
    let mut results = small();
    results.cells[3].faults = [("null".to_owned(), 1)].into();
    assert_eq!(ratio(&results, "quick"), None);
}
