//! The results in short: how long each subject takes in each workload, compared with `system`.
//!
//! A workload is the first part of a scenario's name. It has one column for its cells with one
//! thread, and one for its cells with several. A value of a column is the geometric mean of the
//! ratios of its cells: the net time of the subject over the net time of `system`. A cell whose loop
//! has no floor is compared without one. What differs by less than both measurements of the
//! baseline is noise.

use crate::facts::FACTS;
use crate::query::{BASELINE, distinct, is_arena, is_control};
use crate::results::{Cell, Results};

/// The smallest ratio: below it a net time is mostly the error of its floor.
pub const SMALLEST: f64 = 0.01;

/// The largest [`arena_factor`] of threads that had cores of their own. With a larger one, what
/// threads share can't be told from what the machine did: it is noise.
pub const MOST_OF_AN_ARENA: f64 = 1.2;

/// Workloads of one kind: together they count once in a mean.
const KINDS: [&[&str]; 3] = [
    // One block at a time.
    &["pair", "fragmentation", "concurrent"],
    // Many blocks, which are given back together.
    &["batch", "frame", "phases", "burst"],
    // Blocks that are replaced at random.
    &["server", "stress"],
];

/// How many times `replay` counts in a mean, whose traces are of real programs.
const REPLAY: f64 = 3.0;

/// The scenarios of whole programs.
const PROGRAMS: &str = "programs";

/// What a subject has in one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// The geometric mean of the ratios, and whether cells that the baseline has are missing.
    Ratio {
        ratio: f64,
        is_partial: bool,
    },
    /// Requests failed, or a scenario did.
    Failed,
    NotMeasured,
}

impl Score {
    /// The ratio, if there is one.
    pub fn ratio(self) -> Option<f64> {
        match self {
            Self::Ratio { ratio, .. } => Some(ratio),
            Self::Failed | Self::NotMeasured => None,
        }
    }
}

/// A workload, with one thread or with several.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub workload: String,
    /// Whether several threads run it.
    pub has_threads: bool,
    /// The factor by which both measurements of the baseline differ: the geometric mean over
    /// the cells, but no less than the median of all such columns. Without a second
    /// measurement there is none.
    pub noise: Option<f64>,
    pub scores: Vec<Score>,
}

impl Column {
    pub fn heading(&self) -> String {
        let Self { workload, .. } = self;
        match self.has_threads {
            true => format!("{workload}, threads"),
            false => workload.clone(),
        }
    }

    /// Whether it is of whole programs, which no mean of workloads has a part of.
    pub fn is_of_programs(&self) -> bool {
        self.workload == PROGRAMS
    }

    /// The first workload of its kind.
    fn kind(&self) -> &str {
        let workload = self.workload.as_str();
        let kinds = KINDS.iter().find(|kind| kind.contains(&workload));
        kinds.map_or(workload, |kind| kind[0])
    }

    /// Whether a ratio is no more than both measurements of the baseline differ.
    pub fn is_noise(&self, ratio: f64) -> bool {
        self.noise.is_some_and(|noise| is_within(ratio, noise))
    }
}

/// Whether two values with this ratio differ by no more than a factor.
pub fn is_within(ratio: f64, factor: f64) -> bool {
    let difference = ratio.max(ratio.recip());
    difference <= factor * (1.0 + 1e-9)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The subjects without the controls, in the order of the facts, others behind them.
    pub subjects: Vec<String>,
    /// The columns, in the order of the results.
    pub columns: Vec<Column>,
}

