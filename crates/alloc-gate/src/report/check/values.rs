//! The measured values: a table for each bench, with the values that its gates judge; and the
//! verdicts of gates.

use std::collections::BTreeSet;

use alloc_results::{BenchId, Metric, Ratio, ScenarioRecord, integer, mean};
use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::{Level, Place, Where};
use crate::evaluation::{
    Evaluation, GateSummary, Judgement, Outcome, Verdict, accepted_value, is_new,
};
use crate::measure::{Measure, Statistic, counted, enumerated};
use crate::printable::quoted;
use crate::report::TableRows;
use crate::report::text::{
    Block, Line, Look, Style, foreign, left, level_style, line, low_to_high, place, printed, right,
    styled,
};
use crate::requirement::{rule_words, value_words};
use crate::results::MeasuredScenario;
use crate::results::names::base_name;

/// The rows of a whole report at most, unless others are asked for.
const MOST_ROWS: usize = 20;

/// The metrics whose means are shown. The last one is shown only if it is above zero somewhere.
const METRICS: [Metric; 4] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Deallocs,
    Metric::Reallocs,
];

pub(in crate::report) fn metrics(has_reallocs: bool) -> &'static [Metric] {
    &METRICS[..if has_reallocs { 4 } else { 3 }]
}

/// A column: a value of each scenario.
type Column = (Measure, Statistic);

/// The accepted value if it is another one, and the measured value.
type Cell = (Option<Ratio>, Option<Ratio>);

const ZERO: Cell = (None, Some(Ratio::ZERO));

/// The row of a scenario, or of several that differ in their axes alone.
#[derive(Clone, PartialEq)]
struct Row {
    /// ` *` and ` (new)`, behind the name.
    marks: String,
    iterations: u64,
    cells: Vec<Cell>,
    /// The narrowest selection that has the row.
    state: TableRows,
}

/// A line for each bench with its tally, and the tables of the values that `rows` selects: without
/// it all if they are few, those that changed if they are many, and none after a failure.
pub(super) fn tables(evaluation: &Evaluation, rows: Option<TableRows>) -> Vec<Block> {
    let scenarios = &evaluation.scenarios;
    let benches: IndexSet<&BenchId> = scenarios.iter().map(|one| &one.bench).collect();
    if benches.is_empty() {
        return vec![line!["no scenario was measured"].into()];
    }
    let mut benches: Vec<_> = benches
        .into_iter()
        .map(|bench| {
            let columns = columns(evaluation, bench);
            let rows = bench_rows(evaluation, bench, &columns);
            (bench, holds(evaluation, bench), columns, rows)
        })
        .collect();
    // Nothing is `ok` above a failure, whatever it is about.
    let fails_elsewhere = evaluation.outcome() != Outcome::Held
        && benches.iter().all(|(_, holds, ..)| *holds != Some(false));
    benches.sort_by_key(|(_, holds, ..)| *holds != Some(false));
    let count: usize = benches.iter().map(|(.., rows)| rows.len()).sum();
    let shown = match rows {
        Some(rows) => rows,
        // The blocks below have the values that matter.
        None if !evaluation.failed.is_empty() => TableRows::None,
        None if evaluation.gates.is_empty() || count <= MOST_ROWS => TableRows::All,
        None => TableRows::Changed,
    };
    let summary = benches.iter().map(|(bench, holds, ..)| {
        let scenarios = scenarios.iter().filter(|one| one.bench == **bench).count();
        let gates = match (evaluation.gates.is_empty(), gates_of(evaluation, bench)) {
            (true, _) => String::new(),
            (false, 0) => String::from("no gates"),
            (false, gates) => counted(gates, "gate"),
        };
        let word = match holds.filter(|_| !fails_elsewhere) {
            Some(true) => styled(Style::Good, "ok"),
            Some(false) => styled(Style::Bad, "FAILED"),
            None => Line::default(),
        };
        let scenarios = counted(scenarios, "scenario");
        vec![Line::from(*bench), scenarios.into(), gates.into(), word]
    });
    let titles = ["bench", "scenarios", "gates", "verdict"].map(left);
    let mut blocks = vec![Block::table(
        Look::Plain(0),
        titles.into(),
        summary.collect(),
    )];
    let is_one_of_several = benches.len() > 1;
    let mut has_marks = false;
    for (bench, _, columns, mut rows) in benches {
        rows.retain(|(_, row)| row.state >= shown);
        has_marks |= rows.iter().any(|(_, row)| row.marks.contains('*'));
        if !rows.is_empty() {
            let name = is_one_of_several.then(|| line![bench, ", "]);
            blocks.extend(bench_table(name, &columns, &rows));
        }
    }
    let mark = "* the iterations differ; the table shows means";
    blocks.extend(has_marks.then(|| Block::Line(mark.into())));
    blocks
}

