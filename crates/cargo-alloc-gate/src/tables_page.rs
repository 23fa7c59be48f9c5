//! A markdown page with tables between markers: read and checked before the long
//! work, and read again and replaced after it. What is written is the engine's
//! business.

use std::fs;
use std::path::Path;

use alloc_gate::config::Table;
use alloc_gate::{Config, DocumentError, TablesPage, TablesUpdate};

use crate::exit_code::Code;
use crate::failure::Failure;
use crate::files;
use crate::results::shown;
use crate::shell::Shell;

/// Refuses a page that could not be renewed, and says which tables it lacks.
pub(crate) fn check(path: &Path, config: &Config, shell: &Shell) -> Result<(), Failure> {
    let text = read(path)?;
    let page = TablesPage::parse(&text, config).map_err(|error| broken(path, &error))?;
    let absent = names(page.absent());
    if let Some(first) = page.absent().next() {
        let (tables, have) = if page.absent().count() == 1 {
            ("table", "has")
        } else {
            ("tables", "have")
        };
        shell.warning(
            &format!("the {tables} {absent} {have} no place in {}", shown(path)),
            &format!(
                "put `<!-- alloc-gate: begin table {0} -->` and `<!-- alloc-gate: end table {0} \
                 -->` where it belongs, each in a line of its own",
                first.name
            ),
        );
    }
    Ok(())
}

/// Renews the page, which somebody may have worked on meanwhile. `left_out` are the
/// scenarios that were not selected.
pub(crate) fn write(
    path: &Path,
    config: &Config,
    update: &TablesUpdate<'_>,
    left_out: &[String],
    shell: &Shell,
) -> Result<(), Failure> {
    let text = read(path)?;
    let page = TablesPage::parse(&text, config).map_err(|error| broken(path, &error))?;
    let updated = page.update(update);
    files::write(path, updated.text.as_bytes())?;
    shell.status("Wrote", &shown(path));
    let is_kept = |table: &&Table| updated.kept.contains(&table.name);
    let kept = names(page.shown().filter(is_kept));
    if !kept.is_empty() {
        shell.say(&format!(
            "note: left as they were, since nothing of them was selected: {kept}"
        ));
    }
    // Those of the past are whole, whatever was measured.
    let is_measured = |table: &&Table| table.history.is_none();
    for table in page.shown().filter(is_measured).filter(|t| !is_kept(t)) {
        let without = left_out.iter().filter(|name| table.shows(name)).count();
        if without > 0 {
            shell.warning(
                &format!(
                    "the table `{}` shows a part: {without} of its scenarios {} not selected",
                    table.name,
                    if without == 1 { "was" } else { "were" }
                ),
                "measure it whole before it is committed",
            );
        }
    }
    Ok(())
}

fn names<'t>(tables: impl Iterator<Item = &'t Table>) -> String {
    let names: Vec<String> = tables.map(|table| format!("`{}`", table.name)).collect();
    names.join(", ")
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::new(
            Code::InvalidRules,
            format!("failed to read {}: {error}", path.display()),
        )
        .next(
            "--update-tables takes a markdown page in UTF-8, with lines such as \
             `<!-- alloc-gate: begin table NAME -->` and `<!-- alloc-gate: end table NAME -->`",
        )
    })
}

fn broken(path: &Path, error: &DocumentError) -> Failure {
    Failure::new(
        Code::InvalidRules,
        format!("{}:{}: {}", shown(path), error.line, error.problem),
    )
    .next("mend the markers; the page is as it was")
}
