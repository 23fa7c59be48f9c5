//! `cargo xtask tidy`: the rules of design/architecture.md that neither the
//! compiler nor clippy checks.

mod files;
mod finding;
mod layers;
mod links;
mod manifests;
mod named_tests;
mod page;
mod source;
#[cfg(test)]
mod tests;
mod workflows;
mod workspace;

use std::process::ExitCode;

use crate::console::say;
use crate::error::Error;
use finding::Finding;
pub(crate) use source::lines_of_code;
use workspace::Workspace;

/// Checks the workspace around the working directory, and fails when there is a
/// finding.
pub(crate) fn run() -> Result<ExitCode, Error> {
    let workspace = Workspace::read()?;
    let findings = findings(&workspace);
    for finding in &findings {
        say(&format!("{finding}\n"))?;
    }
    say(&format!(
        "tidy: {} finding{} in {} members with {} source files",
        findings.len(),
        if findings.len() == 1 { "" } else { "s" },
        workspace.members.len(),
        workspace.sources.len(),
    ))?;
    Ok(match findings.as_slice() {
        [] => ExitCode::SUCCESS,
        [_, ..] => ExitCode::FAILURE,
    })
}

/// All findings, by file and line.
fn findings(workspace: &Workspace) -> Vec<Finding> {
    let page = &workspace.page;
    let mut findings = page.findings.clone();
    findings.extend(manifests::check_members(&workspace.members, page));
    findings.extend(manifests::check_bench_build(&workspace.graph, page));
    findings.extend(workspace.roots.iter().flat_map(manifests::check_reasons));
    findings.extend(links::check(&workspace.members, &workspace.files));
    findings.extend(workflows::check(&workspace.workflows));
    findings.extend(layers::check(&workspace.sources, &page.layers));
    findings.extend(files::check_ways(&page.ways, &workspace.sources));
    findings.extend(named_tests::check(
        &workspace.wrong_and_green,
        &workspace.sources,
        &workspace.cases,
    ));
    for source in &workspace.sources {
        findings.extend(files::check(source, &page.unsafe_places));
    }
    findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    findings
}
