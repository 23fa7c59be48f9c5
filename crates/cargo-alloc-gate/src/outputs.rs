//! Writes reports to stdout, to files, and to GitHub's step summary, and ends a run
//! whose reports may have failed.

use std::env;
use std::path::Path;

use crate::arguments::OutputArguments;
use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files;
use crate::shell::Shell;
use alloc_gate::report::Format;

/// The variable in which GitHub names the file of a step's summary.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes the reports of a verdict, the step summary included. Returns the errors of
/// those that could not be written.
pub(crate) fn write_with_summary<F: Format>(
    report: F::Report<'_>,
    arguments: &OutputArguments<F>,
    shell: &Shell,
) -> Vec<Failure> {
    let mut failures = write(report, arguments, shell);
    if let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) {
        let text = render(F::MARKDOWN, report);
        let written = text.and_then(|text| files::append(Path::new(&path), &text));
        failures.extend(written.err());
    }
    failures
}

/// Writes the reports. Returns the errors of those that could not be written.
pub(crate) fn write<F: Format>(
    report: F::Report<'_>,
    arguments: &OutputArguments<F>,
    shell: &Shell,
) -> Vec<Failure> {
    let printed = render(arguments.format, report).and_then(|text| shell.report(&text));
    let written = arguments.report.iter().map(|file| {
        let mut text = render(file.format, report)?;
        if file.format == F::TERMINAL {
            text = anstream::adapter::strip_bytes(&text).into_vec();
        }
        files::write(&file.path, &text)
    });
    // Each is written, whatever became of the others.
    let results: Vec<_> = [printed].into_iter().chain(written).collect();
    results.into_iter().filter_map(Result::err).collect()
}

fn render<F: Format>(format: F, report: F::Report<'_>) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    match format.write(report, &mut text) {
        Ok(()) => Ok(text),
        Err(error) => Err(Failure::output_failed(format!(
            "failed to render the report: {error}"
        ))),
    }
}

/// Ends a run with a verdict: prints the errors of reports and then the verdict's line.
/// Returns the code for both.
pub(crate) fn conclude(
    mut code: Code,
    mut line: String,
    failures: &[Failure],
    shell: &Shell,
) -> Code {
    for failure in failures {
        shell.error(failure);
    }
    if code == Code::Held && !failures.is_empty() {
        code = Code::OutputFailed;
    }
    if !failures.is_empty() {
        line.push_str(&format!(
            "; but {} (exit code {})",
            Code::OutputFailed.meaning(),
            code.number()
        ));
    }
    shell.verdict(&line);
    code
}

/// Ends a run without a verdict if a report failed: prints all errors but the last,
/// which it returns.
pub(crate) fn all_written(mut failures: Vec<Failure>, shell: &Shell) -> Result<(), Failure> {
    let Some(last) = failures.pop() else {
        return Ok(());
    };
    for failure in &failures {
        shell.error(failure);
    }
    Err(last)
}
