//! Updates the tables between the markers of a markdown page. The page is checked before
//! the benches run, and read again and replaced after they ran.

use std::path::Path;

use alloc_gate::rules::Table;
use alloc_gate::{Config, DocumentError, TablesPage, TablesUpdate};

use crate::failure::Failure;
use crate::files::{self, shown};
use crate::shell::Shell;

/// Refuses a page that can't be updated, and warns of tables that it lacks.
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
            &format!("the {tables} {absent} {have} no markers in {}", shown(path)),
            &format!(
                "add `<!-- alloc-gate: begin table {0} -->` and `<!-- alloc-gate: end table {0} \
                 -->`, each on a line of its own",
                first.name
            ),
        );
    }
    Ok(())
}

/// Updates the page, which somebody may have edited since it was checked.
pub(crate) fn write(
    path: &Path,
    config: &Config,
    update: &TablesUpdate<'_>,
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
        shell.warning(
            &format!("tables not updated, because not all their scenarios were selected: {kept}"),
            "measure all scenarios of a table to update it; with `package` or `bench` in \
             gates.toml, a table needs only those benches",
        );
    }
    Ok(())
}

fn names<'t>(tables: impl Iterator<Item = &'t Table>) -> String {
    let names: Vec<String> = tables.map(|table| format!("`{}`", table.name)).collect();
    names.join(", ")
}

fn read(path: &Path) -> Result<String, Failure> {
    files::read(path).map_err(|error| {
        Failure::invalid_rules(format!("failed to read {}: {error}", path.display())).help(
            "--update-tables takes a markdown page in UTF-8, with lines such as \
             `<!-- alloc-gate: begin table NAME -->` and `<!-- alloc-gate: end table NAME -->`",
        )
    })
}

fn broken(path: &Path, error: &DocumentError) -> Failure {
    Failure::invalid_rules(format!("{}:{}: {}", shown(path), error.line, error.problem))
        .help("fix the markers; the page is unchanged")
}
