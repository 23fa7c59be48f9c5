//! [`FailureText`]: what a scenario, or the scenarios of a sweep, do not meet: a row for each
//! figure, with `before -> now`, the difference and the limits.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use alloc_results::Metric;
use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Level;
use crate::evaluation::{Evaluation, GateSummary, Judgement, Subjects, Verdict, accepted_figure};
use crate::evaluation::{Excess, Failure, Judged, excess, failures, more};
use crate::figure::{Measure, Statistic};
use crate::report::change::{change, difference, plain_figure};
use crate::report::document::{Inline, Line, at, location, name, words};
use crate::report::explain::has_lines;
use crate::report::words::{limits_words, points_words};
use crate::requirement::figure_words;
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
    /// The number of scenarios.
    pub(in crate::report) scenarios: usize,
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
    let is_sweep = judged.iter().any(|(_, one)| one.scenario != first.scenario);
    // Of a series, each point.
    let scenarios = judged.iter().flat_map(|(_, one)| subjects.of(one));
    let scenarios = scenarios.collect::<BTreeSet<usize>>().len();
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
            let cost = (verdict == Verdict::Stale).then(|| cost(evaluation, judgement, subjects));
            let cost = cost.filter(|cost| !cost.is_empty());
            notes.extend(cost.map(|cost| words!("{}at the cost of {}", whose(point), cost)));
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
            format!("{}{base}/* ({scenarios})", first.qualifier)
        } else {
            first.label()
        },
        scenarios,
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

/// The figures that are worse than the baseline where another is better: `allocs 1 -> 9 (+8)`.
fn cost(evaluation: &Evaluation, better: &Judgement, subjects: &Subjects<'_>) -> String {
    const METRICS: [Metric; 4] = [
        Metric::Allocs,
        Metric::Bytes,
        Metric::Reallocs,
        Metric::PeakBytes,
    ];
    let worse = subjects.of(better).into_iter().flat_map(|number| {
        let record = &evaluation.scenarios[number].record;
        METRICS.into_iter().filter_map(move |metric| {
            let (measure, mean) = (Measure::from(metric), Statistic::Mean);
            let before = accepted_figure(evaluation, number, &measure, mean)?;
            let now = measure.figure(mean, record).filter(|now| *now > before)?;
            Some(format!(
                "{metric} {}",
                change(metric.unit(), Some(before), Some(now))
            ))
        })
    });
    worse.collect::<Vec<_>>().join(", ")
}

/// A figure that does not meet its limits.
pub(in crate::report) struct Row {
    /// `allocs max`.
    pub(in crate::report) figure: String,
    /// The point of a sweep, `count=100`; empty in the block of one scenario.
    pub(in crate::report) point: String,
    /// The accepted figure, `1 -> `; empty if it is the same or not known.
    pub(in crate::report) before: String,
    /// The measured figure.
    pub(in crate::report) now: String,
    /// `(+100)`; empty if the accepted figure is not known.
    pub(in crate::report) difference: String,
    /// The limits, each with its gate: `<= 1 [one-vector], <= baseline [nothing-creeps]`.
    pub(in crate::report) limits: String,
    /// Other statistics of the metric, which share the row: `max 40 -> 48 (1.20x)`.
    pub(in crate::report) others: Vec<String>,
    pub(in crate::report) excess: Excess,
    /// The metric and the statistic's name; `None` for one of a series, which has a row alone.
    key: Option<(Measure, &'static str)>,
}

impl Row {
    /// `1 -> 101 (+100)`.
    pub(in crate::report) fn change(&self) -> String {
        let change = format!("{}{} {}", self.before, self.now, self.difference);
        change.trim_end().to_owned()
    }

    /// `allocs 1 -> 101 (+100), required: <= 1 [one-vector]`.
    pub(in crate::report) fn sentence(&self) -> String {
        format!(
            "{} {}, required: {}",
            self.figure,
            self.change(),
            self.limits
        )
    }

    /// Takes the figure of another statistic into this row.
    fn add(&mut self, other: Self, statistic: &str) {
        let is_same =
            self.others.is_empty() && (&self.before, &self.now) == (&other.before, &other.now);
        if is_same {
            self.figure = format!("{}, {statistic}", self.figure);
        } else {
            self.others.push(format!("{statistic} {}", other.change()));
        }
        if more(&other.excess, &self.excess) == Ordering::Greater {
            self.excess = other.excess;
        }
    }
}

/// Puts the statistics of a metric that have the same limits into one row.
pub(in crate::report) fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows {
        let above = merged.iter_mut().find(|above| {
            let metrics = [&above.key, &row.key].map(|key| key.as_ref().map(|(metric, _)| metric));
            let is_same = (&above.point, &above.limits) == (&row.point, &row.limits);
            metrics[0].is_some() && metrics[0] == metrics[1] && is_same
        });
        match (above, &row.key) {
            (Some(above), &Some((_, statistic))) => above.add(row, statistic),
            (None, _) | (_, None) => merged.push(row),
        }
    }
    merged
}

/// The row of one figure of a scenario, with the limits of all gates.
pub(in crate::report) fn row(point: &str, judged: &[Judged<'_>], subjects: &Subjects<'_>) -> Row {
    let (_, first) = judged[0];
    let metric = &first.metric;
    let before = subjects.before(first);
    let now = match (first.growth(), first.measured) {
        (Some(growth), _) => format!("{} over {}", growth.class, growth.axis),
        (None, Some(value)) => plain_figure(metric.unit(), value),
        (None, None) => String::from("not measured"),
    };
    let change = match (before, first.measured) {
        (Some(before), Some(now)) if before == now => String::from("(unchanged)"),
        (Some(before), Some(now)) => format!("({})", difference(metric.unit(), before, now)),
        (None, _) | (_, None) => String::new(),
    };
    let limits: IndexSet<String> = judged
        .iter()
        .map(|(gate, judgement)| format!("{} [{}]", limits_words(judgement), gate.name))
        .collect();
    Row {
        figure: figure_words(metric, first.statistic),
        point: point.to_owned(),
        before: before
            .filter(|before| Some(*before) != first.measured)
            .map(|before| format!("{} -> ", plain_figure(metric.unit(), before)))
            .unwrap_or_default(),
        now,
        difference: change,
        limits: limits.into_iter().collect::<Vec<_>>().join(", "),
        excess: judged
            .iter()
            .map(|(_, judgement)| excess(judgement))
            .max_by(more)
            .unwrap_or_default(),
        others: Vec::new(),
        key: (first.statistic != Statistic::Growth)
            .then(|| (metric.clone(), first.statistic.name())),
    }
}
