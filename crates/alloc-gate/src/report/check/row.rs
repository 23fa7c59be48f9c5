//! [`Row`]: the figures of one metric that do not meet their limits.

use std::cmp::Ordering;

use indexmap::IndexSet;

use crate::evaluation::Subjects;
use crate::figure::{Measure, Statistic};
use crate::judge::{Excess, Judged, excess, more};
use crate::report::change::{difference, plain_figure};
use crate::report::words::limits_words;
use crate::requirement::figure_words;

/// A figure that does not meet its limits.
pub(in crate::report) struct Row {
    /// `allocs max`.
    pub(in crate::report) figure: String,
    /// The point of a sweep, `count=100`; empty in the block of one scenario.
    pub(in crate::report) point: String,
    /// The accepted figure, `1 -> `; empty if it is the same or not known.
    pub(in crate::report) before: String,
    /// The measured figure.
    pub(in crate::report) now: String,
    /// `(+100)`; empty if the accepted figure is not known.
    pub(in crate::report) difference: String,
    /// The limits, each with its gate: `<= 1 [one-vector], <= baseline [nothing-creeps]`.
    pub(in crate::report) limits: String,
    /// Other statistics of the metric, which share the row: `max 40 -> 48 (1.20x)`.
    pub(in crate::report) others: Vec<String>,
    pub(in crate::report) excess: Excess,
    /// The metric and the statistic's name; `None` for one of a series, which has a row alone.
    key: Option<(Measure, &'static str)>,
}

impl Row {
    /// `1 -> 101 (+100)`.
    pub(in crate::report) fn change(&self) -> String {
        let change = format!("{}{} {}", self.before, self.now, self.difference);
        change.trim_end().to_owned()
    }

    /// `allocs 1 -> 101 (+100), required: <= 1 [one-vector]`.
    pub(in crate::report) fn sentence(&self) -> String {
        format!(
            "{} {}, required: {}",
            self.figure,
            self.change(),
            self.limits
        )
    }

    /// Takes the figure of another statistic into this row.
    fn add(&mut self, other: Self, statistic: &str) {
        let is_same = self.others.is_empty()
            && (&self.before, &self.now, &self.limits)
                == (&other.before, &other.now, &other.limits);
        if is_same {
            self.figure = format!("{}, {statistic}", self.figure);
        } else {
            let limits = if self.limits == other.limits {
                String::new()
            } else {
                format!(", {}", other.limits)
            };
            self.others
                .push(format!("{statistic} {}{limits}", other.change()));
        }
        if more(&other.excess, &self.excess) == Ordering::Greater {
            self.excess = other.excess;
        }
    }
}

/// Puts the statistics of a metric that are below each other into one row.
pub(in crate::report) fn merged(rows: Vec<Row>) -> Vec<Row> {
    let mut merged: Vec<Row> = Vec::new();
    for row in rows {
        let above = merged.iter_mut().find(|above| {
            let metrics = [&above.key, &row.key].map(|key| key.as_ref().map(|(metric, _)| metric));
            metrics[0].is_some() && metrics[0] == metrics[1] && above.point == row.point
        });
        match (above, &row.key) {
            (Some(above), &Some((_, statistic))) => above.add(row, statistic),
            (None, _) | (_, None) => merged.push(row),
        }
    }
    merged
}

/// The row of one figure of a scenario, with the limits of all gates.
pub(in crate::report) fn row(point: &str, judged: &[Judged<'_>], subjects: &Subjects<'_>) -> Row {
    let (_, first) = judged[0];
    let metric = &first.metric;
    let before = subjects.before(first);
    let now = match (first.growth(), first.measured) {
        (Some(growth), _) => format!("{} over {}", growth.class, growth.axis),
        (None, Some(value)) => plain_figure(metric.unit(), value),
        (None, None) => String::from("not measured"),
    };
    let change = match (before, first.measured) {
        (Some(before), Some(now)) if before == now => String::from("(unchanged)"),
        (Some(before), Some(now)) => format!("({})", difference(metric.unit(), before, now)),
        (None, _) | (_, None) => String::new(),
    };
    let limits: IndexSet<String> = judged
        .iter()
        .map(|(gate, judgement)| format!("{} [{}]", limits_words(judgement), gate.name))
        .collect();
    Row {
        figure: figure_words(metric, first.statistic),
        point: point.to_owned(),
        before: before
            .filter(|before| Some(*before) != first.measured)
            .map(|before| format!("{} -> ", plain_figure(metric.unit(), before)))
            .unwrap_or_default(),
        now,
        difference: change,
        limits: limits.into_iter().collect::<Vec<_>>().join(", "),
        excess: judged
            .iter()
            .map(|(_, judgement)| excess(judgement))
            .max_by(more)
            .unwrap_or_default(),
        others: Vec::new(),
        key: (first.statistic != Statistic::Growth)
            .then(|| (metric.clone(), first.statistic.name())),
    }
}
