//! Summary of a gate: its rules with the range of the judged figures, and what is easy to miss
//! where they hold.

use alloc_results::mean;
use indexmap::IndexMap;

use crate::diagnostic::Place;
use crate::evaluation::{Evaluation, GateSummary, Judgement, Verdict};
use crate::figure::{Statistic, counted};
use crate::report::change::plain_figure;
use crate::report::document::{Block, Document, Line, Style, left, name, right, styled, words};
use crate::report::words::{joined, low_to_high};
use crate::requirement::rule_words;

/// A rule and the range of its figures.
struct RuleSummary {
    /// `allocs < 5`.
    pub(super) rule: String,
    /// `1 to 4`, or a single figure.
    pub(super) range: String,
    /// The range of the first calls, if a limit of zero holds that does not cover them.
    pub(super) first_call: Option<String>,
}

/// What is easy to miss about gates that hold.
pub(super) fn notes(evaluation: &Evaluation) -> Vec<Line> {
    let mut notes = first_calls(&evaluation.gates);
    notes.extend(kept_blocks(evaluation));
    notes
}

/// The scenarios that keep blocks, while no gate limits what they keep.
fn kept_blocks(evaluation: &Evaluation) -> Option<Line> {
    let scenarios = evaluation.keeping.iter();
    let scenarios = scenarios.filter_map(|&number| evaluation.scenarios.get(number));
    let mut labels = scenarios.map(|one| name(one.label())).peekable();
    labels.peek()?;
    Some(words!(
        "blocks stay allocated after every iteration of {}, and no gate has a limit on \
         `net-blocks` or `net-bytes`",
        joined(labels)
    ))
}

/// The limits of zero that hold although first calls are above them: `zero: allocs == 0 holds,
/// but not in the first call: 6`.
fn first_calls(gates: &[GateSummary]) -> Vec<Line> {
    let rules = gates.iter().flat_map(|gate| {
        let rules = rules(gate).into_iter();
        rules.map(|rule| (&gate.name, rule))
    });
    let words = rules.filter_map(|(gate, rule)| {
        let first = rule.first_call?;
        let rule = name(rule.rule);
        Some(words!(
            "{}: {} holds, but not in the first call: {}",
            gate,
            rule,
            first
        ))
    });
    words.collect()
}

/// The rules of the gate, in the order of the file; empty if it applied to nothing.
fn rules(gate: &GateSummary) -> Vec<RuleSummary> {
    let mut rules: IndexMap<Place, Vec<&Judgement>> = IndexMap::new();
    for judgement in &gate.judgements {
        rules.entry(judgement.place).or_default().push(judgement);
    }
    rules
        .into_values()
        .map(|judgements| RuleSummary {
            rule: rule_words(
                &judgements[0].metric,
                judgements[0].statistic,
                &judgements[0].requirement,
            ),
            range: range(&judgements),
            first_call: first_call(&judgements),
        })
        .collect()
}

fn range(judgements: &[&Judgement]) -> String {
    if judgements.iter().any(|j| j.statistic == Statistic::Growth) {
        return classes(judgements);
    }
    let measured = || judgements.iter().filter(|j| j.measured.is_some());
    let figure = |judgement: &&Judgement| {
        let value = judgement.measured?;
        Some(plain_figure(judgement.metric.unit(), value))
    };
    let low = measured().min_by_key(|j| j.measured).and_then(figure);
    let high = measured().max_by_key(|j| j.measured).and_then(figure);
    let (Some(low), Some(high)) = (low, high) else {
        return String::from("not measured");
    };
    let figures = low_to_high(low, high);
    let figures = match judgements.len() - measured().count() {
        0 => figures,
        absent => format!("{figures} ({absent} not measured)"),
    };
    match first_call(judgements) {
        Some(first) => format!("{figures} (first call: {first})"),
        None => figures,
    }
}

/// The range of the first calls that a limit of zero does not cover.
fn first_call(judgements: &[&Judgement]) -> Option<String> {
    let figures = || {
        let details = judgements
            .iter()
            .filter_map(|judgement| judgement.details.as_ref());
        details.filter_map(|details| details.first_call)
    };
    let (low, high) = (figures().min()?, figures().max()?);
    Some(low_to_high(mean(low, 0), mean(high, 0)))
}

/// The range of growth, from slow to fast.
fn classes(judgements: &[&Judgement]) -> String {
    let classes = || judgements.iter().filter_map(|judgement| judgement.growth());
    let low = classes().map(|growth| growth.class).min();
    let high = classes().map(|growth| growth.class).max();
    let (Some(low), Some(high)) = (low, high) else {
        return String::from("not known");
    };
    let range = low_to_high(low.to_string(), high.to_string());
    match judgements.len() - classes().count() {
        0 => range,
        absent => format!("{range} ({absent} not known)"),
    }
}

/// A line for each gate and a line for each of its rules; nothing without gates.
pub(super) fn gates_log(evaluation: &Evaluation) -> Document {
    let mut lines = Vec::new();
    for gate in &evaluation.gates {
        let style = match (gate.verdict, evaluation.level(gate.verdict)) {
            (Verdict::Skipped, _) => Style::Faint,
            (_, None) => Style::Good,
            (_, Some(level)) => level.into(),
        };
        let scenarios = match &gate.skip {
            Some(skip) => Line::from_text(&skip.message),
            None => counted(gate.scenarios, "scenario").into(),
        };
        let word = styled(style, format!("{:<7}", word(gate.verdict)));
        lines.push(words!("{} {}: {}", word, &gate.name, scenarios).into());
        lines.extend(rules(gate).into_iter().map(|rule| {
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
pub(super) fn gates_page(gates: &[GateSummary]) -> Document {
    let others = gates.iter().filter(|gate| gate.verdict != Verdict::Pass);
    let rows: Vec<Vec<Line>> = others.map(gate_row).collect();
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

fn gate_row(gate: &GateSummary) -> Vec<Line> {
    let verdict = word(gate.verdict);
    let verdict: Line = match gate.verdict {
        Verdict::Fail | Verdict::Missing(_) => styled(Style::Bad, verdict).into(),
        Verdict::Pass | Verdict::Stale | Verdict::Skipped => verdict.into(),
    };
    let skip = gate.skip.as_ref();
    let skip = skip.map(|skip| words!(": {}", Line::from_text(&skip.message)));
    let rules = rules(gate);
    vec![
        Line::from(&gate.name),
        words!("{}{}", verdict, skip),
        gate.scenarios.into(),
        Line::joined(rules.iter().map(|rule| name(&rule.rule)), "; "),
        Line::joined(rules.iter().map(|rule| &rule.range), "; "),
    ]
}
