//! Net figures, ratios and noise.

use lab_page::query::Ratio;
use lab_page::results::{Cell, Results};

use crate::support::{cell, results, times, unavailable};

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
