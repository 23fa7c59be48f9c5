//! Where reports go: stdout, files, and GitHub's step summary.

use std::env;
use std::io;
use std::path::Path;

use alloc_gate::Evaluation;
use alloc_gate::report::{json, markdown, terminal};

use crate::arguments::{Format, OutputArguments};
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files;
use crate::shell::Shell;

/// The variable in which GitHub names the file of a step's summary.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes every report that was asked for; the failures of those that could not
/// be written.
pub(crate) fn write_all(
    evaluation: &Evaluation,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    let mut written =
        vec![render(evaluation, arguments.format).and_then(|text| shell.report(&text))];
    for report in &arguments.report {
        let text = render(evaluation, report.format).map(|text| match report.format {
            Format::Terminal => anstream::adapter::strip_bytes(&text).into_vec(),
            Format::Markdown | Format::Json => text,
        });
        written.push(text.and_then(|text| files::write(&report.path, &text)));
    }
    if let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) {
        let text = render(evaluation, Format::Markdown);
        written.push(text.and_then(|text| files::append(Path::new(&path), &text)));
    }
    written.into_iter().filter_map(Result::err).collect()
}

fn render(evaluation: &Evaluation, format: Format) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let rendered: io::Result<()> = match format {
        Format::Terminal => terminal::write(evaluation, &mut text),
        Format::Markdown => markdown::write(evaluation, &mut text),
        Format::Json => json::write(evaluation, &mut text),
    };
    match rendered {
        Ok(()) => Ok(text),
        Err(error) => Err(Failure::new(
            Code::OutputFailed,
            format!("failed to render the report: {error}"),
        )),
    }
}
