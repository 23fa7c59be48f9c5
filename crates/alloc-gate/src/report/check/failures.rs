//! Failures: what a scenario, or the scenarios of a sweep, do not meet, and below it the lines of
//! code that allocate. Failures that the same lines explain are one group.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use alloc_results::{Location, Metric, Operator};

use crate::diagnostic::Level;
use crate::evaluation::{
    Evaluation, Excess, Failure, Judged, Judgement, Subjects, Verdict, accepted_value, excess,
    failures, more,
};
use crate::measure::{Measure, Statistic, counted};
use crate::report::explain::{SitesText, amount, has_lines};
use crate::report::text::{
    Block, Line, Look, change, difference, foreign, left, level_style, line, location, most,
    printed, styled,
};
use crate::requirement::{Limit, value_words};

/// The rows of a failure, and the scenarios of a group, at most, unless all are asked for.
pub(in crate::report) const MOST_ROWS: usize = 12;

/// Failures that the same lines explain, those without lines for the same reason, those that
/// nothing explains, or one failure.
pub(in crate::report) struct Group {
    /// At least one; all of a level and a verdict.
    pub(in crate::report) failures: Vec<FailureText>,
    /// The lines of the first failure, or why there are none.
    pub(in crate::report) lines: Vec<SitesText>,
    /// Whether the lines were not asked for, because other failures are worse.
    is_left_unexplained: bool,
}

/// What a scenario, or the scenarios of a sweep, do not meet.
pub(in crate::report) struct FailureText {
    /// Whether it fails the check.
    pub(in crate::report) level: Level,
    /// The verdict.
    pub(in crate::report) word: &'static str,
    /// The scenario; `words/* (3)` for several of a sweep.
    pub(in crate::report) title: String,
    pub(in crate::report) scenarios: usize,
    /// Where the scenario was registered.
    pub(in crate::report) location: Location,
    /// By value, and in the order of measurement.
    pub(in crate::report) rows: Vec<Row>,
    /// The number of rows that were left out, since there were too many.
    pub(in crate::report) left_out: usize,
    /// The points of series, and what the scenario did first, unless lines tell more.
    notes: Vec<String>,
    /// The lines behind the values, as far as they are explained: their numbers in the
    /// evaluation.
    explained: Vec<usize>,
    is_left_unexplained: bool,
}

/// A value that does not meet its limits.
pub(in crate::report) struct Row {
    /// `allocs max`.
    value: String,
    /// The point of a sweep, `count=100`; empty in the block of one scenario.
    pub(in crate::report) point: String,
    /// `1 -> 101 (+100)`.
    change: String,
    /// The limits, each with its gate: `<= 1 [one-vector], <= baseline [nothing-creeps]`.
    limits: String,
    /// `107 allocations per iteration, 1 before, limit 1 [one-vector]`.
    pub(in crate::report) verdict: String,
    excess: Excess,
}

/// The groups of failures, and then what is stale; the worst first. `lists_all` adds the rows of
/// large sweeps, and with `is_each` each failure is a group.
pub(in crate::report) fn groups(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    lists_all: bool,
    is_each: bool,
) -> Vec<Group> {
    let leaves_some = !is_each && !evaluation.explained.is_empty();
    let mut groups: Vec<Group> = Vec::new();
    for failure in failures(evaluation, subjects) {
        let failure = failure_text(evaluation, subjects, &failure, lists_all);
        let explained = failure.explained.iter();
        let lines = explained.map(|&at| SitesText::new(&evaluation.explained[at]));
        let lines: Vec<SitesText> = lines.collect();
        let is_left_unexplained = leaves_some && failure.is_left_unexplained;
        let mut others = groups.iter_mut().filter(|_| !is_each);
        let same = others.find(|group| {
            let is_alike = group.failures[0].word == failure.word;
            is_alike
                && (is_left_unexplained && group.is_left_unexplained
                // A failure with several explained values, of a sweep, has lines of its own.
                || matches!((&lines[..], &group.lines[..]), ([lines], [others])
                    if lines.cause().is_some() && lines.cause() == others.cause()))
        });
        match same {
            Some(group) => group.failures.push(failure),
            None => groups.push(Group {
                failures: vec![failure],
                lines,
                is_left_unexplained,
            }),
        }
    }
    for group in &mut groups {
        let first = &group.failures[0];
        let title = match group.failures.len() {
            1 => &*first.title,
            _ => "",
        };
        for (lines, &at) in group.lines.iter_mut().zip(&first.explained) {
            lines.put_below(title, &evaluation.explained[at].label);
        }
    }
    groups
}

