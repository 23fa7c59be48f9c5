//! The gates of a check, with their rules.

use crate::evaluation::{Evaluation, GateSummary, Verdict};
use crate::figure::counted;
use crate::report::check::summary;
use crate::report::document::{Block, Document, Line, Style, left, name, right, styled, words};
use crate::report::words::skip_words;

/// A line for each gate and a line for each of its rules; nothing without gates.
pub(super) fn log(evaluation: &Evaluation) -> Document {
    let mut lines = Vec::new();
    for gate in &evaluation.gates {
        let style = match (gate.verdict, evaluation.level(gate.verdict)) {
            (Verdict::Skipped, _) => Style::Faint,
            (_, None) => Style::Good,
            (_, Some(level)) => level.into(),
        };
        let scenarios = match &gate.skip {
            Some(skip) => skip_words(skip),
            None => counted(gate.scenarios, "scenario").into(),
        };
        let word = styled(style, format!("{:<7}", word(gate.verdict)));
        lines.push(words!("{} {}: {}", word, &gate.name, scenarios).into());
        lines.extend(summary::rules(gate).into_iter().map(|rule| {
            let words = format!("{}: {}", rule.rule, rule.range);
            Block::Line(words!("        {}", styled(Style::Faint, words)))
        }));
    }
    if !lines.is_empty() {
        lines.insert(0, Block::Space);
    }
    lines
}

/// A row for each gate that does not hold or was skipped, and the number of those that hold.
pub(super) fn page(gates: &[GateSummary]) -> Document {
    let others = gates.iter().filter(|gate| gate.verdict != Verdict::Pass);
    let rows: Vec<Vec<Line>> = others.map(row).collect();
    let holding = gates.len() - rows.len();
    let columns = [
        left("gate"),
        left("verdict"),
        right("scenarios"),
        left("requires"),
        left("measured"),
    ];
    let table = Block::table(columns, rows);
    let holding = match holding {
        0 => None,
        1 => Some(words!("1 gate holds.")),
        count => Some(words!("{} hold.", counted(count, "gate"))),
    };
    let holding = holding.map(Block::Line);
    [table].into_iter().chain(holding).collect()
}

fn word(verdict: Verdict) -> &'static str {
    if verdict == Verdict::Fail {
        "FAIL"
    } else {
        verdict.name()
    }
}

fn row(gate: &GateSummary) -> Vec<Line> {
    let verdict = word(gate.verdict);
    let verdict: Line = match gate.verdict {
        Verdict::Fail | Verdict::Missing(_) => styled(Style::Bad, verdict).into(),
        Verdict::Pass | Verdict::Stale | Verdict::Skipped => verdict.into(),
    };
    let skip = gate.skip.as_ref();
    let skip = skip.map(|skip| words!(": {}", skip_words(skip)));
    let rules = summary::rules(gate);
    vec![
        Line::from(&gate.name),
        words!("{}{}", verdict, skip),
        gate.scenarios.into(),
        Line::joined(rules.iter().map(|rule| name(&rule.rule)), "; "),
        Line::joined(rules.iter().map(|rule| &rule.range), "; "),
    ]
}
