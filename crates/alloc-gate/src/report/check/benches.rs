//! [`BenchFigures`]: a bench with its tally, and the table of the figures that its gates
//! judge.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use alloc_results::{BenchId, Metric, integer};
use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Level, Where};
use crate::evaluation::{Evaluation, Outcome, accepted_figure, is_new};
use crate::figure::{Measure, Statistic, counted};
use crate::report::check::conclusion::failed_gates;
use crate::report::document::Line;
use crate::report::table::metrics_of;
use crate::report::view::{TableRows, View};
use crate::report::words::figure_of;
use crate::requirement::figure_words;
use crate::results::MeasuredScenario;
use crate::results::axis::base_name;

/// The rows of a whole report at most, unless others are asked for.
const MOST_ROWS: usize = 20;

/// A bench, and the rows of its scenarios.
pub(in crate::report) struct BenchFigures {
    /// The bench, `9 scenarios`, and `3 gates`; the last is empty if nothing was judged.
    pub(in crate::report) names: [Line; 3],
    /// Whether its gates hold; `None` if it has none.
    pub(in crate::report) holds: Option<bool>,
    /// The headers of the figures.
    pub(in crate::report) headers: Vec<String>,
    pub(in crate::report) rows: Vec<FigureRow>,
}

/// The row of a scenario, or of several that differ in their axes alone.
pub(in crate::report) struct FigureRow {
    pub(in crate::report) cells: Vec<String>,
    /// The narrowest selection that has the row.
    pub(super) state: TableRows,
    /// Whether the iterations of the scenario differ.
    pub(in crate::report) is_marked: bool,
}

/// A column: a figure of each scenario.
pub(super) type Column = (Measure, Statistic);

/// The benches with the rows that the view shows.
pub(in crate::report) fn benches(evaluation: &Evaluation, view: View<'_>) -> Vec<BenchFigures> {
    let failed = &evaluation.failed;
    let order: IndexSet<&BenchId> = evaluation.scenarios.iter().map(|one| &one.bench).collect();
    let mut benches: Vec<BenchFigures> = order
        .into_iter()
        .map(|bench| bench_figures(evaluation, bench, failed))
        .collect();
    // Nothing is `ok` above a failure, whatever it is about.
    let fails_elsewhere = evaluation.outcome() != Outcome::Held
        && benches.iter().all(|bench| bench.holds != Some(false));
    for bench in &mut benches {
        bench.holds = bench.holds.filter(|_| !fails_elsewhere);
    }
    benches.sort_by_key(|bench| bench.holds != Some(false));
    let count = || benches.iter().map(|bench| bench.rows.len()).sum::<usize>();
    let shown = view.rows.unwrap_or_else(|| {
        if failed_gates(evaluation).next().is_some() {
            // The blocks below have the figures that matter.
            TableRows::None
        } else if evaluation.gates.is_empty() || count() <= MOST_ROWS {
            TableRows::All
        } else {
            TableRows::Changed
        }
    });
    for bench in &mut benches {
        bench.rows.retain(|row| row.state >= shown);
    }
    benches
}

/// Whether a finding about a scenario of the bench fails the check.
fn has_error(evaluation: &Evaluation, bench: &BenchId) -> bool {
    let mut errors = evaluation.findings.iter();
    errors.any(|finding| match &finding.place {
        Where::Scenario(one) => finding.level == Level::Deny && one.bench == *bench,
        Where::Nowhere | Where::Span(_) | Where::Place { .. } | Where::Bench(_) => false,
    })
}

fn bench_figures(
    evaluation: &Evaluation,
    bench: &BenchId,
    failed: &BTreeSet<usize>,
) -> BenchFigures {
    let gates = evaluation.gates.iter();
    let gates = gates.filter(|gate| gate.judgements.iter().any(|one| one.bench == *bench));
    let scenarios: Vec<usize> = (0..evaluation.scenarios.len())
        .filter(|&number| evaluation.scenarios[number].bench == *bench)
        .collect();
    let columns = columns(evaluation, bench);
    let rows = scenarios
        .iter()
        .map(|&number| row(evaluation, number, &columns, failed));
    let points = scenarios
        .iter()
        .map(|&number| &evaluation.scenarios[number]);
    let gates = gates.count();
    BenchFigures {
        names: [
            bench.into(),
            counted(scenarios.len(), "scenario").into(),
            match (evaluation.gates.is_empty(), gates) {
                (true, _) => Line::default(),
                (false, 0) => "no gates".into(),
                (false, gates) => counted(gates, "gate").into(),
            },
        ],
        holds: if has_error(evaluation, bench) {
            Some(false)
        } else {
            (gates > 0).then(|| !scenarios.iter().any(|number| failed.contains(number)))
        },
        headers: columns.iter().map(header).collect(),
        rows: merged(points.zip(rows).collect(), |row| {
            (row.cells.clone(), row.state)
        })
        .into_iter()
        .map(|(name, mut row)| {
            row.cells[0].insert_str(0, &name);
            row
        })
        .collect(),
    }
}

