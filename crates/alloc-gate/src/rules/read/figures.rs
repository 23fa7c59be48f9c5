//! Reads `metrics` of a `[[table]]` into [`ShownFigure`]s.

use crate::diagnostic::{Code, suggest};
use crate::figure::{Measure, Statistic};
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Node, Text};
use crate::rules::shown_figure::ShownFigure;

impl<'t> Reader<'t> {
    /// Reads the figures of a table.
    pub(super) fn figures(&self, fields: &Fields<'t>) -> Vec<ShownFigure> {
        const WANTED: &str = "an array of metrics";
        let Some(node) = fields.take("metrics") else {
            self.problems.add_with_hint(
                Code::MissingKey,
                fields.span(),
                String::from("`[[table]]` needs the key `metrics`"),
                "name the figures to show, such as `metrics = [\"allocs\"]`",
            );
            return Vec::new();
        };
        let Some(list) = node.get_ref().as_array() else {
            fields.wrong_type("metrics", WANTED, node);
            return Vec::new();
        };
        if list.is_empty() {
            self.problems.add(
                Code::BadValue,
                node.span(),
                String::from("`metrics` is empty, so the table would be empty"),
            );
        }
        let mut figures: Vec<ShownFigure> = Vec::new();
        for node in list.iter() {
            let Some(figure) = self.figure(fields, node) else {
                continue;
            };
            if figures.contains(&figure) {
                let ShownFigure { metric, statistic } = &figure;
                let message = format!("the {statistic} of `{metric}` is listed twice");
                self.problems.add(Code::BadValue, node.span(), message);
            } else {
                figures.push(figure);
            }
        }
        figures
    }

    /// Reads one figure: the name of a metric, or a table with `metric`.
    fn figure(&self, fields: &Fields<'t>, node: Node<'t>) -> Option<ShownFigure> {
        let Some(table) = node.get_ref().as_table() else {
            let name = Text::new(node);
            if name.is_none() {
                let wanted = "an array of strings and of tables with `metric` and `statistic`";
                fields.wrong_type("metrics", wanted, node);
            }
            return self.measure(&name?).map(ShownFigure::usual);
        };
        let inner = Fields::new(table, "a metric of `[[table]]`", node.span(), self.problems);
        let name = inner.required_text("metric");
        let metric = name.and_then(|name| self.measure(&name));
        let statistic = self.shown_statistic(&inner, metric.as_ref());
        inner.finish();
        let usual = ShownFigure::usual(metric?);
        Some(ShownFigure {
            statistic: statistic?.unwrap_or(usual.statistic),
            ..usual
        })
    }

    fn measure(&self, name: &Text<'t>) -> Option<Measure> {
        let found = self.context.measure(name.text).ok_or_else(|| {
            let hint = self.context.hint(name.text, self.context.known());
            (format!("unknown metric `{}`", name.text), hint)
        });
        self.valid(Code::UnknownMetric, name, found)
    }

    /// Reads `statistic`; `None` if it is a mistake, and `Some(None)` if it is missing.
    fn shown_statistic(
        &self,
        inner: &Fields<'t>,
        metric: Option<&Measure>,
    ) -> Option<Option<Statistic>> {
        let Some(node) = inner.take("statistic") else {
            return Some(None);
        };
        let name = inner.as_text("statistic", node)?.text;
        let is_shown = |statistic: &Statistic| {
            *statistic != Statistic::Growth && metric.is_none_or(|metric| metric.has(*statistic))
        };
        let shown = Statistic::ALL.into_iter().filter(is_shown);
        let shown: Vec<&str> = shown.map(Statistic::name).collect();
        let found = name.parse::<Statistic>();
        let message = match (found, metric) {
            (Ok(statistic), _) if is_shown(&statistic) => return Some(Some(statistic)),
            (Ok(statistic), _) if statistic == Statistic::Growth => {
                format!("`{statistic}` needs several scenarios, but a cell shows one")
            }
            (Ok(statistic), Some(metric)) => format!("`{metric}` has no statistic `{statistic}`"),
            (Ok(_), None) | (Err(()), _) => format!("unknown statistic `{name}`"),
        };
        let near = if found.is_ok() { "" } else { name };
        self.problems.add_with_hint(
            Code::UnknownStatistic,
            node.span(),
            message,
            suggest(near, shown),
        );
        None
    }
}
