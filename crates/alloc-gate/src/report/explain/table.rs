//! The table of the lines behind a figure.

use alloc_results::Metric;

use crate::report::document::{Align, Block, Column, Columns, Line, Table, words};
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
        let number = Column {
            align: Align::Right,
            ..Column::new("")
        };
        columns.extend([number, Column::new("  ")]);
        titles.extend([metric.name().into(), Line::default()]);
    }
    let change = Column {
        is_optional: true,
        ..Column::new("  ")
    };
    columns.extend([change, Column::new("  "), Column::new("")]);
    titles.extend([Line::default(), words!("line")]);
    let cells = rows.iter().map(|row| {
        let figures = row.figures.iter().flat_map(|(now, by)| {
            let by = (!by.is_empty()).then(|| format!(" {by}"));
            [now.clone().into(), by.into()]
        });
        let rest = [row.change.into(), row.place.clone(), row.what.clone()];
        let cells = [Line::default()].into_iter().chain(figures).chain(rest);
        (cells.collect(), Vec::new())
    });
    Block::Columns(Columns {
        columns,
        rows: [(titles, Vec::new())].into_iter().chain(cells).collect(),
    })
}

fn page_table(metrics: &[Metric], rows: &[Row]) -> Block {
    let is_compared = rows.iter().any(|row| !row.change.is_empty());
    let names = metrics.iter().map(|metric| metric.name());
    let names = names.map(|name| (name.into(), Align::Right));
    let others = ["change", "line", "call"].into_iter();
    let others = others.skip(usize::from(!is_compared));
    let others = others.map(|title| (title.into(), Align::Left));
    let rows = rows.iter().map(|row| {
        let figures = row.figures.iter();
        let figures = figures.map(|(now, by)| format!("{now} {by}").trim_end().to_owned().into());
        let change = is_compared.then(|| row.change.into());
        let rest = [row.place.clone(), row.what.clone()];
        figures.chain(change).chain(rest).collect()
    });
    Block::Table(Table {
        rows: rows.collect(),
        columns: names.chain(others).collect(),
    })
}
