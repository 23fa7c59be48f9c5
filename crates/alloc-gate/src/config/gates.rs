//! From `[[gate]]` to a valid [`Gate`]: its patterns, and its rules by metric and
//! statistic.

use std::collections::HashMap;
use std::ops::Range;

use alloc_results::Metric;

use super::fields::{Fields, Node, Text};
use super::read::Reader;
use super::{Gate, Pattern, Rule};
use crate::diagnostic::{Code, Place, suggest};
use crate::report::rule_words;
use crate::requirement::Pointless;
use crate::{Requirement, Statistic};

impl<'t> Reader<'t> {
    pub(super) fn gates(&self, tables: Vec<Fields<'t>>, has_baseline: bool) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names: HashMap<&str, Place> = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = fields.required_text("name");
            if let Some(name) = &name {
                let place = self.place(&name.span);
                if let Some(first) = names.insert(name.text, place) {
                    self.problems.add_with_hint(
                        Code::DuplicateGate,
                        name.span.clone(),
                        format!("two gates are called `{}`", name.text),
                        format!("the other one is at {}:{first}", self.file),
                    );
                }
            }
            let scenarios = self.patterns(&fields);
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let rules = self.rules(&fields, has_baseline);
            gates.push(Gate {
                name: name.map(|name| name.text.to_owned()).unwrap_or_default(),
                scenarios,
                rules,
                reason,
                place: self.place(&span),
            });
        }
        gates
    }

    fn patterns(&self, fields: &Fields<'t>) -> Vec<Pattern> {
        if fields.lacks("scenarios") {
            self.problems.add_with_hint(
                Code::NoScenarios,
                fields.span(),
                String::from("the gate says no `scenarios`, and so applies to nothing"),
                "`scenarios = [\"*\"]` means all of them",
            );
        }
        let mut patterns = Vec::new();
        for text in fields.texts("scenarios") {
            match Pattern::new(text.text, self.place(&text.span)) {
                Ok(pattern) if !text.text.is_empty() => patterns.push(pattern),
                Ok(_) => self.problems.add(
                    Code::BadPattern,
                    text.span,
                    String::from("an empty pattern matches no scenario"),
                ),
                Err(reason) => self.problems.add_with_hint(
                    Code::BadPattern,
                    text.span,
                    format!("`{}` is not a glob: {reason}", text.text),
                    "`*` stands for any text; `\\\\` before a special character takes it literally",
                ),
            }
        }
        patterns
    }

    fn rules(&self, fields: &Fields<'t>, has_baseline: bool) -> Vec<Rule> {
        let rest = fields.rest();
        if rest.is_empty() {
            self.problems.add_with_hint(
                Code::EmptyGate,
                fields.span(),
                String::from("the gate requires nothing"),
                "add a metric with a requirement, such as `allocs = \"<= 3\"`",
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let Ok(metric) = key.text.parse::<Metric>() else {
                let metrics = Metric::ALL.map(Metric::name);
                let known = metrics.into_iter().chain(fields.known());
                self.problems.add_with_hint(
                    Code::UnknownMetric,
                    key.span,
                    format!("unknown metric `{}`", key.text),
                    suggest(key.text, known),
                );
                continue;
            };
            self.metric(fields, metric, node, has_baseline, &mut rules);
        }
        rules
    }

    /// The requirements of one metric: a text for the mean, or a table from
    /// statistics to texts.
    fn metric(
        &self,
        fields: &Fields<'t>,
        metric: Metric,
        node: Node<'t>,
        has_baseline: bool,
        rules: &mut Vec<Rule>,
    ) {
        let Some(table) = node.get_ref().as_table() else {
            if node.get_ref().as_str().is_none() {
                self.problems.add_with_hint(
                    Code::WrongType,
                    node.span(),
                    format!(
                        "`{metric}` has to be a requirement, and this is of type {}",
                        node.get_ref().type_str()
                    ),
                    "write `\"<= 3\"` for the mean, or `{ max = \"<= 3\" }` for another statistic",
                );
            } else if let Some(text) = fields.as_text(metric.name(), node) {
                rules.extend(self.rule(metric, Statistic::Mean, &text, has_baseline));
            }
            return;
        };
        let statistics = Fields::new(table, "a metric", node.span(), self.problems).rest();
        if statistics.is_empty() {
            self.problems.add_with_hint(
                Code::EmptyGate,
                node.span(),
                format!("`{metric}` requires nothing"),
                format!("add a statistic, such as `{metric} = {{ max = \"<= 3\" }}`"),
            );
        }
        for (key, node) in statistics {
            match key.text.parse::<Statistic>() {
                Ok(statistic) => {
                    if let Some(text) = fields.as_text(key.text, node) {
                        rules.extend(self.rule(metric, statistic, &text, has_baseline));
                    }
                }
                Err(()) => self.problems.add_with_hint(
                    Code::UnknownStatistic,
                    key.span,
                    format!("unknown statistic `{}`", key.text),
                    suggest(key.text, Statistic::ALL.map(Statistic::name)),
                ),
            }
        }
    }

    fn rule(
        &self,
        metric: Metric,
        statistic: Statistic,
        text: &Text<'t>,
        has_baseline: bool,
    ) -> Option<Rule> {
        let requirement = match Requirement::parse(text.text) {
            Ok(requirement) => requirement,
            Err(error) => {
                let span = self.inside(text, error.span);
                self.problems
                    .push(Code::BadRequirement, span, error.message, error.hint);
                return None;
            }
        };
        match requirement.pointless(metric, statistic) {
            Some(Pointless::CannotFail(index)) => self.problems.add_with_hint(
                Code::CannotFail,
                text.span.clone(),
                format!(
                    "`{metric}` is never below 0, so `{}` can't fail",
                    requirement.comparisons()[index]
                ),
                "a gate that can't fail protects nothing; give an upper limit, or leave it out",
            ),
            Some(Pointless::CannotHold) => self.problems.add_with_hint(
                Code::CannotHold,
                text.span.clone(),
                format!(
                    "no measurement can meet `{}`",
                    rule_words(metric, statistic, &requirement)
                ),
                match requirement.pointless(metric, Statistic::Mean) {
                    None => "only a mean has a fraction: give whole limits, or judge the `mean`",
                    Some(_) => "a gate that can't hold is always broken; correct the limits",
                },
            ),
            None => {}
        }
        if requirement.needs_baseline() && !has_baseline {
            self.problems.add_with_hint(
                Code::NoBaselineFile,
                text.span.clone(),
                String::from("the requirement needs a baseline, and the file names none"),
                "add `[baseline]` with `data = \"design/alloc-baseline.toml\"`",
            );
        }
        Some(Rule {
            metric,
            statistic,
            requirement,
            place: self.place(&text.span),
        })
    }

    /// The bytes of the file for a `span` of a string's content. An escaped
    /// string is as long as it is, so then the whole of it is meant.
    fn inside(&self, text: &Text<'t>, span: Range<usize>) -> Range<usize> {
        let source = self.text.get(text.span.clone()).unwrap_or_default();
        match source.find(text.text) {
            Some(begin) if !text.text.is_empty() => {
                let offset = text.span.start + begin;
                // Something is always underlined.
                offset + span.start..(offset + span.end).max(offset + span.start + 1)
            }
            _ => text.span.clone(),
        }
    }
}