/// The figures that gates judge in the bench: the mean of each metric, and another statistic
/// where it differs from the mean; beside `allocs` the `reallocs`, if there are some. Without
/// gates, those of a bench's own table.
pub(in crate::report) fn columns(evaluation: &Evaluation, bench: &BenchId) -> Vec<Column> {
    let scenarios = evaluation.scenarios.iter();
    let records = scenarios.filter(|one| one.bench == *bench);
    let records: Vec<_> = records.map(|one| &one.record).collect();
    let gates = evaluation.gates.iter();
    let judgements = gates.flat_map(|gate| &gate.judgements);
    let judged = judgements.filter(|one| one.bench == *bench);
    let judged: BTreeSet<Column> = judged
        .map(|one| {
            if one.statistic == Statistic::Growth {
                (one.metric.clone(), Statistic::Mean)
            } else {
                (one.metric.clone(), one.statistic)
            }
        })
        .collect();
    if judged.is_empty() {
        let metrics = metrics_of(records).iter();
        return metrics
            .map(|&metric| (Measure::Counted(metric), Statistic::Mean))
            .collect();
    }
    let mut columns = BTreeSet::new();
    for (metric, statistic) in judged {
        let mean = Statistic::Mean;
        let differs = records
            .iter()
            .any(|record| metric.figure(statistic, record) != metric.figure(mean, record));
        if differs {
            columns.insert((metric.clone(), statistic));
        }
        columns.insert((metric, mean));
    }
    let allocs = Measure::from(Metric::Allocs);
    if columns.iter().any(|(metric, _)| *metric == allocs)
        && metrics_of(records).contains(&Metric::Reallocs)
    {
        columns.insert((Metric::Reallocs.into(), Statistic::Mean));
    }
    columns.into_iter().collect()
}

/// `allocs/op`, `allocs max`.
pub(super) fn header((metric, statistic): &Column) -> String {
    match statistic {
        Statistic::Mean => format!("{metric}/op"),
        Statistic::PerElement => format!("{metric}/element"),
        Statistic::Max | Statistic::First | Statistic::Growth => figure_words(metric, *statistic),
    }
}

/// The row of a scenario, with ` *` and ` (new)` in the place of its name.
pub(super) fn row(
    evaluation: &Evaluation,
    number: usize,
    columns: &[Column],
    failed: &BTreeSet<usize>,
) -> FigureRow {
    let MeasuredScenario { record, .. } = &evaluation.scenarios[number];
    let (mut state, new) = if is_new(evaluation, number) {
        (TableRows::Changed, " (new)")
    } else {
        (TableRows::All, "")
    };
    let is_marked = !record.is_deterministic();
    let mark = if is_marked { " *" } else { "" };
    let mut cells = vec![format!("{mark}{new}"), integer(record.iterations.into())];
    cells.extend(columns.iter().map(|(metric, statistic)| {
        let Some(now) = metric.figure(*statistic, record) else {
            return String::from("-");
        };
        let text = figure_of(metric, *statistic, now);
        match accepted_figure(evaluation, number, metric, *statistic) {
            Some(before) if before != now => {
                state = TableRows::Changed;
                format!("{} -> {text}", figure_of(metric, *statistic, before))
            }
            Some(_) | None => text,
        }
    }));
    if failed.contains(&number) {
        state = TableRows::Failed;
    }
    FigureRow {
        cells,
        state,
        is_marked,
    }
}

/// The name without the values of the axes.
fn base(point: &MeasuredScenario) -> &str {
    base_name(&point.record.name, &point.record.axes)
}

/// The rows with their names, in the order of their first scenarios. Scenarios that differ in
/// their axes alone and have rows of equal `key` share the first one's, `pair/* (96)`.
fn merged<R, K: Eq + Hash>(
    rows: Vec<(&MeasuredScenario, R)>,
    key: impl Fn(&R) -> K,
) -> Vec<(String, R)> {
    let mut sweeps: HashMap<_, Vec<&MeasuredScenario>> = HashMap::new();
    let mut groups: IndexMap<_, (Vec<&MeasuredScenario>, Vec<R>)> = IndexMap::new();
    for (point, row) in rows {
        let sweep = (&point.qualifier, base(point), point.record.axes.len());
        sweeps.entry(sweep).or_default().push(point);
        let (points, rows) = groups.entry((sweep, key(&row))).or_default();
        points.push(point);
        rows.push(row);
    }
    let groups: Vec<_> = groups
        .into_iter()
        .map(|((sweep, _), (points, rows))| {
            let all = sweeps.get(&sweep).map_or(&[][..], Vec::as_slice);
            (name(&points, all), points, rows)
        })
        .collect();
    let mut names: HashMap<String, usize> = HashMap::new();
    for (name, _, _) in &groups {
        *names.entry(name.clone()).or_default() += 1;
    }
    let mut named = Vec::new();
    for (name, points, rows) in groups {
        let mut all = points.iter().map(|point| point.label()).zip(rows);
        match names.get(&name) {
            Some(1) => named.extend(all.next().map(|(_, row)| (name, row))),
            // Several groups have the name, so it would not say which scenarios they have.
            _ => named.extend(all),
        }
    }
    named
}

