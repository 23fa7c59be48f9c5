//! [`Report`]: the tables of a JSON report, as far as a plot needs them.

use serde_json::Value;

/// The tables of a report.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    tables: Vec<Table>,
}

/// A table with an axis of rows and one of columns.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The rule's name, then a colon and the figure that the cells show.
    pub(crate) name: String,
    pub(crate) caption: Option<String>,
    /// The axis of the rows.
    pub(crate) rows: String,
    /// The axis of the columns; `None` if each column is another figure.
    pub(crate) columns: Option<String>,
    pub(crate) cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) row: String,
    /// `None` if each column is another figure.
    pub(crate) column: Option<String>,
    pub(crate) content: Content,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// A figure.
    Figure {
        value: f64,
        /// The smallest and the largest value.
        spread: Option<(f64, f64)>,
        /// The unit is nanoseconds.
        is_time: bool,
    },
    /// No figure, and why.
    Gap(String),
}

impl Report {
    /// Reads the report of `--format json`. The error says what is wrong, and where.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let report: Value =
            serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"))?;
        let tables = match report.get("tables") {
            Some(Value::Array(tables)) => tables,
            Some(_) | None => {
                return Err(String::from(
                    "`tables` is missing; `cargo alloc-gate run --report json=FILE` writes it \
                     when the rules define tables",
                ));
            }
        };
        let tables = tables
            .iter()
            .enumerate()
            .map(|(nth, value)| table(value).map_err(|problem| format!("tables[{nth}]{problem}")));
        Ok(Self {
            tables: tables.collect::<Result<_, String>>()?,
        })
    }

    /// The table with this name, or the first table of the rule with this name.
    pub(crate) fn table(&self, name: &str) -> Result<&Table, String> {
        let is_of_rule = |table: &&Table| {
            let rest = table.name.strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(": "))
        };
        let exact = self.tables.iter().find(|table| table.name == name);
        exact
            .or_else(|| self.tables.iter().find(is_of_rule))
            .ok_or_else(|| {
                let names = self.tables.iter().map(|table| format!("`{}`", table.name));
                let names: Vec<String> = names.collect();
                format!("no table `{name}`; the report has {}", names.join(", "))
            })
    }
}

impl Table {
    /// Whether any cell has a figure.
    pub(crate) fn has_figures(&self) -> bool {
        let is_figure = |cell: &Cell| matches!(cell.content, Content::Figure { .. });
        self.cells.iter().any(is_figure)
    }
}

fn table(value: &Value) -> Result<Table, String> {
    let Some(Value::Array(cells)) = value.get("cells") else {
        return Err(String::from(": `cells` is missing"));
    };
    let cells = cells
        .iter()
        .enumerate()
        .map(|(nth, value)| cell(value).map_err(|problem| format!(".cells[{nth}]{problem}")));
    let cells = cells.collect::<Result<_, String>>()?;
    Ok(Table {
        name: text(value, "name")?,
        caption: optional_text(value, "caption"),
        rows: text(value, "rows")?,
        columns: optional_text(value, "columns"),
        cells,
    })
}

fn cell(value: &Value) -> Result<Cell, String> {
    let shown = optional_text(value, "text").unwrap_or_default();
    let content = match value.get("measured") {
        // The figures of a failed scenario are not drawn.
        Some(Value::Object(_)) if !shown.starts_with("FAIL") => Content::Figure {
            value: exact(value.get("measured"))?,
            spread: match value.get("spread") {
                Some(Value::Array(ends)) => Some((exact(ends.first())?, exact(ends.get(1))?)),
                Some(_) | None => None,
            },
            is_time: shown
                .split([' ', ','])
                .find(|word| word.starts_with(char::is_alphabetic))
                == Some("ns"),
        },
        Some(Value::Object(_) | Value::Null) => Content::Gap(why(value, shown)),
        Some(_) | None => return Err(String::from(": `measured` is missing")),
    };
    Ok(Cell {
        row: text(value, "row")?,
        column: optional_text(value, "column"),
        content,
    })
}

/// Why a cell has no figure: its text, its reason, or the name of what is absent.
fn why(cell: &Value, shown: String) -> String {
    if shown.starts_with("FAIL") {
        return shown;
    }
    match (optional_text(cell, "absent"), optional_text(cell, "reason")) {
        (Some(absent), _) if absent == "scenario" && !is_unavailable(cell) => {
            String::from("not measured")
        }
        (_, Some(reason)) => reason,
        (Some(absent), None) => format!("no {absent}"),
        (None, None) => String::from("not measured"),
    }
}

