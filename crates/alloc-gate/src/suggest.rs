//! [`gates`]: suggests gates for measured scenarios, as text for gates.toml. Scenarios whose
//! names begin alike and whose figures are near share a gate, the limits are the measured
//! figures, and sweeps get a class of growth. The text is parsed and judged before it is
//! returned.

use std::collections::HashSet;

use alloc_results::BenchId;

use crate::diagnostic::Diagnostics;
use crate::evaluation::{GateSummary, Verdict};
use crate::judge::{Inputs, evaluate};
use crate::results::{Environment, MeasuredScenario, Measurements, Selection};
use crate::rules::Config;
use crate::suggest::repeat::Repeat;
use crate::suggest::rules::{growth_rules, rules, varies};
use crate::suggest::subject::{Subject, subjects};
use crate::suggest::words::{escaped, kebab, paragraph, quoted};

mod repeat;
mod rules;
mod subject;
mod words;

/// The scenarios for which gates are suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// Scenarios to which no gate applies.
    Ungated,
    /// All scenarios.
    All,
}

/// Gates that hold for the measured scenarios.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// The names of the gates, in the order of the text.
    pub names: Vec<String>,
    /// The number of scenarios for which gates are suggested.
    pub scenarios: usize,
    /// The number of scenarios without a suggestion, because all their figures differ.
    pub left_out: usize,
    /// The text of the gates for a gates.toml; only comments without gates.
    pub text: String,
}

/// Suggests gates for the measured scenarios. `again` is a second measurement of them: figures
/// that differ between the two get no limit. Without it, figures that differ between iterations
/// get none.
///
/// # Errors
///
/// If the text is invalid, or a gate does not hold in both measurements: each is a bug of this
/// crate, found before the file is changed.
pub fn gates(
    inputs: &Inputs<'_>,
    again: Option<&Measurements>,
    which: Which,
) -> Result<Suggestions, String> {
    let measured = inputs.measurements.scenarios();
    let wanted: Vec<&MeasuredScenario> = measured
        .iter()
        .filter(|measured| which == Which::All || !is_gated(measured, inputs))
        .collect();
    let names = inputs.config.gates.iter().map(|gate| gate.name.clone());
    let mut taken: HashSet<String> = names.collect();
    let repeat = Repeat::new(again);
    let mut suggestions = Suggestions::default();
    let mut environment = None;
    for subject in subjects(&wanted, &repeat) {
        if !suggestions.text.is_empty() {
            suggestions.text.push('\n');
        }
        let here = subject.common.environment;
        if environment != Some(here) {
            suggestions.text.push_str(&heading(here));
            environment = Some(here);
        }
        suggestions.add(&subject, &subject.globs(measured), &repeat, &mut taken);
    }
    for measurements in [inputs.measurements].into_iter().chain(again) {
        suggestions.verify(&Inputs {
            measurements,
            ..*inputs
        })?;
    }
    Ok(suggestions)
}

impl Suggestions {
    /// Adds the gates of a subject, whose scenarios the `globs` match.
    fn add(
        &mut self,
        subject: &Subject<'_>,
        globs: &[String],
        repeat: &Repeat<'_>,
        taken: &mut HashSet<String>,
    ) {
        let unsettled = &subject.common.unsettled;
        if subject.common.settled.is_empty() {
            self.left_out += subject.members.len();
            self.text.push_str(&repeat.remark(unsettled, Some(globs)));
            return;
        }
        self.scenarios += subject.members.len();
        let varies = varies(subject);
        self.text.push_str(&subject.remarks(varies));
        self.text.push_str(&repeat.remark(unsettled, None));
        let mut axes = subject.common.axes.iter().copied();
        let first = (subject.gate_name(), axes.next(), rules(subject));
        // A gate requires growth over one axis.
        let further = axes.map(|axis| {
            let name = format!("{}-by-{}", subject.gate_name(), kebab(axis));
            (name, Some(axis), growth_rules(subject, axis))
        });
        let gates = [first].into_iter().chain(further);
        let gates = gates.filter(|(.., rules)| !rules.is_empty());
        let texts = gates.map(|(name, axis, rules)| {
            let name = unique(name, taken);
            let text = gate_text(subject, &name, globs, axis, &rules, varies);
            self.names.push(name);
            text
        });
        let texts: Vec<String> = texts.collect();
        self.text.push_str(&texts.join("\n"));
    }

