//! [`pivot()`]: the tables that the rules ask for, with exact figures.

use crate::diagnostic::Place;
use crate::evaluation::{
    Finding, FindingKind, Level, PivotColumn, PivotRow, PivotTable, TableProblem, Tables,
};
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
    let mut findings = Vec::new();
    for table in &config.tables {
        let mut found = unmatched(table, measurements);
        let entries = entries(table, measurements);
        let is_left_out = selection != Selection::Whole && entries.is_empty();
        let grid = Grid::new(table, entries, &mut found);
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
            keep_certain(&mut found);
        }
        findings.extend(found.into_iter().map(|(place, problem)| Finding {
            level: Level::Warn,
            kind: FindingKind::Table {
                table: table.name.clone(),
                place,
                problem,
            },
        }));
    }
    Tables { tables, findings }
}

/// Removes the problems that may be wrong if only a part was measured.
fn keep_certain(found: &mut Vec<(Place, TableProblem)>) {
    found.retain_mut(|(_, problem)| {
        if let TableProblem::MissingAxis { is_unknown, .. } = problem {
            *is_unknown = false;
        }
        !matches!(problem, TableProblem::UnmatchedPattern { .. })
    });
}

/// The globs of `table` without effect on the measured and unavailable scenarios.
fn unmatched(table: &Table, measurements: &Measurements) -> Vec<(Place, TableProblem)> {
    let measured = measurements.scenarios().iter().map(MeasuredScenario::id);
    let unavailable = measurements.unavailable().iter().map(Unavailable::id);
    let ids = measured.chain(unavailable);
    let problem = |excludes: bool| {
        move |glob: &Pattern| {
            let pattern = glob.text().to_owned();
            (
                glob.place(),
                TableProblem::UnmatchedPattern { pattern, excludes },
            )
        }
    };
    let idle = table.filter.idle(ids.clone()).map(problem(false));
    let exceptions = table.filter.idle_exceptions(ids);
    idle.chain(exceptions.map(problem(true))).collect()
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
