//! The table of measured figures, as text for the terminal and the markdown report.

use alloc_results::{Metric, Ratio, ScenarioRecord, integer, mean};

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

/// The metrics of a table of these scenarios.
pub(super) fn metrics_of<'r>(
    records: impl IntoIterator<Item = &'r ScenarioRecord>,
) -> &'static [Metric] {
    metrics(records.into_iter().any(|record| {
        let reallocs = record.distribution(Metric::Reallocs);
        reallocs.is_some_and(|values| values.max() > 0)
    }))
}

/// The headers of means.
pub(super) fn headers(metrics: &[Metric]) -> Vec<String> {
    metrics.iter().map(|it| format!("{it}/op")).collect()
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

/// The table of figures, with these headers behind the names and the numbers of iterations.
pub(super) fn figures(titles: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> Block {
    let titles = titles.into_iter().map(right);
    let columns = [left("scenario"), right("iters")].into_iter().chain(titles);
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
