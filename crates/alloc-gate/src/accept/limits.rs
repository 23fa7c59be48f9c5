//! [`tighten`]: limits of gates.toml lowered, or raised, to what was measured.
//! Only the digits of a limit change; every other byte of the file stays.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use alloc_requirement::{Number, Operator, Written, comparisons};
use alloc_results::{Ratio, mean};
use toml_edit::{Document, Item, TableLike};

use crate::baseline::{Accepted, Baseline};
use crate::diagnostic::{Diagnostics, Place};
use crate::evaluation::{Evaluation, Judgement, Verdict};
use crate::figure::{Measure, Statistic};
use crate::requirement::tighter;
use crate::rules::{Config, Gate, Rule};

/// Rules with limits that are as tight as what was measured.
#[derive(Clone, Debug)]
pub struct Tightened {
    /// The rules, whose text belongs into the file.
    pub config: Config,
    /// What changed in it, in the order of the file.
    pub limits: Vec<TightenedLimit>,
}

/// A limit that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TightenedLimit {
    /// The gate.
    pub gate: String,
    /// Where its requirement stands in the file.
    pub place: Place,
    /// What is judged.
    pub metric: Measure,
    /// Which figure of it.
    pub statistic: Statistic,
    /// The comparison as it was.
    pub old: String,
    /// The comparison as it is.
    pub new: String,
    /// The figure that it was tightened to, and the scenario that has it.
    pub measured: (Ratio, String),
}

/// Why limits can't be tightened. Each is a mistake of this crate, found before
/// anybody's file changes.
#[derive(Debug)]
pub enum TightenError {
    /// A requirement is not where its gate is.
    Unfound {
        /// The gate.
        gate: String,
        /// Where the requirement was read.
        place: Place,
    },
    /// The file would not be valid.
    Invalid(Diagnostics),
    /// A scenario would fail a gate that it holds now.
    Broken {
        /// The gate.
        gate: String,
        /// The scenario.
        scenario: String,
    },
}

/// The rules of `config` with each limit that is a plain number at the worst
/// figure that it has to hold for: those that `judge` measures under the rules
/// it is given, and those that `baseline` has of other environments. Limits
/// never loosen; `==`, and limits that are anything but a number, stay.
///
/// # Errors
///
/// When the new rules are invalid, or something that held breaks under them.
pub fn tighten(
    config: &Config,
    baseline: &Baseline,
    judge: impl Fn(&Config) -> Vec<Evaluation>,
) -> Result<Tightened, TightenError> {
    let before = judge(config);
    let document = Document::parse(config.text()).ok();
    let mut edits = Vec::new();
    let mut limits = Vec::new();
    for (index, gate) in config.gates.iter().enumerate() {
        let table = document.as_ref().and_then(|d| gate_table(d, index));
        for rule in &gate.rules {
            let Some(worst) = Worst::of(index, gate, rule, &before, baseline) else {
                continue;
            };
            let written = table.and_then(|table| written(table, rule, config.text()));
            let written = written.ok_or_else(|| TightenError::Unfound {
                gate: gate.name.clone(),
                place: rule.place,
            })?;
            let tighter = written.tighter(&worst);
            edits.extend(written.edits(&tighter));
            limits.extend(tighter.into_iter().map(|tighter| TightenedLimit {
                gate: gate.name.clone(),
                place: rule.place,
                metric: rule.metric.clone(),
                statistic: rule.statistic,
                old: tighter.old,
                new: tighter.new,
                measured: tighter.measured,
            }));
        }
    }
    let text = apply(config.text(), edits);
    let config = Config::parse(config.file(), &text).map_err(TightenError::Invalid)?;
    still_holds(&before, &judge(&config))?;
    Ok(Tightened { config, limits })
}

/// The lowest and the highest figure that a rule has to hold for, each with its
/// scenario.
struct Worst {
    lowest: (Ratio, String),
    highest: (Ratio, String),
}

impl Worst {
    /// `None` when nothing was measured for the rule, or something is missing.
    fn of(
        index: usize,
        gate: &Gate,
        rule: &Rule,
        evaluations: &[Evaluation],
        baseline: &Baseline,
    ) -> Option<Self> {
        let mut figures = Vec::new();
        for judgement in judgements(evaluations, index, rule) {
            figures.push((judgement.measured?, judgement.scenario.clone()));
        }
        if figures.is_empty() {
            return None;
        }
        let was_measured = |accepted: &Accepted| {
            let mut measured = evaluations.iter().flat_map(|e| e.scenarios.iter());
            measured.any(|measured| measured.environment.is_built_like(&accepted.environment))
        };
        let elsewhere = baseline.environments().iter().filter(|a| !was_measured(a));
        for (name, scenario) in elsewhere.flat_map(|accepted| &accepted.scenarios) {
            if gate.includes(name) {
                let figure = scenario.figure_of(&rule.metric, rule.statistic);
                figures.extend(figure.map(|figure| (figure, name.clone())));
            }
        }
        Some(Self {
            lowest: figures.iter().min_by_key(|(figure, _)| *figure)?.clone(),
            highest: figures.iter().max_by_key(|(figure, _)| *figure)?.clone(),
        })
    }

    /// The figure that decides on which limit holds; `None` for an operator without
    /// a side.
    fn decisive(&self, operator: Operator) -> Option<&(Ratio, String)> {
        match operator {
            Operator::Greater | Operator::GreaterOrEqual => Some(&self.lowest),
            Operator::Less | Operator::LessOrEqual => Some(&self.highest),
            Operator::Equal => None,
        }
    }
}

