//! Reads `history` of a `[[table]]` into a [`TableHistory`].

use crate::diagnostic::Code;
use crate::figure::Measure;
use crate::rules::expression::{Operand, Property, Step};
use crate::rules::read::Reader;
use crate::rules::read::fields::Fields;
use crate::rules::read::requirements::Context;
use crate::rules::shown_figure::{Quantity, ShownFigure};
use crate::rules::table::{Key, SCENARIO, TableHistory};

impl<'t> Reader<'t> {
    /// Reads the key `history`.
    pub(super) fn history(&self, fields: &Fields<'t>, context: &Context) -> Option<TableHistory> {
        let inner = fields.table("history", "`history` of `[[table]]`")?;
        let baseline = inner.text_unless_empty("baseline");
        if !inner.has("baseline") && !context.has_baseline {
            self.problems.add_with_hint(
                Code::NoBaselineFile,
                inner.span(),
                String::from("`history` needs a baseline, but gates.toml has none"),
                "name its data file, as in `history = { baseline = \"design/alloc-baseline.toml\" \
                 }`, or add a `[baseline]`",
            );
        }
        let last = inner.number("last", 1);
        let environment = inner.text("environment").and_then(|text| self.glob(&text));
        inner.finish();
        Some(TableHistory {
            baseline: baseline.map(|text| text.text.to_owned()),
            last: last.unwrap_or(TableHistory::LAST),
            environment,
        })
    }

    /// Checks that a table with `history` has an axis of commits: without it, all commits would
    /// share a cell.
    pub(super) fn check_commit_axis(
        &self,
        fields: &Fields<'t>,
        rows: Option<&Key>,
        columns: Option<&Key>,
    ) {
        let (Some(node), Some(rows)) = (fields.take("history"), rows) else {
            return;
        };
        let mut keys = std::iter::once(rows).chain(columns);
        if !keys.any(|key| key.text == TableHistory::COMMIT) {
            self.problems.add_with_hint(
                Code::BadValue,
                node.span(),
                String::from("a table with `history` needs the commits as its rows or columns"),
                format!(
                    "write `rows = \"{0}\"`, and `columns = \"{SCENARIO}\"` for several scenarios; \
                     or `columns = \"{0}\"`",
                    TableHistory::COMMIT
                ),
            );
        }
    }
}

/// The name of a part of `figure` that baselines do not contain.
pub(super) fn missing_from_baselines(figure: &ShownFigure) -> Option<&str> {
    let is_absent = |measure: &&Measure| !measure.is_in_baseline();
    match &figure.quantity {
        Quantity::Metric(measure) => Some(measure).filter(is_absent).map(Measure::name),
        Quantity::Derived { expression, .. } => {
            let measure = expression.measures().find(is_absent);
            let threads = expression
                .steps()
                .contains(&Step::Value(Operand::Property(Property::Threads)));
            measure
                .map(Measure::name)
                .or(threads.then_some(Property::Threads.name()))
        }
    }
}
