//! From `[[waiver]]` to a valid [`Waiver`]: an exception to a gate, with a reason
//! and an end. Whether it is in force is not decided here.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::diagnostic::{Code, Place, suggest};
use crate::figure::{Date, Measure, Statistic};
use crate::rules::gate::{Gate, Rule};
use crate::rules::read::Reader;
use crate::rules::read::fields::Fields;
use crate::rules::read::gates::Context;
use crate::rules::waiver::Waiver;

impl<'t> Reader<'t> {
    pub(super) fn waivers(
        &self,
        tables: Vec<Fields<'t>>,
        gates: &[Gate],
        context: &Context,
    ) -> Vec<Waiver> {
        let mut first = HashMap::new();
        let mut waivers = Vec::new();
        for fields in tables {
            let Some(waiver) = self.waiver(&fields, gates, context) else {
                continue;
            };
            self.waives_something(&waiver, &fields, &gates[waiver.gate]);
            self.waives_first(&waiver, &fields, &mut first);
            waivers.push(waiver);
        }
        waivers
    }

    fn waiver(&self, fields: &Fields<'t>, gates: &[Gate], context: &Context) -> Option<Waiver> {
        let gate = fields.required_text("gate");
        let gate = gate.and_then(|name| {
            let found = gates.iter().position(|gate| gate.name == name.text);
            if found.is_none() {
                let known = gates.iter().map(|gate| gate.name.as_str());
                self.problems.add_with_hint(
                    Code::UnknownGate,
                    name.span,
                    format!("there is no gate `{}`", name.text),
                    suggest(name.text, known.filter(|name| !name.is_empty())),
                );
            }
            found
        });
        let scenarios = self.patterns(fields, "waiver");
        let condition = self.condition(fields);
        let reason = fields.required_text("reason");
        let issue = fields.text("issue").map(|issue| issue.text.to_owned());
        let until = self.until(fields);
        let rules = self.rules(fields, "waiver", context);
        Some(Waiver {
            gate: gate?,
            scenarios,
            rules,
            reason: reason?.text.to_owned(),
            issue,
            until,
            condition,
            place: self.place(&fields.span()),
        })
    }

    /// A date of TOML, or the same in a string.
    fn until(&self, fields: &Fields<'t>) -> Option<Date> {
        let node = fields.take("until")?;
        let (text, date) = if let Some(text) = node.get_ref().as_str() {
            (text.to_owned(), Date::parse(text))
        } else if let Some(found) = node.get_ref().as_datetime() {
            // Also what has a time is shown, and is no date.
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
                "write the last day on which the waiver holds, such as `2026-12-31`",
            );
        }
        date
    }

    /// A waiver of what the gate does not require would never do anything.
    fn waives_something(&self, waiver: &Waiver, fields: &Fields<'t>, gate: &Gate) {
        // A gate without valid rules has mistakes of its own.
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
                    "the gate `{}` requires nothing of the {} of `{}`",
                    gate.name, rule.statistic, rule.metric
                ),
                format!("it requires something of {}", required.join(", ")),
            );
        }
    }

    /// Of two waivers of one figure for one glob, one would be forgotten when the
    /// other is taken away.
    fn waives_first(
        &self,
        waiver: &Waiver,
        fields: &Fields<'t>,
        first: &mut HashMap<Waived, Place>,
    ) {
        for pattern in &waiver.scenarios {
            for rule in &waiver.rules {
                let waived = (
                    waiver.gate,
                    pattern.text().to_owned(),
                    waiver.condition.to_string(),
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

/// A gate, a glob, a condition, and the figure that is waived.
type Waived = (usize, String, String, (Measure, Statistic));

fn figure(rule: &Rule) -> (Measure, Statistic) {
    (rule.metric.clone(), rule.statistic)
}

/// The key of the rule's metric.
fn span(rule: &Rule, fields: &Fields<'_>) -> Range<usize> {
    let rest = fields.rest().into_iter();
    let mut keys = rest.map(|(key, _)| key);
    keys.find(|key| key.text == rule.metric.name())
        .map_or_else(|| fields.span(), |key| key.span)
}
