//! Reads `[[waiver]]` into [`Waiver`]s.

use std::collections::HashMap;
use std::ops::Range;

use crate::diagnostic::{Code, Place, suggest};
use crate::figure::{Date, Measure, Statistic};
use crate::rules::gate::{Gate, Rule};
use crate::rules::read::Reader;
use crate::rules::read::fields::Fields;
use crate::rules::scenario_filter::ScenarioFilter;
use crate::rules::waiver::Waiver;

impl<'t> Reader<'t> {
    /// Reads all `[[waiver]]` tables.
    pub(super) fn waivers(&self, tables: Vec<Fields<'t>>, gates: &[Gate]) -> Vec<Waiver> {
        let mut first = HashMap::new();
        let mut waivers = Vec::new();
        for fields in tables {
            let Some(waiver) = self.waiver(&fields, gates) else {
                continue;
            };
            self.check_gate_has_rules(&waiver, &fields, &gates[waiver.gate]);
            self.check_duplicates(&waiver, &fields, &mut first);
            waivers.push(waiver);
        }
        waivers
    }

    fn waiver(&self, fields: &Fields<'t>, gates: &[Gate]) -> Option<Waiver> {
        let gate = fields.required_text("gate");
        let gate = gate.and_then(|name| {
            let found = gates.iter().position(|gate| gate.name == name.text);
            let found = found.ok_or_else(|| {
                let known = gates.iter().map(|gate| gate.name.as_str());
                let hint = suggest(name.text, known.filter(|name| !name.is_empty()));
                (format!("there is no gate `{}`", name.text), hint)
            });
            self.valid(Code::UnknownGate, &name, found)
        });
        let filter = ScenarioFilter {
            scenarios: self.patterns(fields, "waiver"),
            exclude: Vec::new(),
            benches: self.benches_of(fields),
        };
        let condition = self.condition(fields);
        let reason = fields.required_text("reason");
        let issue = fields.text("issue").map(|issue| issue.text.to_owned());
        let until = self.until(fields);
        let rules = self.rules(fields, "waiver");
        Some(Waiver {
            gate: gate?,
            filter,
            rules,
            reason: reason?.text.to_owned(),
            issue,
            until,
            condition,
            place: self.place(&fields.span()),
        })
    }

    /// Reads `until`: a TOML date, or a string with a date.
    fn until(&self, fields: &Fields<'t>) -> Option<Date> {
        let node = fields.take("until")?;
        let (text, date) = if let Some(text) = node.get_ref().as_str() {
            (text.to_owned(), Date::parse(text))
        } else if let Some(found) = node.get_ref().as_datetime() {
            // A TOML value with a time fails to parse as a date.
            (found.to_string(), Date::parse(&found.to_string()))
        } else {
            fields.wrong_type("until", "a date", node);
            return None;
        };
        if date.is_none() {
            self.problems.add_with_hint(
                Code::BadDate,
                node.span(),
                format!("`{text}` is not a date"),
                "write the last day on which the waiver applies, such as `2026-12-31`",
            );
        }
        date
    }

    /// Checks that the gate has a rule for each rule of the waiver, which would have no effect
    /// otherwise.
    fn check_gate_has_rules(&self, waiver: &Waiver, fields: &Fields<'t>, gate: &Gate) {
        // A gate without valid rules already has a mistake.
        if gate.rules.is_empty() {
            return;
        }
        let is_required = |rule: &Rule| {
            let mut rules = gate.rules.iter();
            rules.any(|other| figure(other) == figure(rule))
        };
        for rule in waiver.rules.iter().filter(|rule| !is_required(rule)) {
            let required: Vec<String> = gate
                .rules
                .iter()
                .map(|rule| format!("the {} of `{}`", rule.statistic, rule.metric))
                .collect();
            self.problems.add_with_hint(
                Code::NothingToWaive,
                span(rule, fields),
                format!(
                    "the gate `{}` has no requirement on the {} of `{}`",
                    gate.name, rule.statistic, rule.metric
                ),
                format!("it has requirements on {}", required.join(", ")),
            );
        }
    }

    /// Checks that no other waiver has the same figure and glob: it would stay in force
    /// unnoticed when this one is deleted.
    fn check_duplicates(
        &self,
        waiver: &Waiver,
        fields: &Fields<'t>,
        first: &mut HashMap<Waived, Place>,
    ) {
        for pattern in &waiver.filter.scenarios {
            for rule in &waiver.rules {
                let waived = (
                    waiver.gate,
                    pattern.text().to_owned(),
                    conditions(waiver),
                    figure(rule),
                );
                let Some(other) = first.get(&waived) else {
                    first.insert(waived, rule.place);
                    continue;
                };
                self.problems.add_with_hint(
                    Code::DuplicateWaiver,
                    span(rule, fields),
                    format!(
                        "the {} of `{}` is waived twice for `{}`",
                        rule.statistic,
                        rule.metric,
                        pattern.text()
                    ),
                    format!("the other one is at {}:{other}", self.file),
                );
            }
        }
    }
}

/// The benches and the condition of a waiver.
fn conditions(waiver: &Waiver) -> String {
    let keys = waiver.filter.benches.keys();
    let benches: String = keys
        .map(|(key, glob)| format!("{key} = {:?}, ", glob.text()))
        .collect();
    format!("{benches}{}", waiver.condition)
}

/// The gate, the glob, the benches with the condition, and the figure of a waiver.
type Waived = (usize, String, String, (Measure, Statistic));

fn figure(rule: &Rule) -> (Measure, Statistic) {
    (rule.metric.clone(), rule.statistic)
}

/// The span of the rule's metric in the file.
fn span(rule: &Rule, fields: &Fields<'_>) -> Range<usize> {
    let rest = fields.rest().into_iter();
    let mut keys = rest.map(|(key, _)| key);
    keys.find(|key| key.text == rule.metric.name())
        .map_or_else(|| fields.span(), |key| key.span)
}
