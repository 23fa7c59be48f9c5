//! Reports of an [`Evaluation`]: a log shows what matters now, a page has everything.

use crate::diagnostic::Level;
use crate::evaluation::{Evaluation, Outcome, Subjects};
use crate::figure::counted;
use crate::report::check::benches::benches;
use crate::report::check::conclusion::{help, reasons, summary_line};
use crate::report::check::failure::failure_texts;
use crate::report::check::failures::{FailureGroup, groups};
use crate::report::check::problems::problems;
use crate::report::document::{Block, Column, Columns, Document, Line, Style, styled, words};
use crate::report::table::{MARK, has_marks, headers, metrics_of, row};
use crate::report::view::{Detail, View};
use crate::report::words::environment;
use crate::report::{table, verdict_line, verdict_of_all};
use crate::results::MeasuredScenario;

pub(super) mod benches;
pub(super) mod browser;
mod conclusion;
pub(super) mod failure;
pub(super) mod failures;
pub(super) mod problems;
mod summary;

/// The groups of failures of a level in a log, unless all are asked for, and those that a page
/// does not fold: the worst ones.
const MOST_GROUPS: usize = 20;

/// The logs of several environments, each below its name and its verdict. One has neither.
pub(super) fn logs(evaluations: &[Evaluation], view: View<'_>) -> Document {
    let mut blocks = Vec::new();
    for (number, evaluation) in evaluations.iter().enumerate() {
        let is_shown = view.detail != Detail::Quiet || evaluation.outcome() == Outcome::Failed;
        if evaluations.len() > 1 && is_shown {
            blocks.extend((number > 0).then_some(Block::Space));
            let verdict = verdict_line(evaluation);
            let verdict = verdict.strip_prefix("alloc-gate: ").unwrap_or(&verdict);
            let title = words!("on {}: {}", environment_of(evaluation), verdict);
            let title = styled(Style::Strong, title);
            blocks.extend([Block::Line(title.into()), Block::Space]);
        }
        blocks.extend(log(evaluation, view));
    }
    blocks
}

/// The page of several environments, with a part for each below the verdict on all.
pub(super) fn pages(evaluations: &[Evaluation]) -> Document {
    if let [evaluation] = evaluations {
        return page(evaluation);
    }
    let mut blocks = vec![
        Block::Heading(1, words!("Allocation gates")),
        Block::Line(verdict_of_all(evaluations).into()),
    ];
    let runs = evaluations.iter();
    blocks.extend(runs.flat_map(|one| titled(environment_of(one).into(), one)));
    blocks
}

/// The environment in which a run measured, by its first bench.
fn environment_of(evaluation: &Evaluation) -> String {
    let origin = evaluation.origins.first();
    origin.map_or_else(
        || String::from("an unknown environment"),
        |origin| origin.environment.to_string(),
    )
}

pub(super) fn log(evaluation: &Evaluation, view: View<'_>) -> Document {
    let subjects = Subjects::new(evaluation);
    let mut blocks = Vec::new();
    if view.detail != Detail::Quiet {
        blocks.extend(figures(evaluation, view));
        blocks.extend(environment(&evaluation.origins));
        // The reader has to see why nothing was checked.
        let is_unjudged = evaluation.outcome() == Outcome::NothingJudged;
        if view.detail == Detail::Verbose || is_unjudged {
            blocks.extend(summary::gates_log(evaluation))
        } else {
            blocks.extend(labelled("note", summary::notes(evaluation)))
        }
    }
    blocks.extend(failed(evaluation, &subjects, view));
    blocks
}

/// Lines behind this word.
fn labelled(word: &'static str, lines: Vec<Line>) -> impl Iterator<Item = Block> {
    let lines = lines.into_iter();
    lines.map(move |line| Block::Line(words!("{}: {}", word, line)))
}

/// A line for each bench, with the table of its figures below.
fn figures(evaluation: &Evaluation, view: View<'_>) -> Document {
    let benches = benches(evaluation, view);
    if benches.is_empty() {
        return vec![words!("no scenario was measured").into()];
    }
    let has_marks = || benches.iter().flat_map(|bench| &bench.rows);
    let has_marks = has_marks().any(|row| row.is_marked);
    let rows = benches.into_iter().map(|bench| {
        let word = match bench.holds {
            Some(true) => styled(Style::Good, "ok").into(),
            Some(false) => styled(Style::Bad, "FAILED").into(),
            None => Line::default(),
        };
        let [name, scenarios, gates] = bench.names;
        let cells = vec![name, scenarios, gates, word];
        let rows = bench.rows.into_iter().map(|row| row.cells);
        (cells, vec![table::figures(bench.headers, rows)])
    });
    let columns = Block::Columns(Columns {
        columns: vec![Column::new("  "); 4],
        rows: rows.collect(),
    });
    let mark = has_marks.then(|| Block::Line(MARK.into()));
    [columns].into_iter().chain(mark).collect()
}