    /// The text of a gates.toml with the gates added at its end, behind an empty line.
    /// The line ends stay as they are.
    ///
    /// # Errors
    ///
    /// If the new text is invalid: for example, tables can't continue a `gate` that is
    /// an inline array.
    pub fn appended_to(&self, file: &str, text: &str) -> Result<String, Diagnostics> {
        if self.names.is_empty() {
            return Ok(text.to_owned());
        }
        let (line_end, own) = if text.contains("\r\n") {
            ("\r\n", self.text.replace('\n', "\r\n"))
        } else {
            ("\n", self.text.clone())
        };
        let mut whole = text.trim_end().to_owned();
        if !whole.is_empty() {
            whole.push_str(line_end);
            whole.push_str(line_end);
        }
        whole.push_str(&own);
        Config::parse(file, &whole)?;
        Ok(whole)
    }

    /// Checks that the text is valid, and that all gates pass.
    fn verify(&self, inputs: &Inputs<'_>) -> Result<(), String> {
        let file = "the suggested gates";
        let config = Config::parse(file, &format!("version = 1\n\n{}", self.text))
            .map_err(|mistakes| format!("the suggested gates are invalid\n\n{mistakes}"))?;
        let evaluation = evaluate(&Inputs {
            config: &config,
            baseline: None,
            documents: &[],
            selection: Selection::Whole,
            ..*inputs
        });
        let mut gates = evaluation.gates.iter();
        match gates.find(|gate| gate.verdict != Verdict::Pass) {
            None => Ok(()),
            Some(GateSummary { name, .. }) => Err(format!(
                "the suggested gate `{name}` does not hold for its own measurements\n\n{}",
                self.text
            )),
        }
    }
}

fn is_gated(measured: &MeasuredScenario, inputs: &Inputs<'_>) -> bool {
    let mut gates = inputs.config.gates.iter();
    gates.any(|gate| {
        gate.filter.includes(&measured.bench, &measured.record.name)
            && gate.condition.holds(&measured.environment, inputs.cfgs)
    })
}

/// A comment with the environment in which the figures of the gates were measured.
fn heading(environment: &Environment) -> String {
    let mut text = paragraph(&format!(
        "Suggested from what was measured on {environment}, by {} and {}. A limit is the largest \
         figure of the gate's scenarios: leave room where it may move, and add a `reason` for \
         whoever breaks it. `\"<= baseline\"` limits each scenario by its own figure.",
        environment.rustc, environment.harness
    ));
    text.push('\n');
    text
}

/// The lines of a gate; `varies` says whether iterations differ in a metric that has a rule.
fn gate_text(
    subject: &Subject<'_>,
    name: &str,
    globs: &[String],
    axis: Option<&str>,
    rules: &str,
    varies: bool,
) -> String {
    let globs: Vec<String> = globs.iter().map(|glob| quoted(glob)).collect();
    let mut text = format!(
        "[[gate]]\nname = {}\nscenarios = [{}]\n",
        quoted(name),
        globs.join(", ")
    );
    if let Some(BenchId { package, target }) = subject.needed_bench() {
        text.push_str(&format!(
            "package = {}\nbench = {}\n",
            quoted(&escaped(package)),
            quoted(&escaped(target))
        ));
    }
    if let Some(axis) = axis.filter(|_| subject.is_ambiguous())
        && rules.contains("growth = ")
    {
        text.push_str(&format!("growth-axis = {}\n", quoted(axis)));
    }
    if varies {
        text.push_str("nondeterministic = \"allow\"\n");
    }
    text + rules
}

/// The name, with a number if another gate has it.
fn unique(name: String, taken: &mut HashSet<String>) -> String {
    let mut found = name.clone();
    let mut number = 1;
    while taken.contains(&found) {
        number += 1;
        found = format!("{name}-{number}");
    }
    taken.insert(found.clone());
    found
}

#[cfg(test)]
mod tests;
