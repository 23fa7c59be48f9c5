//! Reads `[[gate]]` into [`Gate`]s, and the scenario patterns of all tables.

use std::collections::HashMap;
use std::ops::Range;

use alloc_requirement::{Operator, Piece};

use crate::diagnostic::Code;
use crate::requirement::{Limit, MarginSize, Side, margin_size};
use crate::rules::bench_filter::BenchFilter;
use crate::rules::gate::{Gate, Rule};
use crate::rules::pattern::Pattern;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Text};
use crate::rules::scenario_filter::ScenarioFilter;

impl<'t> Reader<'t> {
    /// Reads all `[[gate]]` tables.
    pub(super) fn gates(&self, tables: Vec<Fields<'t>>) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = self.unique_name(&fields, &mut names, Code::DuplicateGate, "gates");
            let filter = self.filter(&fields, "gate");
            let condition = self.condition(&fields);
            let reason = fields.text("reason").map(|reason| reason.text.to_owned());
            let tolerance = fields
                .text("tolerance")
                .and_then(|text| Some((self.tolerance(&text)?, text.span)));
            let growth_axis = fields.text("growth-axis");
            let nondeterministic = self.reaction(&fields, "nondeterministic");
            let foreign = self.reaction(&fields, "foreign");
            let rules = self.rules(&fields, "gate");
            self.unused_keys(&rules, tolerance.as_ref(), growth_axis.as_ref());
            gates.push(Gate {
                name,
                filter,
                condition,
                rules,
                tolerance: tolerance.map(|(size, _)| size),
                growth_axis: growth_axis.map(|axis| axis.text.to_owned()),
                nondeterministic,
                foreign,
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
        let size = margin_size(piece.trim()).map_err(|_| {
            let hint = "write a number such as `2` or `64 B`, `10%`, or `max(10%, 64 B)`";
            let message = format!("`{}` is not a tolerance", text.text);
            (message, hint.to_owned())
        });
        self.valid(Code::BadValue, text, size)
    }

    /// Reports keys that have no effect on any of the `rules`.
    fn unused_keys(
        &self,
        rules: &[Rule],
        tolerance: Option<&(MarginSize, Range<usize>)>,
        growth_axis: Option<&Text<'t>>,
    ) {
        // A gate without valid rules already has a mistake.
        if rules.is_empty() {
            return;
        }
        if let Some(axis) = growth_axis
            && !rules.iter().any(|rule| rule.statistic.is_of_series())
        {
            self.problems.add_with_hint(
                Code::UnusedKey,
                axis.span.clone(),
                String::from(
                    "no metric of the gate has a requirement on `growth`, `slope` or `intercept`",
                ),
                "add one, such as `allocs = { growth = \"O(1)\" }`, or delete the key",
            );
        }
        let Some((size, span)) = tolerance else {
            return;
        };
        let mut limits = rules.iter().flat_map(|rule| rule.requirement.comparisons());
        if limits.all(|comparison| matches!(comparison.limit, Limit::Growth(_))) {
            self.problems.add(
                Code::UnusedKey,
                span.clone(),
                String::from("a tolerance has no effect on growth"),
            );
        } else if !rules.iter().any(takes_tolerance) {
            self.problems.add_with_hint(
                Code::UnusedKey,
                span.clone(),
                String::from("the tolerance applies to no limit of the gate"),
                "a tolerance applies to a single number, and to `baseline` without a margin; \
                 delete the key",
            );
        }
        if let Some(unit) = size.amount().and_then(|amount| amount.unit())
            && let Some(rule) = rules.iter().find(|rule| !rule.metric.is_bytes())
        {
            self.problems.add_with_hint(
                Code::UnitMismatch,
                span.clone(),
                format!(
                    "`{}` is not measured in bytes, but `{unit}` is a unit of bytes",
                    rule.metric
                ),
                "remove the unit, write a percentage, or split the gate in two",
            );
        }
    }

    /// Reads `scenarios`, which the `owner` needs: a gate, a waiver or a table.
    pub(super) fn patterns(&self, fields: &Fields<'t>, owner: &str) -> Vec<Pattern> {
        if fields.is_missing_or_empty("scenarios") {
            self.problems.add_with_hint(
                Code::NoScenarios,
                fields.span(),
                format!("the {owner} has no `scenarios`"),
                "write `scenarios = [\"*\"]` for all scenarios",
            );
        }
        self.globs(fields, "scenarios")
    }

    /// Reads the scenarios that a gate or a table is for.
    pub(super) fn filter(&self, fields: &Fields<'t>, owner: &str) -> ScenarioFilter {
        ScenarioFilter {
            scenarios: self.patterns(fields, owner),
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
            Ok(_) => self.problems.add(
                Code::BadPattern,
                text.span.clone(),
                String::from("an empty pattern matches nothing"),
            ),
            Err(reason) => self.problems.add_with_hint(
                Code::BadPattern,
                text.span.clone(),
                format!("`{}` is not a glob: {reason}", text.text),
                "`*` matches any text; write `\\\\` before a special character to match it literally",
            ),
        }
        None
    }
}

/// Whether the gate's tolerance applies to a limit of this rule.
fn takes_tolerance(rule: &Rule) -> bool {
    let comparisons = rule.requirement.comparisons();
    comparisons.iter().any(|comparison| {
        let side = match comparison.operator {
            Operator::Less | Operator::LessOrEqual => Side::Above,
            Operator::Greater | Operator::GreaterOrEqual => Side::Below,
            Operator::Equal => return false,
        };
        match comparison.limit {
            // One end of a range is always far from the figure.
            Limit::Number(_) => comparisons.len() == 1,
            Limit::Baseline(None) => true,
            // A margin on the side that allows more is already a tolerance.
            Limit::Baseline(Some(margin)) => margin.side != side,
            Limit::Scenario(_) | Limit::Figure(_) | Limit::Growth(_) => false,
        }
    })
}
