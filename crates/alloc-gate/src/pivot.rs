//! [`pivot()`]: the tables that rules ask for, from what was measured, with exact
//! figures. It reaches no verdict, and does not know how a table is written down.

mod grid;

use alloc_results::Ratio;

use crate::bound::Bound;
use crate::config::{Config, Key, Pattern, ShownFigure, Table};
use crate::evaluate::Partiality;
use crate::evaluation::{Absence, Finding, Level, Remark};
use crate::measure::per_element;
use crate::measurements::{Measured, Measurements};
use crate::{Measure, Place, Statistic};
use grid::Grid;

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
    /// The axis of the columns; `None` where each is a figure of its own.
    pub columns_axis: Option<String>,
    /// What the others are compared with, such as `impl=old`.
    pub baseline: Option<String>,
    /// The columns, in the order in which they were measured.
    pub columns: Vec<PivotColumn>,
    /// The rows, in the order in which they were measured.
    pub rows: Vec<PivotRow>,
    /// What stands below the table, a line each.
    pub footnotes: Vec<String>,
    /// Where it stands in the rules' file.
    pub place: Place,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PivotColumn {
    /// Its value of the axis of the columns, where there is one.
    pub value: Option<String>,
    /// What its cells show.
    pub figure: ShownFigure,
}

/// A row.
#[derive(Clone, Debug)]
pub struct PivotRow {
    /// Its value of the axis of the rows, or the scenario's name.
    pub value: String,
    /// A cell for each column.
    pub cells: Vec<PivotCell>,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct PivotCell {
    /// The figure, or why there is none.
    pub content: Content,
    /// How the figure compares with that of the baseline.
    pub compared: Compared,
}

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The figure of one scenario.
    Figure {
        /// The scenario's full name.
        scenario: String,
        /// The figure.
        value: Ratio,
        /// The smallest and the largest, of a time.
        spread: Option<(Ratio, Ratio)>,
    },
    /// No figure.
    Absent {
        /// The scenario's full name, where one was measured.
        scenario: Option<String>,
        /// What is absent: the scenario, the metric or the elements.
        absence: Absence,
    },
    /// None of several scenarios.
    Ambiguous {
        /// Their full names.
        scenarios: Vec<String>,
        /// The axes in which they differ; none where they differ in name alone.
        axes: Vec<String>,
    },
}

/// How a figure compares with that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// It is not compared: there is no baseline, no figure, or it is the baseline's.
    None,
    /// It is so many times the other, exactly.
    Times(Bound),
    /// The other is 0.
    OfZero,
    /// There is no other.
    OfNothing,
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
    let mut tables = Vec::new();
    let mut remarks = Vec::new();
    for table in &config.tables {
        // Of a part, nobody knows what the rest has.
        if partiality == Partiality::Whole && !measurements.is_filtered() {
            unmatched(table, measurements, &mut remarks);
        }
        let grid = Grid::of(table, measurements, &mut remarks);
        let baseline = baseline(table, &grid, &mut remarks);
        match table.columns {
            Some(_) => {
                for figure in &table.figures {
                    let values = grid.columns.iter().enumerate();
                    let columns = values.map(|(number, value)| (number, Some(value), figure));
                    tables.push(shown(table, &grid, columns.collect(), baseline));
                }
            }
            None => {
                let columns = table.figures.iter().map(|figure| (0, None, figure));
                tables.push(shown(table, &grid, columns.collect(), baseline));
            }
        }
    }
    let findings = remarks.into_iter().map(|remark| Finding {
        level: Level::Warn,
        remark: Remark::Table(remark),
    });
    (tables, findings.collect())
}

fn unmatched(table: &Table, measurements: &Measurements, remarks: &mut Vec<TableRemark>) {
    let scenarios = measurements.scenarios();
    let names = || {
        scenarios
            .iter()
            .map(|measured| measured.record.name.as_str())
    };
    let is_in = |patterns: &[Pattern], name: &str| patterns.iter().any(|p| p.matches(name));
    let mut add = |pattern: &Pattern, excludes| {
        remarks.push(TableRemark::UnmatchedPattern {
            table: table.name.clone(),
            pattern: pattern.text().to_owned(),
            excludes,
            place: pattern.place(),
        });
    };
    for pattern in &table.scenarios {
        if !names().any(|name| pattern.matches(name)) {
            add(pattern, false);
        }
    }
    for pattern in &table.exclude {
        if !names().any(|name| pattern.matches(name) && is_in(&table.scenarios, name)) {
            add(pattern, true);
        }
    }
}