impl Summary {
    /// From results, with the workloads that are timed.
    pub fn new(results: &Results) -> Self {
        let subjects = subjects(results);
        let timed = results.cells.iter().filter(|cell| is_timed(cell));
        let keys = distinct(timed.filter(|cell| cell.subject().is_some()).map(key_of));
        let columns = keys.into_iter();
        let columns = columns.filter_map(|key| column(results, key, &subjects));
        let mut columns: Vec<Column> = columns.collect();
        let disturbance = arena_factor(results).filter(|factor| *factor > MOST_OF_AN_ARENA);
        for has_threads in [false, true] {
            let is_alike = |column: &&mut Column| column.has_threads == has_threads;
            let alike = columns.iter_mut().filter(is_alike);
            let mut noises: Vec<f64> = alike.filter_map(|column| column.noise).collect();
            noises.sort_by(f64::total_cmp);
            // Two measurements can agree by chance: the noise is no less than the median.
            let median = noises.get(noises.len().saturating_sub(1) / 2);
            let least = median.copied().unwrap_or(1.0);
            let least = disturbance
                .filter(|_| has_threads)
                .map_or(least, |factor| least.max(factor));
            for column in columns.iter_mut().filter(is_alike) {
                column.noise = column.noise.map(|noise| noise.max(least));
            }
        }
        Self { subjects, columns }
    }

    pub fn score(&self, column: &Column, subject: &str) -> Score {
        let nth = self.subjects.iter().position(|one| one == subject);
        nth.map_or(Score::NotMeasured, |nth| column.scores[nth])
    }
}

/// The geometric mean of a value of each column, by weight: each kind of workload counts once,
/// so that ten workloads that take one block at a time decide no more than one, and real
/// programs count three times. `None` of nothing.
pub fn mean(values: &[(&Column, f64)]) -> Option<f64> {
    let weight = |column: &Column| {
        let columns = values.iter().map(|(column, _)| column);
        let alike = columns.filter(|other| other.kind() == column.kind());
        let of_kind = match column.workload.as_str() {
            "replay" => REPLAY,
            _ => 1.0,
        };
        of_kind / alike.count() as f64
    };
    let weights: f64 = values.iter().map(|(column, _)| weight(column)).sum();
    let logarithms = values.iter();
    let sum = logarithms.map(|(column, value)| weight(column) * value.ln());
    (!values.is_empty()).then(|| (sum.sum::<f64>() / weights).exp())
}

/// The geometric mean; `None` of nothing.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

/// The headline time of a call in nanoseconds: of the pairs alone if the workload times them apart,
/// of a program, and else of the windows.
fn headline(cell: &Cell) -> Option<f64> {
    let mut names = ["pairs-time", "program-time"].into_iter();
    let apart = names.find_map(|name| cell.fastest(name));
    apart.or_else(|| cell.headline())
}

/// Whether a cell has a time that tells allocators apart: `alignment` mostly looks at addresses.
fn is_timed(cell: &Cell) -> bool {
    headline(cell).is_some() && cell.workload() != "alignment"
}

/// The ratio of a cell's time to the baseline's, from [`SMALLEST`]. A geometric mean needs a
/// value for a time that is not above its floor, too: the least net time that the measurement,
/// with the factor of both measurements of the baseline, can tell from none.
fn ratio(results: &Results, cell: &Cell) -> Option<f64> {
    let has_floor = !results.is_crowd(cell);
    let ratio = results.ratio_of(cell, has_floor, headline)?.value;
    if !has_floor || ratio >= SMALLEST {
        return Some(ratio);
    }
    let least = || {
        let error = (results.noise_factor_of(cell, headline)? - 1.0) * headline(cell)?;
        Some(error / results.net_of(results.peer(cell, BASELINE)?, headline)?)
    };
    Some(least().unwrap_or(SMALLEST).clamp(SMALLEST, 1.0))
}

/// The factor by which both measurements of the baseline differ: from 1 to 1 / [`SMALLEST`].
fn noise(results: &Results, baseline: &Cell) -> Option<f64> {
    if results.is_crowd(baseline) {
        return results.noise_factor_of(baseline, headline);
    }
    let time = |cell: &Cell| results.net_of(cell, headline).or_else(|| headline(cell));
    let least = SMALLEST * time(baseline)?;
    results.noise_factor_of(baseline, |cell| Some(time(cell)?.max(least)))
}

