//! From `[[gate]]` to a valid [`Gate`]: its patterns, and its rules by metric and
//! statistic.

use std::collections::HashMap;
use std::ops::Range;

use alloc_requirement::{Operator, Piece};

use crate::diagnostic::{Code, Place, suggest};
use crate::figure::{Custom, Measure, Statistic};
use crate::requirement::{
    Comparison, Limit, MarginSize, Pointless, Requirement, Side, margin_size, rule_words,
};
use crate::rules::gate::{Gate, Rule};
use crate::rules::pattern::Pattern;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Node, Text};

/// What rules refer to elsewhere in the file.
pub(super) struct Context {
    pub(super) has_baseline: bool,
    /// The metrics that `[metrics]` declares.
    pub(super) custom: Vec<Custom>,
}

impl Context {
    pub(super) fn measure(&self, name: &str) -> Option<Measure> {
        let custom = || self.custom.iter().find(|custom| custom.name() == name);
        Measure::named(name).or_else(|| custom().cloned().map(Measure::Custom))
    }

    /// The names of all metrics.
    pub(super) fn known(&self) -> Vec<&str> {
        let mut known: Vec<&str> = Measure::known().collect();
        known.extend(self.custom.iter().map(Custom::name));
        known
    }
}

impl<'t> Reader<'t> {
    pub(super) fn gates(&self, tables: Vec<Fields<'t>>, context: &Context) -> Vec<Gate> {
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
            let scenarios = self.patterns(&fields, "gate");
            let exclude = self.globs(&fields, "exclude");
            let condition = self.condition(&fields);
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let tolerance = fields
                .text("tolerance")
                .and_then(|text| Some((self.tolerance(&text)?, text.span)));
            let growth_axis = fields.text("growth-axis");
            let rules = self.rules(&fields, "gate", context);
            self.unused_keys(&rules, tolerance.as_ref(), growth_axis.as_ref());
            gates.push(Gate {
                name: name.map(|name| name.text.to_owned()).unwrap_or_default(),
                scenarios,
                exclude,
                condition,
                rules,
                tolerance: tolerance.map(|(size, _)| size),
                growth_axis: growth_axis.map(|axis| axis.text.to_owned()),
                reason,
                place: self.place(&span),
            });
        }
        gates
    }

    fn tolerance(&self, text: &Text<'t>) -> Option<MarginSize> {
        let piece = Piece {
            text: text.text,
            begin: 0,
        };
        let size = margin_size(piece.trim());
        if size.is_err() {
            self.problems.add_with_hint(
                Code::BadValue,
                text.span.clone(),
                format!("`{}` is not a tolerance", text.text),
                "write a number such as `2`, `64 B` or `10%`",
            );
        }
        size.ok()
    }

    /// Keys that have no effect on any of the `rules`.
    fn unused_keys(
        &self,
        rules: &[Rule],
        tolerance: Option<&(MarginSize, Range<usize>)>,
        growth_axis: Option<&Text<'t>>,
    ) {
        let limits = || rules.iter().flat_map(|rule| rule.requirement.comparisons());
        let is_growth = |comparison: &Comparison| matches!(comparison.limit, Limit::Growth(_));
        if let Some(axis) = growth_axis
            && !rules.is_empty()
            && !limits().any(is_growth)
        {
            self.problems.add_with_hint(
                Code::UnusedKey,
                axis.span.clone(),
                String::from("no metric of the gate has a requirement on growth"),
                "add one, such as `allocs = { growth = \"O(1)\" }`, or delete the key",
            );
        }
        let Some((size, span)) = tolerance else {
            return;
        };
        if !rules.is_empty() && limits().all(is_growth) {
            self.problems.add(
                Code::UnusedKey,
                span.clone(),
                String::from("growth has no tolerance"),
            );
        } else if !rules.is_empty() && !rules.iter().any(has_room) {
            self.problems.add_with_hint(
                Code::UnusedKey,
                span.clone(),
                String::from("no limit of the gate can be stale by this tolerance"),
                "it is for a rule of one number, and for `baseline` without a margin of its own; \
                 delete the key",
            );
        }
        if let MarginSize::Amount(amount) = size
            && let Some(unit) = amount.unit()
            && let Some(rule) = rules.iter().find(|rule| !rule.metric.is_bytes())
        {
            self.problems.add_with_hint(
                Code::UnitMismatch,
                span.clone(),
                format!(
                    "`{}` is not measured in bytes, and `{unit}` is a unit of them",
                    rule.metric
                ),
                "leave the unit out, give a percentage, or make two gates of it",
            );
        }
    }

    /// The scenarios of a gate, a waiver or a table, whichever the `owner` is.
    pub(super) fn patterns(&self, fields: &Fields<'t>, owner: &str) -> Vec<Pattern> {
        if fields.lacks("scenarios") {
            self.problems.add_with_hint(
                Code::NoScenarios,
                fields.span(),
                format!("the {owner} says no `scenarios`, and so applies to nothing"),
                "`scenarios = [\"*\"]` means all of them",
            );
        }
        self.globs(fields, "scenarios")
    }

    pub(super) fn globs(&self, fields: &Fields<'t>, key: &'static str) -> Vec<Pattern> {
        let texts = fields.texts(key).into_iter();
        texts.filter_map(|text| self.glob(&text)).collect()
    }

    pub(super) fn glob(&self, text: &Text<'t>) -> Option<Pattern> {
        match Pattern::new(text.text, self.place(&text.span)) {
            Ok(pattern) if !text.text.is_empty() => return Some(pattern),
            Ok(_) => self.problems.add(
                Code::BadPattern,
                text.span.clone(),
                String::from("an empty pattern matches no scenario"),
            ),
            Err(reason) => self.problems.add_with_hint(
                Code::BadPattern,
                text.span.clone(),
                format!("`{}` is not a glob: {reason}", text.text),
                "`*` stands for any text; `\\\\` before a special character takes it literally",
            ),
        }
        None
    }

    /// What a gate or a waiver, whichever the `owner` is, requires.
    pub(super) fn rules(&self, fields: &Fields<'t>, owner: &str, context: &Context) -> Vec<Rule> {
        let rest = fields.rest();
        if rest.is_empty() {
            self.problems.add_with_hint(
                Code::EmptyGate,
                fields.span(),
                format!("the {owner} requires nothing"),
                "add a metric with a requirement, such as `allocs = \"<= 3\"`",
            );
        }
        let mut rules = Vec::new();
        for (key, node) in rest {
            let Some(metric) = context.measure(key.text) else {
                let mut known = context.known();
                known.extend(fields.known());
                self.problems.add_with_hint(
                    Code::UnknownMetric,
                    key.span,
                    format!("unknown metric `{}`", key.text),
                    suggest(key.text, known),
                );
                continue;
            };
            self.metric(fields, &metric, node, context, &mut rules);
        }
        rules
    }

    /// The requirements of one metric: a text for the mean, or of what has none for
    /// the total, or a table from
    /// statistics to texts.
    fn metric(
        &self,
        fields: &Fields<'t>,
        metric: &Measure,
        node: Node<'t>,
        context: &Context,
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
                rules.extend(self.rule(metric, metric.default_statistic(), &text, context));
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
                Ok(statistic) if !metric.has(statistic) => self.problems.add_with_hint(
                    Code::UnknownStatistic,
                    key.span,
                    format!("`{metric}` has no `{statistic}`"),
                    suggest(
                        "",
                        Statistic::ALL
                            .into_iter()
                            .filter(|&statistic| metric.has(statistic))
                            .map(Statistic::name),
                    ),
                ),
                Ok(statistic) => {
                    if let Some(text) = fields.as_text(key.text, node) {
                        rules.extend(self.rule(metric, statistic, &text, context));
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
        metric: &Measure,
        statistic: Statistic,
        text: &Text<'t>,
        context: &Context,
    ) -> Option<Rule> {
        let requirement = match Requirement::parse_for(text.text, metric, statistic) {
            Ok(requirement) => requirement,
            Err(error) => {
                let span = self.inside(text, error.span);
                self.problems
                    .push(error.code, span, error.message, error.hint);
                return None;
            }
        };
        match requirement.pointless(metric, statistic) {
            Some(Pointless::CannotFail(index)) => {
                let comparison = &requirement.comparisons()[index];
                self.problems.add_with_hint(
                    Code::CannotFail,
                    text.span.clone(),
                    format!("`{metric}` is never below 0, so `{comparison}` can't fail"),
                    "a gate that can't fail protects nothing; give an upper limit, or leave it out",
                );
            }
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
        if requirement.needs_baseline() && !context.has_baseline {
            self.problems.add_with_hint(
                Code::NoBaselineFile,
                text.span.clone(),
                String::from("the requirement needs a baseline, and the file names none"),
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

    /// The bytes of the file for a `span` of a string's content. An escaped
    /// string is as long as it is, so then the whole of it is meant.
    pub(super) fn inside(&self, text: &Text<'t>, span: Range<usize>) -> Range<usize> {
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

/// Whether the tolerance of a gate says how far this rule's limits may be from the
/// figures.
fn has_room(rule: &Rule) -> bool {
    let comparisons = rule.requirement.comparisons();
    comparisons.iter().any(|comparison| {
        let side = match comparison.operator {
            Operator::Less | Operator::LessOrEqual => Side::Above,
            Operator::Greater | Operator::GreaterOrEqual => Side::Below,
            Operator::Equal => return false,
        };
        match comparison.limit {
            // Of a range, one end is far away by nature.
            Limit::Number(_) => comparisons.len() == 1,
            Limit::Baseline(None) => true,
            // A margin on the side where it allows more is a tolerance of its own.
            Limit::Baseline(Some(margin)) => margin.side != side,
            Limit::Scenario(_) | Limit::Growth(_) => false,
        }
    })
}
