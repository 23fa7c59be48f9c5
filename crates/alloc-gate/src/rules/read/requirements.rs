//! Reads the requirements of gates into [`Rule`]s, by metric and statistic.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::figure::{Custom, Measure, Statistic};
use crate::requirement::{Requirement, lacks_statistic, unknown_statistic};
use crate::rules::gate::Rule;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Node, Text};

/// Other parts of the file that rules refer to.
#[derive(Default)]
pub(super) struct Context {
    /// Whether the file has a `[baseline]`.
    pub(super) has_baseline: bool,
    /// The metrics that `[metrics]` declares.
    pub(super) custom: Vec<Custom>,
}

impl Context {
    /// The built-in or declared metric of this name.
    pub(super) fn measure(&self, name: &str) -> Option<Measure> {
        let custom = || self.custom.iter().find(|custom| custom.name() == name);
        Measure::from_builtin_name(name).or_else(|| custom().cloned().map(Measure::Custom))
    }

    /// The names of all metrics.
    pub(super) fn known(&self) -> Vec<&str> {
        let mut known: Vec<&str> = Measure::known().collect();
        known.extend(self.custom.iter().map(Custom::name));
        known
    }
}

impl<'t> Reader<'t> {
    /// Reads the remaining keys of the `owner`, a gate, as metrics with requirements.
    pub(super) fn rules(&self, fields: &Fields<'t>, owner: &str) -> Vec<Rule> {
        let rest = fields.rest();
        if rest.is_empty() {
            self.problems.add_with_help(
                Code::EmptyGate,
                fields.span(),
                format!("the {owner} requires nothing"),
                "add a metric with a requirement, such as `allocs = \"<= 3\"`",
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let metric = self.context.measure(key.text).ok_or_else(|| {
                let known = self.context.known().into_iter().chain(fields.known());
                let hint = suggest(key.text, known);
                (format!("unknown metric `{}`", key.text), hint)
            });
            if let Some(metric) = self.valid(Code::UnknownMetric, &key, metric) {
                self.metric(fields, &metric, node, &mut rules);
            }
        }
        rules
    }

    /// Reads the requirements of one metric: a text for its default statistic, or a table from
    /// statistics to texts.
    fn metric(&self, fields: &Fields<'t>, metric: &Measure, node: Node<'t>, rules: &mut Vec<Rule>) {
        let Some(table) = node.get_ref().as_table() else {
            let Some(text) = Text::new(node) else {
                self.problems.add_with_help(
                    Code::WrongType,
                    node.span(),
                    format!(
                        "`{metric}` must be a requirement, found {}",
                        node.get_ref().type_str()
                    ),
                    "write `\"<= 3\"` for the mean, or `{ max = \"<= 3\" }` for another statistic",
                );
                return;
            };
            rules.extend(self.rule(metric, Statistic::Mean, &text));
            return;
        };
        let statistics = Fields::new(table, "a metric", node.span(), self.problems).rest();
        if statistics.is_empty() {
            self.problems.add_with_help(
                Code::EmptyGate,
                node.span(),
                format!("`{metric}` requires nothing"),
                format!("add a statistic, such as `{metric} = {{ max = \"<= 3\" }}`"),
            );
        }
        for (key, node) in statistics {
            if let Some(statistic) = self.statistic(&key, metric)
                && let Some(text) = fields.as_text(key.text, node)
            {
                rules.extend(self.rule(metric, statistic, &text));
            }
        }
    }

    /// Reads the key of a statistic, which the metric must have.
    fn statistic(&self, key: &Text<'t>, metric: &Measure) -> Option<Statistic> {
        let mistake = match key.text.parse::<Statistic>() {
            Ok(statistic) if metric.has(statistic) => return Some(statistic),
            Ok(statistic) => lacks_statistic(metric, statistic),
            Err(()) => unknown_statistic(key.text),
        };
        self.problems.push(mistake.at(key.span.clone()));
        None
    }

    /// Reads one requirement.
    fn rule(&self, metric: &Measure, statistic: Statistic, text: &Text<'t>) -> Option<Rule> {
        let requirement = match Requirement::parse_for(text.text, metric, statistic) {
            Ok(requirement) => requirement,
            Err(error) => {
                self.push_within(text, error);
                return None;
            }
        };
        if requirement.needs_baseline() && !self.context.has_baseline {
            self.problems.add_with_help(
                Code::NoBaselineFile,
                text.span.clone(),
                String::from("the requirement needs a baseline, but gates.toml has none"),
                "add `[baseline]` with `data = \"design/alloc-baseline.toml\"`",
            );
        }
        Some(Rule {
            metric: metric.clone(),
            statistic,
            requirement: requirement.into(),
            place: self.place(&text.span),
        })
    }

    /// Reports a mistake in a string's content.
    pub(super) fn push_within(&self, text: &Text<'t>, mistake: Diagnostic) {
        let span = self.span_within(text, mistake.span());
        self.problems.push(mistake.at(span));
    }

    /// The bytes of the file for a `span` of a string's content; the whole string if it has
    /// escapes.
    fn span_within(&self, text: &Text<'t>, span: Range<usize>) -> Range<usize> {
        let source = self.text.get(text.span.clone()).unwrap_or_default();
        match source.find(text.text) {
            Some(begin) if !text.text.is_empty() => {
                let offset = text.span.start + begin;
                // At least one byte is underlined.
                offset + span.start..(offset + span.end).max(offset + span.start + 1)
            }
            _ => text.span.clone(),
        }
    }
}
