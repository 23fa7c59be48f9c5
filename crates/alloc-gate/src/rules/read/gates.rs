//! Reads `[[gate]]` into [`Gate`]s.

use std::collections::HashMap;

use crate::diagnostic::Code;
use crate::figure::Statistic;
use crate::rules::gate::BenchFilter;
use crate::rules::gate::ScenarioFilter;
use crate::rules::gate::{Gate, Rule};
use crate::rules::pattern::Pattern;
use crate::rules::read::Reader;
use crate::rules::read::fields::{Fields, Text};

impl<'t> Reader<'t> {
    /// Reads all `[[gate]]` tables.
    pub(super) fn gates(&self, tables: Vec<Fields<'t>>) -> Vec<Gate> {
        let mut gates = Vec::new();
        let mut names = HashMap::new();
        for fields in tables {
            let span = fields.span();
            let name = self.unique_name(&fields, &mut names, Code::DuplicateGate, "gates");
            let filter = self.filter(&fields);
            let condition = self.condition(&fields);
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
            self.problems.add_with_help(
                Code::UnusedKey,
                axis.span.clone(),
                String::from("no metric of the gate has a requirement on `growth`"),
                "add one, such as `allocs = { growth = \"O(1)\" }`, or delete the key",
            );
        }
    }

    /// Reads `scenarios`, which a gate needs.
    fn patterns(&self, fields: &Fields<'t>) -> Vec<Pattern> {
        if fields.is_missing_or_empty("scenarios") {
            self.problems.add_with_help(
                Code::NoScenarios,
                fields.span(),
                String::from("the gate has no `scenarios`"),
                "write `scenarios = [\"*\"]` for all scenarios",
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
            Ok(_) => self.problems.add(
                Code::BadPattern,
                text.span.clone(),
                String::from("an empty pattern matches nothing"),
            ),
            Err(reason) => self.problems.add_with_help(
                Code::BadPattern,
                text.span.clone(),
                format!("`{}` is not a glob: {reason}", text.text),
                "`*` matches any text; write `\\\\` before a special character to match it literally",
            ),
        }
        None
    }
}
