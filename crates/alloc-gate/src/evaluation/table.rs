//! [`PivotTable`]: a table that the rules ask for, with exact figures.

use alloc_results::Attempts;

use crate::diagnostic::Place;
use crate::evaluation::Finding;
use crate::figure::Exact;
use crate::results::MeasuredScenario;
use crate::rules::ShownFigure;

/// The tables of the rules, and what was noticed about them.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The tables, in the order of the rules.
    pub tables: Vec<PivotTable>,
    /// Warnings all, since a table judges nothing.
    pub findings: Vec<Finding>,
}

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

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The figure of one scenario.
    Figure {
        /// The scenario's full name.
        scenario: String,
        /// The figure.
        value: Exact,
        /// The smallest and the largest, of a time or of what is derived from times.
        spread: Option<(Exact, Exact)>,
    },
    /// No time, since some of what was timed went wrong: what is refused takes no
    /// time, and is no achievement.
    Faulty {
        /// The scenario's full name.
        scenario: String,
        /// What went wrong, in the counted passes if something did there, or else
        /// in the timed one.
        faults: Attempts,
        /// Whether these are of the timed pass.
        is_timed: bool,
    },
    /// No figure.
    Absent {
        /// The scenario's full name, where there is one.
        scenario: Option<String>,
        /// What is absent.
        gap: Gap,
    },
    /// None of several scenarios.
    Ambiguous {
        /// Their full names.
        scenarios: Vec<String>,
        /// The axes in which they differ; none where they differ in name alone.
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
    /// The scenario does not say on how many elements it works.
    Elements,
    /// The figure would be divided by 0.
    Division,
    /// The baseline of the commit has no such scenario.
    NotAccepted,
    /// The baseline of the commit has no figure of the metric of this name.
    NotKept(String),
    /// The baseline of the commit can't be read, for this reason.
    Unreadable(String),
}

/// How a figure compares with that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// It is not compared: there is no baseline, no figure, or it is the baseline's.
    None,
    /// It is so many times the other, exactly.
    Times(Exact),
    /// The other is 0.
    OfZero,
    /// There is no other.
    OfNothing,
    /// There are faults in the place of the other.
    OfFaults,
}

impl Gap {
    /// The stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Scenario | Self::NotAccepted => "scenario",
            Self::Unavailable(_) => "unavailable",
            Self::Metric(_) | Self::FirstCall(_) | Self::NotKept(_) => "metric",
            Self::Unit(_) => "unit",
            Self::Elements => "elements",
            Self::Division => "division",
            Self::Unreadable(_) => "baseline",
        }
    }
}

/// More threads than cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crowding {
    /// How many threads the machine could run at once.
    pub cores: u64,
    /// How many ran the scenario.
    pub threads: u64,
}

impl Crowding {
    pub(crate) fn of(measured: &MeasuredScenario) -> Option<Self> {
        let threads = measured.record.threads;
        let cores = measured.cores.filter(|cores| threads > *cores)?;
        Some(Self { cores, threads })
    }
}
