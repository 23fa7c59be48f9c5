//! The table of the lines behind a figure.

use std::cmp::Reverse;

use alloc_results::{Metric, Ratio};
use indexmap::IndexSet;

use crate::report::document::{Block, Column, Line, Title, left, right, words};
use crate::report::explain::{Lines, Pairs, Row, pairs};
use crate::sites::{Owner, Sites};

/// The rows about owners at most.
const MOST_OWNERS: usize = 3;

/// The table in columns of a log and on a page; nothing without rows, and no column of `reallocs`
/// without any.
pub(super) fn table(metrics: &[Metric], rows: &[Row]) -> Vec<Block> {
    let has_none = |at: usize| {
        let mut figures = rows.iter().filter_map(|row| row.figures.get(at));
        figures.all(|(now, by)| now == "0" && by.is_empty())
    };
    let metrics = match metrics {
        [first @ .., Metric::Reallocs] if !first.is_empty() && has_none(first.len()) => first,
        all => all,
    };
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
        titles.extend([metric.to_string().into(), Line::default()]);
    }
    let change = Column::new("  ").optional();
    columns.extend([change, Column::new("  "), Column::new("")]);
    titles.extend([Line::default(), words!("line")]);
    let cells = rows.iter().map(|row| {
        let mut cells = vec![Line::default()];
        for (now, by) in row.figures.iter().take(metrics.len()) {
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
    let mut titles: Vec<Title> = metrics
        .iter()
        .map(|metric| right(metric.to_string()))
        .collect();
    titles.extend(is_compared.then(|| left("change")));
    titles.extend(["line", "call"].map(left));
    let rows = rows.iter().map(|row| {
        let figures = row.figures.iter().take(metrics.len());
        let figures = figures.map(|(now, by)| format!("{now} {by}").trim_end().into());
        let change = is_compared.then(|| row.change.into());
        let rest = [row.place.clone(), row.what.clone()];
        figures.chain(change).chain(rest).collect()
    });
    Block::table(titles, rows)
}

impl Lines<'_> {
    /// A row for each owner of what allocates, if there are several; those with most first.
    pub(super) fn owner_rows(&self) -> Vec<Row> {
        let (base, head) = self.found.sides();
        let figure = |sites: &Sites, owner: &Owner, metric| {
            let amounts = sites.owners.get(owner);
            amounts.map_or(Ratio::whole(0), |amounts| sites.figure_of(amounts, metric))
        };
        let all: IndexSet<&Owner> = head
            .owners
            .keys()
            .chain(base.iter().flat_map(|it| it.owners.keys()))
            .collect();
        let mut owners: Vec<(&Owner, Pairs)> = all
            .into_iter()
            .map(|owner| {
                let pairs = pairs(&self.metrics, |metric| {
                    let before = base.map_or(Ratio::whole(0), |base| figure(base, owner, metric));
                    (before, figure(head, owner, metric))
                });
                (owner, pairs)
            })
            .collect();
        owners.retain(|(_, pairs)| {
            pairs
                .iter()
                .any(|pair| *pair != (Ratio::whole(0), Ratio::whole(0)))
        });
        if owners.len() < 2 {
            return Vec::new();
        }
        owners.sort_by_key(|(_, pairs)| Reverse(pairs[0].1));
        owners
            .into_iter()
            .take(MOST_OWNERS)
            .map(|(owner, pairs)| Row {
                figures: self.cells(&pairs),
                place: match owner {
                    Owner::Ours => words!("in the workspace's own code"),
                    Owner::Dependency(name) => words!("in {}", name),
                    Owner::Std => words!("in the standard library"),
                },
                ..Row::default()
            })
            .collect()
    }
}
