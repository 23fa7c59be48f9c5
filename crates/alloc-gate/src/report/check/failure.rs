//! [`FailureText`]: what a scenario, or the scenarios of a sweep, do not meet: a row for each
//! figure, with `before -> now`, the difference and the limits.

use indexmap::{IndexMap, IndexSet};

use crate::evaluation::{Evaluation, GateSummary, Judgement, Level, Subjects, Verdict};
use crate::figure::{Measure, Statistic};
use crate::judge::{Failure, Judged, excess, failures, more};
pub(in crate::report) use crate::report::check::row::Row;
use crate::report::check::row::{merged, row};
use crate::report::document::{Inline, Line, at, location, name, words};
use crate::report::explain::has_lines;
use crate::report::words::points_words;
use crate::sites::Explained;

/// The rows of a failure at most, unless all are asked for.
const MOST_ROWS: usize = 12;

/// What a scenario, or the scenarios of a sweep, do not meet.
pub(in crate::report) struct FailureText {
    /// Whether it fails the check.
    pub(in crate::report) level: Level,
    /// The verdict.
    pub(in crate::report) word: &'static str,
    /// The scenario; `words/* (3)` for several of a sweep.
    pub(in crate::report) title: String,
    /// Where the scenario was registered.
    pub(in crate::report) location: Inline,
    /// By figure, and in the order of measurement.
    pub(in crate::report) rows: Vec<Row>,
    /// The number of rows that were left out, since there were too many.
    pub(in crate::report) left_out: usize,
    /// The gates that it does not meet, each with its place and its reason.
    pub(in crate::report) rules: Vec<Line>,
    /// The points of series.
    pub(in crate::report) notes: Vec<Line>,
    /// What the scenario did first, unless lines tell more.
    pub(in crate::report) first_operations: Option<Line>,
    /// The lines behind the figures, as far as they are explained: their numbers in the
    /// evaluation.
    pub(in crate::report) explained: Vec<usize>,
    /// Whether the lines behind it were not asked for, because other failures are worse.
    pub(in crate::report) is_left_unexplained: bool,
}

/// All failures, and then what is stale; the worst first.
/// `lists_all` adds the rows of large sweeps.
pub(in crate::report) fn failure_texts(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    lists_all: bool,
) -> Vec<FailureText> {
    let failures = failures(evaluation, subjects).into_iter();
    failures
        .map(|failure| failure_text(evaluation, subjects, &failure, lists_all))
        .collect()
}

fn failure_text(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    failure: &Failure<'_>,
    lists_all: bool,
) -> FailureText {
    let Failure {
        verdict,
        base,
        ref judged,
    } = *failure;
    let (_, first) = judged[0];
    let scenarios: IndexSet<&str> = judged.iter().map(|(_, one)| &*one.scenario).collect();
    let is_sweep = scenarios.len() > 1;
    let point = |scenario| {
        if is_sweep {
            point_of(scenario, base)
        } else {
            ""
        }
    };
    let mut notes: IndexSet<Line> = IndexSet::new();
    let rows = by_figure(judged).into_iter().map(|judged| {
        let point = point(&judged[0].1.scenario);
        for (_, judgement) in &judged {
            notes.extend(self::notes(judgement, point));
        }
        row(point, &judged, subjects)
    });
    let mut rows = merged(rows.collect());
    let rules = judged.iter().map(|(gate, _)| rule(gate, evaluation));
    let rules: IndexSet<Line> = rules.collect();
    let left_out = if lists_all { 0 } else { leave_worst(&mut rows) };
    let is_failed = verdict == Verdict::Fail;
    let explained = is_failed.then(|| explained(evaluation, subjects, judged));
    let explained = explained.unwrap_or_default();
    let mut found = explained.iter();
    let has_lines = found.any(|&number| has_lines(&evaluation.explained[number]));
    let first_operations = first_operations(judged).filter(|_| !has_lines);
    FailureText {
        level: evaluation.level(verdict).unwrap_or(Level::Deny),
        word: word(verdict),
        title: if is_sweep {
            format!("{}{base}/* ({})", first.qualifier, scenarios.len())
        } else {
            first.label()
        },
        location: location(&first.location),
        rows,
        left_out,
        rules: rules.into_iter().collect(),
        notes: notes.into_iter().collect(),
        first_operations: first_operations.map(|(judgement, operations)| {
            let whose = whose(point(&judgement.scenario));
            words!("{}first operations: {}", whose, operations)
        }),
        is_left_unexplained: explained.is_empty() && failure.to_explain(subjects).is_some(),
        explained,
    }
}

