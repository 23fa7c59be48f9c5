//! `cargo xtask tidy`: the architecture, as checks that can fail. Each check
//! is a pure function of a described workspace; only `workspace` reads files,
//! and no check knows where a file came from.

mod architecture;
mod boundaries;
mod dependencies;
mod finding;
mod layout;
mod lexer;
mod manifests;
mod msrv;
mod paths;
mod printing;
mod source;
mod unsafety;
mod workflows;
mod workspace;

use std::process::ExitCode;

use crate::console::say;
use crate::error::Error;
use finding::Finding;
use workspace::Workspace;

/// Checks the workspace around the working directory, and fails when there
/// is a finding.
pub(crate) fn run() -> Result<ExitCode, Error> {
    Ok(match report()? {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Prints every finding and what was looked at; gives their number.
pub(crate) fn report() -> Result<usize, Error> {
    let workspace = Workspace::read()?;
    let findings = findings(&workspace);
    for finding in &findings {
        say(&format!("{finding}\n"))?;
    }
    say(&format!(
        "tidy: {} in {} members with {} source files",
        counted(findings.len()),
        workspace.members.len(),
        workspace.sources.len(),
    ))?;
    Ok(findings.len())
}

/// A number of findings, in words.
pub(crate) fn counted(findings: usize) -> String {
    match findings {
        1 => "1 finding".into(),
        many => format!("{many} findings"),
    }
}

/// All findings, in the order of their places.
fn findings(workspace: &Workspace) -> Vec<Finding> {
    let mut findings = [
        dependencies::check_members(&workspace.members),
        dependencies::check_bench_build(&workspace.graph),
        manifests::check_root(&workspace.root_manifest),
        manifests::check_members(&workspace.members),
        manifests::check_apart("crates/proof/fuzz/Cargo.toml", &workspace.fuzz_manifest),
        msrv::check(&workspace.root_manifest, &workspace.rust_versions),
        workflows::check(&workspace.workflows),
        architecture::check(&workspace.members, workspace.architecture.as_deref()),
    ]
    .concat();
    for source in &workspace.sources {
        findings.extend(boundaries::check(source));
        findings.extend(layout::check(source));
        findings.extend(printing::check(source));
        findings.extend(unsafety::check(source));
    }
    findings.sort_by(|a, b| a.place.cmp(&b.place));
    findings
}
