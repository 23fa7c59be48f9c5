//! The table of the lines behind a figure.

use alloc_results::Metric;

use crate::report::document::{Block, Column, Line, Title, left, right, words};
use crate::report::explain::Row;

/// The table in columns of a log and on a page; nothing without rows.
pub(super) fn table(metrics: &[Metric], rows: &[Row]) -> Vec<Block> {
    match rows {
        [] => Vec::new(),
        rows => vec![
            Block::Log(vec![Block::Space, columns(metrics, rows)]),
            Block::Page(vec![page_table(metrics, rows)]),
        ],
    }
}

/// Figures on the right of their columns, and the places in one column.
fn columns(metrics: &[Metric], rows: &[Row]) -> Block {
    let mut columns = vec![Column::new("   ")];
    let mut titles = vec![Line::default()];
    for metric in metrics {
        columns.extend([Column::new("").right(), Column::new("  ")]);
        titles.extend([metric.name().into(), Line::default()]);
    }
    let change = Column::new("  ").optional();
    columns.extend([change, Column::new("  "), Column::new("")]);
    titles.extend([Line::default(), words!("line")]);
    let cells = rows.iter().map(|row| {
        let mut cells = vec![Line::default()];
        for (now, by) in &row.figures {
            let by = (!by.is_empty()).then(|| format!(" {by}"));
            cells.extend([now.clone().into(), by.into()]);
        }
        cells.extend([row.change.into(), row.place.clone(), row.what.clone()]);
        cells
    });
    Block::columns(columns, [titles].into_iter().chain(cells))
}

fn page_table(metrics: &[Metric], rows: &[Row]) -> Block {
    let is_compared = rows.iter().any(|row| !row.change.is_empty());
    let mut titles: Vec<Title> = metrics.iter().map(|metric| right(metric.name())).collect();
    titles.extend(is_compared.then(|| left("change")));
    titles.extend(["line", "call"].map(left));
    let rows = rows.iter().map(|row| {
        let figures = row.figures.iter();
        let figures = figures.map(|(now, by)| format!("{now} {by}").trim_end().into());
        let change = is_compared.then(|| row.change.into());
        let rest = [row.place.clone(), row.what.clone()];
        figures.chain(change).chain(rest).collect()
    });
    Block::table(titles, rows)
}
