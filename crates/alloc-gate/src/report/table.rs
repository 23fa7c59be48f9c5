//! The table of measured figures, as text for the terminal and the markdown report.

use alloc_results::{Metric, integer, mean};

use crate::results::MeasuredScenario;

/// The headers; all columns except the first have numbers.
pub(super) const HEADERS: [&str; 5] = ["scenario", "iters", "allocs/op", "bytes/op", "deallocs/op"];

/// The cells of one scenario, with the mark ` *` if its iterations differ.
pub(super) fn row(measured: &MeasuredScenario) -> [String; 5] {
    let record = &measured.record;
    let mark = if record.is_deterministic() { "" } else { " *" };
    let figure = |metric, decimals| {
        let values = record.distribution(metric);
        values.map_or_else(|| String::from("-"), |v| mean(v.mean(), decimals))
    };
    [
        format!("{}{mark}", record.name),
        integer(record.iterations.into()),
        figure(Metric::Allocs, 2),
        figure(Metric::Bytes, 0),
        figure(Metric::Deallocs, 2),
    ]
}

/// The note below a table with a marked row.
pub(super) const MARK: &str = "* the iterations differ; the table has means";

/// Whether a row is marked.
pub(super) fn has_marks(scenarios: &[MeasuredScenario]) -> bool {
    scenarios
        .iter()
        .any(|measured| !measured.record.is_deterministic())
}
