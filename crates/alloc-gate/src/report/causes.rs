//! [`Cause`]: a problem that several scenarios can share, in one block: figures that are
//! missing, scenarios that are missing, and findings.

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::nearest;
use crate::evaluation::{Absence, Evaluation, Finding, InBaseline, Judgement, Level, Verdict};
use crate::report::explanation::unmatched_words;
use crate::report::subjects::Subjects;
use crate::report::words::{Dialect, absence_sentence, finding_words};
use crate::requirement::figure_words;

/// The sentences of a finding at most, unless all are asked for.
const MOST_SENTENCES: usize = 5;

/// A problem, with everything that has it.
pub(super) struct Cause {
    /// Whether it fails the check.
    pub(super) level: Level,
    /// The finding's code.
    pub(super) code: Option<&'static str>,
    /// A sentence for each thing that has the problem.
    pub(super) sentences: Vec<String>,
    /// What to do about it, if the end of the report does not say it.
    pub(super) help: Option<String>,
}

impl Cause {
    fn missing(sentence: String) -> Self {
        Self {
            level: Level::Deny,
            code: None,
            sentences: vec![sentence],
            help: None,
        }
    }
}

/// All causes: what the gates miss, and then the findings. `lists_all` adds the sentences of
/// findings that many scenarios have.
pub(super) fn causes(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    lists_all: bool,
) -> Vec<Cause> {
    let mut causes = missing_figures(evaluation, subjects);
    causes.extend(missing_scenarios(evaluation));
    causes.extend(findings(evaluation, lists_all));
    causes
}

/// The judgements that lack the same thing.
#[derive(Default)]
struct Lacking<'e> {
    figures: IndexSet<String>,
    scenarios: IndexSet<String>,
    gates: IndexSet<&'e str>,
}

fn missing_figures(evaluation: &Evaluation, subjects: &Subjects<'_>) -> Vec<Cause> {
    let mut groups: IndexMap<(Absence, String), Lacking<'_>> = IndexMap::new();
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            let Verdict::Missing(absence) = judgement.verdict else {
                continue;
            };
            let what = what_lacks(absence, judgement, evaluation, subjects);
            let group = groups.entry((absence, what)).or_default();
            let figure = figure_words(&judgement.metric, judgement.statistic);
            group.figures.insert(format!("`{figure}`"));
            group.scenarios.insert(format!("`{}`", judgement.label()));
            group.gates.insert(&gate.name);
        }
    }
    let sentence = |((absence, what), group): ((Absence, String), Lacking<'_>)| {
        let [figures, scenarios] =
            [&group.figures, &group.scenarios].map(|all| all.iter().cloned().collect::<Vec<_>>());
        let sentence = absence_sentence(absence, &what, &figures, &scenarios);
        Cause::missing(format!("{sentence} {}", in_brackets(&group.gates)))
    };
    groups.into_iter().map(sentence).collect()
}

/// What is missing for a judgement, as far as causes differ in it: the environment, or the
/// scenario that a limit refers to.
fn what_lacks(
    absence: Absence,
    judgement: &Judgement,
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
) -> String {
    match absence {
        Absence::Environment => {
            let number = subjects.of(judgement).first().copied();
            let measured = number.and_then(|number| evaluation.scenarios.get(number));
            let here = measured.map_or_else(String::new, |one| one.environment.to_string());
            match number.and_then(|number| evaluation.accepted.get(number)) {
                Some(InBaseline::NoEnvironment { others }) if !others.is_empty() => {
                    // They have commas themselves.
                    let (shown, more) = others.split_at(others.len().min(2));
                    let more = match more.len() {
                        0 => String::new(),
                        more => format!("; {more} more"),
                    };
                    format!("{here} (it has those of {}{more})", shown.join("; "))
                }
                Some(_) | None => here,
            }
        }
        Absence::Reference => {
            let details = judgement.details.as_ref();
            let other = details.and_then(|found| found.computed.reference.as_ref());
            let scenario = other.and_then(|other| other.scenario.clone());
            scenario.unwrap_or_default()
        }
        Absence::Metric
        | Absence::Unit
        | Absence::Baseline
        | Absence::Iterations
        | Absence::Elements
        | Absence::OtherFigure
        | Absence::Axis
        | Absence::LinePoints
        | Absence::Points
        | Absence::Span
        | Absence::Unavailable
        | Absence::Scenario => String::new(),
    }
}

/// `[R12, nothing-creeps]`
fn in_brackets(gates: &IndexSet<&str>) -> String {
    let gates: Vec<&str> = gates.iter().copied().collect();
    format!("[{}]", gates.join(", "))
}

/// Patterns that match nothing, and scenarios that their bench can't measure here.
fn missing_scenarios(evaluation: &Evaluation) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut unavailable: IndexMap<(String, &str), IndexSet<&str>> = IndexMap::new();
    for gate in &evaluation.gates {
        for (pattern, place) in &gate.unmatched {
            let sentence = unmatched_words(gate, pattern, Dialect::PLAIN);
            let place = Dialect::PLAIN.at(&evaluation.config_file, *place);
            let names = evaluation.scenarios.iter().map(|one| &*one.record.name);
            let meant = nearest(&pattern.replace('*', ""), names).filter(|_| !gate.excludes);
            let meant = meant.map(|name| format!("; did you mean `{name}`?"));
            causes.push(Cause::missing(format!(
                "{sentence} [{}] ({place}){}",
                gate.name,
                meant.unwrap_or_default()
            )));
        }
        for one in &gate.unavailable {
            let key = (one.label(), &*one.scenario.reason);
            unavailable.entry(key).or_default().insert(&gate.name);
        }
    }
    causes.extend(unavailable.into_iter().map(|((scenario, reason), gates)| {
        let gates = in_brackets(&gates);
        Cause::missing(format!(
            "`{scenario}` could not be measured: {reason} {gates}"
        ))
    }));
    causes
}

/// Findings of one kind with the same advice are one cause.
fn findings(evaluation: &Evaluation, lists_all: bool) -> Vec<Cause> {
    let mut groups: IndexMap<(&str, Level, String), Vec<String>> = IndexMap::new();
    for Finding { level, kind } in &evaluation.findings {
        let (sentence, help) = finding_words(kind, evaluation, Dialect::PLAIN);
        let sentences = groups.entry((kind.code(), *level, help)).or_default();
        sentences.push(sentence);
    }
    let cause =
        |((code, level, help), mut sentences): ((&'static str, Level, String), Vec<String>)| {
            let left_out = sentences.len().saturating_sub(MOST_SENTENCES);
            if left_out > 1 && !lists_all {
                sentences.truncate(MOST_SENTENCES);
                sentences.push(format!("{left_out} more like these; `-v` shows all"));
            }
            Cause {
                level,
                code: Some(code),
                sentences,
                help: Some(help),
            }
        };
    groups.into_iter().map(cause).collect()
}