/// The number of the baseline's column, or of its row where there are no columns.
fn baseline(table: &Table, grid: &Grid<'_>, remarks: &mut Vec<TableRemark>) -> Option<usize> {
    let Key { text, place } = table.baseline.as_ref()?;
    let known = match table.columns {
        Some(_) => &grid.columns,
        None => &grid.rows,
    };
    let found = known.iter().position(|value| value == text);
    // Without any scenario, other findings say what is wrong.
    if found.is_none() && !known.is_empty() {
        remarks.push(TableRemark::MissingBaseline {
            table: table.name.clone(),
            baseline: text.clone(),
            known: known.clone(),
            place: *place,
        });
    }
    found
}

/// The table of these columns, each with its number in the grid, its value and what
/// it shows.
fn shown(
    table: &Table,
    grid: &Grid<'_>,
    columns: Vec<(usize, Option<&String>, &ShownFigure)>,
    baseline: Option<usize>,
) -> PivotTable {
    let rows = grid.rows.iter().enumerate().map(|(row, value)| {
        let cells = columns.iter().map(|&(column, _, figure)| {
            let content = content(grid.cell(row, column), figure);
            let base = baseline.map(|baseline| match table.columns {
                Some(_) => (row, baseline),
                None => (baseline, column),
            });
            let compared = match base {
                Some(base) if base != (row, column) => compared(&content, || {
                    self::content(grid.cell(base.0, base.1), figure)
                }),
                Some(_) | None => Compared::None,
            };
            PivotCell { content, compared }
        });
        PivotRow {
            value: value.clone(),
            cells: cells.collect(),
        }
    });
    let rows = rows.collect();
    let axis = |key: &Option<Key>| key.as_ref().map(|key| key.text.clone());
    let name = match columns.first() {
        Some((_, Some(_), figure)) => format!("{}: {figure}", table.name),
        Some((_, None, _)) | None => table.name.clone(),
    };
    let compared = table.columns.as_ref().or(table.rows.as_ref());
    let baseline = table.baseline.as_ref().filter(|_| baseline.is_some());
    PivotTable {
        name,
        caption: table.caption.clone(),
        rows_axis: axis(&table.rows),
        columns_axis: axis(&table.columns),
        baseline: baseline.map(|value| match compared {
            Some(axis) => format!("{}={}", axis.text, value.text),
            None => value.text.clone(),
        }),
        columns: columns
            .into_iter()
            .map(|(_, value, figure)| PivotColumn {
                value: value.cloned(),
                figure: figure.clone(),
            })
            .collect(),
        rows,
        footnotes: table.footnotes.clone(),
        place: table.place,
    }
}

fn content(scenarios: &[&Measured], figure: &ShownFigure) -> Content {
    let measured = match scenarios {
        [] => {
            return Content::Absent {
                scenario: None,
                absence: Absence::Scenario,
            };
        }
        [measured] => measured,
        several => {
            return Content::Ambiguous {
                scenarios: several.iter().map(|m| m.record.name.clone()).collect(),
                axes: grid::differing(several),
            };
        }
    };
    let record = &measured.record;
    let scenario = record.name.clone();
    let value_of = |statistic| figure.metric.figure(statistic, record);
    if let Some(value) = value_of(figure.statistic) {
        let end = |statistic| {
            let end = value_of(statistic)?;
            match figure.statistic == Statistic::PerElement {
                true => per_element(end, record),
                false => Some(end),
            }
        };
        let spreads = figure.metric == Measure::Time
            && !matches!(figure.statistic, Statistic::Min | Statistic::Max);
        return Content::Figure {
            scenario,
            value,
            spread: end(Statistic::Min)
                .zip(end(Statistic::Max))
                .filter(|_| spreads),
        };
    }
    let lacks_elements = figure.statistic == Statistic::PerElement
        && record.work.elements.is_none()
        && value_of(Statistic::Mean).is_some();
    Content::Absent {
        scenario: Some(scenario),
        absence: match lacks_elements {
            true => Absence::Elements,
            false => Absence::Metric,
        },
    }
}

fn compared(content: &Content, base: impl FnOnce() -> Content) -> Compared {
    let Content::Figure { value, .. } = content else {
        return Compared::None;
    };
    match base() {
        Content::Figure { value: base, .. } => match Bound::from(*value).over(&Bound::from(base)) {
            Some(times) => Compared::Times(times),
            None => Compared::OfZero,
        },
        Content::Absent { .. } | Content::Ambiguous { .. } => Compared::OfNothing,
    }
}

impl TableRemark {
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::UnmatchedPattern { .. } => "table-unmatched-pattern",
            Self::MissingAxis { .. } => "table-missing-axis",
            Self::AmbiguousCells { .. } => "table-ambiguous-cell",
            Self::MissingBaseline { .. } => "table-missing-baseline",
        }
    }
}
