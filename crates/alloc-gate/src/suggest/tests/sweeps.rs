//! Sweeps: the scenarios that form a series, and the rules that are suggested for it.

use crate::suggest::Which;
use crate::suggest::tests::{suggested, text};

#[test]
fn a_sweep_has_one_gate_with_its_growth() {
    // Two vectors for any number of rows, and a text for each row.
    let rows = |n: u64| {
        format!(
            "decode/rows={n}: 10 x allocs={} alloc-bytes={} deallocs={0} dealloc-bytes={1} \
             peak=96 | elements={n}\n",
            n + 2,
            20 * n
        )
    };
    let results: String = [1_000, 10, 100, 10_000].map(rows).concat();
    assert_eq!(
        text(&results),
        "\
# `decode/rows=*` of sample/bench: 4 scenarios, 10 iterations each.
[[gate]]
name = \"decode-by-rows\"
scenarios = [\"decode/rows=*\"]
# by rows: 12 at 10, 102 at 100, 1,002 at 1,000, 10,002 at 10,000; O(n); 1.20 per
# element at 10
allocs = { max = \"<= 10_002\", per-element = \"<= 1.2\", growth = \"O(n)\" }
reallocs = \"== 0\" # 0 in each of 10 iterations
# by rows: 200 at 10, 2,000 at 100, 20,000 at 1,000, 200,000 at 10,000; O(n); 20.00 per
# element at 10
bytes = { max = \"<= 200_000\", per-element = \"<= 20\", growth = \"O(n)\" }
# by rows: 96 at 10, 96 at 100, 96 at 1,000, 96 at 10,000; O(1)
peak-bytes = { max = \"<= 96\", growth = \"O(1)\" }
net-bytes = \"== 0\" # 0 in each of 10 iterations
"
    );
}

/// The requirements on `allocs` that are suggested for `s/n=*`.
fn growth(points: &[(u64, u64)], rest: &str) -> String {
    let line = |(n, allocs): &(u64, u64)| {
        format!("s/n={n}: 2 x allocs={allocs} deallocs={allocs}{rest}\n")
    };
    let text = text(&points.iter().map(line).collect::<String>());
    let rule = text.lines().find(|line| line.starts_with("allocs"));
    rule.expect("there is a rule").to_owned()
}

#[test]
fn growth_is_the_measured_class() {
    assert_eq!(
        growth(&[(1, 5), (10, 5), (100, 5), (1_000, 5)], ""),
        "allocs = { max = \"<= 5\", growth = \"O(1)\" }"
    );
    assert!(
        growth(&[(1, 1), (10, 100), (100, 10_000), (1_000, 1_000_000)], "")
            .starts_with("allocs = { max = \"<= 1_000_000\", growth = \"O(n^2)\" }")
    );
    // A rule can't allow cubic growth.
    let cubic = growth(&[(1, 1), (10, 1_000), (20, 8_000), (100, 1_000_000)], "");
    assert!(
        cubic.starts_with("allocs = { max = \"<= 1_000_000\" }"),
        "{cubic}"
    );
}

#[test]
fn too_few_points_and_varying_means_have_no_growth() {
    let few = text("s/n=1: 1 x allocs=1\ns/n=10: 1 x allocs=1\ns/n=100: 1 x allocs=1");
    assert_eq!(few.matches("[[gate]]").count(), 3);
    assert!(!few.contains("growth"), "{few}");
    let near =
        text("s/n=1: 1 x allocs=1\ns/n=2: 1 x allocs=1\ns/n=3: 1 x allocs=1\ns/n=4: 1 x allocs=1");
    assert_eq!(near.matches("[[gate]]").count(), 4);
    let moving = growth(
        &[(1, 5), (10, 5), (100, 5), (1_000, 5)],
        "; 1 x allocs=7 deallocs=7",
    );
    assert_eq!(moving, "allocs = { max = \"<= 7\" }");
}

#[test]
fn a_fraction_per_element_is_rounded_up() {
    let thirds = |n: u64| {
        format!(
            "s/n={n}: 1 x allocs={} deallocs={0} | elements={}\n",
            n,
            3 * n
        )
    };
    let text = text(&[3, 30, 300, 3_000].map(thirds).concat());
    assert!(text.contains("per-element = \"<= 0.333334\""), "{text}");
}

#[test]
fn growth_is_over_the_first_axis_with_enough_points() {
    let mut results = String::new();
    for cols in [1, 8] {
        for rows in [1, 10, 100, 1_000] {
            results.push_str(&format!("get/cols={cols},rows={rows}: 1 x allocs={cols}\n"));
        }
    }
    let text = text(&results);
    for part in [
        "name = \"get-cols-1-by-rows\"\nscenarios = [\"get/cols=1,rows=*\"]\ngrowth-axis = \"rows\"\n",
        "name = \"get-cols-8-by-rows\"\nscenarios = [\"get/cols=8,rows=*\"]\ngrowth-axis = \"rows\"\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(text.matches("[[gate]]").count(), 2);
}

#[test]
fn a_series_that_lost_a_point_needs_enough_other_points() {
    // Four values of `cols` with one row, and four values of `rows` with one column.
    let four = ["1,rows=1", "2,rows=1", "4,rows=1", "8,rows=1"];
    let lost = ["1,rows=2", "1,rows=4", "1,rows=8"];
    let line = |name: &&str| format!("get/cols={name}: 1 x allocs=1\n");
    let results: String = four.iter().chain(&lost).map(line).collect();
    assert_eq!(
        suggested("", &results, Which::Ungated).names(),
        [
            "get-rows-1-by-cols",
            "get-cols-1-rows-2",
            "get-cols-1-rows-4",
            "get-cols-1-rows-8"
        ]
    );
}

#[test]
fn without_growth_there_is_no_growth_axis() {
    let results = [1, 2, 4, 8].map(|n| format!("get/cols={n},rows=1: 1 x\n"));
    let text = text(&results.concat());
    assert!(text.contains("name = \"get-rows-1-by-cols\""), "{text}");
    assert!(!text.contains("growth"), "{text}");
}
