//! The formats for programs. They read the data and not its documents.

use std::io::{self, ErrorKind, Write};

use crate::report::export::benchmark_action::benchmark_action;
use crate::report::export::bmf::bmf;
use crate::report::export::code_quality::code_quality;
use crate::report::export::csv::csv;
use crate::report::export::junit::junit;
use crate::report::export::runs::Runs;
use crate::report::export::sarif::sarif;
use crate::report::format::Format;

mod alerts;
mod benchmark_action;
mod blamed;
mod bmf;
mod cases;
mod code_quality;
pub(super) mod csv;
pub mod github;
pub(super) mod json;
mod junit;
mod measured;
pub(super) mod runs;
mod sarif;

/// Writes evaluations in a format for other programs.
pub(super) fn export(runs: Runs<'_>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Junit => junit(runs, out),
        Format::Sarif => sarif(runs, out),
        Format::CodeQuality => code_quality(runs, out),
        Format::BenchmarkAction => benchmark_action(runs, out),
        Format::Bmf => bmf(runs, out),
        Format::Csv => csv(runs, out),
        Format::Terminal | Format::Markdown | Format::Html | Format::Json => {
            Err(ErrorKind::Unsupported.into())
        }
    }
}
