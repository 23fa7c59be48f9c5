//! Formats with all figures: CSV, Bencher's and that of github-action-benchmark.

use std::collections::{BTreeMap, BTreeSet};

use alloc_gate::report::Format;
use alloc_gate::{Evaluation, one_line};
use alloc_results::Metric;
use serde_json::Value;

use super::{evaluated, hostile, json, list, many, none, parts, report, text, twice};

/// Stands for a figure of the first call that is not known.
const UNKNOWN: f64 = f64::MAX;

/// The metrics of each scenario in the JSON report: package, name, metric; mean, min, max, total
/// and first.
fn expected(evaluations: &[Evaluation]) -> Vec<([String; 3], [f64; 5])> {
    let mut figures = Vec::new();
    for part in parts(evaluations) {
        for scenario in list(&part, "scenarios") {
            for metric in list(scenario, "metrics") {
                let mean = &metric["mean"];
                let mean = number(&mean["numerator"]) / number(&mean["denominator"]);
                let [min, max, total] = ["min", "max", "total"].map(|key| number(&metric[key]));
                let first = metric["first"].as_f64().unwrap_or(UNKNOWN);
                let name = one_line(text(scenario, "name"));
                let package = text(scenario, "package").to_owned();
                let key = [package, name, text(metric, "metric").to_owned()];
                figures.push((key, [mean, min, max, total, first]));
            }
        }
    }
    figures
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

fn rows(evaluations: &[Evaluation]) -> Vec<BTreeMap<String, String>> {
    let table = report(evaluations, Format::Csv);
    assert_eq!(table.matches('\n').count(), table.matches("\r\n").count());
    let mut reader = csv::ReaderBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_reader(table.as_bytes());
    // The reader refuses rows with another number of cells.
    let rows = reader.deserialize().map(|row| row.expect("it is a row"));
    rows.collect()
}

const METRICS: &str = "bench codec/b\nplain: 3 x allocs=1 alloc-bytes=8 deallocs=2 \
                       dealloc-bytes=16; 1 x allocs=4 alloc-bytes=9 | first allocs=7 | \
                       custom rows count 2 x -7; 2 x 3, first 9\n";

/// The tables and Bencher's reports have the figures of the JSON report.
pub(super) fn are_those_of_the_json_report(evaluations: &[Evaluation]) {
    let is_counted = |metric: &str| metric.parse::<Metric>().is_ok();
    let expected = expected(evaluations);
    let mut rows = rows(evaluations);
    rows.retain(|row| is_counted(&row["metric"]));
    assert_eq!(rows.len(), expected.len());
    for (row, ([package, name, metric], figures)) in rows.iter().zip(&expected) {
        let shown = &row["scenario"];
        assert!(shown == name || *shown == format!("'{name}"), "{row:?}");
        assert!(!shown.starts_with(['=', '+', '-', '@']), "{row:?}");
        assert_eq!([&row["package"], &row["metric"]], [package, metric]);
        let keys = ["mean", "min", "max", "total", "first"];
        let shown = keys.map(|key| match &*row[key] {
            "" => UNKNOWN,
            cell => cell.parse().expect("a number"),
        });
        assert_eq!(shown, *figures);
        assert!(row["file"].starts_with("rust/benches/"), "{row:?}");
    }

    let report = json(evaluations, Format::Bmf);
    let benchmarks = report.as_object().expect("an object");
    let parts = parts(evaluations);
    let counts = parts.iter().map(|part| list(part, "scenarios").len());
    assert_eq!(
        benchmarks.len(),
        counts.sum::<usize>(),
        "no name is there twice"
    );
    for name in benchmarks.keys() {
        assert!(name.chars().count() <= 1_024 && !name.ends_with("-bencher-ignore"));
    }
    let measures = benchmarks.values();
    let measures = measures.flat_map(|measures| measures.as_object().expect("an object"));
    let mut found: Vec<String> = measures
        .filter(|(measure, _)| is_counted(measure))
        .map(|(measure, figures)| {
            assert!(measure.len() <= 64, "{measure}");
            let keys = ["value", "lower_value", "upper_value"];
            let figures = keys.map(|key| number(&figures[key]));
            format!("{measure} {figures:.9?}")
        })
        .collect();
    let expected = expected.into_iter();
    let expected = expected
        .map(|([_, _, metric], [mean, min, max, ..])| format!("{metric} {:.9?}", [mean, min, max]));
    // The reader sorts the names, and its floats can be off by their last bit.
    let mut expected: Vec<String> = expected.collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn hostile_names_and_own_metrics_have_their_figures() {
    are_those_of_the_json_report(&evaluated("version = 1\n", &hostile()));
    let own = evaluated("version = 1\n", METRICS);
    are_those_of_the_json_report(&own);
    let rows = rows(&own);
    let row = rows.iter().find(|row| row["metric"] == "rows");
    let row = row.expect("the scenario's own metric");
    let cells = ["mean", "min", "first", "unit"].map(|key| &*row[key]);
    assert_eq!(cells, ["-2", "-7", "9", "count"]);
    let figures = &json(&own, Format::Bmf)["plain"]["rows"];
    assert_eq!(
        *figures,
        serde_json::json!({ "value": -2, "lower_value": -7, "upper_value": 3 })
    );
}

#[test]
fn nothing_and_several_environments_are_reports_too() {
    are_those_of_the_json_report(&none());
    assert_eq!(json(&none(), Format::Bmf), serde_json::json!({}));
    are_those_of_the_json_report(&twice());
}

#[test]
fn charts_have_the_figures_that_gates_judge() {
    let evaluations = evaluated(super::RULES, &hostile());
    let report = json(&evaluations, Format::BenchmarkAction);
    let entries = report.as_array().expect("an array");
    let names: BTreeSet<&str> = entries.iter().map(|entry| text(entry, "name")).collect();
    assert_eq!(names.len(), entries.len(), "each chart has its own name");
    let of = |metric: &str| {
        let entries = entries.iter().filter(move |entry| {
            let name = text(entry, "name");
            name.contains(&format!(": {metric}")) && !name.contains(" max")
        });
        entries
            .map(|entry| number(&entry["value"]))
            .collect::<Vec<_>>()
    };
    for metric in ["allocs", "bytes"] {
        let expected = expected(&evaluations).into_iter();
        let expected = expected.filter(|([_, _, one], _)| one == metric);
        let expected: Vec<f64> = expected.map(|(_, [mean, ..])| mean).collect();
        assert_eq!(of(metric), expected, "{metric}");
    }
    let ranges = entries.iter().filter_map(|entry| entry["range"].as_str());
    assert!(ranges.clone().any(|range| range == "1 to 2"), "{report}");
    for entry in entries {
        assert!(["count", "bytes"].contains(&text(entry, "unit")), "{entry}");
        assert!(entry["extra"].is_string() && entry["value"].is_number());
    }
    assert_eq!(
        json(&none(), Format::BenchmarkAction),
        serde_json::json!([])
    );
}

#[test]
fn ten_thousand_scenarios_are_all_there() {
    let evaluations = many();
    let one = evaluated("version = 1\n", "s: 2 x allocs=9\n");
    let metrics = expected(&one).len();
    let table = report(&evaluations, Format::Csv);
    let rows = csv::Reader::from_reader(table.as_bytes()).into_byte_records();
    assert_eq!(rows.filter(Result::is_ok).count(), 10_000 * metrics);
    let report = json(&evaluations, Format::Bmf);
    assert_eq!(report.as_object().map(serde_json::Map::len), Some(10_000));
    let report = json(&evaluations, Format::BenchmarkAction);
    assert_eq!(report.as_array().map(Vec::len), Some(10_000));
}
