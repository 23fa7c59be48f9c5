//! Reads `[[gate]]` into [`Gate`]s: where they apply, and their requirements by metric and statistic.

use std::collections::HashMap;
use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::figure::{Custom, Measure, Statistic};
use crate::requirement::{Requirement, lacks_statistic, unknown_statistic};
use crate::rules::condition::{CompilerRequirement, Condition};
use crate::rules::pattern::Pattern;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Node, Text};
use crate::rules::{BenchFilter, Gate, Rule, ScenarioFilter};

impl<'t> Reader<'t> {
    /// Reads all `[[gate]]` tables.
    pub(super) fn gates(&self, tables: Vec<Fields<'t>>) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = self.unique_name(&fields, &mut names, Code::DuplicateGate, "gates");
            let filter = self.filter(&fields);
            let condition = Condition {
                when: self.when(&fields),
                rustc: fields
                    .text("rustc")
                    .and_then(|text| self.valid(&text, CompilerRequirement::parse(text.text))),
            };
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let growth_axis = fields.text("growth-axis");
            let nondeterministic = self.reaction(&fields, "nondeterministic");
            let foreign = self.reaction(&fields, "foreign");
            let rules = self.rules(&fields, "gate");
            self.unused_growth_axis(&rules, growth_axis.as_ref());
            gates.push(Gate {
                name,
                filter,
                condition,
                rules,
                growth_axis: growth_axis.map(|axis| axis.text.to_owned()),
                nondeterministic,
                foreign,
                reason,
                place: self.place(&span),
            });
        }
        gates
    }

    /// Reports a `growth-axis` that has no effect on any of the `rules`.
    fn unused_growth_axis(&self, rules: &[Rule], axis: Option<&Text<'t>>) {
        // A gate without valid rules already has a mistake.
        if let Some(axis) = axis
            && !rules.is_empty()
            && rules.iter().all(|rule| rule.statistic != Statistic::Growth)
        {
            self.problems.push(
                Diagnostic::mistake(
                    Code::UnusedKey,
                    axis.span.clone(),
                    "no metric of the gate has a requirement on `growth`",
                )
                .help("add one, such as `allocs = { growth = \"O(1)\" }`, or delete the key"),
            );
        }
    }

    /// Reads `scenarios`, which a gate needs.
    fn patterns(&self, fields: &Fields<'t>) -> Vec<Pattern> {
        if fields.is_missing_or_empty("scenarios") {
            self.problems.push(
                Diagnostic::mistake(
                    Code::NoScenarios,
                    fields.span(),
                    "the gate has no `scenarios`",
                )
                .help("write `scenarios = [\"*\"]` for all scenarios"),
            );
        }
        self.globs(fields, "scenarios")
    }

    /// Reads the scenarios that a gate is for.
    fn filter(&self, fields: &Fields<'t>) -> ScenarioFilter {
        ScenarioFilter {
            scenarios: self.patterns(fields),
            exclude: self.globs(fields, "exclude"),
            benches: self.benches_of(fields),
        }
    }

    /// Reads `package` and `bench`.
    pub(super) fn benches_of(&self, fields: &Fields<'t>) -> BenchFilter {
        let glob = |key| self.glob(&fields.text(key)?);
        BenchFilter {
            package: glob("package"),
            bench: glob("bench"),
        }
    }

    /// Reads the array of globs `key`.
    pub(super) fn globs(&self, fields: &Fields<'t>, key: &'static str) -> Vec<Pattern> {
        let texts = fields.texts(key).into_iter();
        texts.filter_map(|text| self.glob(&text)).collect()
    }

    /// Reads one glob.
    pub(super) fn glob(&self, text: &Text<'t>) -> Option<Pattern> {
        match Pattern::new(text.text, self.place(&text.span)) {
            Ok(pattern) if !text.text.is_empty() => return Some(pattern),
            Ok(_) => self.problems.push(Diagnostic::mistake(Code::BadPattern, text.span.clone(), "an empty pattern matches nothing")),
            Err(reason) => self.problems.push(Diagnostic::mistake(Code::BadPattern, text.span.clone(), format!("`{}` is not a glob: {reason}", text.text)).help("`*` matches any text; write `\\\\` before a special character to match it literally")),
        }
        None
    }
}

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
            self.problems.push(
                Diagnostic::mistake(
                    Code::EmptyGate,
                    fields.span(),
                    format!("the {owner} requires nothing"),
                )
                .help("add a metric with a requirement, such as `allocs = \"<= 3\"`"),
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let metric = self.context.measure(key.text).ok_or_else(|| {
                let known = self.context.known().into_iter().chain(fields.known());
                let hint = suggest(key.text, known);
                let message = format!("unknown metric `{}`", key.text);
                Diagnostic::mistake(Code::UnknownMetric, 0..0, message).help(hint)
            });
            if let Some(metric) = self.valid(&key, metric) {
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
                self.problems.push(Diagnostic::mistake(Code::WrongType, node.span(), format!(
                        "`{metric}` must be a requirement, found {}",
                        node.get_ref().type_str()
                    )).help("write `\"<= 3\"` for the mean, or `{ max = \"<= 3\" }` for another statistic"));
                return;
            };
            rules.extend(self.rule(metric, Statistic::Mean, &text));
            return;
        };
        let statistics = Fields::new(table, "a metric", node.span(), self.problems).rest();
        if statistics.is_empty() {
            self.problems.push(
                Diagnostic::mistake(
                    Code::EmptyGate,
                    node.span(),
                    format!("`{metric}` requires nothing"),
                )
                .help(format!(
                    "add a statistic, such as `{metric} = {{ max = \"<= 3\" }}`"
                )),
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
            self.problems.push(
                Diagnostic::mistake(
                    Code::NoBaselineFile,
                    text.span.clone(),
                    "the requirement needs a baseline, but gates.toml has none",
                )
                .help("add `[baseline]` with `data = \"design/alloc-baseline.toml\"`"),
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