/// ``required by `small` at gates.toml:12:10: the buffer is reused``
fn rule(gate: &GateSummary, evaluation: &Evaluation) -> Line {
    let place = at(&evaluation.config_file, gate.place);
    let reason = gate.reason.as_ref().map(|reason| words!(": {}", reason));
    words!("required by {} at {}{}", name(&gate.name), place, reason)
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Stale => verdict.name(),
        Verdict::Fail | Verdict::Missing(_) | Verdict::Pass | Verdict::Skipped => "FAIL",
    }
}

/// Leaves the worst of many rows, and returns the number of the others.
fn leave_worst(rows: &mut Vec<Row>) -> usize {
    let left_out = rows.len().saturating_sub(MOST_ROWS);
    if left_out > 0 {
        rows.sort_by(|one, other| more(&other.excess, &one.excess));
        rows.truncate(MOST_ROWS);
        rows.sort_by(|one, other| one.figure.cmp(&other.figure));
    }
    left_out
}

/// The judgements of each figure of a scenario, in the order of the metrics: gates can judge
/// figures and points in another one.
fn by_figure<'e>(judged: &[Judged<'e>]) -> Vec<Vec<Judged<'e>>> {
    let mut figures: IndexMap<(&str, &Measure, Statistic), Vec<Judged<'_>>> = IndexMap::new();
    for &(gate, judgement) in judged {
        let key = (&*judgement.scenario, &judgement.metric, judgement.statistic);
        figures.entry(key).or_default().push((gate, judgement));
    }
    figures.sort_by(|one, _, other, _| (one.1, one.2).cmp(&(other.1, other.2)));
    figures.into_values().collect()
}

/// The lines behind the figures of these judgements.
pub(in crate::report) fn explained(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    judged: &[Judged<'_>],
) -> Vec<usize> {
    // Points of a sweep can be explained that are not the worst one.
    let is_of = |explained: &Explained| {
        let metric = Measure::from(explained.metric);
        let mut judged = judged
            .iter()
            .filter(|(_, judgement)| judgement.metric == metric);
        judged.any(|(_, judgement)| {
            let mut scenarios = subjects.measured(judgement);
            judgement.bench == explained.bench
                && scenarios.any(|one| one.record.name == explained.scenario)
        })
    };
    let explained = evaluation.explained.iter().enumerate();
    let explained = explained.filter(|(_, explained)| is_of(explained));
    explained.map(|(number, _)| number).collect()
}

/// The point of a sweep that a scenario is: `count=100`.
fn point_of<'s>(scenario: &'s str, base: &str) -> &'s str {
    let point = scenario.get(base.len()..).unwrap_or_default();
    point.strip_prefix('/').unwrap_or(point)
}

/// The worst figure that has first operations, with them.
fn first_operations<'e>(judged: &[Judged<'e>]) -> Option<(&'e Judgement, &'e str)> {
    let operations = judged.iter().filter_map(|&(_, judgement)| {
        let found = judgement.details.as_ref()?;
        Some((judgement, &**found.first_operations.as_ref()?))
    });
    operations.max_by(|(one, _), (other, _)| more(&excess(one), &excess(other)))
}

/// The beginning of a note on a point.
fn whose(point: &str) -> Line {
    match point {
        "" => Line::default(),
        point => words!("{}: ", point),
    }
}

/// The points of a series.
fn notes(judgement: &Judgement, point: &str) -> Vec<Line> {
    let mut notes = Vec::new();
    let whose = whose(point);
    if let Some(points) = points_words(judgement) {
        notes.push(words!("{}points: {}", whose.clone(), points));
    }
    if let Some(growth) = judgement.growth()
        && let permille @ 1.. = growth.deviation_permille
    {
        let (percent, tenths) = (permille / 10, permille % 10);
        let words = format!(
            "{} explains the points to {percent}.{tenths} %",
            growth.class
        );
        notes.push(words!("{}{}", whose, words));
    }
    notes
}
