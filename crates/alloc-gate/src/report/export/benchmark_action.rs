//! Figures for `github-action-benchmark`, as its tool `customSmallerIsBetter` reads them:
//! [`benchmark_action`].

use std::io::{self, Write};

use alloc_results::integer;
use indexmap::IndexMap;

use crate::report::check::benches::columns;
use crate::report::export::json::object::{Json, Object};
use crate::report::export::measured::number;
use crate::report::export::runs::{Names, Runs};
use crate::requirement::figure_words;

/// Writes the figures that gates judge, as the tables for a terminal have them: each is a chart,
/// and can raise an alert.
pub(in crate::report) fn benchmark_action(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut names = Names::default();
    let mut columns_of = IndexMap::new();
    let entries = runs.scenarios().flat_map(|(name, evaluation, scenario)| {
        let key = (std::ptr::from_ref(evaluation), &scenario.bench);
        let columns = columns_of
            .entry(key)
            .or_insert_with(|| columns(evaluation, &scenario.bench));
        let record = &scenario.record;
        let entries = columns.iter().filter_map(|(metric, statistic)| {
            let figure = metric.figure(*statistic, record)?;
            let name = format!("{name}: {}", figure_words(metric, *statistic));
            let range = metric.range_if_varying(record);
            let range = range.map(|(least, most)| format!("{least} to {most}"));
            let iterations = integer(record.iterations.into());
            let entry = Object::default()
                .with("name", names.unique(&name))
                .with("unit", metric.unit().name())
                .with("value", number(figure))
                .with_some("range", range)
                .with(
                    "extra",
                    format!("{}, {iterations} iterations", scenario.bench),
                );
            Some(entry)
        });
        entries.collect::<Vec<_>>()
    });
    Json::list(entries).write(out)
}