/// The workload of a cell's column, and whether several threads run it.
fn key_of(cell: &Cell) -> (&str, bool) {
    (cell.workload(), cell.threads_at_work() > 1)
}

/// A column, if the baseline has values in it.
fn column(results: &Results, key: (&str, bool), subjects: &[String]) -> Option<Column> {
    let is_meant = |cell: &&Cell| is_timed(cell) || cell.failure.is_some();
    let in_column = results.cells.iter().filter(is_meant);
    let in_column: Vec<&Cell> = in_column.filter(|cell| key_of(cell) == key).collect();
    let of = |subject| {
        let cells = in_column.iter().copied();
        cells.filter(move |cell| cell.subject() == Some(subject))
    };
    let ratios = |subject| of(subject).filter_map(|cell| ratio(results, cell));
    let measured = ratios(BASELINE).count();
    let score = |subject| {
        if of(subject).any(|cell: &Cell| cell.failure.is_some()) {
            return Score::Failed;
        }
        let ratios: Vec<f64> = ratios(subject).collect();
        let is_partial = ratios.len() < measured;
        geometric_mean(&ratios).map_or(Score::NotMeasured, |ratio| Score::Ratio {
            ratio,
            is_partial,
        })
    };
    let noises = of(BASELINE).filter_map(|cell| noise(results, cell));
    (measured > 0).then(|| Column {
        workload: key.0.to_owned(),
        has_threads: key.1,
        noise: geometric_mean(&noises.collect::<Vec<_>>()),
        scores: subjects.iter().map(String::as_str).map(score).collect(),
    })
}

/// How many times as long arenas, one for each thread, take on several threads, no more than
/// cores, as on one: 1 if the threads had cores of their own.
pub fn arena_factor(results: &Results) -> Option<f64> {
    let factor = |cell: &Cell| {
        let threads = format!("threads={}", cell.threads_at_work());
        let alone = cell.scenario.replace(&threads, "threads=1");
        let mut others = results.cells.iter().filter(|other| *other != cell);
        let alone = others.find(|other| other.scenario == alone)?;
        Some(cell.headline()? / alone.headline()?)
    };
    let arenas = results.cells.iter().filter(|cell| {
        let is_arena = cell.subject().is_some_and(is_arena);
        is_arena && is_timed(cell) && cell.threads_at_work() > 1 && !results.is_crowd(cell)
    });
    geometric_mean(&arenas.filter_map(factor).collect::<Vec<_>>())
}

/// The subjects without the controls, in the order of the facts, others behind them.
fn subjects(results: &Results) -> Vec<String> {
    let mut subjects = distinct(results.cells.iter().filter_map(Cell::subject));
    subjects.retain(|subject| !is_control(subject));
    let nth = |subject: &str| FACTS.iter().position(|facts| facts.subject == subject);
    subjects.sort_by_key(|subject| nth(subject).unwrap_or(FACTS.len()));
    subjects.into_iter().map(str::to_owned).collect()
}

/// How often the two measurements of `system` agree, and whether threads had cores of their own:
/// what a reader needs before comparing two allocators.
pub fn agreement(results: &Results) -> String {
    let mut counts = [[0; 2]; 2];
    for cell in results.cells.iter().filter(|cell| is_timed(cell)) {
        if cell.subject() == Some(BASELINE)
            && let Some(factor) = results.noise_factor_of(cell, headline)
        {
            let [close, all] = &mut counts[usize::from(cell.threads_at_work() > 1)];
            *close += i32::from(factor <= 1.1);
            *all += 1;
        }
    }
    let [[close, all], [close_threads, all_threads]] = counts;
    let factor = arena_factor(results).map_or_else(String::new, |factor| {
        format!(
            " An arena for each thread takes {factor:.2} times as long on several threads, no more \
             than cores, as on one."
        )
    });
    format!(
        "The two measurements of `{BASELINE}`, with the loop, agree within 10 % in {close} of {all} \
         cells of one thread, and in {close_threads} of {all_threads} of several.{factor}"
    )
}
