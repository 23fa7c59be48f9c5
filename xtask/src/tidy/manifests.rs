//! What the manifests must say: a reason for each third-party dependency,
//! and in the members nothing that the workspace says already. It reads TOML
//! a line at a time, as far as manifests need it: no multi-line strings.

use std::collections::BTreeMap;

use super::finding::{Code, Finding, Place};
use super::workspace::Member;

/// The dependencies that need no reason: what this tool is expected to be
/// made of.
const EXPECTED: &[&str] = &[
    "clap",
    "serde",
    "serde_json",
    "comfy-table",
    "cargo_metadata",
];

/// The member that nobody reads about.
const WITHOUT_README: &str = "xtask";

/// Checks the workspace's own `Cargo.toml`.
pub(crate) fn check_root(manifest: &str) -> Vec<Finding> {
    without_reason("Cargo.toml", manifest, |section| {
        section.starts_with("workspace.")
    })
}

/// Checks the `manifest` at `path` of a package that is a workspace by itself and
/// so has versions of its own.
pub(crate) fn check_apart(path: &str, manifest: &str) -> Vec<Finding> {
    without_reason(path, manifest, |_| true)
}

/// The dependencies in some sections that no comment gives a reason for.
fn without_reason(path: &str, manifest: &str, is_meant: impl Fn(&str) -> bool) -> Vec<Finding> {
    let lines: Vec<&str> = manifest.lines().collect();
    let explained = |line: usize| {
        let above = line.checked_sub(2).and_then(|above| lines.get(above));
        above.is_some_and(|above| above.trim_start().starts_with('#'))
    };
    dependencies(manifest)
        .into_iter()
        .filter(|dependency| is_meant(&dependency.section))
        .filter(|dependency| !dependency.has("path"))
        .filter(|dependency| !EXPECTED.contains(&dependency.name.as_str()))
        .filter(|dependency| !explained(dependency.line))
        .map(|dependency| Finding {
            code: Code::DependencyWithoutReason,
            place: Place::new(path, dependency.line),
            what: format!("nothing says why `{}` is a dependency", dependency.name),
            next: "say in a comment directly above it what it does for us that we should \
                   not write ourselves"
                .into(),
        })
        .collect()
}

/// Checks the manifests of the members and what lies beside them.
pub(crate) fn check_members(members: &[Member]) -> Vec<Finding> {
    members.iter().flat_map(check_member).collect()
}

fn check_member(member: &Member) -> Vec<Finding> {
    let place = |line| Place::new(&member.manifest_path, line);
    let mut findings: Vec<Finding> = dependencies(&member.manifest)
        .into_iter()
        .filter(|dependency| !dependency.says("workspace", "true"))
        .map(|dependency| Finding {
            code: Code::DependencyNotInherited,
            place: place(dependency.line),
            what: format!("`{}` has a version of its own", dependency.name),
            next: format!(
                "write `{}.workspace = true`, and the version into the root Cargo.toml",
                dependency.name
            ),
        })
        .collect();
    let inherits_lints = entries(&member.manifest)
        .iter()
        .any(|entry| entry.full_key() == "lints.workspace" && entry.value == "true");
    if !inherits_lints {
        findings.push(Finding {
            code: Code::LintsNotInherited,
            place: place(1),
            what: format!("`{}` is outside of the workspace's lints", member.name),
            next: "add `[lints]` with `workspace = true`".into(),
        });
    }
    if !member.has_readme && member.name != WITHOUT_README {
        findings.push(Finding {
            code: Code::ReadmeMissing,
            place: place(1),
            what: format!("`{}` has no README.md", member.name),
            next: "write one beside its Cargo.toml: what the crate is for, and an example".into(),
        });
    }
    findings
}

/// A dependency, however many lines say something about it.
struct Dependency {
    /// The table that holds it, such as `target.'cfg(unix)'.dependencies`.
    section: String,
    name: String,
    /// The first line about it.
    line: usize,
    /// What is said about it, without spaces: `workspace=true`.
    said: Vec<String>,
}

impl Dependency {
    fn says(&self, key: &str, value: &str) -> bool {
        let wanted = format!("{key}={value}");
        self.said.contains(&wanted)
    }

    fn has(&self, key: &str) -> bool {
        let wanted = format!("{key}=");
        self.said.iter().any(|said| said.starts_with(&wanted))
    }
}

/// All dependencies of a manifest, of whatever kind, in the order of their
/// lines.
fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found: BTreeMap<(String, String), Dependency> = BTreeMap::new();
    for entry in entries(manifest) {
        // A `[dependencies.x]` begins at its heading.
        let line = match entry.section.ends_with("dependencies") {
            true => entry.line,
            false => entry.section_line,
        };
        let full_key = entry.full_key();
        let Some((section, rest)) = split_after_dependencies(&full_key) else {
            continue;
        };
        let (name, key) = rest.split_once('.').unwrap_or((rest, ""));
        let dependency = found
            .entry((section.to_owned(), name.to_owned()))
            .or_insert_with(|| Dependency {
                section: section.to_owned(),
                name: name.trim_matches('"').to_owned(),
                line,
                said: Vec::new(),
            });
        if key.is_empty() {
            let table = entry.value.trim_matches(['{', '}']);
            dependency.said.extend(table.split(',').map(String::from));
        } else {
            dependency.said.push(format!("{key}={}", entry.value));
        }
    }
    let mut dependencies: Vec<Dependency> = found.into_values().collect();
    dependencies.sort_by_key(|dependency| dependency.line);
    dependencies
}

/// `dev-dependencies.x.workspace` in the table's name and the rest.
fn split_after_dependencies(full_key: &str) -> Option<(&str, &str)> {
    let end = full_key.find("dependencies.")? + "dependencies".len();
    Some((&full_key[..end], &full_key[end + 1..]))
}

