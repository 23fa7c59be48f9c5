//! [`pivot()`]: the tables that rules ask for, from what was measured, with exact
//! figures. It reaches no verdict, and does not know how a table is written down.

mod baseline;
mod content;
mod crowding;
mod derived;
mod entry;
mod grid;
mod past;
mod source;
mod spread;

use crate::Place;
use crate::config::{Config, Key, Pattern, ShownFigure, Table};
use crate::evaluate::Partiality;
use crate::evaluation::{Finding, Level, Remark};
use crate::measurements::Measurements;
use baseline::Base;
use content::{compared, content};
use entry::Entry;
use grid::Grid;
use past::Past;

pub use content::{Compared, Content, Gap};
pub use crowding::Crowding;

/// A table of figures. One of `[[table]]` with several metrics and an axis of
/// columns is as many of these.
#[derive(Clone, Debug)]
pub struct PivotTable {
    /// What it is called, with the figure that its cells show where the columns
    /// are values of an axis.
    pub name: String,
    /// What stands below the name.
    pub caption: Option<String>,
    /// The axis of the rows; `None` where they are scenarios.
    pub rows_axis: Option<String>,
    /// The axis of the columns, or `scenario` where they are scenarios; `None` where
    /// each is a figure of its own.
    pub columns_axis: Option<String>,
    /// What the others are compared with, such as `impl=old`.
    pub baseline: Option<String>,
    /// The columns, in the order in which they were measured.
    pub columns: Vec<PivotColumn>,
    /// The rows, in the order in which they were measured.
    pub rows: Vec<PivotRow>,
    /// Which past it is of, where it is not of what was measured.
    pub history: Option<PivotHistory>,
    /// What stands below the table, a line each.
    pub footnotes: Vec<String>,
    /// Whether a person measured a part, and selected none of its scenarios: reports
    /// for people don't show it.
    pub is_left_out: bool,
    /// Where it stands in the rules' file.
    pub place: Place,
}

/// The past that a table is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PivotHistory {
    /// The data of the baseline, as the rules name it.
    pub file: String,
    /// Why there is none.
    pub absence: Option<String>,
    /// Whether older commits that belong into the table are missing, since the
    /// repository has but a part of its history.
    pub is_cut: bool,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PivotColumn {
    /// Its value of the axis of the columns, where there is one.
    pub value: Option<String>,
    /// What its cells show.
    pub figure: ShownFigure,
    /// Whether all its scenarios ran more threads than the machine has cores, and
    /// their rows don't all say so.
    pub is_crowded: bool,
}

/// A row.
#[derive(Clone, Debug)]
pub struct PivotRow {
    /// Its value of the axis of the rows, or the scenario's name.
    pub value: String,
    /// A cell for each column.
    pub cells: Vec<PivotCell>,
    /// Whether all its scenarios ran more threads than the machine has cores.
    pub is_crowded: bool,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct PivotCell {
    /// The figure, or why there is none.
    pub content: Content,
    /// How the figure compares with that of the baseline.
    pub compared: Compared,
    /// Whether it is of one scenario that was measured.
    pub is_measured: bool,
    /// The threads of that scenario and the cores of the machine, where it has more
    /// threads.
    pub crowding: Option<Crowding>,
}

/// What was noticed about a table. Places are in the rules' file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableRemark {
    /// A glob matches nothing.
    UnmatchedPattern {
        /// The table's name.
        table: String,
        /// The glob.
        pattern: String,
        /// Whether it is one of `exclude`.
        excludes: bool,
        /// Where the glob stands.
        place: Place,
    },
    /// Scenarios don't have an axis of the table, and are not shown.
    MissingAxis {
        /// The table's name.
        table: String,
        /// The axis.
        axis: String,
        /// The scenarios' full names; never empty.
        scenarios: Vec<String>,
        /// The axes that scenarios of the table have.
        known: Vec<String>,
        /// Whether no scenario of the table has the axis.
        is_unknown: bool,
        /// Where the axis is named.
        place: Place,
    },
    /// Several scenarios fit into one cell.
    AmbiguousCells {
        /// The table's name.
        table: String,
        /// How many cells.
        cells: usize,
        /// The axes in which they differ; none where they differ in name alone.
        axes: Vec<String>,
        /// Two scenarios of one cell.
        example: [String; 2],
        /// Whether they are accepted ones, and not measured ones.
        is_of_history: bool,
        /// Where the table stands.
        place: Place,
    },
    /// There is no history to show.
    NoHistory {
        /// The table's name.
        table: String,
        /// The data of the baseline.
        file: String,
        /// Why there is none.
        reason: String,
        /// Where the table stands.
        place: Place,
    },
    /// What the others were to be compared with is not in the table.
    MissingBaseline {
        /// The table's name.
        table: String,
        /// The value.
        baseline: String,
        /// What the table has in its place.
        known: Vec<String>,
        /// Where the value stands.
        place: Place,
    },
}

/// The tables of the rules, and what was noticed about them: warnings all, since a
/// table judges nothing.
#[must_use]
pub fn pivot(
    config: &Config,
    measurements: &Measurements,
    partiality: Partiality,
) -> (Vec<PivotTable>, Vec<Finding>) {
    let is_whole = partiality == Partiality::Whole && !measurements.is_filtered();
    let mut tables = Vec::new();
    let mut remarks = Vec::new();
    for table in &config.tables {
        // What is said of the past holds whatever part was measured.
        let past = Past::of(table, config, measurements, &mut remarks);
        let mut found = Vec::new();
        let entries = match &past {
            None => {
                unmatched(table, measurements, &mut found);
                Entry::all_of(table, measurements)
            }
            Some(past) => past.scenarios.iter().map(Entry::Past).collect(),
        };
        let is_left_out = past.is_none() && partiality != Partiality::Whole && entries.is_empty();
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
        remark: Remark::Table(remark),
    });
    (tables, findings.collect())
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
                [Entry::Measured(measured)] => Some(*measured),
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

impl TableRemark {
    fn unmatched(table: &Table, pattern: &Pattern, excludes: bool) -> Self {
        Self::UnmatchedPattern {
            table: table.name.clone(),
            pattern: pattern.text().to_owned(),
            excludes,
            place: pattern.place(),
        }
    }

    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::UnmatchedPattern { .. } => "table-unmatched-pattern",
            Self::MissingAxis { .. } => "table-missing-axis",
            Self::AmbiguousCells { .. } => "table-ambiguous-cell",
            Self::MissingBaseline { .. } => "table-missing-baseline",
            Self::NoHistory { .. } => "table-no-history",
        }
    }
}
