//! [`PivotTable`]: a table of the rules, with exact figures.

use alloc_results::{Attempts, Ratio};

use crate::diagnostic::Place;
use crate::evaluation::Finding;
use crate::rules::ShownFigure;

/// The tables of the rules and the findings about them.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The tables, in the order of the rules.
    pub tables: Vec<PivotTable>,
    /// The findings; all are warnings.
    pub findings: Vec<Finding>,
}

/// A table of figures. A `[[table]]` with an axis of columns and several metrics becomes
/// several of these.
#[derive(Clone, Debug)]
pub struct PivotTable {
    /// The table's name, followed by the figure if the columns are values of an axis.
    pub name: String,
    /// The text below the name.
    pub caption: Option<String>,
    /// The axis of the rows; `None` if they are scenarios.
    pub rows_axis: Option<String>,
    /// The axis of the columns, or `scenario`; `None` if each column is another figure.
    pub columns_axis: Option<String>,
    /// The columns, in the order of the measurement.
    pub columns: Vec<PivotColumn>,
    /// The rows, in the order of the measurement.
    pub rows: Vec<PivotRow>,
    /// Whether the user selected none of the table's scenarios. Reports for people don't
    /// show such a table.
    pub is_left_out: bool,
    /// Where the table stands in the rules' file.
    pub place: Place,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PivotColumn {
    /// The value on the axis of the columns, if the table has one.
    pub value: Option<String>,
    /// The figure in the cells.
    pub figure: ShownFigure,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct PivotRow {
    /// The value on the axis of the rows, or the scenario's name.
    pub value: String,
    /// A cell for each column.
    pub cells: Vec<PivotCell>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PivotCell {
    /// The figure of one scenario.
    Figure {
        /// The scenario's full name.
        scenario: String,
        /// The figure.
        value: Ratio,
    },
    /// No figure.
    Absent {
        /// The scenario's full name, if the cell has one.
        scenario: Option<String>,
        /// Why there is no figure.
        gap: Gap,
    },
    /// No figure, since several scenarios fit.
    Ambiguous {
        /// The scenarios' full names.
        scenarios: Vec<String>,
        /// The axes in which the scenarios differ; empty if only their names differ.
        axes: Vec<String>,
    },
}

/// Why a cell has no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// There is no such scenario.
    Scenario,
    /// The scenario could not be measured, for this reason.
    Unavailable(String),
    /// The scenario did not measure the metric of this name.
    Metric(String),
    /// The scenario did not measure the first call of the metric of this name.
    FirstCall(String),
    /// The scenario measures the metric of this name in another unit.
    Unit(String),
    /// The scenario declares no number of elements.
    Elements,
    /// The scenario declares that it has no elements.
    NoElements,
    /// A time that includes refused requests would be too good.
    Faults {
        /// The faults of the counted passes, or else of the timed one.
        faults: Attempts,
        /// Whether the faults are of the timed pass.
        is_timed: bool,
    },
}

impl Gap {
    /// The stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scenario => "scenario",
            Self::Unavailable(_) => "unavailable",
            Self::Metric(_) | Self::FirstCall(_) => "metric",
            Self::Unit(_) => "unit",
            Self::Elements | Self::NoElements => "elements",
            Self::Faults { .. } => "faults",
        }
    }
}
