//! [`pivot()`]: the tables that the rules ask for, with exact figures.

use crate::evaluation::{Finding, FindingKind, Level, PivotColumn, PivotRow, PivotTable, Tables};
use crate::results::{MeasuredScenario, Measurements, Selection, Unavailable};
use crate::rules::{Config, Key, Pattern, Table};
use crate::tables::cell::cell;
use crate::tables::entry::entries;
use crate::tables::grid::Grid;

mod cell;
mod entry;
mod grid;

/// Makes the tables of the rules from the measured figures.
#[must_use]
pub fn pivot(config: &Config, measurements: &Measurements, selection: Selection) -> Tables {
    let is_whole = selection == Selection::Whole && !measurements.is_filtered();
    let mut tables = Vec::new();
    let mut all = Vec::new();
    for table in &config.tables {
        let mut findings = unmatched(table, measurements);
        let entries = entries(table, measurements);
        let is_left_out = selection != Selection::Whole && entries.is_empty();
        let grid = Grid::new(table, entries, &mut findings);
        let figures = || table.figures.iter().cloned();
        let mut add = |name, columns| {
            tables.push(shown(table, name, &grid, columns, is_left_out));
        };
        if table.columns.is_some() {
            for figure in figures() {
                let columns = grid.columns.iter().map(|value| PivotColumn {
                    value: Some(value.clone()),
                    figure: figure.clone(),
                });
                add(format!("{}: {figure}", table.name), columns.collect());
            }
        } else {
            let columns = figures().map(|figure| PivotColumn {
                value: None,
                figure,
            });
            add(table.name.clone(), columns.collect());
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
        !matches!(finding, FindingKind::TableUnmatchedPattern { .. })
    });
}

/// A finding for each glob of `table` without effect on the measured and unavailable scenarios.
fn unmatched(table: &Table, measurements: &Measurements) -> Vec<FindingKind> {
    let measured = measurements.scenarios().iter().map(MeasuredScenario::id);
    let unavailable = measurements.unavailable().iter().map(Unavailable::id);
    let ids = measured.chain(unavailable);
    let own = ids.filter(|(bench, _)| table.benches.includes(bench));
    let names: Vec<&str> = own.map(|(_, name)| name).collect();
    let is_selected = |name: &str| table.scenarios.iter().any(|glob| glob.matches(name));
    let selects = |glob: &&Pattern| names.iter().any(|name| glob.matches(name));
    let takes_away = |glob: &&Pattern| {
        let mut names = names.iter();
        names.any(|name| glob.matches(name) && is_selected(name))
    };
    let finding = |excludes: bool| {
        move |glob: &Pattern| FindingKind::TableUnmatchedPattern {
            table: table.name.clone(),
            pattern: glob.text().to_owned(),
            excludes,
            place: glob.place(),
        }
    };
    let idle = table.scenarios.iter().filter(|glob| !selects(glob));
    let idle_excludes = table.exclude.iter().filter(|glob| !takes_away(glob));
    let idle = idle.map(finding(false));
    idle.chain(idle_excludes.map(finding(true))).collect()
}

/// The table of these columns.
fn shown(
    table: &Table,
    name: String,
    grid: &Grid<'_>,
    columns: Vec<PivotColumn>,
    is_left_out: bool,
) -> PivotTable {
    let mut rows = Vec::new();
    for (row, value) in grid.rows.iter().enumerate() {
        let numbered = columns.iter().enumerate();
        let cells = numbered.map(|(number, column)| {
            // Without an axis of columns, the grid has one, and the table one for each figure.
            let place = column.value.as_ref().map_or(0, |_| number);
            cell(grid.cell((row, place)), &column.figure)
        });
        rows.push(PivotRow {
            value: value.clone(),
            cells: cells.collect(),
        });
    }
    let axis = |key: &Option<Key>| key.as_ref().map(|key| key.text.clone());
    PivotTable {
        name,
        caption: table.caption.clone(),
        rows_axis: axis(&table.rows),
        columns_axis: axis(&table.columns),
        columns,
        rows,
        is_left_out,
        place: table.place,
    }
}
