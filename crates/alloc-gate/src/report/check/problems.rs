//! Problems that several scenarios can share, each in one block: figures that are missing,
//! scenarios that are missing, and findings.

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::nearest;
use crate::evaluation::{
    Absence, Evaluation, Finding, InBaseline, Judgement, Level, Subjects, Verdict,
};
use crate::report::document::{Label, Line, Problem, at, name, words};
use crate::report::words::{absence_sentence, finding_words, unmatched_words};
use crate::requirement::figure_words;

/// What the gates miss.
pub(in crate::report) fn missing(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
) -> impl Iterator<Item = Problem> {
    let figures = missing_figures(evaluation, subjects).into_iter();
    let all = figures.chain(missing_scenarios(evaluation));
    all.map(|sentence| Problem {
        label: Label {
            level: Level::Deny,
            code: None,
        },
        sentences: vec![sentence],
        help: None,
        is_whole: true,
    })
}

/// The judgements that lack the same thing.
#[derive(Default)]
struct Lacking<'e> {
    figures: IndexSet<Line>,
    scenarios: IndexSet<Line>,
    gates: IndexSet<&'e str>,
}

fn missing_figures(evaluation: &Evaluation, subjects: &Subjects<'_>) -> Vec<Line> {
    let mut groups: IndexMap<(Absence, Line), Lacking<'_>> = IndexMap::new();
    for gate in &evaluation.gates {
        for judgement in &gate.judgements {
            let Verdict::Missing(absence) = judgement.verdict else {
                continue;
            };
            let what = what_lacks(absence, judgement, evaluation, subjects);
            let group = groups.entry((absence, what)).or_default();
            let figure = figure_words(&judgement.metric, judgement.statistic);
            group.figures.insert(name(figure).into());
            group.scenarios.insert(name(judgement.label()).into());
            group.gates.insert(&gate.name);
        }
    }
    let sentence = |((absence, what), group): ((Absence, Line), Lacking<'_>)| {
        let sentence = absence_sentence(absence, &what, &group.figures, &group.scenarios);
        words!("{} {}", sentence, in_brackets(&group.gates))
    };
    groups.into_iter().map(sentence).collect()
}

/// The sentence on one figure that is missing.
pub(in crate::report) fn missing_figure(
    absence: Absence,
    judgement: &Judgement,
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
) -> Line {
    let what = what_lacks(absence, judgement, evaluation, subjects);
    let figure = name(figure_words(&judgement.metric, judgement.statistic)).into();
    let scenario = name(judgement.label()).into();
    let [figures, scenarios] = [figure, scenario].map(|one| IndexSet::from([one]));
    absence_sentence(absence, &what, &figures, &scenarios)
}

/// What is missing for a judgement, as far as problems differ in it: the environment, or the
/// scenario that a limit refers to.
fn what_lacks(
    absence: Absence,
    judgement: &Judgement,
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
) -> Line {
    match absence {
        Absence::Environment => {
            let number = subjects.of(judgement).first().copied();
            let measured = number.and_then(|number| evaluation.scenarios.get(number));
            let here = measured.map(|one| &one.environment);
            match number.and_then(|number| evaluation.accepted.get(number)) {
                Some(InBaseline::NoEnvironment { others }) if !others.is_empty() => {
                    // They have commas themselves.
                    let (shown, more) = others.split_at(others.len().min(2));
                    let more = match more.len() {
                        0 => String::new(),
                        more => format!("; {more} more"),
                    };
                    words!("{} (it has those of {}{})", here, shown.join("; "), more)
                }
                Some(_) | None => here.into(),
            }
        }
        Absence::Reference => {
            let details = judgement.details.as_ref();
            let other = details.and_then(|found| found.computed.reference.as_ref());
            let scenario = other.map(|other| other.scenario.clone());
            name(scenario.unwrap_or_default()).into()
        }
        Absence::Metric
        | Absence::Unit
        | Absence::Baseline
        | Absence::Elements
        | Absence::Range
        | Absence::Axis
        | Absence::Points
        | Absence::Span
        | Absence::Unavailable
        | Absence::Scenario => Line::default(),
    }
}

/// `[R12, nothing-creeps]`
fn in_brackets(gates: &IndexSet<&str>) -> Line {
    words!("[{}]", Line::joined(gates, ", "))
}

/// Patterns that match nothing, and scenarios that their bench can't measure here.
fn missing_scenarios(evaluation: &Evaluation) -> Vec<Line> {
    let mut problems = Vec::new();
    let mut unavailable: IndexMap<(String, &str), IndexSet<&str>> = IndexMap::new();
    for gate in &evaluation.gates {
        for (pattern, place) in &gate.unmatched {
            let sentence = unmatched_words(gate, pattern);
            let place = at(&evaluation.config_file, *place);
            let names = evaluation.scenarios.iter().map(|one| &*one.record.name);
            let meant = nearest(&pattern.replace('*', ""), names).filter(|_| !gate.excludes);
            let meant = meant.map(|meant| words!("; did you mean {}?", name(meant)));
            problems.push(words!("{} [{}] ({}){}", sentence, &gate.name, place, meant));
        }
        for one in &gate.unavailable {
            let key = (one.label(), &*one.scenario.reason);
            unavailable.entry(key).or_default().insert(&gate.name);
        }
    }
    problems.extend(unavailable.into_iter().map(|((scenario, reason), gates)| {
        let gates = in_brackets(&gates);
        words!(
            "{} could not be measured: {} {}",
            name(scenario),
            reason,
            gates
        )
    }));
    problems
}

/// The findings: those of one kind with the same advice are one problem. With `is_whole`, a log has
/// the sentences of all.
pub(super) fn findings(evaluation: &Evaluation, is_whole: bool) -> Vec<Problem> {
    let mut groups: IndexMap<(Label, Line), Vec<Line>> = IndexMap::new();
    for Finding { level, kind } in &evaluation.findings {
        let (sentence, help) = finding_words(kind, evaluation);
        let label = Label {
            level: *level,
            code: Some(kind.code()),
        };
        groups.entry((label, help)).or_default().push(sentence);
    }
    let problem = |((label, help), sentences)| Problem {
        label,
        sentences,
        help: Some(help),
        is_whole,
    };
    groups.into_iter().map(problem).collect()
}