/// The rows of a bench below a line with what they share: the iterations, if all have as many, and
/// the columns that have nothing but zeros.
fn bench_table(name: Option<Line>, columns: &[Column], rows: &[(String, Row)]) -> Vec<Block> {
    let iterations = rows[0].1.iterations;
    let is_same = rows.iter().all(|(_, row)| row.iterations == iterations);
    let count = counted(
        usize::try_from(iterations).unwrap_or(usize::MAX),
        "iteration",
    );
    let over = is_same.then(|| format!(", over {count}"));
    let is_zero = |at: &usize| rows.len() > 1 && rows.iter().all(|(_, row)| row.cells[*at] == ZERO);
    let (zeros, mut shown): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(is_zero);
    if shown.is_empty() {
        shown.extend(zeros.first());
    }
    let decimals: Vec<usize> = shown.iter().map(|&at| decimals(rows, at)).collect();
    let mut titles = vec![left("scenario")];
    titles.extend((!is_same).then(|| right("iters")));
    titles.extend(shown.iter().map(|&at| right(&header(&columns[at]))));
    let cells = rows.iter().map(|(name, row)| {
        let mut cells = vec![foreign(format!("{name}{}", row.marks))];
        cells.extend((!is_same).then(|| integer(row.iterations.into()).into()));
        let values = shown.iter().zip(&decimals);
        cells.extend(values.map(|(&at, &decimals)| {
            let text = |value| mean(value, decimals);
            Line::from(match row.cells[at] {
                (_, None) => String::from("-"),
                (None, Some(now)) => text(now),
                (Some(before), Some(now)) => format!("{} -> {}", text(before), text(now)),
            })
        }));
        cells
    });
    let zeros = zeros.iter().filter(|at| !shown.contains(at));
    let zeros: Vec<String> = zeros.map(|&at| header(&columns[at])).collect();
    let zeros = (!zeros.is_empty()).then(|| format!("{}: 0 in all", zeros.join(", ")));
    let table = Block::table(Look::Grid, titles, cells.collect());
    let head = Block::Line(line![name, "per iteration", over, ":"]);
    let blocks = [
        Some(head),
        Some(table),
        zeros.map(|it| Block::Line(it.into())),
    ];
    blocks.into_iter().flatten().collect()
}

/// The decimals that each value of the column has, so that the points are aligned.
fn decimals(rows: &[(String, Row)], at: usize) -> usize {
    let values = rows
        .iter()
        .flat_map(|(_, row)| [row.cells[at].0, row.cells[at].1]);
    let decimals = values.flatten().map(|value| {
        let text = mean(value, 0);
        text.split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    });
    decimals.max().unwrap_or_default()
}

fn gates_of(evaluation: &Evaluation, bench: &BenchId) -> usize {
    let judges = |gate: &&GateSummary| gate.judgements.iter().any(|one| one.bench == *bench);
    evaluation.gates.iter().filter(judges).count()
}

/// Whether the gates of a bench hold; `None` if it has none.
fn holds(evaluation: &Evaluation, bench: &BenchId) -> Option<bool> {
    let has_error = evaluation.findings.iter().any(|finding| {
        let is_here = matches!(&finding.place, Where::Scenario(one) if one.bench == *bench);
        is_here && finding.level == Level::Deny
    });
    let judgements = evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let mut judged = judgements.filter(|one| one.bench == *bench);
    if has_error {
        return Some(false);
    }
    (gates_of(evaluation, bench) > 0).then(|| judged.all(|one| !evaluation.fails(one.verdict)))
}

