//! From `[[table]]` to a valid [`Table`]: a question about what was measured. What
//! the scenarios answer is not known here.

use std::collections::HashMap;

use super::Pattern;
use super::ShownFigure;
use super::TableHistory;
use super::fields::Fields;
use super::gates::Context;
use super::read::Reader;
use crate::diagnostic::{Code, Place};

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

impl<'t> Reader<'t> {
    pub(super) fn tables(&self, tables: Vec<Fields<'t>>, context: &Context) -> Vec<Table> {
        let mut names: HashMap<&str, Place> = HashMap::new();
        let mut read = Vec::new();
        for fields in tables {
            let name = fields.required_text("name");
            if let Some(name) = &name {
                let place = self.place(&name.span);
                if let Some(first) = names.insert(name.text, place) {
                    self.problems.add_with_hint(
                        Code::DuplicateTable,
                        name.span.clone(),
                        format!("two tables are called `{}`", name.text),
                        format!("the other one is at {}:{first}", self.file),
                    );
                }
            }
            let scenarios = self.patterns(&fields, "table");
            let exclude = self.globs(&fields, "exclude");
            let rows = self.key(&fields, "rows", true);
            let columns = self.key(&fields, "columns", false);
            let history = self.history(&fields, context);
            let figures = self.figures(&fields, context);
            let baseline = self.key(&fields, "baseline", false);
            let caption = fields.text("caption").map(|text| text.text.to_owned());
            let footnotes = fields.texts("footnotes").into_iter();
            let footnotes = footnotes.map(|text| text.text.to_owned()).collect();
            self.has_two_axes(&fields, rows.as_ref(), columns.as_ref());
            self.has_commits(&fields, rows.as_ref(), columns.as_ref());
            let place = self.place(&fields.span());
            fields.finish();
            read.push(Table {
                name: name.map(|name| name.text.to_owned()).unwrap_or_default(),
                scenarios,
                exclude,
                rows: rows.filter(|rows| rows.text != SCENARIO),
                columns,
                history,
                figures,
                baseline,
                caption,
                footnotes,
                place,
            });
        }
        read
    }

    fn key(&self, fields: &Fields<'t>, key: &'static str, is_required: bool) -> Option<Key> {
        let text = if is_required || fields.has(key) {
            fields.required_text(key)
        } else {
            // A key that was not asked for is unknown.
            fields.text(key)
        };
        text.map(|text| Key {
            text: text.text.to_owned(),
            place: self.place(&text.span),
        })
    }

    /// Rows and columns that say the same would leave all but a diagonal empty.
    fn has_two_axes(&self, fields: &Fields<'t>, rows: Option<&Key>, columns: Option<&Key>) {
        let Some((columns, node)) = columns.zip(fields.take("columns")) else {
            return;
        };
        if rows.is_some_and(|rows| rows.text == columns.text) {
            self.problems.add_with_hint(
                Code::BadValue,
                node.span(),
                format!("`{}` can't be both the rows and the columns", columns.text),
                "name another axis, or leave `columns` out",
            );
        }
    }
}
