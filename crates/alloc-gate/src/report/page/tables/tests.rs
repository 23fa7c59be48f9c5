//! Tests of updating pages with tables.

use super::*;
use crate::baseline::Histories;
use crate::sample::measured;
use crate::tables::pivot;

const RULES: &str = "version = 1\n\
    [[table]]\nname = \"a\"\nscenarios = [\"a*\"]\nrows = \"scenario\"\nmetrics = [\"allocs\"]\n\
    [[table]]\nname = \"b\"\nscenarios = [\"b*\"]\nrows = \"n\"\ncolumns = \"k\"\n\
    metrics = [\"allocs\"]\n";

fn marks(name: &str, content: &str) -> String {
    format!("{}\n{content}{}", begin_marker(name), end_marker(name))
}

/// The page updated with `results`.
fn updated(page: &str, results: &str, selection: Selection) -> UpdatedTables {
    let config = Config::parse("gates.toml", RULES).expect("the rules are valid");
    let measurements = measured(results);
    let tables = pivot(&config, &measurements, selection, &Histories::default()).tables;
    let page = TablesPage::parse(page, &config).expect("the markers are in order");
    page.update(&TablesUpdate {
        tables: &tables,
        measurements: &measurements,
        selection,
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
        assert_eq!(after.text, page.replace("A\n", TABLE_A));
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
fn the_environment_lists_each_value_once_and_the_kept_tables() {
    let page = format!(
        "{}\n{}\n{}",
        marks("environment", ""),
        marks("table a", ""),
        marks("table b", "")
    );
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
- Left as they were: `b`
";
    let begin = marks("environment", &format!("\n{block}\n"));
    assert!(text.starts_with(&begin), "{text}");
}

#[test]
fn tables_without_a_block_are_listed() {
    let config = Config::parse("gates.toml", RULES).expect("the rules are valid");
    let text = marks("table b", "");
    let page = TablesPage::parse(&text, &config).unwrap();
    let absent: Vec<&str> = page.absent().map(|table| table.name.as_str()).collect();
    assert_eq!(absent, ["a"]);
}
