//! Tests of updating pages with tables.

use super::*;
use crate::sample::measured;
use crate::tables::pivot;

const RULES: &str = "version = 1\n\
    [[table]]\nname = \"a\"\npackage = \"sample\"\nscenarios = [\"a*\"]\nrows = \"scenario\"\n\
    metrics = [\"allocs\"]\n\
    [[table]]\nname = \"b\"\nscenarios = [\"b*\"]\nrows = \"n\"\ncolumns = \"k\"\n\
    metrics = [\"allocs\"]\n";

fn marks(name: &str, content: &str) -> String {
    format!("{}\n{content}{}", begin_marker(name), end_marker(name))
}

/// The page updated with `results`.
fn updated(page: &str, results: &str, selection: Selection) -> UpdatedTables {
    updated_without(page, results, selection, &[])
}

/// The same when these scenarios were not selected.
fn updated_without(
    page: &str,
    results: &str,
    selection: Selection,
    left_out: &[&str],
) -> UpdatedTables {
    updated_without_benches(page, results, selection, left_out, &[])
}

fn updated_without_benches(
    page: &str,
    results: &str,
    selection: Selection,
    left_out: &[&str],
    unselected: &[BenchId],
) -> UpdatedTables {
    let config = Config::parse("gates.toml", RULES).expect("the rules are valid");
    let measurements = measured(results);
    let bench = measurements.scenarios()[0].bench.clone();
    let left_out: Vec<_> = left_out
        .iter()
        .map(|name| ScenarioId {
            bench: bench.clone(),
            name: (*name).to_owned(),
        })
        .collect();
    let tables = pivot(&config, &measurements, selection).tables;
    let page = TablesPage::parse(page, &config).expect("the markers are in order");
    page.update(&TablesUpdate {
        tables: &tables,
        measurements: &measurements,
        selection,
        left_out: &left_out,
        unselected,
        command: "cargo `x`",
    })
}

const TABLE_A: &str = "\n| scenario | allocs |\n|---|---:|\n| a | 3.00 |\n\n";

#[test]
fn the_text_around_the_blocks_stays_byte_for_byte() {
    for (above, below) in [
        ("", ""),
        ("\u{feff}# Mine  \n\n\n", "\n\n\ntrailing   "),
        ("a\rb\n", "\n\n"),
        ("on `<!-- alloc-gate: end table a -->`:\n  ", "  \n"),
    ] {
        let page = format!("{above}{}{below}", marks("table a", "old\n"));
        let expected = format!("{above}{}{below}", marks("table a", TABLE_A));
        let once = updated(&page, "a: 1 x allocs=3", Selection::Whole);
        assert_eq!(once.text, expected);
        let again = updated(&once.text, "a: 1 x allocs=3", Selection::Whole);
        assert_eq!(again, once);
    }
}

#[test]
fn a_table_of_one_figure_has_no_name_above_it() {
    let page = marks("table b", "");
    let text = updated(&page, "b/n=1,k=x: 1 x allocs=2", Selection::Whole).text;
    assert_eq!(
        text,
        marks("table b", "\n| n | k=x |\n|---|---:|\n| 1 | 2.00 |\n\n")
    );
}

#[test]
fn unselected_tables_stay_and_unmeasured_tables_get_a_note() {
    let page = format!("{}\n{}\n", marks("table a", "A\n"), marks("table b", "B\n"));
    let part = Selection::Scenarios { left_out: 1 };
    for selection in [Selection::Selected, part] {
        let after = updated(&page, "a: 1 x allocs=3", selection);
        assert_eq!(after.kept, ["b"]);
        let before = page.replace("A\n", TABLE_A);
        let (table, rest) = before.split_at(before.find("<!-- alloc-gate: end").unwrap());
        assert!(after.text.starts_with(table), "{}", after.text);
        assert!(after.text.ends_with(rest), "{}", after.text);
    }
    let after = updated(&page, "a: 1 x allocs=3", Selection::Whole);
    let nothing = "\nno scenario of the table was measured\n\n";
    assert_eq!(
        after.text,
        page.replace("A\n", TABLE_A).replace("B\n", nothing)
    );
    assert!(after.kept.is_empty());
}

#[test]
fn the_blocks_of_a_baseline_in_the_same_page_stay() {
    let page = format!(
        "{}\n{}",
        marks("history", "ours\n"),
        marks("table a", "old\n")
    );
    let after = updated(&page, "a: 1 x allocs=3", Selection::Whole).text;
    assert_eq!(after, page.replace("old\n", TABLE_A));
}

#[test]
fn the_environment_lists_each_value_once() {
    let page = marks("environment", "");
    let results = "bench s/x features=f,g\na: 1 x\nbench s/y target=t_1\na2: 1 x";
    let text = updated(&page, results, Selection::Selected).text;
    let block = "\
- Compiler: rustc 1.90.0
- Target: `t_1`, `x86_64-unknown-linux-gnu`
- Profile: `bench`
- Features: default, f g
- Harness: alloc-scenario 0.1.0
- Cores: not known
- Command: `` cargo `x` ``
";
    assert_eq!(text, marks("environment", &format!("\n{block}\n")));
}

#[test]
fn a_part_cuts_no_table_and_keeps_the_environment_of_the_rest() {
    let page = format!(
        "{}\n{}\n{}\n",
        marks("environment", "E\n"),
        marks("table a", "A\n"),
        marks("table b", "B\n")
    );
    let results = "a: 1 x allocs=3\nb/n=1,k=x: 1 x allocs=2";
    let part = Selection::Scenarios { left_out: 1 };
    // A row is missing, or a column.
    for other in ["b/n=2,k=x", "b/n=1,k=y"] {
        let after = updated_without(&page, results, part, &[other]);
        assert_eq!(after.kept, ["b"]);
        let stamp = "Measured apart from the page. Compiler: rustc 1.90.0; \
            Target: `x86_64-unknown-linux-gnu`; Profile: `bench`; Features: default; \
            Harness: alloc-scenario 0.1.0; Cores: not known; Command: `` cargo `x` ``\n\n";
        assert_eq!(
            after.text,
            page.replace("A\n", &format!("{TABLE_A}{stamp}"))
        );
    }
    // The scenario that was left out is in no table: the page is new as a whole.
    let after = updated_without(&page, results, part, &["c"]);
    assert!(after.kept.is_empty());
    assert!(
        after.text.contains("- Compiler: rustc 1.90.0\n"),
        "{}",
        after.text
    );
    assert!(!after.text.contains("apart"), "{}", after.text);
}

#[test]
fn tables_without_a_block_are_listed() {
    let config = Config::parse("gates.toml", RULES).expect("the rules are valid");
    let text = marks("table b", "");
    let page = TablesPage::parse(&text, &config).unwrap();
    let absent: Vec<&str> = page.absent().map(|table| table.name.as_str()).collect();
    assert_eq!(absent, ["a"]);
}

#[test]
fn a_table_that_other_benches_may_add_to_stays_without_them() {
    let page = format!("{}\n{}\n", marks("table a", "A\n"), marks("table b", "B\n"));
    let results = "a: 1 x allocs=3\nb/n=1,k=x: 1 x allocs=2";
    let other = |package: &str| BenchId {
        package: package.to_owned(),
        target: "other".to_owned(),
    };
    let after = |package: &str| {
        updated_without_benches(&page, results, Selection::Selected, &[], &[other(package)])
    };
    assert_eq!(after("sample").kept, ["a", "b"]);
    assert_eq!(after("sample").text, page);
    // The table `a` is of another package.
    assert_eq!(after("elsewhere").kept, ["b"]);
}