impl Group {
    pub(in crate::report) fn level(&self) -> Level {
        self.failures[0].level
    }

    /// `encode`, or `3 scenarios`.
    pub(in crate::report) fn title(&self) -> String {
        match &self.failures[..] {
            [only] => only.title.clone(),
            all => counted(count(all), "scenario"),
        }
    }

    /// The verdict with its subject, its rows, and the lines of code.
    pub(in crate::report) fn blocks(&self, lists_all: bool) -> Vec<Block> {
        let failures = &self.failures[..];
        let word = styled(level_style(self.level()), failures[0].word);
        let first = &failures[0].location;
        let is_one_place = failures.iter().all(|one| one.location == *first);
        let place = is_one_place.then(|| line!["  ", location(first)]);
        let mut blocks = vec![Block::Title(
            3,
            line![word, " ", foreign(self.title()), place],
        )];
        let (shown, rest) = most(failures, if lists_all { usize::MAX } else { MOST_ROWS });
        let names = failures.len() > 1;
        let mut above = [const { String::new() }; 4];
        let mut rows = Vec::new();
        let mut notes: IndexSet<Line> = IndexSet::new();
        for failure in shown {
            for row in &failure.rows {
                let name = if names { &*failure.title } else { "" };
                let cells = [name, &row.value, &row.point, &row.limits].map(str::to_owned);
                // What the row above says is not repeated.
                let is_new = [
                    cells[0] != above[0],
                    cells[..2] != above[..2],
                    true,
                    [&cells[1], &cells[3]] != [&above[1], &above[3]],
                ];
                let shown = |at: usize| is_new[at].then(|| Line::from(&cells[at])).into();
                let name: Line = is_new[0].then(|| foreign(&cells[0])).into();
                let change = Line::from(&row.change);
                rows.push(vec![name, shown(1), shown(2), change, shown(3)]);
                above = cells;
            }
            let name = if names {
                format!("{}: ", failure.title)
            } else {
                String::new()
            };
            notes.extend(
                failure
                    .notes
                    .iter()
                    .map(|note| format!("       {name}{note}").into()),
            );
            if failure.left_out > 0 {
                let more = counted(failure.left_out, "more value");
                notes.insert(format!("       {name}and {more}; `-v` shows all").into());
            }
        }
        let columns = ["scenario", "metric", "point", "change", "required"].map(left);
        blocks.push(Block::table(Look::Plain(7), columns.into(), rows));
        if !rest.is_empty() {
            let more = counted(count(rest), "more scenario");
            notes.insert(format!("       and {more}; `-v` shows all").into());
        }
        if names && self.is_left_unexplained {
            notes.insert("       not explained; `--explain all` explains each".into());
        }
        blocks.extend(notes.into_iter().map(Block::Line));
        blocks.extend(self.lines.iter().flat_map(SitesText::blocks));
        blocks
    }
}

/// The number of scenarios.
pub(in crate::report) fn count<'f>(failures: impl IntoIterator<Item = &'f FailureText>) -> usize {
    failures.into_iter().map(|failure| failure.scenarios).sum()
}

