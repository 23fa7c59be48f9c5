//! The gates, as a table of the page.

use crate::report::document::{Line, name, words};
use crate::rules::{BenchFilter, Condition, Gate, Pattern};

pub(super) fn row(gate: &Gate) -> Vec<Line> {
    let rules = gate.rules.iter();
    let rules = rules.map(|rule| name(rule.words()));
    let exclude = match &gate.filter.exclude[..] {
        [] => Line::default(),
        exclude => words!(" but not {}", listed(exclude)),
    };
    vec![
        Line::from(&gate.name),
        words!(
            "{}{}{}",
            listed(&gate.filter.scenarios),
            exclude,
            limited(&gate.filter.benches, &gate.condition)
        ),
        Line::joined(rules, ", "),
        gate.reason.as_ref().map(Line::from).into(),
    ]
}

/// The benches and the condition: `, package = "codec", cfg(unix)`.
fn limited(filter: &BenchFilter, condition: &Condition) -> Line {
    let keys = filter.keys();
    let keys = keys.map(|(key, glob)| format!("{key} = {:?}", glob.text()));
    let condition = (!condition.is_empty()).then(|| condition.to_string());
    let all = keys.chain(condition);
    let all: Vec<Line> = all.map(|one| words!(", {}", name(one))).collect();
    Line::joined(all, "")
}

fn listed(patterns: &[Pattern]) -> Line {
    Line::joined(patterns.iter().map(|pattern| name(pattern.text())), ", ")
}
