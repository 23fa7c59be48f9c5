//! [`pivot()`]: the tables that the rules ask for, with exact figures.

use crate::evaluation::{
    Compared, Finding, FindingKind, Level, PivotCell, PivotColumn, PivotRow, PivotTable, Tables,
};
use crate::results::scenario_id::IdRef;
use crate::results::{MeasuredScenario, Measurements, Selection, Unavailable};
use crate::rules::{Config, Key, ShownFigure, Table};
use crate::tables::baseline::Base;
use crate::tables::content::{compared, content};
use crate::tables::entry::{Entry, entries};
use crate::tables::grid::Grid;

mod baseline;
mod content;
mod crowding;
mod entry;
mod grid;

/// Makes the tables of the rules from the measured figures.
#[must_use]
pub fn pivot(config: &Config, measurements: &Measurements, selection: Selection) -> Tables {
    let is_whole = selection == Selection::Whole && !measurements.is_filtered();
    let mut tables = Vec::new();
    let mut all = Vec::new();
    for table in &config.tables {
        let mut findings = Vec::new();
        unmatched(table, || ids(measurements), &mut findings);
        let entries = entries(table, measurements);
        let is_left_out = selection != Selection::Whole && entries.is_empty();
        let grid = Grid::new(table, entries, &mut findings);
        let base = Base::find(table, &grid, &mut findings);
        let base = base.as_ref();
        let mut add = |name, columns| {
            tables.push(PivotTable {
                is_left_out,
                ..shown(table, name, &grid, columns, base)
            });
        };
        match table.columns {
            Some(_) => {
                for figure in &table.figures {
                    let values = grid.columns.iter().enumerate();
                    let columns = values.map(|(number, value)| (number, Some(value), figure));
                    add(format!("{}: {figure}", table.name), columns.collect());
                }
            }
            None => {
                let columns = table.figures.iter().map(|figure| (0, None, figure));
                add(table.name.clone(), columns.collect());
            }
        }
        if !is_whole {
            keep_certain(&mut findings);
        }
        all.extend(findings);
    }
    let findings = all.into_iter().map(|kind| Finding {
        level: Level::Warn,
        kind,
    });
    Tables {
        tables,
        findings: findings.collect(),
    }
}

/// Removes the findings that may be wrong if only a part was measured.
fn keep_certain(findings: &mut Vec<FindingKind>) {
    findings.retain_mut(|finding| {
        if let FindingKind::TableMissingAxis { is_unknown, .. } = finding {
            *is_unknown = false;
        }
        !matches!(
            finding,
            FindingKind::TableUnmatchedPattern { .. } | FindingKind::TableMissingBaseline { .. }
        )
    });
}

/// All measured and unavailable scenarios.
fn ids(measurements: &Measurements) -> impl Iterator<Item = IdRef<'_>> {
    let measured = measurements.scenarios().iter().map(MeasuredScenario::id);
    measured.chain(measurements.unavailable().iter().map(Unavailable::id))
}

/// Adds a finding for each glob of `table` that matches none of `ids`.
fn unmatched<'n, N: Iterator<Item = IdRef<'n>>>(
    table: &Table,
    ids: impl Fn() -> N,
    findings: &mut Vec<FindingKind>,
) {
    table.unmatched(ids, |pattern, excludes| {
        findings.push(FindingKind::TableUnmatchedPattern {
            table: table.name.clone(),
            pattern: pattern.text().to_owned(),
            excludes,
            place: pattern.place(),
        });
    });
}

/// The table of these columns, each with its number in the grid, its value on the axis
/// and its figure.
fn shown(
    table: &Table,
    name: String,
    grid: &Grid<'_>,
    columns: Vec<(usize, Option<&String>, &ShownFigure)>,
    base: Option<&(Base, String)>,
) -> PivotTable {
    let rows = grid.rows.iter().enumerate().map(|(row, value)| {
        let cells = columns.iter().map(|&(column, _, figure)| {
            let content = content(grid, (row, column), figure);
            let compared = match base.map(|(base, _)| base.cell((row, column))) {
                Some(base) if base != (row, column) => {
                    compared(&content, || self::content(grid, base, figure))
                }
                Some(_) | None => Compared::None,
            };
            let entry = match grid.cell((row, column)) {
                [entry] => Some(entry),
                [] | [_, _, ..] => None,
            };
            PivotCell {
                content,
                compared,
                is_measured: entry.is_some_and(Entry::is_measured),
                crowding: entry.and_then(|entry| entry.crowding),
            }
        });
        PivotRow {
            value: value.clone(),
            cells: cells.collect(),
            is_crowded: false,
        }
    });
    let rows = rows.collect();
    let axis = |key: &Option<Key>| key.as_ref().map(|key| key.text.clone());
    let mut shown = PivotTable {
        name,
        caption: table.caption.clone(),
        rows_axis: axis(&table.rows),
        columns_axis: axis(&table.columns),
        baseline: base.map(|(_, name)| name.clone()),
        columns: columns
            .into_iter()
            .map(|(_, value, figure)| PivotColumn {
                value: value.cloned(),
                figure: figure.clone(),
                is_crowded: false,
            })
            .collect(),
        rows,
        is_left_out: false,
        place: table.place,
    };
    crowding::mark(&mut shown);
    shown
}