fn failure_text(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    failure: &Failure<'_>,
    lists_all: bool,
) -> FailureText {
    let (verdict, base, judged) = (failure.verdict, failure.base, &failure.judged);
    let (_, first) = judged[0];
    let is_sweep = judged.iter().any(|(_, one)| one.scenario != first.scenario);
    // Of a series, each point.
    let scenarios = judged.iter().flat_map(|(_, one)| subjects.of(one));
    let scenarios = scenarios.collect::<BTreeSet<usize>>().len();
    // The point of a sweep that a scenario is: `count=100`.
    let point = |scenario: &str| {
        let point = scenario.get(base.len()..).filter(|_| is_sweep);
        point.unwrap_or_default().trim_start_matches('/').to_owned()
    };
    // Gates can judge values and points in another order.
    let mut values: IndexMap<(&str, &Measure, Statistic), Vec<Judged<'_>>> = IndexMap::new();
    for &(gate, judgement) in judged {
        let key = (&*judgement.scenario, &judgement.metric, judgement.statistic);
        values.entry(key).or_default().push((gate, judgement));
    }
    values.sort_by(|one, _, other, _| (one.1, one.2).cmp(&(other.1, other.2)));
    let explained = if verdict == Verdict::Fail {
        explained(evaluation, subjects, judged)
    } else {
        Vec::new()
    };
    let has_lines = explained
        .iter()
        .any(|&at| has_lines(&evaluation.explained[at]));
    let mut notes: IndexSet<String> = IndexSet::new();
    let mut rows = Vec::new();
    for judged in values.values() {
        let point = point(&judged[0].1.scenario);
        for (_, judgement) in judged {
            let all = self::notes(evaluation, judgement, subjects).into_iter();
            notes.extend(all.map(|note| below_point(&point, &note)));
        }
        rows.push(Row {
            point,
            ..row(judged, subjects)
        });
    }
    // The first operations of the worst value that has them.
    let operations = judged.iter().filter_map(|&(_, judgement)| {
        let found = judgement.details.as_ref()?;
        Some((judgement, found.first_operations.as_ref()?))
    });
    let worst = operations.max_by(|one, other| more(&excess(one.0), &excess(other.0)));
    if let Some((judgement, operations)) = worst.filter(|_| !has_lines) {
        let note = format!("first operations: {operations}");
        notes.insert(below_point(&point(&judgement.scenario), &note));
    }
    let left_out = rows
        .len()
        .saturating_sub(if lists_all { usize::MAX } else { MOST_ROWS });
    if left_out > 0 {
        rows.sort_by(|one, other| more(&other.excess, &one.excess));
        rows.truncate(MOST_ROWS);
        rows.sort_by(|one, other| one.value.cmp(&other.value));
    }
    FailureText {
        level: evaluation.level(verdict).unwrap_or(Level::Deny),
        word: if verdict == Verdict::Stale {
            "stale"
        } else {
            "FAIL"
        },
        title: if is_sweep {
            format!("{}{base}/* ({scenarios})", first.qualifier)
        } else {
            first.label()
        },
        scenarios,
        location: first.location.clone(),
        rows,
        left_out,
        notes: notes.into_iter().collect(),
        is_left_unexplained: explained.is_empty() && failure.to_explain(subjects).is_some(),
        explained,
    }
}

