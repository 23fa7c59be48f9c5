//! Reads `metrics` of a `[[table]]` into [`ShownFigure`]s.

use crate::diagnostic::{Code, suggest};
use crate::figure::{Measure, Statistic};
use crate::rules::read::fields::{Fields, Node, Text};
use crate::rules::read::history::missing_from_baselines;
use crate::rules::read::requirements::Context;
use crate::rules::read::{Reader, expression};
use crate::rules::shown_figure::{DerivedUnit, Quantity, ShownFigure};

impl<'t> Reader<'t> {
    /// Reads the figures of a table.
    pub(super) fn figures(&self, fields: &Fields<'t>, context: &Context) -> Vec<ShownFigure> {
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
            let Some(figure) = self.figure(fields, node, context) else {
                continue;
            };
            if let Some(name) = missing_from_baselines(&figure).filter(|_| fields.has("history")) {
                self.problems.add_with_hint(
                    Code::BadValue,
                    node.span(),
                    format!("`{name}` has no history: a baseline does not contain it"),
                    "a baseline contains counts per iteration, and metrics of `[metrics]` that are \
                     not times",
                );
            }
            match duplicate_message(&figures, &figure) {
                Some(message) => self.problems.add(Code::BadValue, node.span(), message),
                None => figures.push(figure),
            }
        }
        figures
    }

    /// Reads one figure: the name of a metric, a table with `metric`, or one with `derived`.
    fn figure(
        &self,
        fields: &Fields<'t>,
        node: Node<'t>,
        context: &Context,
    ) -> Option<ShownFigure> {
        let Some(table) = node.get_ref().as_table() else {
            let Some(name) = node.get_ref().as_str() else {
                let wanted = "an array of strings and of tables with `metric` and `statistic`";
                fields.wrong_type("metrics", wanted, node);
                return None;
            };
            let metric = self.measure(name, node, context)?;
            return Some(ShownFigure {
                statistic: usual_statistic(&metric),
                quantity: Quantity::Metric(metric),
                label: None,
            });
        };
        let is_derived = table.contains_key("derived");
        let title = match is_derived {
            true => "a derived figure of `[[table]]`",
            false => "a metric of `[[table]]`",
        };
        let inner = Fields::new(table, title, node.span(), self.problems);
        let figure = match is_derived {
            true => self.derived_figure(&inner, context),
            false => self.metric_figure(&inner, context),
        };
        inner.finish();
        figure
    }

    fn metric_figure(&self, inner: &Fields<'t>, context: &Context) -> Option<ShownFigure> {
        let metric = inner.required_text("metric").and_then(|name| {
            let node = inner.take("metric")?;
            self.measure(name.text, node, context)
        });
        let statistic = self.shown_statistic(inner, metric.as_ref());
        let label = inner.text_unless_empty("label");
        let (metric, statistic) = (metric?, statistic?);
        Some(ShownFigure {
            statistic: statistic.or_else(|| usual_statistic(&metric)),
            quantity: Quantity::Metric(metric),
            label: label.map(|text| text.text.to_owned()),
        })
    }

    fn derived_figure(&self, inner: &Fields<'t>, context: &Context) -> Option<ShownFigure> {
        // `metric` is asked for only if it exists, so that hints do not suggest it.
        if inner.has("metric")
            && let Some(node) = inner.take("metric")
        {
            self.problems.add_with_hint(
                Code::BadValue,
                node.span(),
                String::from("a figure can't have both `metric` and `derived`"),
                "use the metric in the expression, or remove one of the keys",
            );
        }
        let text = inner.required_text("derived");
        let statistic = self.shown_statistic(inner, None);
        let label = inner.required_text("label");
        let unit = match inner.text("unit") {
            None => DerivedUnit::default(),
            Some(text) => self.unit(&text)?,
        };
        let (text, statistic) = (text?, statistic?);
        let expression = match expression::parse(text.text, statistic, context) {
            Ok(expression) => expression,
            Err(mistakes) => {
                for mistake in mistakes {
                    self.push_within(&text, mistake);
                }
                return None;
            }
        };
        Some(ShownFigure {
            quantity: Quantity::Derived { expression, unit },
            statistic,
            label: Some(label?.text.to_owned()),
        })
    }

    fn unit(&self, text: &Text<'t>) -> Option<DerivedUnit> {
        let mut named = DerivedUnit::NAMED.into_iter();
        let found = named.find(|unit| unit.name() == text.text);
        if found.is_none() {
            self.problems.add_with_hint(
                Code::BadValue,
                text.span.clone(),
                format!("`{}` is not a unit of a derived figure", text.text),
                suggest(text.text, DerivedUnit::NAMED.map(DerivedUnit::name)),
            );
        }
        found
    }

    fn measure(&self, name: &str, node: Node<'t>, context: &Context) -> Option<Measure> {
        let found = context.measure(name);
        if found.is_none() {
            self.problems.add_with_hint(
                Code::UnknownMetric,
                node.span(),
                format!("unknown metric `{name}`"),
                context.hint(name, context.known()),
            );
        }
        found
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
            !statistic.is_of_series() && metric.is_none_or(|metric| metric.has(*statistic))
        };
        let shown = Statistic::ALL.into_iter().filter(is_shown);
        let shown: Vec<&str> = shown.map(Statistic::name).collect();
        let found = name.parse::<Statistic>();
        let message = match (found, metric) {
            (Ok(statistic), _) if is_shown(&statistic) => return Some(Some(statistic)),
            (Ok(statistic), _) if statistic.is_of_series() => {
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

/// The statistic that a table shows of a time, unless it names one: the median, which a single
/// slow value does not change. Other metrics have one of their own.
fn usual_statistic(metric: &Measure) -> Option<Statistic> {
    metric.is_time().then_some(Statistic::P50)
}

/// A message if `figure` repeats one of `figures` or its heading.
fn duplicate_message(figures: &[ShownFigure], figure: &ShownFigure) -> Option<String> {
    let statistic = |metric: &Measure, figure: &ShownFigure| {
        figure.statistic.unwrap_or(metric.default_statistic())
    };
    for other in figures {
        if let (Quantity::Metric(metric), Quantity::Metric(same)) =
            (&figure.quantity, &other.quantity)
            && metric == same
            && statistic(metric, figure) == statistic(metric, other)
        {
            let statistic = statistic(metric, figure);
            return Some(format!("the {statistic} of `{metric}` is listed twice"));
        }
        let title = figure.to_string();
        if other.to_string() == title {
            return Some(format!("two figures of the table are called `{title}`"));
        }
    }
    None
}
