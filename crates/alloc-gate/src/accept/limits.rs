//! [`tighten`]: lowers or raises the limits of gates.toml to the measured figures.
//! Only the digits of limits change; every other byte of the file stays.

use std::fmt;
use std::ops::Range;

use alloc_requirement::{Number, Written, comparisons};
use alloc_results::{Ratio, mean};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::baseline::{Accepted, Baseline};
use crate::diagnostic::Place;
use crate::evaluation::{Evaluation, GateSummary, Verdict};
use crate::figure::{Measure, Statistic};
use crate::judge::worst;
use crate::requirement::tighter;
use crate::rules::{Config, Gate, Rule};

/// Rules whose limits are as tight as the measured figures allow.
#[derive(Clone, Debug)]
pub struct Tightened {
    /// The new rules, with the new text of the file.
    pub config: Config,
    /// The changed limits, in the order of the file.
    pub limits: Vec<TightenedLimit>,
}

/// A limit that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TightenedLimit {
    /// The gate.
    pub gate: String,
    /// The place of the requirement in the file.
    pub place: Place,
    /// The metric.
    pub metric: Measure,
    /// The statistic of the metric.
    pub statistic: Statistic,
    /// The old comparison.
    pub old: String,
    /// The new comparison.
    pub new: String,
    /// The worst figure, and the scenario that has it.
    pub measured: (Ratio, String),
}

/// Tightens each limit of `config` that is a plain number to the worst figure that it
/// has to hold for.
///
/// These are the figures in the evaluations of `judge`, which judges with the given
/// rules, and the figures of `baseline` from other environments. No limit is
/// loosened. `==` stays, and so do limits that are not plain numbers.
///
/// # Errors
///
/// If the new rules are invalid, or a judgement that passed fails under them: each is a bug of
/// this crate, found before the file is changed.
pub fn tighten(
    config: &Config,
    baseline: &Baseline,
    judge: impl Fn(&Config) -> Vec<Evaluation>,
) -> Result<Tightened, String> {
    let before = judge(config);
    let document = DeTable::parse(config.text()).ok();
    let gates = document
        .as_ref()
        .and_then(|root| root.get_ref().get("gate"));
    let mut edits = Vec::new();
    let mut limits = Vec::new();
    for (index, gate) in config.gates.iter().enumerate() {
        for rule in &gate.rules {
            let Some(figures) = figures(index, gate, rule, &before, baseline) else {
                continue;
            };
            let written = gates.and_then(|gates| written(gates, index, rule, config.text()));
            let written = written.ok_or_else(|| {
                format!(
                    "the requirement at {} of the gate `{}` was not found in the file",
                    rule.place, gate.name
                )
            })?;
            let tighter = written.tighter(&gate.name, rule, &figures).into_iter();
            let (of_rule, in_content): (Vec<_>, Vec<_>) = tighter.unzip();
            limits.extend(of_rule);
            edits.extend(written.edits(in_content));
        }
    }
    let text = apply(config.text(), edits);
    let config = Config::parse(config.file(), &text).map_err(|mistakes| {
        let first = mistakes.list().first();
        let first = first.map_or("", |first| &first.message);
        format!("the file would be invalid with tighter limits: {first}")
    })?;
    still_holds(&before, &judge(&config))?;
    Ok(Tightened { config, limits })
}

/// A figure, and the scenario that has it.
type Figure = (Ratio, String);

/// The figures that a limit of `rule` has to hold for. `None` if nothing was measured
/// for the rule, or a figure is missing.
fn figures(
    index: usize,
    gate: &Gate,
    rule: &Rule,
    evaluations: &[Evaluation],
    baseline: &Baseline,
) -> Option<Vec<Figure>> {
    let mut figures = Vec::new();
    let gates = evaluations.iter().filter_map(|one| one.gates.get(index));
    let judgements = gates.flat_map(|gate| &gate.judgements);
    for judgement in judgements.filter(|judgement| judgement.place == rule.place) {
        figures.push((judgement.measured?, judgement.label()));
    }
    if figures.is_empty() {
        return None;
    }
    let was_measured = |accepted: &Accepted| {
        let mut measured = evaluations.iter().flat_map(|e| e.scenarios.iter());
        measured.any(|measured| measured.environment.is_built_like(&accepted.environment))
    };
    let elsewhere = baseline.environments().iter().filter(|a| !was_measured(a));
    for accepted in elsewhere {
        let labels = Accepted::labels(&[accepted]);
        for (id, scenario) in &accepted.scenarios {
            if gate.filter.includes(&id.bench, &id.name) {
                let figure = scenario.figure_of(&rule.metric, rule.statistic);
                figures.extend(figure.map(|figure| (figure, labels[id].clone())));
            }
        }
    }
    Some(figures)
}

