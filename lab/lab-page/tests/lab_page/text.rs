//! The text of a table.

use lab_page::markdown;
use lab_page::results::Results;
use lab_page::tables;

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