/// The failures and warnings, the worst first, with the advice at the end.
fn failed(evaluation: &Evaluation, subjects: &Subjects<'_>, view: View<'_>) -> Document {
    let lists_all = view.detail == Detail::Verbose;
    let failures = failure_texts(evaluation, subjects, lists_all);
    let groups = groups(evaluation, failures, lists_all);
    let problems = problems(evaluation, lists_all);
    let levels = match view.detail {
        Detail::Quiet => &[Level::Deny][..],
        Detail::Normal | Detail::Verbose => &[Level::Deny, Level::Warn],
    };
    let mut blocks = Vec::new();
    for level in levels {
        let groups = groups.iter().filter(|group| group.level() == *level);
        let groups: Vec<&FailureGroup> = groups.collect();
        let most = if lists_all { usize::MAX } else { MOST_GROUPS };
        let (shown, rest) = groups.split_at(most.min(groups.len()));
        let shown = shown.iter();
        blocks.extend(shown.flat_map(|group| failures::log(group, lists_all)));
        if !rest.is_empty() {
            let left_out = rest.iter().flat_map(|group| &group.failures);
            let left_out = counted(failures::count(left_out), "more scenario");
            blocks.push(words!("and {}; `-v` shows all", left_out).into());
        }
        let problems = problems.iter().filter(|cause| cause.label.level == *level);
        blocks.extend(problems.cloned().map(Block::Problem));
    }
    if blocks.is_empty() {
        return blocks;
    }
    if view.detail != Detail::Quiet {
        blocks.insert(0, Block::Space);
    }
    blocks.extend(summary_line(evaluation).map(Block::Line));
    blocks.extend(labelled("note", reasons(evaluation)));
    blocks.extend(labelled("help", help(evaluation, subjects, view)));
    blocks
}

pub(super) fn page(evaluation: &Evaluation) -> Document {
    titled(words!("Allocation gates"), evaluation)
}

fn verdict_words(outcome: Outcome, verdict: String) -> Line {
    let style = match outcome {
        Outcome::Held => Style::Good,
        Outcome::Failed | Outcome::NothingJudged => Style::Bad,
    };
    styled(style, verdict).into()
}

/// The page below this title: what fails first, and all figures folded.
fn titled(title: Line, evaluation: &Evaluation) -> Document {
    let verdict = verdict_words(evaluation.outcome(), verdict_line(evaluation));
    let mut blocks = vec![Block::Heading(2, title), Block::Line(verdict)];
    let subjects = Subjects::new(evaluation);
    blocks.extend(summary_line(evaluation).map(Block::Line));
    let failures = failure_texts(evaluation, &subjects, true);
    let groups = groups(evaluation, failures, false);
    let (shown, folded) = groups.split_at(MOST_GROUPS.min(groups.len()));
    blocks.extend(failures::page(shown, false));
    blocks.extend(others(folded));
    let problems = problems(evaluation, true);
    blocks.extend(problems.into_iter().map(Block::Problem));
    blocks.extend(labelled("note", reasons(evaluation)));
    blocks.extend(labelled("note", summary::notes(evaluation)));
    blocks.extend(labelled(
        "help",
        help(evaluation, &subjects, View::default()),
    ));
    blocks.push(all_figures(evaluation));
    blocks
}

fn all_figures(evaluation: &Evaluation) -> Block {
    let scenarios = counted(evaluation.scenarios.len(), "scenario");
    let mut blocks = measured(&evaluation.scenarios);
    blocks.extend(environment(&evaluation.origins));
    blocks.extend(summary::gates_page(&evaluation.gates));
    Block::Fold {
        title: words!("All figures ({})", scenarios),
        // Without gates, the figures are what was asked for.
        is_open: evaluation.gates.is_empty(),
        blocks,
    }
}

/// The table of measured figures.
fn measured(scenarios: &[MeasuredScenario]) -> Document {
    if scenarios.is_empty() {
        return vec![words!("No scenario was measured.").into()];
    }
    let metrics = metrics_of(scenarios.iter().map(|measured| &measured.record));
    let rows = scenarios.iter().map(|measured| row(measured, metrics));
    let table = table::figures(headers(metrics), rows);
    let mark = has_marks(scenarios).then(|| Block::Line(MARK.into()));
    [table].into_iter().chain(mark).collect()
}

/// The failures that a page folds, if there are some.
fn others(folded: &[FailureGroup]) -> Option<Block> {
    let more = failures::count(folded.iter().flat_map(|group| &group.failures));
    (more > 0).then(|| Block::Fold {
        title: words!("and {}", counted(more, "more scenario")),
        is_open: false,
        blocks: failures::page(folded, false),
    })
}
