//! Manifests: who depends on whom, what the members inherit, and the reasons
//! for third-party dependencies.

use std::collections::BTreeSet;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::finding::{Code, Finding};
use super::page::Page;
use super::workspace::{Graph, Manifest, Member};

/// The dependencies that need no reason: what a tool of this kind is made of.
const EXPECTED: [&str; 5] = [
    "cargo_metadata",
    "clap",
    "comfy-table",
    "serde",
    "serde_json",
];

/// The crate on which a user's bench depends.
const BENCH_ROOT: &str = "alloc-scenario";

/// Compares the dependencies of the members with the table of the page.
pub(crate) fn check_members(members: &[Member], page: &Page) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let Some(grant) = page.grants.get(&member.name) else {
            findings.push(Finding::new(
                Code::UnknownMember,
                (&member.manifest.path, 1),
                format!("the architecture page does not mention `{}`", member.name),
                "add a row to \"Who may use what\" in design/architecture.md",
            ));
            continue;
        };
        let in_proof = |name: &str| {
            let other = members.iter().find(|other| other.name == name);
            other.is_some_and(|other| other.manifest.path.starts_with("crates/proof/"))
        };
        let optional = if grant.any_optional {
            optional(&member.manifest)
        } else {
            BTreeSet::new()
        };
        for (name, is_shipped) in &member.dependencies {
            let line = member.manifest.line_of(name);
            let place = (member.manifest.path.as_str(), line);
            let is_granted = match (&grant.bench, is_shipped) {
                (_, true) => grant.shipped.contains(name),
                (Some(bench), false) => bench.contains(name),
                (None, false) => true,
            };
            if !is_granted && !optional.contains(name) {
                findings.push(Finding::new(
                    Code::DependencyNotAllowed,
                    place,
                    format!("`{}` must not depend on `{name}`", member.name),
                    "use it in a crate that may, or grant it in \"Who may use what\" in \
                     design/architecture.md",
                ));
            }
            let is_outside = !member.manifest.path.starts_with("crates/proof/");
            if in_proof(name) && is_outside {
                findings.push(Finding::new(
                    Code::ProofUsedOutside,
                    place,
                    format!("`{}` depends on `{name}` of crates/proof", member.name),
                    "move what both need out of crates/proof",
                ));
            }
        }
        findings.extend(check_inheritance(member, &optional));
    }
    findings
}

/// The names of the optional dependencies.
fn optional(manifest: &Manifest) -> BTreeSet<String> {
    let Ok(table) = manifest.table() else {
        return BTreeSet::new();
    };
    let all = dependencies(manifest, table.get_ref()).into_iter();
    let optional = all.filter(|(_, _, value)| is_set(value, "optional"));
    optional.map(|(name, _, _)| name.to_owned()).collect()
}

/// Checks what a member takes from the workspace. Its `optional` dependencies may have
/// versions of their own, with a reason.
fn check_inheritance(member: &Member, optional: &BTreeSet<String>) -> Vec<Finding> {
    let path = member.manifest.path.as_str();
    let mut findings = Vec::new();
    let table = match member.manifest.table() {
        Ok(table) => table,
        Err(finding) => return vec![finding],
    };
    for (name, line, value) in dependencies(&member.manifest, table.get_ref()) {
        if optional.contains(name) && !is_set(value, "workspace") {
            findings.extend(without_reason(&member.manifest, name, line));
        } else if !is_set(value, "workspace") {
            findings.push(Finding::new(
                Code::DependencyNotInherited,
                (path, line),
                format!("`{name}` has a version of its own"),
                format!("write `{name}.workspace = true`, and the version into the root manifest"),
            ));
        }
    }
    let lints = table.get_ref().get("lints").map(Spanned::get_ref);
    if !lints.is_some_and(|lints| is_set(lints, "workspace")) {
        findings.push(Finding::new(
            Code::LintsNotInherited,
            (path, 1),
            format!("`{}` does not inherit the workspace's lints", member.name),
            "add `[lints]` with `workspace = true`",
        ));
    }
    findings
}

/// Looks for third-party dependencies without a comment above them in the root's
/// manifest.
pub(crate) fn check_reasons(manifest: &Manifest) -> Vec<Finding> {
    let table = match manifest.table() {
        Ok(table) => table,
        Err(finding) => return vec![finding],
    };
    dependencies(manifest, table.get_ref())
        .into_iter()
        .filter(|(_, _, value)| value.get("path").is_none())
        .filter(|(name, _, _)| !EXPECTED.contains(name))
        .filter_map(|(name, line, _)| without_reason(manifest, name, line))
        .collect()
}

/// The finding for a dependency without a comment above it.
fn without_reason(manifest: &Manifest, name: &str, line: usize) -> Option<Finding> {
    let above = manifest.text.lines().nth(line.checked_sub(2)?);
    if above.is_some_and(|above| above.trim_start().starts_with('#')) {
        return None;
    }
    Some(Finding::new(
        Code::DependencyWithoutReason,
        (&manifest.path, line),
        format!("no comment says why `{name}` is a dependency"),
        "say directly above it what it does that should not be written here",
    ))
}

/// All dependencies that a manifest names, with their lines and what it says.
fn dependencies<'t>(
    manifest: &Manifest,
    table: &'t DeTable<'_>,
) -> Vec<(&'t str, usize, &'t DeValue<'t>)> {
    let mut found = Vec::new();
    for (key, value) in table {
        let Some(inside) = value.get_ref().as_table() else {
            continue;
        };
        if key.get_ref().ends_with("dependencies") {
            found.extend(inside.iter().map(|(name, value)| {
                let before = &manifest.text[..name.span().start];
                let line = before.matches('\n').count() + 1;
                (name.get_ref().as_ref(), line, value.get_ref())
            }));
        } else {
            found.extend(dependencies(manifest, inside));
        }
    }
    found
}

fn is_set(value: &DeValue<'_>, key: &str) -> bool {
    value.get(key).and_then(|value| value.get_ref().as_bool()) == Some(true)
}

/// Compares what the build of a user's bench compiles with the page's figure.
pub(crate) fn check_bench_build(graph: &Graph, page: &Page) -> Vec<Finding> {
    let place = ("Cargo.lock", 1);
    let mut findings = Vec::new();
    let mut ahead = vec![BENCH_ROOT];
    let mut seen = BTreeSet::new();
    while let Some(bringer) = ahead.pop() {
        for name in graph.edges.get(bringer).into_iter().flatten() {
            if !seen.insert(name) {
                continue;
            }
            if page.bench_build.contains(name) {
                ahead.push(name);
            } else {
                findings.push(Finding::new(
                    Code::BenchBuildGrew,
                    place,
                    format!("`{bringer}` brings `{name}` into every user's bench build"),
                    "do without it, or add it to the figure \"behind alloc-scenario\" in \
                     design/architecture.md",
                ));
            }
        }
    }
    findings
}
