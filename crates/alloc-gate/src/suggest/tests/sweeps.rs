//! Sweeps: the scenarios that form a series, and the rules that are suggested for it.

use crate::suggest::tests::text;

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
# Measured by sample/bench.
[[gate]]
name = \"decode\"
scenarios = [\"decode/*\"]
alloc-calls = { max = \"<= 10_002\", per-element = \"<= 1.2\", growth = \"O(n)\" }
bytes = { max = \"<= 200_000\", per-element = \"<= 20\", growth = \"O(n)\" }
net-bytes = \"== 0\"
"
    );
}

/// The requirements on `alloc-calls` that are suggested for `s/n=*`.
fn growth(points: &[(u64, u64)], rest: &str) -> String {
    let line = |(n, allocs): &(u64, u64)| {
        format!("s/n={n}: 2 x allocs={allocs} deallocs={allocs}{rest}\n")
    };
    let text = text(&points.iter().map(line).collect::<String>());
    let rule = text.lines().find(|line| line.starts_with("alloc-calls"));
    rule.expect("there is a rule").to_owned()
}

#[test]
fn growth_is_the_measured_class() {
    assert_eq!(
        growth(&[(1, 5), (10, 5), (100, 5), (1_000, 5)], ""),
        "alloc-calls = { max = \"<= 5\", growth = \"O(1)\" }"
    );
    assert!(
        growth(&[(1, 1), (10, 100), (100, 10_000), (1_000, 1_000_000)], "")
            .starts_with("alloc-calls = { max = \"<= 1_000_000\", growth = \"O(n^2)\" }")
    );
    // A rule can't allow cubic growth.
    let cubic = growth(&[(1, 1), (10, 1_000), (20, 8_000), (100, 1_000_000)], "");
    assert_eq!(cubic, "alloc-calls = \"<= 1_000_000\"");
}

#[test]
fn too_few_points_and_varying_means_have_no_growth() {
    let few = text("s/n=1: 1 x allocs=1\ns/n=10: 1 x allocs=1\ns/n=100: 1 x allocs=1");
    assert!(few.contains("alloc-calls = \"<= 1\"\n"), "{few}");
    assert!(!few.contains("growth"), "{few}");
    let near =
        text("s/n=1: 1 x allocs=1\ns/n=2: 1 x allocs=1\ns/n=3: 1 x allocs=1\ns/n=4: 1 x allocs=1");
    assert!(near.contains("alloc-calls = \"<= 1\"\n"), "{near}");
    assert!(!near.contains("growth"), "{near}");
    let moving = growth(
        &[(1, 5), (10, 5), (100, 5), (1_000, 5)],
        "; 1 x allocs=7 deallocs=7",
    );
    assert_eq!(moving, "alloc-calls = { max = \"<= 7\" }");
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
fn a_group_without_growth_has_limits_per_element() {
    let text = text(
        "s/a: 1 x allocs=4 alloc-bytes=64 | elements=2\ns/b: 1 x allocs=6 alloc-bytes=64 | \
         elements=3",
    );
    assert!(
        text.contains("\nalloc-calls = { max = \"<= 6\", per-element = \"<= 2\" }\n"),
        "{text}"
    );
    // Figures that are the same don't depend on the elements.
    assert!(text.contains("\nbytes = \"<= 64\"\n"), "{text}");
}

#[test]
fn growth_is_over_the_axis_with_enough_points() {
    let mut results = String::new();
    for cols in [1, 8] {
        for rows in [1, 10, 100, 1_000] {
            results.push_str(&format!("get/cols={cols},rows={rows}: 1 x allocs={cols}\n"));
        }
    }
    let text = text(&results);
    let gate = "name = \"get\"\nscenarios = [\"get/*\"]\ngrowth-axis = \"rows\"\n\
                alloc-calls = { max = \"<= 8\", growth = \"O(1)\" }\n";
    assert!(text.contains(gate), "{text}");
    assert_eq!(text.matches("[[gate]]").count(), 1);
}

/// Columns grow, and rows don't.
#[test]
fn growth_over_a_second_axis_has_a_gate_of_its_own() {
    let mut results = String::new();
    for cols in [1, 10, 100, 1_000] {
        for rows in [1, 10, 100, 1_000] {
            results.push_str(&format!("get/cols={cols},rows={rows}: 1 x allocs={cols}\n"));
        }
    }
    assert_eq!(
        text(&results),
        "\
# Measured by sample/bench.
[[gate]]
name = \"get\"
scenarios = [\"get/*\"]
growth-axis = \"cols\"
alloc-calls = { max = \"<= 1_000\", growth = \"O(n)\" }
bytes = \"== 0\"
net-bytes = \"== 0\"

[[gate]]
name = \"get-by-rows\"
scenarios = [\"get/*\"]
growth-axis = \"rows\"
alloc-calls = { growth = \"O(1)\" }
"
    );
}

#[test]
fn a_sweep_with_a_short_series_has_no_growth() {
    // Four values of `cols` with one row, and four values of `rows` with one column.
    let four = ["1,rows=1", "2,rows=1", "4,rows=1", "8,rows=1"];
    let lost = ["1,rows=2", "1,rows=4", "1,rows=8"];
    let line = |name: &&str| format!("get/cols={name}: 1 x allocs=1\n");
    let results: String = four.iter().chain(&lost).map(line).collect();
    let text = text(&results);
    assert!(
        text.contains("scenarios = [\"get/*\"]\nalloc-calls = \"<= 1\"\n"),
        "{text}"
    );
}

#[test]
fn without_growth_there_is_no_growth_axis() {
    let results = [1, 2, 4, 8].map(|n| format!("get/cols={n},rows=1: 1 x\n"));
    let text = text(&results.concat());
    assert!(!text.contains("growth"), "{text}");
}
