//! Under GitHub Actions, failures are annotations on lines, and an error that ends a run without
//! a verdict is in the step summary.

use std::env;
use std::path::Path;

use alloc_gate::Evaluation;
use alloc_gate::plain_lines;
use alloc_gate::report::Repository;
use alloc_gate::report::github::{annotation, annotations};

use crate::failure::{Failure, Spot};
use crate::git::Git;
use crate::output::reports;
use crate::output::shell::Shell;

/// The variable that GitHub Actions sets to `true`.
const ACTIONS: &str = "GITHUB_ACTIONS";

/// How many annotations of an error are printed: GitHub shows no more of a step.
const MOST: usize = 10;

/// The page for those who see an error of this program for the first time.
const PAGE: &str = "docs/red.md";

/// Prints the annotations of what fails the check, under GitHub Actions. The files of
/// scenarios are relative to the workspace at `root`.
pub(crate) fn annotate(evaluations: &[Evaluation], root: &Path, shell: &Shell) {
    if !is_running() {
        return;
    }
    let git = Git::find(root).ok().flatten();
    let repository = git.as_ref().map(Git::repository);
    let commands = annotations(evaluations, |file| Repository::path(repository, file));
    if commands.is_empty() {
        return;
    }
    shell.command(&about());
    for command in &commands {
        shell.command(command);
    }
    let text = format!("\n{}\n", about());
    // What can't be written was said of the report already.
    let _ = reports::append_to_summary(|| Ok(text.into_bytes()));
}

/// Shows an error that ends the run without a verdict: by annotations, and in the step
/// summary.
pub(crate) fn report_failure(failure: &Failure, shell: &Shell) {
    if !failure.is_reported {
        annotate_failure(failure, shell);
    }
    let written = reports::append_to_summary(|| Ok(summary(failure).into_bytes()));
    if let Err(unwritten) = written {
        shell.error(&unwritten);
    }
}

/// Prints the annotations of an error, under GitHub Actions: on the lines of its parts, or one
/// without a line.
pub(crate) fn annotate_failure(failure: &Failure, shell: &Shell) {
    if !is_running() {
        return;
    }
    shell.command(&about());
    let title = failure.code.meaning();
    let here = env::current_dir().unwrap_or_default();
    let git = Git::find(&here).ok().flatten();
    let repository = git.as_ref().map(Git::repository);
    for Spot {
        file,
        line,
        message,
    } in failure.spots.iter().take(MOST)
    {
        let file = Repository::path(repository, file);
        shell.command(&annotation(
            Some((&file, line)),
            title,
            &plain_lines(message),
        ));
    }
    if failure.spots.is_empty() {
        let text = plain_lines(&text_of(failure));
        shell.command(&annotation(None, title, &text));
    }
}

/// The error and its help.
fn text_of(failure: &Failure) -> String {
    let help = failure.help.as_deref();
    let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
    format!("{}{help}", failure.what)
}

/// The error for people who may see this program for the first time. Text from outside is
/// indented, and so can't be markdown.
fn summary(failure: &Failure) -> String {
    let code = failure.code;
    let spots = failure.spots.iter();
    let spots = spots.map(|spot| format!("\n{}:{}: {}", spot.file, spot.line, spot.message));
    let mut text = text_of(failure);
    if failure.excerpt.is_some() {
        text.extend(spots);
    }
    let text = plain_lines(&text);
    let indented: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    format!(
        "\n## alloc-gate: {}\n\n{}\n\nThere is no verdict (exit code {}). The command of this step shows \
         the same on your machine.\n\n{}\n",
        code.meaning(),
        indented.join("\n"),
        code.number(),
        about(),
    )
}

/// What this program is, and where the page about errors is.
fn about() -> String {
    let page = match env!("CARGO_PKG_REPOSITORY") {
        "" => format!("`{PAGE}` in its repository"),
        address => format!("[{PAGE}]({address}/blob/main/{PAGE})"),
    };
    format!("alloc-gate checks how often and how much this code allocates. What to do: {page}.")
}

fn is_running() -> bool {
    env::var_os(ACTIONS).is_some_and(|value| value == "true")
}

/// The address of a line of the sources, if GitHub Actions runs this.
pub(crate) fn line_address() -> Option<String> {
    let variable = |name| env::var(name).ok().filter(|_| is_running());
    let server = variable("GITHUB_SERVER_URL")?;
    let repository = variable("GITHUB_REPOSITORY")?;
    Some(format!(
        "{server}/{repository}/blob/{{commit}}/{{path}}#L{{line}}"
    ))
}