fn judgements<'e>(
    evaluations: &'e [Evaluation],
    gate: usize,
    rule: &'e Rule,
) -> impl Iterator<Item = &'e Judgement> {
    evaluations
        .iter()
        .filter_map(move |evaluation| evaluation.gates.get(gate))
        .flat_map(|gate| &gate.judgements)
        .filter(move |judgement| judgement.place == rule.place)
}

/// A replacement of bytes of the file.
type Edit = (Range<usize>, String);

/// A requirement as it stands in the file.
struct WrittenRule<'t> {
    /// The bytes of the whole string, quotes included.
    span: Range<usize>,
    /// What stands in these bytes.
    raw: &'t str,
    /// What they mean.
    content: &'t str,
}

/// A limit of it that can be tighter.
struct Tighter {
    old: String,
    new: String,
    measured: (Ratio, String),
    /// The bytes of the content that the limit takes, and what belongs there.
    edit: Edit,
}

impl WrittenRule<'_> {
    /// Its limits that can be tighter.
    fn tighter(&self, worst: &Worst) -> Vec<Tighter> {
        let tighter = |comparison: Written<'_>| {
            let (operator, old) = (comparison.operator().ok()?, comparison.amount().ok()?);
            let old = old.unit().is_none().then(|| old.value())?;
            let measured = worst.decisive(operator)?;
            let new = tighter(operator, measured.0, old)?;
            let digits = like(comparison.limit.text, new);
            Some(Tighter {
                old: comparison.whole.text.to_owned(),
                new: format!("{operator} {digits}"),
                measured: measured.clone(),
                edit: (comparison.limit.span(), digits),
            })
        };
        comparisons(self.content).filter_map(tighter).collect()
    }

    /// The edits of the file for them.
    fn edits(&self, tighter: &[Tighter]) -> Vec<Edit> {
        let edits = tighter.iter().map(|tighter| tighter.edit.clone());
        match self.raw.find(self.content) {
            Some(begin) => {
                let offset = self.span.start + begin;
                edits
                    .map(|(span, digits)| (span.start + offset..span.end + offset, digits))
                    .collect()
            }
            None if tighter.is_empty() => Vec::new(),
            // With escapes it is written anew, as a string without any.
            None => {
                let content = apply(self.content, edits.collect());
                let string = toml::Value::String(content);
                vec![(self.span.clone(), string.to_string())]
            }
        }
    }
}

/// The number in the manner of the `old` one: without `_` where that goes
/// without, too.
fn like(old: &str, number: Number) -> String {
    let digits = old.split('.').next().unwrap_or_default();
    let goes_without = !old.contains('_') && digits.trim_start_matches('-').len() > 3;
    let text = number.to_string();
    if goes_without {
        text.replace('_', "")
    } else {
        text
    }
}

fn gate_table<'d>(document: &'d Document<&str>, index: usize) -> Option<&'d dyn TableLike> {
    match document.get("gate")? {
        Item::ArrayOfTables(tables) => Some(tables.get(index)?),
        Item::Value(value) => Some(value.as_array()?.get(index)?.as_inline_table()?),
        Item::None | Item::Table(_) => None,
    }
}

fn written<'t>(gate: &'t dyn TableLike, rule: &Rule, text: &'t str) -> Option<WrittenRule<'t>> {
    let metric = gate.get(&rule.metric.to_string())?;
    let item = match metric.as_table_like() {
        Some(statistics) => statistics.get(&rule.statistic.to_string())?,
        None => metric,
    };
    let span = item.as_value()?.span()?;
    Some(WrittenRule {
        raw: text.get(span.clone())?,
        span,
        content: item.as_str()?,
    })
}

fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    // From the end, so that what is still to be replaced stays where it is.
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = text.to_owned();
    for (span, digits) in edits.into_iter().rev() {
        text.replace_range(span, &digits);
    }
    text
}

/// Whatever did not fail before does not fail now.
fn still_holds(before: &[Evaluation], after: &[Evaluation]) -> Result<(), TightenError> {
    let gates = |evaluations| -> Vec<_> { gates_of(evaluations).collect() };
    for (before, after) in gates(before).into_iter().zip(gates(after)) {
        for (then, now) in before.judgements.iter().zip(&after.judgements) {
            if now.verdict == Verdict::Fail && then.verdict != Verdict::Fail {
                return Err(TightenError::Broken {
                    gate: after.name.clone(),
                    scenario: now.scenario.clone(),
                });
            }
        }
    }
    Ok(())
}

fn gates_of(evaluations: &[Evaluation]) -> impl Iterator<Item = &crate::GateSummary> {
    evaluations.iter().flat_map(|evaluation| &evaluation.gates)
}

/// `one-vector: allocs mean <= 5 -> <= 2.4 (encode: 2.40)`
impl fmt::Display for TightenedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            gate,
            metric,
            statistic,
            old,
            new,
            measured: (measured, scenario),
            ..
        } = self;
        let decimals = if statistic.is_fractional() { 2 } else { 0 };
        let measured = mean(*measured, decimals);
        write!(
            f,
            "{gate}: {metric} {statistic} {old} -> {new} ({scenario}: {measured})"
        )
    }
}

impl fmt::Display for TightenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfound { gate, place } => write!(
                f,
                "the requirement of the gate `{gate}` at {place} is not found again"
            ),
            Self::Invalid(diagnostics) => write!(
                f,
                "the file would be invalid with tighter limits: {}",
                diagnostics
                    .list()
                    .first()
                    .map_or("", |d| d.message.as_str())
            ),
            Self::Broken { gate, scenario } => {
                write!(
                    f,
                    "with tighter limits `{scenario}` would fail the gate `{gate}`"
                )
            }
        }
    }
}

impl Error for TightenError {}

#[cfg(test)]
mod tests;
