//! [`Field`]: the figures of all subjects that one answer compares, and who is best.

use crate::facts::Facts;
use crate::figure::{self, Better, Unit};
use crate::query::SUBJECTS;
use crate::results::{Cell, Results};
use crate::summary::{self, BASELINE, Column, Score, Summary, geometric_mean, is_within};

/// The figure of a subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    pub(super) subject: String,
    pub(super) value: f64,
    /// The least and the greatest figure that a mean is of, if there are several.
    pub(super) range: Option<(f64, f64)>,
}

/// A figure of each subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    figures: Vec<Figure>,
    failed: Vec<String>,
    /// The factor by which both measurements of the baseline differ, and two times at least.
    noise: f64,
    pub(super) unit: Unit,
    better: Better,
}

/// By how much two times have to differ at least to tell a program which allocator is better: two
/// loops that ask the same question differ by as much.
const TOLERANCE: f64 = 1.2;

/// The subjects of a field that are asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Best {
    /// At least one, the best first.
    pub(super) figures: Vec<Figure>,
    /// The factor up to which two are the same.
    pub(super) noise: f64,
    /// Those whose requests failed.
    pub(super) failed: Vec<String>,
}

impl Best {
    /// All that differ from the best by no more than the noise.
    pub(super) fn winners(&self) -> impl Iterator<Item = &Figure> {
        let best = self.figures[0].value;
        let figures = self.figures.iter();
        figures.filter(move |figure| is_within(figure.value / best, self.noise))
    }
}

impl Field {
    /// The times in some columns, as ratios to the baseline: of subjects with all of their
    /// cells.
    pub(super) fn times(summary: &Summary, is_asked: impl Fn(&Column) -> bool) -> Self {
        let columns: Vec<&Column> = summary.columns.iter().filter(|one| is_asked(one)).collect();
        let noises = columns.iter();
        let noises = noises.filter_map(|&column| Some((column, column.noise?)));
        let noise = summary::mean(&noises.collect::<Vec<_>>());
        let mut field = Self::new(noise, Unit::Ratio, Better::Less);
        for subject in &summary.subjects {
            let scores = columns.iter().map(|column| summary.score(column, subject));
            let scores: Vec<Score> = scores.collect();
            if scores.contains(&Score::Failed) {
                field.failed.push(subject.clone());
                continue;
            }
            let whole = columns.iter().zip(&scores).filter_map(|(column, score)| {
                let is_partial = matches!(score, Score::Ratio { is_partial, .. } if *is_partial);
                Some((*column, score.ratio()?)).filter(|_| !is_partial)
            });
            let whole: Vec<(&Column, f64)> = whole.collect();
            let value = summary::mean(&whole).filter(|_| whole.len() == columns.len());
            field.figures.extend(value.map(|value| {
                let ratios = || whole.iter().map(|(_, ratio)| *ratio);
                let range = (
                    ratios().fold(value, f64::min),
                    ratios().fold(value, f64::max),
                );
                Figure {
                    subject: subject.clone(),
                    value,
                    range: (whole.len() > 1).then_some(range),
                }
            }));
        }
        field
    }

    fn new(noise: Option<f64>, unit: Unit, better: Better) -> Self {
        let is_time = matches!(unit, Unit::Ratio | Unit::Time);
        let least = if is_time { TOLERANCE } else { 1.0 };
        Self {
            figures: Vec::new(),
            failed: Vec::new(),
            noise: noise.unwrap_or(1.0).max(least),
            unit,
            better,
        }
    }

    /// The geometric mean of a figure over some cells: of subjects with as many of them as the
    /// subject with most. Less than 1 counts as 1, since a mean needs figures above zero.
    pub(super) fn figures(results: &Results, of: &str, figure: figure::Figure<'_>) -> Self {
        let cells = |subject: &str| {
            let cells = results.cells.iter().filter(|cell| cell.is_of(of));
            let own = cells.filter(|cell| cell.subject() == Some(subject));
            own.collect::<Vec<&Cell>>()
        };
        let value = |cell: &Cell| Some(figure.headline(cell)?.max(1.0));
        let noises = cells(BASELINE).into_iter();
        let noises = noises.filter_map(|cell| results.noise_factor_of(cell, value));
        let noise = geometric_mean(&noises.collect::<Vec<_>>());
        let mut field = Self::new(noise, figure.unit, figure.better);
        let mut counts = Vec::new();
        for subject in results.subjects() {
            if SUBJECTS.is_control(subject) {
                continue;
            }
            let cells = cells(subject);
            if cells.iter().any(|cell| cell.failure.is_some()) {
                field.failed.push(subject.to_owned());
                continue;
            }
            let figures: Vec<f64> = cells.into_iter().filter_map(value).collect();
            if let Some(value) = geometric_mean(&figures) {
                field.figures.push(Figure {
                    subject: subject.to_owned(),
                    value,
                    range: None,
                });
                counts.push(figures.len());
            }
        }
        let most = counts.iter().copied().max().unwrap_or_default();
        let mut counts = counts.into_iter();
        field.figures.retain(|_| counts.next() == Some(most));
        field
    }

    /// The same of the subjects that all of these have.
    pub(super) fn of_those_in(mut self, others: &[&Self]) -> Self {
        let has_all = |subject: &str| others.iter().all(|one| one.figure(subject).is_some());
        self.figures.retain(|figure| has_all(&figure.subject));
        self
    }

    /// The figure of a subject.
    pub(super) fn figure(&self, subject: &str) -> Option<f64> {
        let mut figures = self.figures.iter();
        let found = figures.find(|figure| figure.subject == subject);
        found.map(|figure| figure.value)
    }

    /// The subjects that are asked; `None` if there is none with a figure. There are no facts about
    /// an allocator of another crate.
    pub(super) fn best(&self, is_asked: impl Fn(Option<&Facts>) -> bool) -> Option<Best> {
        let asked = |subject: &str| is_asked(Facts::find(subject));
        let figures = self.figures.iter().filter(|one| asked(&one.subject));
        let mut figures: Vec<Figure> = figures.cloned().collect();
        figures.sort_by(|one, other| match self.better {
            Better::More => other.value.total_cmp(&one.value),
            Better::Less | Better::Neither => one.value.total_cmp(&other.value),
        });
        let failed = self.failed.iter().filter(|subject| asked(subject));
        (!figures.is_empty()).then(|| Best {
            figures,
            noise: self.noise,
            failed: failed.cloned().collect(),
        })
    }
}
