//! The report of a run, or of several that were measured in different environments. One run is
//! reported as such; several have a part each, below the common verdict.

use std::io::{self, Write};

use crate::evaluation::{Evaluation, Outcome, Tally};
use crate::figure::counted;
use crate::report::document::{Block, Inline, Style, styled, text, words};
use crate::report::view::{Detail, View};
use crate::report::{check, json, last_line, verdict_line, write};

/// The last line of a run, with the verdict over all environments.
#[must_use]
pub fn verdict_of_all(evaluations: &[Evaluation]) -> String {
    let environments = match evaluations {
        [one] => return verdict_line(one),
        several => counted(several.len(), "environment"),
    };
    let left_out = evaluations.iter().map(|one| one.left_out).sum();
    let benches = evaluations.iter().map(|one| one.benches_left_out).max();
    let left_out = [left_out, benches.unwrap_or_default()];
    let tally = Tally::of_all(evaluations);
    let place = format!(" in {environments}");
    last_line(Outcome::of_all(evaluations), &tally, left_out, &place)
}

/// Writes the report for a terminal or a log.
///
/// # Errors
///
/// When `out` can't be written.
pub fn terminal(evaluations: &[Evaluation], view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut blocks = Vec::new();
    for (number, evaluation) in evaluations.iter().enumerate() {
        if evaluations.len() > 1 && is_shown(evaluation, view) {
            blocks.extend((number > 0).then_some(Block::Space));
            let verdict = verdict_line(evaluation);
            let verdict = verdict.strip_prefix("alloc-gate: ").unwrap_or(&verdict);
            let title = words!("on {}: {}", environment_of(evaluation), verdict.to_owned());
            let title = styled(Style::Strong, title);
            blocks.extend([Block::Line(title.into()), Block::Space]);
        }
        blocks.extend(check::log(evaluation, view));
    }
    write::terminal(&blocks, out)
}

fn is_shown(evaluation: &Evaluation, view: View<'_>) -> bool {
    view.detail != Detail::Quiet || evaluation.outcome() == Outcome::Failed
}

/// Writes the report as markdown, for a step summary or a comment.
///
/// # Errors
///
/// When `out` can't be written.
pub fn markdown(evaluations: &[Evaluation], out: &mut dyn Write) -> io::Result<()> {
    if let [evaluation] = evaluations {
        return check::markdown(evaluation, out);
    }
    let verdict = verdict_of_all(evaluations).into();
    let mut blocks = vec![
        Block::Heading(1, words!("Allocation gates")),
        Block::Line(verdict),
    ];
    let runs = evaluations.iter();
    blocks.extend(runs.flat_map(|one| check::titled(environment_of(one).into(), one)));
    write::markdown(&blocks, out)
}

/// Writes the report as one JSON object.
///
/// # Errors
///
/// When `out` can't be written.
pub fn json(evaluations: &[Evaluation], out: &mut dyn Write) -> io::Result<()> {
    match evaluations {
        [evaluation] => json::write(evaluation, out),
        several => json::reports(several, verdict_of_all(several)).write(out),
    }
}

/// The environment in which a run measured, by its first bench.
fn environment_of(evaluation: &Evaluation) -> Inline {
    let origin = evaluation.origins.first();
    text(origin.map_or_else(
        || String::from("an unknown environment"),
        |origin| origin.environment.to_string(),
    ))
}