/// The name of one scenario, or of several `points` of a sweep: an axis whose value they share
/// keeps it; others have `*` for all values of the sweep, or the first and the last value.
fn name(points: &[&MeasuredScenario], all: &[&MeasuredScenario]) -> String {
    let first = points[0];
    if points.len() == 1 {
        return first.label();
    }
    let values: Vec<String> = (0..first.record.axes.len())
        .map(|place| match &*values(points, place) {
            [only] => (*only).to_owned(),
            some => range(some, &values(all, place)),
        })
        .collect();
    let axes = if values.iter().all(|value| value == "*") {
        String::from("*")
    } else {
        let axes = first.record.axes.iter().zip(values);
        let pairs = axes.map(|(axis, value)| format!("{}={value}", axis.axis));
        pairs.collect::<Vec<_>>().join(",")
    };
    format!(
        "{}{}/{axes} ({})",
        first.qualifier,
        base(first),
        points.len()
    )
}

/// The different values of the axis in this place, in the order of measurement.
fn values<'s>(points: &[&'s MeasuredScenario], place: usize) -> Vec<&'s str> {
    let axes = points
        .iter()
        .filter_map(|point| point.record.axes.get(place));
    let values: IndexSet<&str> = axes.map(|axis| axis.value.as_str()).collect();
    values.into_iter().collect()
}

/// `10..40` for some neighbours of all values, otherwise `*`.
fn range(some: &[&str], all: &[&str]) -> String {
    let neighbours = all.windows(some.len()).any(|window| window == some);
    match (some, neighbours && some.len() < all.len()) {
        ([first, .., last], true) => format!("{first}..{last}"),
        _ => String::from("*"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::measured;

    /// The rows of scenarios `x` over the axes `n` and `m`, each with a figure.
    fn rows(figures: &[(&str, &str, u32)]) -> Vec<(String, u32)> {
        let lines = figures.iter();
        let lines = lines.map(|(n, m, _)| format!("x/n={n},m={m}: 1 x\n"));
        let results = format!("bench app/counts\n{}", lines.collect::<String>());
        let results = measured(&results);
        let rows = results.scenarios().iter().zip(figures);
        let rows = rows.map(|(point, (_, _, figure))| (point, *figure));
        merged(rows.collect(), |figure| *figure)
    }

    #[test]
    fn points_with_equal_figures_share_a_row_whose_name_says_which_they_are() {
        let named = |rows: &[(&str, u32)]| -> Vec<(String, u32)> {
            rows.iter()
                .map(|(name, row)| ((*name).to_owned(), *row))
                .collect()
        };
        for (figures, expected) in [
            (&[("1", "a", 5)][..], &[("x/n=1,m=a", 5)][..]),
            (&[("1", "a", 5), ("2", "b", 5)], &[("x/* (2)", 5)]),
            (
                &[("1", "a", 5), ("2", "a", 5), ("1", "b", 6), ("2", "b", 6)],
                &[("x/n=*,m=a (2)", 5), ("x/n=*,m=b (2)", 6)],
            ),
            (
                &[("1", "a", 5), ("2", "a", 5), ("3", "a", 6), ("4", "a", 6)],
                &[("x/n=1..2,m=a (2)", 5), ("x/n=3..4,m=a (2)", 6)],
            ),
            // `x/n=*,m=a` would be the name of both.
            (
                &[("1", "a", 5), ("2", "a", 6), ("3", "a", 5), ("4", "a", 6)],
                &[
                    ("x/n=1,m=a", 5),
                    ("x/n=3,m=a", 5),
                    ("x/n=2,m=a", 6),
                    ("x/n=4,m=a", 6),
                ],
            ),
            (
                &[("1", "a", 5), ("2", "a", 6), ("3", "a", 5)],
                &[("x/n=*,m=a (2)", 5), ("x/n=2,m=a", 6)],
            ),
        ] {
            assert_eq!(rows(figures), named(expected), "{figures:?}");
        }
    }
}
