//! [`Row`]: the figures of one metric that do not meet their limits.

use std::cmp::Ordering;

use alloc_results::Ratio;
use indexmap::IndexSet;

use crate::evaluation::Judgement;
use crate::figure::{Exact, GrowthClass, Measure, ratio};
use crate::report::blocks::Judged;
use crate::report::change::{difference, plain_figure};
use crate::report::subjects::Subjects;
use crate::report::words::limits_words;
use crate::requirement::{Limit, figure_words};

/// A figure that does not meet its limits.
pub(in crate::report) struct Row {
    /// `allocs max`.
    pub(in crate::report) figure: String,
    /// The point of a sweep, `count=100`; empty in the block of one scenario.
    pub(in crate::report) point: String,
    /// The accepted figure, if it is another one.
    pub(in crate::report) before: Option<String>,
    /// The measured figure.
    pub(in crate::report) now: String,
    /// `(+100)`; empty if the accepted figure is not known.
    pub(in crate::report) difference: String,
    /// The limits, each with its gate: `<= 1 [one-vector], <= baseline [nothing-creeps]`.
    pub(in crate::report) limits: String,
    /// Other statistics of the metric, which share the row: `max 40 -> 48 (1.20x)`.
    pub(in crate::report) others: Vec<String>,
    pub(super) excess: Excess,
    /// The metric and the statistic's name; `None` for one of a series, which has a row alone.
    key: Option<(Measure, &'static str)>,
}

/// How far a figure is beyond its limit: the factor, and the difference. Only the order of
/// blocks and rows depends on it.
pub(super) type Excess = (f64, f64);

impl Row {
    /// `1 -> 101 (+100)`.
    pub(in crate::report) fn change(&self) -> String {
        let before = self.before.as_ref();
        let before = before.map_or_else(String::new, |before| format!("{before} -> "));
        format!("{before}{} {}", self.now, self.difference)
            .trim_end()
            .to_owned()
    }

    /// Takes the figure of another statistic into this row.
    fn add(&mut self, other: Self, statistic: &str) {
        let is_same = self.others.is_empty()
            && (&self.before, &self.now, &self.limits)
                == (&other.before, &other.now, &other.limits);
        if is_same {
            self.figure = format!("{}, {statistic}", self.figure);
        } else {
            let limits = match self.limits == other.limits {
                true => String::new(),
                false => format!(", {}", other.limits),
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
pub(super) fn merged(rows: Vec<Row>) -> Vec<Row> {
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
pub(super) fn row(point: &str, judged: &[Judged<'_>], subjects: &Subjects<'_>) -> Row {
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
            .map(|before| plain_figure(metric.unit(), before)),
        now,
        difference: change,
        limits: limits.into_iter().collect::<Vec<_>>().join(", "),
        excess: judged
            .iter()
            .map(|(_, judgement)| excess(judgement))
            .max_by(more)
            .unwrap_or_default(),
        others: Vec::new(),
        key: (!first.statistic.is_of_series()).then(|| (metric.clone(), first.statistic.name())),
    }
}

pub(super) fn more(one: &Excess, other: &Excess) -> Ordering {
    one.0
        .total_cmp(&other.0)
        .then_with(|| one.1.total_cmp(&other.1))
}

pub(super) fn excess(judgement: &Judgement) -> Excess {
    if let Some(growth) = judgement.growth() {
        // A figure that grows too fast exceeds every limit somewhere.
        let class = GrowthClass::ALL.iter().position(|one| *one == growth.class);
        return (f64::INFINITY, class.unwrap_or_default() as f64);
    }
    let computed = judgement.details.as_ref().map(|found| &found.computed);
    let limit = judgement.decisive().and_then(|one| match &one.limit {
        Limit::Number(amount) => Some(ratio(amount.value())),
        Limit::Baseline(None) => judgement.baseline,
        Limit::Baseline(Some(_)) | Limit::Scenario(_) | Limit::Figure(_) => {
            computed?.value.as_ref().and_then(Exact::rounded)
        }
        Limit::Growth(_) => None,
    });
    let (Some(limit), Some(measured)) = (limit, judgement.measured) else {
        return (0.0, 0.0);
    };
    let (limit, measured) = (approximate(limit), approximate(measured));
    let factor = |over: f64, under: f64| match under > 0.0 {
        true => over / under,
        false => f64::INFINITY,
    };
    let difference = (measured - limit).abs();
    match measured >= limit {
        true => (factor(measured, limit), difference),
        false => (factor(limit, measured), difference),
    }
}

fn approximate(value: Ratio) -> f64 {
    value.numerator() as f64 / value.denominator() as f64
}
