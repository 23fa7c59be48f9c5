//! Writes reports to stdout, to files, and to GitHub's step summary, and ends a run
//! whose reports may have failed.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::arguments::{OutputArguments, ReportFile};
use crate::failure::Failure;
use crate::files;
use crate::git::Git;
use crate::output::shell::{self, Shell};
use crate::project::Project;
use alloc_gate::report::{Evaluations, Format, Report};

/// The variable in which GitHub names the file of a step's summary.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The file in the target folder that has the whole report of the last run.
const REPORT: [&str; 2] = ["alloc-gate", "report.md"];

/// GitHub shows no summary of more than 1 MiB. The rest is for what others add.
const MAX_SUMMARY: usize = 1_000_000;

/// Ends a summary that is too long.
const CUT: &str = "\nThe report is cut here, because GitHub shows at most 1 MiB. `--report \
                   markdown=FILE` writes the whole.\n";

/// What the file of a report begins with, in each format. No other file is replaced.
fn mark(format: Format) -> &'static str {
    match format {
        Format::Html => "<!doctype html>\n<!-- alloc-gate -->\n",
        Format::Json => "{\n  \"program\": \"alloc-gate\",\n",
        Format::Junit => {
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"alloc-gate\""
        }
        Format::Markdown => "<!-- alloc-gate -->\n",
        Format::Terminal | _ => "alloc-gate report\n",
    }
}

/// What a JSON report on several environments begins with.
const JSON_LIST: &str = "[\n  {\n    \"program\": \"alloc-gate\",\n";

/// Writes the reports of a verdict, the step summary included. Returns the errors of
/// those that could not be written.
pub(crate) fn write_with_summary(
    report: impl Report,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    let mut failures = write(report, arguments, shell);
    let written = append_to_summary(|| render(Format::Markdown, report));
    failures.extend(written.err());
    failures
}

