//! Where reports go: stdout, files, and GitHub's step summary.

use std::env;
use std::io::{self, Write};
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
    write_each(
        &|format, out| report(evaluation, format, out),
        arguments,
        shell,
    )
}

/// Writes the report of an evaluation that judged nothing, as was asked.
pub(crate) fn write_unjudged(
    evaluation: &Evaluation,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    write_reports(
        &|format, out| report(evaluation, format, out),
        arguments,
        shell,
    )
}

fn report(evaluation: &Evaluation, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Terminal => terminal::write(evaluation, out),
        Format::Markdown => markdown::write(evaluation, out),
        Format::Json => json::write(evaluation, out),
    }
}

/// Writes a report in a format.
type Writer<'w> = &'w dyn Fn(Format, &mut dyn Write) -> io::Result<()>;

/// Writes what `writer` writes, in every format and to every place that was asked
/// for; the failures of those that could not be written.
pub(crate) fn write_each(
    writer: Writer<'_>,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    let mut failures = write_reports(writer, arguments, shell);
    if let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) {
        let text = render(writer, Format::Markdown);
        let written = text.and_then(|text| files::append(Path::new(&path), &text));
        failures.extend(written.err());
    }
    failures
}

/// The same without GitHub's summary, which is for verdicts.
fn write_reports(writer: Writer<'_>, arguments: &OutputArguments, shell: &Shell) -> Vec<Failure> {
    let mut written = vec![render(writer, arguments.format).and_then(|text| shell.report(&text))];
    for report in &arguments.report {
        let text = render(writer, report.format).map(|text| match report.format {
            Format::Terminal => anstream::adapter::strip_bytes(&text).into_vec(),
            Format::Markdown | Format::Json => text,
        });
        written.push(text.and_then(|text| files::write(&report.path, &text)));
    }
    written.into_iter().filter_map(Result::err).collect()
}

fn render(writer: Writer<'_>, format: Format) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    match writer(format, &mut text) {
        Ok(()) => Ok(text),
        Err(error) => Err(Failure::new(
            Code::OutputFailed,
            format!("failed to render the report: {error}"),
        )),
    }
}