/// The lines behind the values of these judgements.
fn explained(
    evaluation: &Evaluation,
    subjects: &Subjects<'_>,
    judged: &[Judged<'_>],
) -> Vec<usize> {
    // Points of a sweep can be explained that are not the worst one.
    let is_of = |number: &usize| {
        let explained = &evaluation.explained[*number];
        let metric = Measure::from(explained.metric);
        judged.iter().any(|(_, judgement)| {
            let mut scenarios = subjects.measured(judgement);
            judgement.metric == metric
                && judgement.bench == explained.bench
                && scenarios.any(|one| one.record.name == explained.scenario)
        })
    };
    (0..evaluation.explained.len()).filter(is_of).collect()
}

/// The points of a series, and what a better value costs.
fn notes(evaluation: &Evaluation, judgement: &Judgement, subjects: &Subjects<'_>) -> Vec<String> {
    const COSTS: [Metric; 4] = [
        Metric::Allocs,
        Metric::Bytes,
        Metric::Reallocs,
        Metric::PeakBytes,
    ];
    let mut notes = Vec::new();
    let growth = judgement.growth();
    let details = judgement.details.as_ref();
    let points = details.map(|found| growth.map_or(&found.points, |growth| &growth.points));
    let points = points.into_iter().flatten().map(|&(n, value)| {
        let value = printed(judgement.metric.unit(), value);
        format!("{value} at {}", alloc_results::integer(n.into()))
    });
    let points: Vec<String> = points.collect();
    if !points.is_empty() {
        notes.push(format!("points: {}", points.join(", ")));
    }
    if let Some(growth) = growth
        && let permille @ 1.. = growth.deviation_permille
    {
        let (class, percent, tenths) = (growth.class, permille / 10, permille % 10);
        notes.push(format!(
            "{class} explains the points to {percent}.{tenths} %"
        ));
    }
    if judgement.verdict == Verdict::Stale {
        let worse = subjects.of(judgement).into_iter().flat_map(|number| {
            let record = &evaluation.scenarios[number].record;
            COSTS.into_iter().filter_map(move |metric| {
                let (measure, mean) = (Measure::from(metric), Statistic::Mean);
                let before = accepted_value(evaluation, number, &measure, mean)?;
                let now = measure.value(mean, record).filter(|now| *now > before)?;
                let change = change(metric.unit(), Some(before), Some(now));
                Some(format!("{metric} {change}"))
            })
        });
        let worse: Vec<String> = worse.collect();
        if !worse.is_empty() {
            notes.push(format!("at the cost of {}", worse.join(", ")));
        }
    }
    notes
}

/// The text, after the point of a sweep that it is about.
pub(in crate::report) fn below_point(point: &str, text: &str) -> String {
    match point {
        "" => text.to_owned(),
        point => format!("{point}: {text}"),
    }
}

/// The row of one value of a scenario, with the limits of all gates.
pub(in crate::report) fn row(judged: &[Judged<'_>], subjects: &Subjects<'_>) -> Row {
    let (_, first) = judged[0];
    let unit = first.metric.unit();
    let now = match (first.growth(), first.measured) {
        (Some(growth), _) => format!("{} over {}", growth.class, growth.axis),
        (None, Some(value)) => printed(unit, value),
        (None, None) => String::from("not measured"),
    };
    let limits = |words: fn(&Judgement) -> String| {
        let limits = judged.iter();
        let limits = limits.map(|(gate, one)| format!("{} [{}]", words(one), gate.name));
        let limits: IndexSet<String> = limits.collect();
        limits.into_iter().collect::<Vec<_>>().join(", ")
    };
    let before = subjects.before(first);
    let changed = before.filter(|before| first.measured.is_some_and(|now| now != *before));
    let changed = changed.map(|before| format!(", {} before", printed(unit, before)));
    let metric_words = value_words(&first.metric, first.statistic);
    let amount = match (first.metric.counted(), first.measured) {
        (Some(metric), Some(value)) if first.growth().is_none() => {
            format!("{} {}", amount(metric, value), first.statistic.words())
        }
        _ => format!("{metric_words} {now}"),
    };
    Row {
        verdict: format!(
            "{amount}{}, limit {}",
            changed.unwrap_or_default(),
            limits(limit_number)
        ),
        value: metric_words,
        point: String::new(),
        change: match (before, first.measured) {
            (Some(before), Some(measured)) if before == measured => now + " (as in the baseline)",
            (Some(before), Some(measured)) => {
                let by = difference(unit, before, measured);
                format!("{} -> {now} ({by})", printed(unit, before))
            }
            (Some(before), None) => format!("{} -> {now}", printed(unit, before)),
            (None, _) => now,
        },
        limits: limits(limits_words),
        excess: judged
            .iter()
            .map(|(_, judgement)| excess(judgement))
            .max_by(more)
            .unwrap_or_default(),
    }
}

/// The number of the only limit that is broken, if it is a highest one; otherwise the comparisons.
fn limit_number(judgement: &Judgement) -> String {
    let mut broken = judgement.broken();
    match (broken.next(), broken.next()) {
        (Some(one), None)
            if one.operator == Operator::LessOrEqual && matches!(one.limit, Limit::Number(_)) =>
        {
            one.limit.to_string()
        }
        _ => limits_words(judgement),
    }
}

/// The comparisons that decided, with their computed limits: `<= 1`,
/// ``<= 0.5 * [old] (limit 4, `old` is 8)``.
fn limits_words(judgement: &Judgement) -> String {
    let details = judgement.details.as_ref();
    let decisive = judgement.decisive;
    let decisive = decisive.map(|number| (number, details.map(|found| &found.computed)));
    let fails = judgement.verdict == Verdict::Fail;
    let others = details.filter(|_| fails).into_iter();
    let others = others.flat_map(|found| &found.also_broken);
    let others = others.map(|other| (other.number, Some(&other.computed)));
    let words = decisive
        .into_iter()
        .chain(others)
        .filter_map(|(number, computed)| {
            let comparison = judgement.requirement.comparisons().get(number)?;
            let limit = computed.and_then(|computed| computed.value.as_ref());
            let limit = limit.map(|limit| format!("limit {}", alloc_results::mean(*limit, 0)));
            let other = computed.and_then(|computed| {
                let other = computed.reference.as_ref()?;
                let value = printed(judgement.metric.unit(), other.value?);
                Some(format!("`{}` is {value}", other.scenario))
            });
            let parts: Vec<String> = limit.into_iter().chain(other).collect();
            Some(match &*parts.join(", ") {
                "" => comparison.to_string(),
                parts => format!("{comparison} ({parts})"),
            })
        });
    match &*words.collect::<Vec<_>>().join(", ") {
        // Without a comparison that decided, it is the whole requirement.
        "" => judgement.requirement.to_string(),
        words => words.to_owned(),
    }
}
