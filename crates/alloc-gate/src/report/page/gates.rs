//! The gates and the waivers, as tables of the page.

use crate::report::document::{Block, Document, Line, left, name, words};
use crate::rules::{BenchFilter, Condition, Config, Gate, Pattern, Waiver};

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

/// The table of waivers, if there are any. It includes expired waivers, so that the page depends
/// on no date.
pub(super) fn waivers(config: &Config, is_shown: impl Fn(&Gate) -> bool) -> Document {
    let waivers = config.waivers.iter();
    let waivers = waivers.filter(|waiver| is_shown(&config.gates[waiver.gate]));
    let rows: Vec<Vec<Line>> = waivers.map(|waiver| waiver_row(waiver, config)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let title = words!("Waivers, which allow more than a gate does (`[[waiver]]`):");
    let titles = ["gate", "scenarios", "allows", "until", "reason"];
    vec![title.into(), Block::table(titles.map(left), rows)]
}

fn waiver_row(waiver: &Waiver, config: &Config) -> Vec<Line> {
    let limited = limited(&waiver.filter.benches, &waiver.condition);
    let issue = waiver.issue.as_ref();
    vec![
        Line::from(&config.gates[waiver.gate].name),
        words!("{}{}", listed(&waiver.filter.scenarios), limited),
        name(waiver).into(),
        waiver.until.as_ref().map(Line::from).into(),
        words!(
            "{}{}",
            &waiver.reason,
            issue.map(|issue| words!(", {}", issue))
        ),
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
