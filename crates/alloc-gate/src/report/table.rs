//! The table of measured figures, as text for the terminal and the markdown report.

use alloc_results::{Metric, Ratio, integer, mean};

use crate::report::document::{Block, Line, left, right};
use crate::results::MeasuredScenario;

/// The metrics whose means are shown. The last one is shown only if it is above zero
/// somewhere.
const METRICS: [Metric; 4] = [
    Metric::Allocs,
    Metric::Bytes,
    Metric::Deallocs,
    Metric::Reallocs,
];

/// The metrics of a table.
pub(super) fn metrics(has_reallocs: bool) -> &'static [Metric] {
    if has_reallocs {
        &METRICS
    } else {
        &METRICS[..3]
    }
}

/// The metrics of a table of `scenarios`.
pub(super) fn metrics_of(scenarios: &[MeasuredScenario]) -> &'static [Metric] {
    metrics(scenarios.iter().any(|measured| {
        let reallocs = measured.record.distribution(Metric::Reallocs);
        reallocs.is_some_and(|values| values.max() > 0)
    }))
}

/// The headers; all columns except the first have numbers.
pub(super) fn headers(metrics: &[Metric]) -> Vec<String> {
    let metrics = metrics.iter().map(|metric| format!("{metric}/op"));
    [String::from("scenario"), String::from("iters")]
        .into_iter()
        .chain(metrics)
        .collect()
}

/// The cells of one scenario, with the mark ` *` if its iterations differ.
pub(super) fn row(measured: &MeasuredScenario, metrics: &[Metric]) -> Vec<String> {
    let record = &measured.record;
    let mark = if record.is_deterministic() { "" } else { " *" };
    cells(
        format!("{}{mark}", measured.label()),
        record.iterations,
        metrics,
        |metric| Some(record.distribution(metric)?.mean()),
    )
}

/// The cells of a row, with the figures as means.
pub(super) fn cells(
    name: String,
    iterations: u64,
    metrics: &[Metric],
    figure: impl Fn(Metric) -> Option<Ratio>,
) -> Vec<String> {
    let figures = metrics.iter().map(|&metric| {
        let decimals = metric.unit().decimals();
        figure(metric).map_or_else(|| String::from("-"), |value| mean(value, decimals))
    });
    [name, integer(iterations.into())]
        .into_iter()
        .chain(figures)
        .collect()
}

/// The table of figures: the columns behind the names have numbers.
pub(super) fn figures(titles: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Block {
    let titles = titles.into_iter().enumerate();
    let columns = titles.map(|(number, title)| match number {
        0 => left(title),
        _ => right(title),
    });
    let rows = rows.map(|cells| cells.into_iter().map(Line::from).collect());
    Block::table(columns, rows)
}

/// The note below a table with a marked row.
pub(super) const MARK: &str = "* the iterations differ; the table has means";

/// Whether a row is marked.
pub(super) fn has_marks(scenarios: &[MeasuredScenario]) -> bool {
    scenarios
        .iter()
        .any(|measured| !measured.record.is_deterministic())
}
