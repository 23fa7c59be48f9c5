//! `cargo xtask adoption`: what it costs to adopt these crates and others, measured by
//! builds into empty target folders, and written to design/performance.md.

mod build;
mod project;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use crate::ci::Need;
use crate::console::say;
use crate::error::Error;

use build::Built;
use project::PROJECTS;

const PAGE: &str = "design/performance.md";

/// The lines around the part of the page that this writes.
const BEGIN: &str = "<!-- adoption begin: written by `cargo xtask adoption` -->\n";
const END: &str = "<!-- adoption end -->\n";

/// Builds all projects, and writes the table.
pub(crate) fn run() -> Result<ExitCode, Error> {
    if let Some(reason) = Need::Linux.missing("") {
        say(&format!("nothing was measured: {reason}"))?;
        return Ok(ExitCode::FAILURE);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target").join("adoption");
    let mut rows = Vec::new();
    for project in &PROJECTS {
        say(&format!("adoption: {}, {}", project.task, project.name))?;
        match build::build(project, &root, &folder)? {
            Some(built) => rows.push(row(project.task, project.name, &built)),
            None => {
                say(&format!("adoption: {} does not build", project.name))?;
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).map_err(Error::reading(&page))?;
    let Some(text) = replaced(&text, &part(&rustc()?, &rows)) else {
        say(&format!("adoption: {PAGE} lacks the line {}", BEGIN.trim()))?;
        return Ok(ExitCode::FAILURE);
    };
    fs::write(&page, text).map_err(Error::writing(&page))?;
    Ok(ExitCode::SUCCESS)
}

/// The page with another text between the two lines, if it has them.
fn replaced(page: &str, part: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{part}\n{END}{after}"))
}

/// The text between the two lines.
fn part(rustc: &str, rows: &[String]) -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Measured on {cores} cores with {rustc}.\n\n\
         | for | crate | crates | CPU seconds | program, MB | Rust |\n\
         |---|---|---:|---:|---:|---|\n\
         {}\n",
        rows.join("\n")
    )
}

fn row(task: &str, name: &str, built: &Built) -> String {
    let Built {
        crates,
        cpu_seconds,
        program_bytes,
        rust,
        version,
    } = built;
    let megabytes = *program_bytes as f64 / 1e6;
    format!("| {task} | {name} {version} | {crates} | {cpu_seconds:.1} | {megabytes:.1} | {rust} |")
}

fn rustc() -> Result<String, Error> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|source| Error::Start {
        command: String::from("rustc --version"),
        source,
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_part_between_the_lines_is_replaced() {
        let page = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(
            replaced(&page, "new"),
            Some(format!("a\n{BEGIN}\nnew\n{END}b\n"))
        );
        assert_eq!(replaced("a\nb\n", "new"), None);
    }

    #[test]
    fn the_page_has_the_lines() {
        assert!(replaced(include_str!("../../design/performance.md"), "").is_some());
    }
}