/// Appends a text to GitHub's step summary, if there is one.
pub(crate) fn append_to_summary(
    text: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Result<(), Failure> {
    let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let path = Path::new(&path);
    let present = fs::metadata(path).map_or(0, |file| file.len());
    files::append(path, &cut(text()?, present))
}

/// Writes the reports. Returns the errors of those that could not be written.
pub(crate) fn write(
    report: impl Report,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    let printed = rendered(arguments.format, shell::width_of_stdout(), report)
        .and_then(|text| shell.report(&String::from_utf8_lossy(&text)));
    let mut failures = write_files(report, arguments, shell);
    failures.extend(printed.err());
    failures
}

/// Writes the reports that go to files, each, whatever became of the others.
pub(crate) fn write_files(
    report: impl Report,
    arguments: &OutputArguments,
    shell: &Shell,
) -> Vec<Failure> {
    let written = arguments.report.iter().map(|file| {
        let mut text = render(file.format, report)?;
        if file.format == Format::Terminal {
            text = anstream::adapter::strip_bytes(&text).into_vec();
        }
        let mark = mark(file.format).as_bytes();
        if !text.starts_with(mark) && !text.starts_with(JSON_LIST.as_bytes()) {
            text.splice(..0, mark.iter().copied());
        }
        write_to(&file.path, &text, shell)
    });
    written.filter_map(Result::err).collect()
}

/// Writes the text of a report to a file.
fn write_to(path: &Path, text: &[u8], shell: &Shell) -> Result<(), Failure> {
    // A file opened anew would overwrite what the stream writes to the same place.
    let stream = files::descriptor(path);
    match stream.and_then(|stream| shell.report_to(stream, &String::from_utf8_lossy(text))) {
        Some(result) => result,
        // Somebody may have written the file since the start.
        None if is_foreign(path) => Err(files::failed(path, &io::Error::other(FOREIGN))),
        None => files::write(path, text),
    }
}

/// Writes the whole report to a file in the target folder, and returns its path. If that fails,
/// there is a warning: nobody asked for the file.
pub(crate) fn keep(report: Evaluations<'_>, target: &Path, shell: &Shell) -> Option<PathBuf> {
    let path = target.join(REPORT.iter().collect::<PathBuf>());
    let text = render(Format::Markdown, report);
    match text.and_then(|text| files::write(&path, &text)) {
        Ok(()) => Some(path),
        Err(failure) => {
            shell.warning(&failure.what, failure.help.as_deref().unwrap_or_default());
            None
        }
    }
}

/// The last line of a run, with the file that has the whole report.
pub(crate) fn with_file(line: String, report: Option<&Path>) -> String {
    match report {
        Some(path) => format!("{line}; report: {}", files::shown(path)),
        None => line,
    }
}

/// The beginning of a summary that a file with so many bytes has room for.
fn cut(mut text: Vec<u8>, present: u64) -> Vec<u8> {
    let room = MAX_SUMMARY.saturating_sub(usize::try_from(present).unwrap_or(usize::MAX));
    if text.len() <= room {
        return text;
    }
    text.truncate(room.saturating_sub(CUT.len()));
    let lines = text.iter().rposition(|byte| *byte == b'\n');
    text.truncate(lines.map_or(0, |end| end + 1));
    text.extend(CUT.as_bytes());
    text
}

/// Refuses formats that the command has nothing for, to replace anything but reports, to write
/// what the program or cargo reads or git keeps, and to write two reports to one file. `results`
/// are recorded results that it reads.
pub(crate) fn prepare(
    arguments: &OutputArguments,
    has_verdicts: bool,
    project: &Project<'_>,
    results: &[PathBuf],
) -> Result<(), Failure> {
    let results = results.iter().map(|path| files::real(path));
    let inputs: Vec<PathBuf> = project.rules.files().into_iter().chain(results).collect();
    let own = files::real(&project.workspace.target_directory().join(REPORT[0]));
    let mut seen = BTreeSet::new();
    for ReportFile { format, path } in &arguments.report {
        if format.needs_verdicts() && !has_verdicts {
            let problem = format!("a report in the format `{format}` needs the verdicts of gates");
            let help = format!("`cargo alloc-gate check --report {format}=FILE` has them");
            return Err(Failure::usage(problem).help(help));
        }
        let real = files::real(path);
        let mut folders = real.components();
        let is_file = real.is_file() || !real.exists();
        let why = if [path, &real].into_iter().any(|path| is_source(path)) {
            "it is a manifest, a lock file or a source file"
        } else if inputs.contains(&real) {
            "alloc-gate reads it"
        } else if real.starts_with(&own) {
            "alloc-gate keeps files of its own there"
        } else if folders.any(|folder| folder.as_os_str().eq_ignore_ascii_case(".git")) {
            "it is a file of git"
        } else if files::descriptor(path).is_none() && is_foreign(&real) {
            FOREIGN
        } else if is_file && !seen.insert(real) {
            "another report goes to the same file"
        } else {
            continue;
        };
        let what = format!("a report can't overwrite {}: {why}", path.display());
        return Err(Failure::usage(what).help("choose another file for the report"));
    }
    Ok(())
}

/// The repository of the workspace, if reports name paths below its root.
pub(crate) fn repository(arguments: &OutputArguments, root: &Path) -> Option<Git> {
    let has_paths = !arguments.report.is_empty() || arguments.format == Format::Html;
    has_paths.then(|| Git::find(root).ok()).flatten().flatten()
}

/// Why a file stays.
const FOREIGN: &str = "it is not a report of alloc-gate";

/// Whether a regular file is neither empty nor a report.
fn is_foreign(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(100).read_to_end(&mut begin));
    let marks = Format::ALL.into_iter().map(mark);
    let is_report = |mark: &str| begin.starts_with(mark.as_bytes());
    !matches!(read, Ok(0)) && !marks.chain([JSON_LIST]).any(is_report)
}

fn is_source(path: &Path) -> bool {
    let has_name = |name| path.file_name().is_some_and(|file| file == name);
    ["Cargo.toml", "Cargo.lock"].into_iter().any(has_name)
        || path.extension().is_some_and(|extension| extension == "rs")
}

fn render(format: Format, report: impl Report) -> Result<Vec<u8>, Failure> {
    rendered(format, None, report)
}

/// The text of a report, whose sentences end at the `width` of a terminal.
fn rendered(format: Format, width: Option<usize>, report: impl Report) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    let written = report.write(format, width, &mut text);
    written
        .map(|()| text)
        .map_err(|error| Failure::output_failed(format!("failed to render the report: {error}")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_cut_at_a_line_below_1_mib() {
        let line = "| a row |\n";
        let whole = line.repeat(100);
        assert_eq!(cut(whole.clone().into(), 0), whole.as_bytes());
        let long = line.repeat(200_000);
        for present in [0, 5, 999_000] {
            let text = String::from_utf8(cut(long.clone().into(), present)).unwrap();
            assert!(text.len() as u64 + present <= 1_000_000);
            let rows = text.strip_suffix(CUT).unwrap();
            assert!(!rows.is_empty() && long.starts_with(rows) && rows.ends_with('\n'));
        }
        assert_eq!(cut(long.into(), 1 << 40), CUT.as_bytes());
    }
}
