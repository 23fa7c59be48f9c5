//! The figures of gates as the baseline's commits have them, and as they were measured, for a
//! browser.

use std::collections::BTreeSet;

use alloc_results::Ratio;
use indexmap::{IndexMap, IndexSet};

use crate::evaluation::{Evaluation, Subjects};
use crate::figure::{Measure, Statistic, counted, float};
use crate::history::Revision;
use crate::report::change::plain_figure;
use crate::report::document::{Block, Document, Line, Style, Svg, name, styled, words};
use crate::report::export::trend::trend;
use crate::report::words::short;
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
    /// Since when figures of a scenario are accepted, and their pictures, in so many bytes. The
    /// last step of a picture is the measured figure where it differs.
    pub(super) fn of<'f>(
        self,
        figures: impl IntoIterator<Item = &'f GatedFigure>,
        room: &mut usize,
    ) -> Document {
        let (mut lines, mut pictures) = (IndexSet::new(), Vec::new());
        for figure in figures {
            let steps = self.steps(figure);
            let Some(&(since, Some(accepted))) = steps.last() else {
                continue;
            };
            lines.insert(since_words(since));
            let (scenario, metric, statistic) = figure;
            let record = &self.evaluation.scenarios[*scenario].record;
            let now = metric.figure(*statistic, record);
            let now = now.filter(|now| *now != accepted);
            let shown = [Some(accepted), now].into_iter().flatten();
            let shown: Vec<String> = shown.map(|one| plain_figure(metric.unit(), one)).collect();
            let title = figure_words(metric, *statistic);
            let title = format!("{title}: {}", shown.join(" -> "));
            let heights = steps.iter().map(|(_, figure)| *figure);
            let heights = heights.chain(now.map(Some));
            let heights: Vec<Option<f64>> = heights.map(|one| one.map(float)).collect();
            let picture = (heights.len() > 1).then(|| trend(&title, &heights));
            pictures.extend(picture.filter(|picture| take(room, picture)));
        }
        let lines = lines.into_iter().map(Block::Line);
        lines
            .chain(pictures.into_iter().map(Block::Picture))
            .collect()
    }

    /// The figures of all gates that ever changed, folded.
    pub(super) fn all(self, room: &mut usize) -> Option<Block> {
        let (oldest, newest) = (self.past.first()?, self.past.last()?);
        let mut changed: IndexMap<usize, Vec<GatedFigure>> = IndexMap::new();
        let mut unchanged = 0;
        for figure in gated(self.evaluation) {
            match self.steps(&figure).len() {
                0 => {}
                1 => unchanged += 1,
                _ => changed.entry(figure.0).or_default().push(figure),
            }
        }
        if changed.is_empty() && unchanged == 0 {
            return None;
        }
        let (mut blocks, mut left_out) = (Vec::new(), 0);
        for (scenario, figures) in &changed {
            if *room == 0 {
                left_out += 1;
                continue;
            }
            let label = self.evaluation.scenarios[*scenario].label();
            blocks.push(Block::Line(styled(Style::Strong, name(label)).into()));
            blocks.extend(self.of(figures, room));
        }
        if unchanged > 0 {
            let figures = counted(unchanged, "figure");
            blocks.push(words!("{} of gates never changed.", figures).into());
        }
        if left_out > 0 {
            let line = words!(
                "The page has no room for {}; `cargo alloc-gate history` shows them.",
                counted(left_out, "more scenario")
            );
            blocks.push(line.into());
        }
        let until = match newest.commit {
            Some(_) => &newest.date,
            None => "now",
        };
        Some(Block::Fold {
            title: words!("Accepted figures from {} to {}", &oldest.date, until),
            is_open: false,
            blocks,
        })
    }

    /// The revisions that changed a figure, from the first that has it.
    fn steps(self, (scenario, metric, statistic): &GatedFigure) -> Vec<Step<'t>> {
        let measured = &self.evaluation.scenarios[*scenario];
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

/// ``accepted since 2026-11-21 in 4f8762a1c0: Reuse the buffer``
fn since_words(since: &Revision) -> Line {
    let Revision { date, subject, .. } = since;
    match &since.commit {
        None => "the accepted figure is not committed".into(),
        Some(_) if since.is_boundary => words!("accepted since {} or longer", date),
        Some(commit) => words!("accepted since {} in {}: {}", date, short(commit), subject),
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