/// The values that gates judge in the bench: the mean of each metric, and another statistic
/// where it differs from the mean; next to `allocs` the `reallocs`, if there are some. Without
/// gates, the columns of a bench's own table.
fn columns(evaluation: &Evaluation, bench: &BenchId) -> Vec<Column> {
    let scenarios = evaluation.scenarios.iter();
    let records = scenarios.filter(|one| one.bench == *bench);
    let records: Vec<&ScenarioRecord> = records.map(|one| &one.record).collect();
    let has_reallocs = records.iter().any(|record| {
        let reallocs = record.distribution(Metric::Reallocs);
        reallocs.is_some_and(|values| values.max() > 0)
    });
    let judgements = evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let judged = judgements.filter(|one| one.bench == *bench);
    let judged: BTreeSet<Column> = judged
        .map(|one| (one.metric.clone(), one.statistic))
        .collect();
    let mut columns = BTreeSet::new();
    for (metric, statistic) in &judged {
        let value = |statistic| {
            records
                .iter()
                .map(move |record| metric.value(statistic, record))
        };
        if *statistic != Statistic::Growth && value(*statistic).ne(value(Statistic::Mean)) {
            columns.insert((metric.clone(), *statistic));
        }
        columns.insert((metric.clone(), Statistic::Mean));
    }
    let mean = |metric: &Metric| (Measure::from(*metric), Statistic::Mean);
    if judged.is_empty() {
        return metrics(has_reallocs).iter().map(mean).collect();
    }
    if has_reallocs && columns.contains(&mean(&Metric::Allocs)) {
        columns.insert(mean(&Metric::Reallocs));
    }
    columns.into_iter().collect()
}

/// `allocs`, `allocs max`.
fn header((metric, statistic): &Column) -> String {
    match statistic {
        Statistic::Mean => metric.to_string(),
        Statistic::PerElement => format!("{metric}/element"),
        Statistic::Max | Statistic::First | Statistic::Growth => value_words(metric, *statistic),
    }
}

/// The rows of a bench with their names, in the order of measurement. The points of a sweep whose
/// rows are equal share one: `pair/* (96)`.
fn bench_rows(evaluation: &Evaluation, bench: &BenchId, columns: &[Column]) -> Vec<(String, Row)> {
    let mut sweeps: IndexMap<_, Vec<(&MeasuredScenario, Row)>> = IndexMap::new();
    for (number, point) in evaluation.scenarios.iter().enumerate() {
        if point.bench == *bench {
            let (name, axes) = (&point.record.name, &point.record.axes);
            let sweep = (&point.qualifier, base_name(name, axes), axes.len());
            let row = row(evaluation, number, columns);
            sweeps.entry(sweep).or_default().push((point, row));
        }
    }
    let sweeps = sweeps
        .into_iter()
        .flat_map(|((qualifier, base, _), points)| {
            let is_one = points.len() > 1 && points.iter().all(|(_, row)| *row == points[0].1);
            if is_one {
                let name = format!("{qualifier}{base}/* ({})", points.len());
                return vec![(name, points[0].1.clone())];
            }
            let points = points.into_iter();
            points.map(|(point, row)| (point.label(), row)).collect()
        });
    sweeps.collect()
}

fn row(evaluation: &Evaluation, number: usize, columns: &[Column]) -> Row {
    let MeasuredScenario { record, .. } = &evaluation.scenarios[number];
    let (mut state, new) = if is_new(evaluation, number) {
        (TableRows::Changed, " (new)")
    } else {
        (TableRows::All, "")
    };
    let mark = if record.is_deterministic() { "" } else { " *" };
    let cells = columns.iter().map(|(metric, statistic)| {
        let now = metric.value(*statistic, record);
        let before = accepted_value(evaluation, number, metric, *statistic);
        let before = before.filter(|before| now.is_some_and(|now| now != *before));
        if before.is_some() {
            state = TableRows::Changed;
        }
        (before, now)
    });
    let cells = cells.collect();
    if evaluation.failed.contains(&number) {
        state = TableRows::Failed;
    }
    Row {
        marks: format!("{mark}{new}"),
        iterations: record.iterations,
        cells,
        state,
    }
}