/// Bytes of the file, and their replacement.
type Edit = (Range<usize>, String);

/// A requirement as written in the file.
struct WrittenRule<'t> {
    /// The bytes of the whole string, quotes included.
    span: Range<usize>,
    /// The text of these bytes.
    raw: &'t str,
    /// The value of the string.
    content: &'t str,
}

impl WrittenRule<'_> {
    /// The limits that can be tighter and still hold for all `figures`, with the edits of the
    /// content.
    fn tighter(&self, gate: &str, rule: &Rule, figures: &[Figure]) -> Vec<(TightenedLimit, Edit)> {
        let tighter = |comparison: Written<'_>| {
            let (operator, old) = (comparison.operator().ok()?, comparison.amount().ok()?);
            let old = old.unit().is_none().then(|| old.value())?;
            let measured = worst(operator, figures.iter(), |(figure, _)| Some(*figure))?;
            let new = tighter(operator, measured.0, old)?;
            let digits = formatted_like(comparison.limit.text, new);
            let limit = TightenedLimit {
                gate: gate.to_owned(),
                place: rule.place,
                metric: rule.metric.clone(),
                statistic: rule.statistic,
                old: comparison.whole.text.to_owned(),
                new: format!("{operator} {digits}"),
                measured: measured.clone(),
            };
            Some((limit, (comparison.limit.span(), digits)))
        };
        comparisons(self.content).filter_map(tighter).collect()
    }

    /// The edits of the file for these of the content.
    fn edits(&self, mut edits: Vec<Edit>) -> Vec<Edit> {
        match self.raw.find(self.content) {
            Some(begin) => {
                let offset = self.span.start + begin;
                for (span, _) in &mut edits {
                    *span = span.start + offset..span.end + offset;
                }
                edits
            }
            None if edits.is_empty() => edits,
            // A string with escapes is written anew without them.
            None => {
                let content = apply(self.content, edits);
                let string = toml::Value::String(content);
                vec![(self.span.clone(), string.to_string())]
            }
        }
    }
}

/// The number formatted like the `old` one: without `_` if that has none.
fn formatted_like(old: &str, number: Number) -> String {
    let digits = old.split('.').next().unwrap_or_default();
    let has_no_separators = !old.contains('_') && digits.trim_start_matches('-').len() > 3;
    let text = number.to_string();
    if has_no_separators {
        text.replace('_', "")
    } else {
        text
    }
}

/// The requirement of a rule in the file; `gates` are those of its text.
fn written<'t>(
    gates: &'t Spanned<DeValue<'t>>,
    gate: usize,
    rule: &Rule,
    text: &'t str,
) -> Option<WrittenRule<'t>> {
    let gate = gates.get_ref().as_array()?.get(gate)?;
    let metric = gate.get_ref().as_table()?.get(rule.metric.name())?;
    let requirement = match metric.get_ref().as_table() {
        Some(statistics) => statistics.get(rule.statistic.name())?,
        None => metric,
    };
    let span = requirement.span();
    Some(WrittenRule {
        raw: text.get(span.clone())?,
        span,
        content: requirement.get_ref().as_str()?,
    })
}

fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    // Begin at the end, so that the other spans stay valid.
    edits.sort_by_key(|(span, _)| span.start);
    let mut text = text.to_owned();
    for (span, digits) in edits.into_iter().rev() {
        text.replace_range(span, &digits);
    }
    text
}

/// Checks that no judgement fails that did not fail before.
fn still_holds(before: &[Evaluation], after: &[Evaluation]) -> Result<(), String> {
    for (before, after) in gates_of(before).zip(gates_of(after)) {
        for (then, now) in before.judgements.iter().zip(&after.judgements) {
            if now.verdict == Verdict::Fail && then.verdict != Verdict::Fail {
                return Err(format!(
                    "with tighter limits `{}` would fail the gate `{}`",
                    now.label(),
                    after.name
                ));
            }
        }
    }
    Ok(())
}

fn gates_of(evaluations: &[Evaluation]) -> impl Iterator<Item = &GateSummary> {
    evaluations.iter().flat_map(|evaluation| &evaluation.gates)
}

/// `one-vector: allocs mean <= 5 -> <= 2.4 (encode: 2.4)`
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
        let measured = mean(*measured, 0);
        write!(
            f,
            "{gate}: {metric} {statistic} {old} -> {new} ({scenario}: {measured})"
        )
    }
}

#[cfg(test)]
mod tests;
