//! [`pivot()`]: the tables that rules ask for, from what was measured, with exact
//! figures. It reaches no verdict, and does not know how a table is written down.

use crate::baseline::Histories;
use crate::evaluation::{
    Compared, Crowding, Finding, FindingKind, Level, PivotCell, PivotColumn, PivotRow, PivotTable,
    TableRemark, Tables,
};
use crate::results::{Measurements, Selection};
use crate::rules::{Config, Key, ShownFigure, Table};
use crate::tables::baseline::Base;
use crate::tables::content::{compared, content};
use crate::tables::entry::Entry;
use crate::tables::grid::Grid;
use crate::tables::past::Past;

mod baseline;

mod content;

mod crowding;

mod derived;

mod entry;

mod grid;

mod past;

mod source;

mod spread;

pub use past::histories_needed;

/// Makes the tables of the rules from what was measured, and from the `histories` of
/// accepted baselines that [`histories_needed`] asks for.
#[must_use]
pub fn pivot(
    config: &Config,
    measurements: &Measurements,
    selection: Selection,
    histories: &Histories,
) -> Tables {
    let is_whole = selection == Selection::Whole && !measurements.is_filtered();
    let mut tables = Vec::new();
    let mut remarks = Vec::new();
    for table in &config.tables {
        // What is said of the past holds whatever part was measured.
        let past = Past::of(table, config, measurements, histories, &mut remarks);
        let mut found = Vec::new();
        let entries = match &past {
            None => {
                unmatched(table, measurements, &mut found);
                Entry::all_of(table, measurements)
            }
            Some(past) => past.scenarios.iter().map(Entry::Past).collect(),
        };
        let is_left_out = past.is_none() && selection != Selection::Whole && entries.is_empty();
        let grid = Grid::of(table, entries, past.as_ref(), &mut found);
        let base = Base::of(table, &grid, &mut found);
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
        match is_whole || past.is_some() {
            true => remarks.append(&mut found),
            false => remarks.extend(found.into_iter().filter_map(of_a_part)),
        }
    }
    let findings = remarks.into_iter().map(|remark| Finding {
        level: Level::Warn,
        remark: FindingKind::Table(remark),
    });
    Tables {
        tables,
        findings: findings.collect(),
    }
}

/// What is left of a remark where a part was measured: nobody knows what the rest has.
fn of_a_part(remark: TableRemark) -> Option<TableRemark> {
    match remark {
        TableRemark::UnmatchedPattern { .. } | TableRemark::MissingBaseline { .. } => None,
        TableRemark::MissingAxis {
            table,
            axis,
            scenarios,
            known,
            is_unknown: _,
            place,
        } => Some(TableRemark::MissingAxis {
            table,
            axis,
            scenarios,
            known,
            is_unknown: false,
            place,
        }),
        TableRemark::AmbiguousCells { .. } | TableRemark::NoHistory { .. } => Some(remark),
    }
}

fn unmatched(table: &Table, measurements: &Measurements, remarks: &mut Vec<TableRemark>) {
    let names = || {
        let measured = measurements.scenarios().iter().map(|m| &m.record.name);
        // One that can't be measured here is there all the same.
        measured.chain(measurements.unavailable().iter().map(|u| &u.scenario.name))
    };
    table.unmatched(
        || names().map(String::as_str),
        |pattern, excludes| remarks.push(TableRemark::unmatched(table, pattern, excludes)),
    );
}

/// The table of these columns, each with its number in the grid, its value and what
/// it shows.
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
            let measured = match grid.cell((row, column)) {
                [Entry::MeasuredScenario(measured)] => Some(*measured),
                _ => None,
            };
            PivotCell {
                content,
                compared,
                is_measured: measured.is_some(),
                crowding: measured.and_then(Crowding::of),
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
        history: grid.history.clone(),
        footnotes: table.footnotes.clone(),
        is_left_out: false,
        place: table.place,
    };
    crowding::mark(&mut shown);
    shown
}
