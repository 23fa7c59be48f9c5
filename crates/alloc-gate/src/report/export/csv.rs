//! Figures as a table with commas, as RFC 4180 has it: [`csv`].

use std::io::{self, Write};

use alloc_results::Ratio;

use crate::evaluation::accepted_figure;
use crate::figure::{Custom, Measure, Statistic, float};
use crate::printable::one_line;
use crate::report::export::measured::measured;
use crate::report::export::runs::Runs;

const COLUMNS: [&str; 15] = [
    "package",
    "bench",
    "scenario",
    "metric",
    "unit",
    "mean",
    "min",
    "max",
    "total",
    "first",
    "accepted",
    "iterations",
    "environment",
    "file",
    "line",
];

/// Writes a row for each scenario and metric. `accepted` is the mean in the baseline.
pub(in crate::report) fn csv(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    row(COLUMNS.map(String::from), out)?;
    for evaluation in runs.evaluations {
        for (number, scenario) in evaluation.scenarios.iter().enumerate() {
            let record = &scenario.record;
            for one in measured(record) {
                let metric = Measure::from_builtin_name(one.metric);
                let metric =
                    metric.unwrap_or_else(|| Measure::Custom(Custom::new(one.metric, one.unit)));
                let accepted = accepted_figure(evaluation, number, &metric, Statistic::Mean);
                let values = [
                    text(&scenario.bench.package),
                    text(&scenario.bench.target),
                    text(&record.name),
                    text(one.metric),
                    text(one.unit.name()),
                    decimal(one.values.mean()),
                    one.values.min().to_string(),
                    one.values.max().to_string(),
                    one.values.total().to_string(),
                    one.first.map(|first| first.to_string()).unwrap_or_default(),
                    accepted.map(decimal).unwrap_or_default(),
                    record.iterations.to_string(),
                    text(&scenario.environment.to_string()),
                    text(&runs.path(&record.location.file)),
                    record.location.line.to_string(),
                ];
                row(values, out)?;
            }
        }
    }
    Ok(())
}

fn row<const N: usize>(cells: [String; N], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}\r\n", cells.join(","))
}

/// A text from outside as a cell: in one line, in quotes if it has some of the format's
/// characters, and behind a `'` if a spreadsheet would take it for a formula.
fn text(text: &str) -> String {
    let text = one_line(text);
    let mark = if text.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    if text.contains(['"', ',']) {
        format!("\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{mark}{text}")
    }
}

fn decimal(figure: Ratio) -> String {
    match figure.as_whole() {
        Some(whole) => whole.to_string(),
        None => float(figure).to_string(),
    }
}
