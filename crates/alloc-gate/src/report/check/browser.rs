//! The page of a check for a browser: the verdict, each failure with its lines and its
//! rules, and all figures below.

use indexmap::IndexSet;

use crate::evaluation::{Evaluation, Outcome, Subjects};
use crate::figure::{Measure, Statistic, counted};
use crate::report::check::benches::{header, row};
use crate::report::check::conclusion::{help, summary_line};
use crate::report::check::failure::failure_texts;
use crate::report::check::failures::{FailureGroup, groups};
use crate::report::check::problems::problems;
use crate::report::check::{
    MOST_GROUPS, environment_of, failures, labelled, others, summary, verdict_words,
};
use crate::report::document::{Block, Document, Line, Style, left, right, styled, words};
use crate::report::table::{MARK, has_marks, metrics_of};
use crate::report::view::{TableRows, View};
use crate::report::words::environment;
use crate::report::{verdict_line, verdict_of_all};

/// The page, with a part for each environment below the verdict on all.
pub(in crate::report) fn pages(evaluations: &[Evaluation], view: View<'_>) -> Document {
    let mut blocks = Vec::new();
    if evaluations.len() != 1 {
        let verdict = verdict_of_all(evaluations);
        blocks.push(Block::Heading(
            1,
            verdict_words(Outcome::of_all(evaluations), verdict),
        ));
    }
    for evaluation in evaluations {
        let verdict = verdict_words(evaluation.outcome(), verdict_line(evaluation));
        blocks.push(match evaluations {
            [_] => Block::Heading(1, verdict),
            _ => Block::Heading(2, words!("on {}: {}", environment_of(evaluation), verdict)),
        });
        blocks.extend(page(evaluation, view));
    }
    blocks
}

/// The page below its verdict.
fn page(evaluation: &Evaluation, view: View<'_>) -> Document {
    let subjects = Subjects::new(evaluation);
    let mut blocks: Document = Vec::new();
    blocks.extend(summary_line(evaluation).map(Block::Line));
    blocks.extend(environment(&evaluation.origins));
    blocks.extend(labelled(
        "help",
        help(
            evaluation,
            &subjects,
            View {
                base: view.base,
                ..View::default()
            },
        ),
    ));
    let texts = failure_texts(evaluation, &subjects, true);
    let groups = groups(evaluation, texts, false);
    let (shown, folded) = groups.split_at(MOST_GROUPS.min(groups.len()));
    blocks.extend(shown.iter().flat_map(failure));
    blocks.extend(others(folded));
    let problems = problems(evaluation, true);
    if !problems.is_empty() {
        blocks.push(Block::Heading(3, words!("Problems")));
    }
    blocks.extend(problems.into_iter().map(Block::Problem));
    blocks.extend(labelled("note", summary::notes(evaluation)));
    blocks.extend(scenarios(evaluation));
    if !evaluation.gates.is_empty() {
        blocks.push(Block::Heading(3, words!("Gates")));
        blocks.extend(summary::gates_page(&evaluation.gates));
    }
    blocks
}

/// A failure, or several of one cause.
fn failure(group: &FailureGroup) -> Document {
    let word = styled(group.level().into(), group.failures[0].word);
    let title = match &group.failures[..] {
        [only] => words!("{} {} {}", word, &only.title, only.location.clone()),
        several => words!("{} {}", word, counted(several.len(), "scenario")),
    };
    let mut blocks = vec![Block::Heading(3, title)];
    blocks.extend(failures::page(std::slice::from_ref(group), true));
    let rules: IndexSet<&Line> = group.failures.iter().flat_map(|one| &one.rules).collect();
    blocks.extend(rules.into_iter().cloned().map(Block::Line));
    blocks
}

/// The table of all scenarios.
fn scenarios(evaluation: &Evaluation) -> Document {
    if evaluation.scenarios.is_empty() {
        return vec![words!("No scenario was measured.").into()];
    }
    let records = evaluation.scenarios.iter().map(|one| &one.record);
    let columns: Vec<(Measure, Statistic)> = metrics_of(records)
        .iter()
        .map(|&metric| (Measure::Counted(metric), Statistic::Mean))
        .collect();
    let rows = evaluation
        .scenarios
        .iter()
        .enumerate()
        .map(|(number, one)| {
            let row = row(evaluation, number, &columns, &evaluation.failed);
            let mut cells = row.cells.into_iter();
            let label = words!("{}{}", one.label(), cells.next());
            let state = match row.state {
                TableRows::Failed => styled(Style::Bad, "FAIL").into(),
                TableRows::Changed => Line::from("changed"),
                TableRows::All | TableRows::None => Line::default(),
            };
            [label, state]
                .into_iter()
                .chain(cells.map(Line::from))
                .collect()
        });
    let titles = columns.iter().map(|column| right(header(column)));
    let titles = [left("scenario"), left("state"), right("iters")]
        .into_iter()
        .chain(titles);
    let all = counted(evaluation.scenarios.len(), "scenario");
    let mark = has_marks(&evaluation.scenarios).then(|| Block::Line(MARK.into()));
    [
        Block::Heading(3, words!("All figures ({})", all)),
        Block::table(titles, rows),
    ]
    .into_iter()
    .chain(mark)
    .collect()
}
