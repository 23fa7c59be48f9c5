//! [`Table`]: a table of measured figures in reports, `[[table]]`.

use crate::diagnostic::Place;
use crate::rules::scenario_filter::ScenarioFilter;
use crate::rules::shown_figure::ShownFigure;

/// The value of `rows` or `columns` for the names of the scenarios.
pub(crate) const SCENARIO: &str = "scenario";

/// A table of measured figures, `[[table]]`.
#[derive(Clone, Debug)]
pub struct Table {
    /// The heading, unique in the file.
    pub name: String,
    /// The scenarios that it shows.
    pub filter: ScenarioFilter,
    /// The axis whose values are the rows; `None` for the names of scenarios.
    pub rows: Option<Key>,
    /// The axis whose values are the columns, or `scenario` for the names of scenarios; `None`
    /// for a column per figure.
    pub columns: Option<Key>,
    /// The figures that it shows; at least one.
    pub figures: Vec<ShownFigure>,
    /// The text below the heading.
    pub caption: Option<String>,
    /// The place in the file.
    pub place: Place,
}

/// The name of an axis, which the reader can't check without scenarios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The text in the rules.
    pub text: String,
    /// The place in the file.
    pub place: Place,
}

impl Table {
    /// The axis whose values are the columns.
    #[must_use]
    pub fn columns_axis(&self) -> Option<&Key> {
        let is_axis = |columns: &&Key| columns.text != SCENARIO;
        self.columns.as_ref().filter(is_axis)
    }
}