/// One `key = value`.
struct Entry {
    section: String,
    section_line: usize,
    key: String,
    /// Without spaces, comments and line breaks.
    value: String,
    line: usize,
}

impl Entry {
    fn full_key(&self) -> String {
        match self.section.as_str() {
            "" => self.key.clone(),
            section => format!("{section}.{}", self.key),
        }
    }
}

fn entries(manifest: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut section, mut section_line) = (String::new(), 0);
    let mut open_brackets = 0_usize;
    for (before, raw) in manifest.lines().enumerate() {
        let code = without_comment(raw);
        let compact: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        if open_brackets > 0 {
            if let Some(entry) = entries.last_mut() {
                entry.value.push_str(&compact);
                open_brackets = unclosed(&entry.value);
            }
        } else if compact.starts_with('[') {
            section = compact.trim_matches(['[', ']']).to_owned();
            section_line = before + 1;
        } else if let Some((key, value)) = compact.split_once('=') {
            open_brackets = unclosed(value);
            entries.push(Entry {
                section: section.clone(),
                section_line,
                key: key.to_owned(),
                value: value.to_owned(),
                line: before + 1,
            });
        }
    }
    entries
}

/// How many brackets `value` opens and does not close, outside of strings.
fn unclosed(value: &str) -> usize {
    outside_strings(value).fold(0, |depth, (_, c)| match c {
        '[' | '{' => depth + 1,
        ']' | '}' => depth.saturating_sub(1),
        _ => depth,
    })
}

fn without_comment(line: &str) -> &str {
    let comment = outside_strings(line).find(|&(_, c)| c == '#');
    comment.map_or(line, |(at, _)| &line[..at])
}

fn outside_strings(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    line.char_indices().filter(move |&(_, c)| match quote {
        Some(open) => {
            if c == open {
                quote = None;
            }
            false
        }
        None => {
            if c == '"' || c == '\'' {
                quote = Some(c);
            }
            quote.is_none()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(findings: &[Finding]) -> Vec<(Code, usize)> {
        let code_and_line = |finding: &Finding| (finding.code, finding.place.line);
        findings.iter().map(code_and_line).collect()
    }

    fn member(manifest: &str) -> Member {
        Member {
            manifest: manifest.to_owned(),
            ..Member::named("alloc-gate")
        }
    }

    #[test]
    fn a_package_apart_gives_reasons_in_its_own_manifest() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nours = { path = \"../ours\" }\n\
                        # Because.\nexplained = \"1\"\nbare = \"1\"\n\
                        [dev-dependencies]\nother = \"1\"\n";
        let findings = check_apart("crates/proof/fuzz/Cargo.toml", manifest);
        let without_reason = |line| (Code::DependencyWithoutReason, line);
        assert_eq!(codes(&findings), [without_reason(7), without_reason(9)]);
        assert_eq!(
            findings[0].place,
            Place::new("crates/proof/fuzz/Cargo.toml", 7)
        );
    }

    const LINTS: &str = "[lints]\nworkspace = true\n";

    #[test]
    fn a_third_party_dependency_needs_a_comment_directly_above_it() {
        let manifest = "[workspace.dependencies]\n\
                        ours = { path = \"crates/ours\", version = \"0.1.0\" }\n\
                        clap = { version = \"4\", features = [\n  \"derive\", # x\n] }\n\
                        \n\
                        # Because.\n\
                        explained = \"1\"\n\
                        bare = \"1\"\n\
                        # Too far away.\n\
                        \n\
                        far = { version = \"1\", default-features = false }\n\
                        # Because.\n\
                        [workspace.dependencies.table]\n\
                        version = \"1\"\n\
                        [workspace.dependencies.bare-table]\n\
                        version = \"1\"\n\
                        [workspace.lints.rust]\n\
                        unsafe_code = \"deny\"\n";
        let without_reason = |line| (Code::DependencyWithoutReason, line);
        assert_eq!(
            codes(&check_root(manifest)),
            [without_reason(9), without_reason(12), without_reason(16)]
        );
    }

    #[test]
    fn a_member_inherits_every_dependency() {
        let manifest = format!(
            "[dependencies]\n\
             a.workspace = true\n\
             b = {{ workspace = true, features = [\"x\"] }}\n\
             c = \"1\"\n\
             [dependencies.d]\n\
             workspace = true\n\
             [dev-dependencies]\n\
             e = {{ version = \"1\", package = \"workspace = true\" }}\n\
             [target.'cfg(unix)'.dependencies]\n\
             f.version = \"1\" # workspace = true\n\
             [build-dependencies.g]\n\
             path = \"../g\"\n{LINTS}"
        );
        let own = |line| (Code::DependencyNotInherited, line);
        assert_eq!(
            codes(&check_members(&[member(&manifest)])),
            [own(4), own(8), own(10), own(11)]
        );
    }

    #[test]
    fn a_member_inherits_the_lints() {
        for inherits in [LINTS, "lints.workspace = true\n[package]\n"] {
            assert_eq!(check_members(&[member(inherits)]), []);
        }
        for apart in ["", "[lints.rust]\n", "[lints]\nworkspace = false\n"] {
            assert_eq!(
                codes(&check_members(&[member(apart)])),
                [(Code::LintsNotInherited, 1)]
            );
        }
    }

    #[test]
    fn a_crate_has_a_readme_and_xtask_needs_none() {
        let mut member = member(LINTS);
        member.has_readme = false;
        let findings = check_members(std::slice::from_ref(&member));
        assert_eq!(codes(&findings), [(Code::ReadmeMissing, 1)]);
        member.name = "xtask".into();
        assert_eq!(check_members(&[member]), []);
    }
}