/// A row for each rule of a gate, with the range of its values; nothing without gates.
pub(super) fn gates(evaluation: &Evaluation) -> Block {
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for gate in &evaluation.gates {
        let style = match (gate.verdict, evaluation.level(gate.verdict)) {
            (Verdict::Skipped, _) => Style::Dim,
            (_, None) => Style::Good,
            (_, Some(level)) => level_style(level),
        };
        let word = if gate.verdict == Verdict::Fail {
            "FAIL"
        } else {
            gate.verdict.name()
        };
        let at = format!("{}:{}", evaluation.config_file, gate.place.line);
        let about = match &gate.skip {
            Some(skip) => skip.message.clone(),
            None => counted(gate.scenarios, "scenario"),
        };
        rows.push(vec![
            styled(style, word),
            line![foreign(&gate.name), " (", place(at), "): ", about],
        ]);
        rows.extend(rules(gate).into_iter().map(|rule| {
            let measured = rule.range();
            vec![
                Line::default(),
                line!["  ", quoted(&rule.words), ": ", measured],
            ]
        }));
    }
    Block::table(Look::Plain(0), ["verdict", "gate"].map(left).into(), rows)
}

/// What is easy to miss about gates that hold: limits of zero that first calls are above, and
/// scenarios that keep blocks while no gate limits that.
pub(super) fn notes(evaluation: &Evaluation) -> Vec<String> {
    let rules = evaluation.gates.iter().flat_map(|gate| {
        let rules = rules(gate).into_iter();
        rules.map(move |rule| (&gate.name, rule))
    });
    let notes = rules.filter_map(|(gate, rule)| {
        let (rule, first) = (quoted(&rule.words), rule.first_call()?);
        Some(format!(
            "{gate}: {rule} holds, but not in the first call: {first}"
        ))
    });
    let mut notes: Vec<String> = notes.collect();
    let keeping = evaluation.keeping.iter();
    let keeping = keeping.filter_map(|&number| evaluation.scenarios.get(number));
    let keeping: Vec<String> = keeping.map(|one| quoted(&one.label())).collect();
    if !keeping.is_empty() {
        notes.push(format!(
            "blocks stay allocated after every iteration of {}, and no gate has a limit on \
             `net-blocks` or `net-bytes`",
            enumerated(keeping)
        ));
    }
    notes
}

/// A rule of a gate with its judgements.
struct Rule<'e> {
    /// `allocs < 5`.
    words: String,
    judgements: Vec<&'e Judgement>,
}

/// The rules of the gate, in the order of the file; empty if it applied to nothing.
fn rules(gate: &GateSummary) -> Vec<Rule<'_>> {
    let mut rules: IndexMap<Place, Vec<&Judgement>> = IndexMap::new();
    for judgement in &gate.judgements {
        rules.entry(judgement.place).or_default().push(judgement);
    }
    let rules = rules.into_values().map(|judgements| Rule {
        words: rule_words(
            &judgements[0].metric,
            judgements[0].statistic,
            &judgements[0].requirement,
        ),
        judgements,
    });
    rules.collect()
}

impl Rule<'_> {
    /// `1 to 4`, or a single value; of growth the classes, from slow to fast.
    fn range(&self) -> String {
        let key = |one: &&Judgement| (one.growth().map(|growth| growth.class), one.measured);
        let measured = self.judgements.iter().copied();
        let measured = measured.filter(|one| key(one) != (None, None));
        let measured: Vec<&Judgement> = measured.collect();
        let words = |one: &Judgement| match (one.growth(), one.measured) {
            (Some(growth), _) => growth.class.to_string(),
            (None, Some(value)) => printed(one.metric.unit(), value),
            (None, None) => String::new(),
        };
        let all = || measured.iter().copied();
        let (Some(low), Some(high)) = (all().min_by_key(key), all().max_by_key(key)) else {
            return "not measured".into();
        };
        let range = low_to_high(words(low), words(high));
        let absent = match self.judgements.len() - measured.len() {
            0 => String::new(),
            absent => format!(" ({absent} not measured)"),
        };
        let first = self.first_call();
        let first = first.map(|first| format!(" (first call: {first})"));
        format!("{range}{absent}{}", first.unwrap_or_default())
    }

    /// The range of the first calls, if a limit of zero holds that does not cover them.
    fn first_call(&self) -> Option<String> {
        let values = || {
            let all = self.judgements.iter();
            all.filter_map(|one| one.details.as_ref()?.first_call)
        };
        let [low, high] = [values().min()?, values().max()?].map(|value| mean(value, 0));
        Some(low_to_high(low, high))
    }
}
