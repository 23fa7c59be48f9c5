//! Inputs of unit tests. Their results are in the format of the case files.

use std::sync::LazyLock;

use crate::baseline::{Baseline, Coverage};
use crate::judge::Inputs;
use crate::report::{Format, Report};
use crate::results::Measurements;
use crate::rules::{CfgSets, Config};
use sample_results::streams;

pub(crate) fn measured(results: &str) -> Measurements {
    let streams = streams(results).expect("the results are well written");
    Measurements::new(streams).expect("no name occurs twice")
}

pub(crate) fn accepted(results: &str) -> Baseline {
    Baseline::default().accept(&measured(results), Coverage::AllBenches)
}

/// The rules of a gates.toml.
pub(crate) fn rules(text: &str) -> Config {
    Config::parse("gates.toml", text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A whole run without a baseline, pages and cfgs.
pub(crate) fn inputs<'i>(config: &'i Config, measurements: &'i Measurements) -> Inputs<'i> {
    static NO_CFGS: LazyLock<CfgSets> = LazyLock::new(CfgSets::default);
    Inputs::new(config, measurements, &NO_CFGS)
}

/// The text of a report, for a terminal without its styles.
pub(crate) fn written(report: impl Report, format: Format) -> String {
    let mut text = Vec::new();
    report
        .write(format, None, &mut text)
        .expect("memory takes it");
    let text = String::from_utf8(text).expect("a report is UTF-8");
    if format == Format::Terminal {
        anstream::adapter::strip_str(&text).to_string()
    } else {
        text
    }
}

/// The rows of a table in a text, whose cells are parted by `|`.
pub(crate) fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [&str; N]> {
    table.trim().lines().map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        cells.try_into().unwrap_or_else(|_| panic!("{row}"))
    })
}
