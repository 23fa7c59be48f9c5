//! The figures of gates as the baseline's commits have them, and as they were measured, for a
//! browser.

use std::collections::BTreeSet;

use alloc_results::Ratio;

use crate::evaluation::{Evaluation, Subjects};
use crate::figure::{Measure, Statistic, counted, float};
use crate::history::Revision;
use crate::report::document::{Block, Document, Line, Svg, name, words};
use crate::report::export::trend::trend;
use crate::report::words::{figure_of, short};
use crate::requirement::figure_words;

/// A figure that a gate judges: the number of its scenario, the metric and the statistic.
pub(in crate::report) type GatedFigure = (usize, Measure, Statistic);

/// The figures over the commits of the baseline.
#[derive(Clone, Copy)]
pub(super) struct Trends<'t> {
    pub(super) evaluation: &'t Evaluation,
    /// The oldest first.
    pub(super) past: &'t [Revision],
}

/// An accepted figure, and since when.
type Step<'t> = (&'t Revision, Option<Ratio>);

impl<'t> Trends<'t> {
    /// Since when a figure was accepted, and its picture, within so many bytes.
    pub(super) fn of(self, figure: &GatedFigure, room: &mut usize) -> Document {
        let steps = self.steps(figure);
        let Some(&(since, Some(accepted))) = steps.last() else {
            return Vec::new();
        };
        let (scenario, metric, statistic) = figure;
        let Some(measured) = self.evaluation.scenarios.get(*scenario) else {
            return Vec::new();
        };
        let now = metric.figure(*statistic, &measured.record);
        let now = now.filter(|now| *now != accepted);
        let shown = |value| figure_of(metric, *statistic, value);
        let title = figure_words(metric, *statistic);
        let since: Line = match &since.commit {
            Some(_) if since.is_boundary => words!(" since {} or longer", &since.date),
            Some(commit) => words!(
                " since {} in {}: {}",
                &since.date,
                short(commit),
                &since.subject
            ),
            None => ", not committed".into(),
        };
        let measured_now = now.map(|now| words!("; now {}", shown(now)));
        let line = words!(
            "{} of {}: accepted as {}{}{}",
            &title,
            name(measured.label()),
            shown(accepted),
            since,
            measured_now
        );
        let figures = steps.iter().map(|(_, figure)| *figure);
        let figures = figures.chain(now.map(Some));
        let figures: Vec<Option<f64>> = figures.map(|one| one.map(float)).collect();
        let picture = (figures.len() > 1).then(|| trend(&title, &figures));
        let picture = picture.filter(|picture| take(room, picture));
        let mut blocks = vec![Block::Line(line)];
        blocks.extend(picture.map(Block::Picture));
        blocks
    }

    /// The figures of all gates that ever changed, folded.
    pub(super) fn all(self, room: &mut usize) -> Option<Block> {
        let (oldest, newest) = (self.past.first()?, self.past.last()?);
        let (mut blocks, mut unchanged, mut left_out) = (Vec::new(), 0, 0);
        let mut changed = 0;
        for figure in gated(self.evaluation) {
            match self.steps(&figure).len() {
                0 => {}
                1 => unchanged += 1,
                _ if *room == 0 => left_out += 1,
                _ => {
                    changed += 1;
                    blocks.extend(self.of(&figure, room));
                }
            }
        }
        if changed + unchanged == 0 {
            return None;
        }
        let until = if newest.commit.is_some() {
            &newest.date
        } else {
            "now"
        };
        if unchanged > 0 {
            let figures = counted(unchanged, "figure");
            blocks.push(words!("{} of gates never changed.", figures).into());
        }
        if left_out > 0 {
            let line = words!(
                "The page has no room for {}; `cargo alloc-gate history` shows them.",
                counted(left_out, "more figure")
            );
            blocks.push(line.into());
        }
        Some(Block::Fold {
            title: words!("Accepted figures from {} to {}", &oldest.date, until),
            is_open: false,
            blocks,
        })
    }

    /// The revisions that changed a figure, from the first that has it.
    fn steps(self, (scenario, metric, statistic): &GatedFigure) -> Vec<Step<'t>> {
        let Some(measured) = self.evaluation.scenarios.get(*scenario) else {
            return Vec::new();
        };
        let of = |revision: &Revision| {
            let accepted = revision.baseline.accepted_in(&measured.environment)?;
            let row = accepted.scenarios.get(&measured.id())?;
            row.figure_of(metric, *statistic)
        };
        let steps = self.past.iter().map(|revision| (revision, of(revision)));
        let mut steps: Vec<Step<'_>> = steps.skip_while(|(_, one)| one.is_none()).collect();
        steps.dedup_by_key(|(_, figure)| *figure);
        steps
    }
}

/// The figures that gates judge.
fn gated(evaluation: &Evaluation) -> BTreeSet<GatedFigure> {
    let subjects = Subjects::new(evaluation);
    let judgements = evaluation.gates.iter().flat_map(|gate| &gate.judgements);
    let figures = judgements.flat_map(|judgement| {
        let numbers = subjects.of(judgement).into_iter();
        numbers.map(|number| (number, judgement.metric.clone(), judgement.statistic))
    });
    figures.collect()
}

/// Whether there is room for the picture. Without, there is none for others either.
fn take(room: &mut usize, picture: &Svg) -> bool {
    let size = picture.text().len();
    let has_room = size <= *room;
    *room = if has_room { *room - size } else { 0 };
    has_room
}
