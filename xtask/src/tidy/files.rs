//! Source files by themselves: their name, whether they may allow `unsafe`, and the ways through
//! them that the architecture page draws.

use super::finding::{Code, Finding};
use super::page;
use super::source::Source;

/// Names that do not say what is inside.
const MEANINGLESS: [&str; 5] = ["imp.rs", "utils.rs", "helpers.rs", "common.rs", "mod.rs"];

/// Checks one file. `unsafe_places` are the files and folders that may allow
/// `unsafe`.
pub(crate) fn check(source: &Source, unsafe_places: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let path = source.path.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    if MEANINGLESS.contains(&name) {
        findings.push(Finding::new(
            Code::MeaninglessFileName,
            (path, 1),
            format!("the name `{name}` does not say what is inside"),
            match name {
                "mod.rs" => "use NAME.rs beside the folder NAME; in tests, tests/NAME/main.rs",
                _ => "name the file after the thing that it holds",
            },
        ));
    }
    let may_be_unsafe = unsafe_places
        .iter()
        .filter_map(|place| path.strip_prefix(place.as_str()))
        .any(|rest| rest.is_empty() || rest.starts_with('/'));
    let unsafe_lines = source.allows_unsafe.iter().filter(|_| !may_be_unsafe);
    findings.extend(unsafe_lines.map(|line| {
        Finding::new(
            Code::UnsafeNotAllowed,
            (path, *line),
            format!("`{}` must not allow `unsafe_code`", source.package),
            "use a safe interface, or add the place and the reason to \"Where `unsafe` stands\" \
             in design/architecture.md",
        )
    }));
    findings
}

/// The most files that a way may pass.
const LONGEST_WAY: usize = 25;

/// Checks that the files of the ways exist, and that a way can be followed.
pub(crate) fn check_ways(ways: &[(usize, Vec<String>)], sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, files) in ways {
        let mut add = |message: String, help| {
            findings.push(Finding::new(
                Code::WayNotAsDrawn,
                (page::PATH, *line),
                message,
                help,
            ));
        };
        for file in files {
            if !sources.iter().any(|source| source.path == *file) {
                add(
                    format!("`{file}` does not exist"),
                    "draw the way that the code has now",
                );
            }
        }
        if files.len() > LONGEST_WAY {
            add(
                format!("the way passes {} files", files.len()),
                "join files that are read one after the other; a way passes at most 25",
            );
        }
    }
    findings
}