/// Whether the scenario exists and reports why it can't be measured.
fn is_unavailable(cell: &Value) -> bool {
    matches!(cell.get("scenarios"), Some(Value::Array(names)) if !names.is_empty())
}

/// Reads `{"numerator": 7, "denominator": 2}`; either may be a string.
fn exact(value: Option<&Value>) -> Result<f64, String> {
    let part = |name: &str| match value?.get(name)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    match (part("numerator"), part("denominator")) {
        (Some(numerator), Some(denominator)) if denominator > 0.0 => Ok(numerator / denominator),
        _ => Err(String::from(": invalid fraction")),
    }
}

fn text(value: &Value, key: &str) -> Result<String, String> {
    optional_text(value, key).ok_or_else(|| format!(": `{key}` is missing"))
}

fn optional_text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

/// A report with subjects over threads: `fast` has all figures, `slow` fails on 2 and
/// is not measured on 4, `gone` has none.
#[cfg(test)]
pub(crate) const SAMPLE: &str = r#"{ "schema": 1, "tables": [
  { "name": "pairs: time p50", "caption": "Of one pair", "rows": "threads",
    "columns": "subject", "cells": [
    { "row": "1", "column": "fast", "measured": { "numerator": 21, "denominator": 2 },
      "spread": [{ "numerator": 10, "denominator": 1 }, { "numerator": 12, "denominator": 1 }],
      "text": "10.5 ns, 10.0 to 12.0" },
    { "row": "1", "column": "slow", "measured": { "numerator": "40", "denominator": "1" },
      "text": "1,040.0 ns (3.81x)" },
    { "row": "1", "column": "gone", "measured": null, "scenarios": ["pairs/subject=gone"],
      "absent": "scenario", "reason": "libgone.so is not installed" },
    { "row": "2 *", "column": "fast", "measured": { "numerator": 20, "denominator": 1 },
      "text": "20.0 ns" },
    { "row": "2 *", "column": "slow", "measured": { "numerator": 3, "denominator": 1 },
      "text": "FAIL 3/1000 null" },
    { "row": "2 *", "column": "gone", "measured": null, "scenarios": ["pairs/subject=gone"],
      "absent": "scenario", "reason": "libgone.so is not installed" },
    { "row": "4 *", "column": "fast", "measured": { "numerator": 30, "denominator": 1 },
      "text": "30.0 ns" },
    { "row": "4 *", "column": "slow", "measured": null, "scenarios": [],
      "absent": "scenario", "reason": "no scenario was measured with this" },
    { "row": "4 *", "column": "gone", "measured": null, "scenarios": ["pairs/subject=gone"],
      "absent": "scenario", "reason": "libgone.so is not installed" }
  ] },
  { "name": "codecs", "caption": null, "rows": "scenario", "columns": null, "cells": [
    { "row": "encode", "column": null, "measured": null, "absent": "metric", "reason": "r" }
  ] }
] }"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_gaps_are_read() {
        let report = Report::parse(SAMPLE).unwrap();
        let table = report.table("pairs").unwrap();
        assert_eq!(table.name, "pairs: time p50");
        let contents: Vec<&Content> = table.cells.iter().map(|cell| &cell.content).collect();
        let figure = |value, spread| Content::Figure {
            value,
            spread,
            is_time: true,
        };
        let gap = |why: &str| Content::Gap(String::from(why));
        assert_eq!(contents[0], &figure(10.5, Some((10.0, 12.0))));
        assert_eq!(contents[1], &figure(40.0, None));
        assert_eq!(contents[2], &gap("libgone.so is not installed"));
        assert_eq!(contents[4], &gap("FAIL 3/1000 null"));
        assert_eq!(contents[7], &gap("not measured"));
    }

    #[test]
    fn an_invalid_report_is_refused_with_the_reason() {
        for (text, problem) in [
            ("{", "invalid JSON: "),
            ("{}", "`tables` is missing; "),
            (r#"{"tables":[{}]}"#, "tables[0]: `cells` is missing"),
            (
                r#"{"tables":[{"cells":[{"measured":null}]}]}"#,
                "tables[0].cells[0]: `row` is missing",
            ),
            (
                r#"{"tables":[{"cells":[{"row":"1"}]}]}"#,
                "tables[0].cells[0]: `measured` is missing",
            ),
            (
                r#"{"tables":[{"cells":[{"measured":{"numerator":1,"denominator":0}}]}]}"#,
                "tables[0].cells[0]: invalid fraction",
            ),
        ] {
            let error = Report::parse(text).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
