//! The text of a table.

use lab_page::markdown;
use lab_page::results::{Cell, Results};
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
