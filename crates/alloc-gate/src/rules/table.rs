//! [`Table`]: a table of measured figures that the rules ask for, `[[table]]`.

use std::collections::HashMap;

use crate::diagnostic::Place;
use crate::rules::Config;
use crate::rules::pattern::Pattern;
use crate::rules::shown_figure::ShownFigure;

/// What `rows` or `columns` says for the scenarios themselves.
pub(crate) const SCENARIO: &str = "scenario";

/// A table of measured figures, `[[table]]`.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its heading, unique in the file.
    pub name: String,
    /// Which scenarios it shows; at least one.
    pub scenarios: Vec<Pattern>,
    /// Which of those it leaves out.
    pub exclude: Vec<Pattern>,
    /// The axis whose values are the rows; `None` for the names of scenarios.
    pub rows: Option<Key>,
    /// The axis whose values are the columns, or `scenario` for the names of
    /// scenarios; `None` for a column a figure.
    pub columns: Option<Key>,
    /// Whether it is of accepted baselines of the past and not of what was measured,
    /// and of which.
    pub history: Option<TableHistory>,
    /// The figures that it shows; at least one.
    pub figures: Vec<ShownFigure>,
    /// The column, or the row where there are no columns, that the others are
    /// compared with.
    pub baseline: Option<Key>,
    /// What stands below the heading.
    pub caption: Option<String>,
    /// What stands below the table, a line each.
    pub footnotes: Vec<String>,
    /// Where it stands in the file.
    pub place: Place,
}

/// A word of a table that only the measured scenarios can explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it is written.
    pub text: String,
    /// Where it stands in the file.
    pub place: Place,
}

impl Table {
    /// The axis whose values are the columns.
    #[must_use]
    pub fn columns_axis(&self) -> Option<&Key> {
        let is_axis = |columns: &&Key| columns.text != SCENARIO;
        self.columns.as_ref().filter(is_axis)
    }

    /// Calls `add` for each of its globs that matches none of `names`, and for each of
    /// `exclude`, with `true`, that takes none of them away.
    pub(crate) fn unmatched<'n, N: Iterator<Item = &'n str>>(
        &self,
        names: impl Fn() -> N,
        mut add: impl FnMut(&Pattern, bool),
    ) {
        let is_in = |patterns: &[Pattern], name: &str| patterns.iter().any(|p| p.matches(name));
        for pattern in &self.scenarios {
            if !names().any(|name| pattern.matches(name)) {
                add(pattern, false);
            }
        }
        for pattern in &self.exclude {
            if !names().any(|name| pattern.matches(name) && is_in(&self.scenarios, name)) {
                add(pattern, true);
            }
        }
    }

    /// Whether it is to show the scenario of this full name.
    #[must_use]
    pub fn shows(&self, name: &str) -> bool {
        let is_in = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(name));
        is_in(&self.scenarios) && !is_in(&self.exclude)
    }
}

/// That a table shows accepted baselines, and which.
#[derive(Clone, Debug)]
pub struct TableHistory {
    /// The baseline's data, relative to gates.toml; `None` for that of `[baseline]`.
    pub baseline: Option<String>,
    /// How many commits are shown, of those that changed the file, the newest; at
    /// least one.
    pub last: u64,
    /// Which of a baseline's environments are shown; `None` for all.
    pub environment: Option<Pattern>,
}

impl TableHistory {
    /// How many commits are shown where nothing says it.
    pub const LAST: u64 = 12;
    /// The axis whose values are the commits.
    pub const COMMIT: &str = "commit";
    /// The axis whose values are the environments of a baseline.
    pub const ENVIRONMENT: &str = "environment";

    /// The baseline's data, relative to gates.toml.
    #[must_use]
    pub fn file<'c>(&'c self, config: &'c Config) -> &'c str {
        let own = self.baseline.as_deref();
        let files = config.baseline.as_ref();
        // The reader saw to it that one of them is there.
        own.or(files.map(|files| files.data.as_str()))
            .unwrap_or_default()
    }
}
