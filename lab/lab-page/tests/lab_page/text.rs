//! The text of a table, and cells with metrics.

use lab_page::markdown;
use lab_page::results::{Cell, Metric, Results, Unit};
use lab_page::tables;

use crate::support::cell;

pub(crate) fn text(name: &str, results: &Results) -> String {
    let mut tables = tables::all().into_iter();
    let table = tables.find(|table| table.name == name).unwrap();
    markdown::table(&table, results)
}

/// The lines of the first table.
pub(crate) fn rows(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).collect()
}

pub(crate) fn pair(subject: &str, size: u32, fastest: f64) -> Cell {
    let name = format!("pair/subject={subject},size={size},memory=untouched");
    cell(&name, fastest)
}

/// A metric that is the same in all three processes.
pub(crate) fn metric(unit: Unit, value: i64) -> Metric {
    Metric {
        unit,
        min: value,
        p50: value,
        p99: value,
        max: value,
        n: 3,
        first: vec![value; 3],
    }
}

pub(crate) fn with_metrics(mut cell: Cell, metrics: &[(&str, Unit, i64)]) -> Cell {
    let metrics = metrics.iter();
    let metrics = metrics.map(|&(name, unit, value)| (name.to_owned(), metric(unit, value)));
    cell.metrics = metrics.collect();
    cell
}
