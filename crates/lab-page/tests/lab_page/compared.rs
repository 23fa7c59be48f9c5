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
    let axes = [("size", "64"), ("subject", subject)];
    results.cell("lab", "pair", &axes).unwrap()
}

#[test]
fn net_figures_are_without_the_floor_of_their_kind() {
    let results = small();
    assert_eq!(results.net(of(&results, "quick")), Some(4.0));
    assert_eq!(results.net(of(&results, "bumpalo")), Some(2.0));
    assert_eq!(results.net(of(&results, "floor")), None);
}

#[test]
fn ratios_are_of_net_figures() {
    let results = small();
    let ratio = |subject| results.ratio(of(&results, subject)).unwrap();
    let net = |value| Ratio {
        value,
        is_net: true,
        is_noise: false,
    };
    assert_eq!(ratio("quick"), net(0.5)); // 4 / 8
    assert_eq!(ratio("slow"), net(3.0)); // 24 / 8
    assert_eq!(ratio("bumpalo"), net(0.25)); // 2 / 8
}

#[test]
fn what_differs_by_no_more_than_the_baseline_and_its_repeat_is_noise() {
    let results = small();
    assert_eq!(results.noise(of(&results, "slow")), Some(2.0)); // 12 - 10
    let is_noise = |subject| results.ratio(of(&results, subject)).unwrap().is_noise;
    assert!(is_noise("near")); // 11 - 10
    assert!(is_noise("system-again"));
    assert!(!is_noise("quick")); // 10 - 6
}

#[test]
fn a_cell_without_a_floor_has_a_ratio_of_gross_figures() {
    let results = results([
        unavailable("pair/subject=floor,size=64", "no memory"),
        cell("pair/subject=system,size=64", 10.0),
        cell("pair/subject=quick,size=64", 6.0),
    ]);
    assert_eq!(results.net(of(&results, "quick")), None);
    let ratio = results.ratio(of(&results, "quick")).unwrap();
    assert_eq!((ratio.value, ratio.is_net), (0.6, false));
}

#[test]
fn runs_of_two_compilers_are_not_compared() {
    let mut results = small();
    let mut other = run("2026-11-24", "CPU");
    other.rustc = "rustc 1.96.0".to_owned();
    results.runs.push(other);
    results.cells[3].run = 1;
    assert_eq!(results.ratio(of(&results, "quick")), None);
    assert_eq!(results.net(of(&results, "quick")), None);
}

#[test]
fn failed_requests_leave_no_figure() {
    let mut results = small();
    results.cells[3].faults = [("null".to_owned(), 1)].into();
    assert_eq!(results.ratio(of(&results, "quick")), None);
}
