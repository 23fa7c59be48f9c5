//! GitHub workflows: their permissions, and the commit of every action.

use super::finding::{Code, Finding};

pub(crate) fn check(workflows: &[(String, String)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in workflows {
        if !text.lines().any(|line| line.starts_with("permissions:")) {
            findings.push(Finding::new(
                Code::PermissionsMissing,
                (path, 1),
                "the workflow has the repository's default permissions",
                "add `permissions:` at the top level, with `contents: read`",
            ));
        }
        for (line, text) in (1..).zip(text.lines()) {
            let item = text.trim_start().trim_start_matches("- ");
            let action = item.strip_prefix("uses:").map(str::trim);
            if let Some(action) = action.filter(|action| !is_pinned(action)) {
                findings.push(Finding::new(
                    Code::ActionNotPinned,
                    (path, line),
                    format!("`{action}` is not pinned to a commit with its version"),
                    "write `owner/name@<40 hex digits of the commit> # v1.2.3`",
                ));
            }
        }
    }
    findings
}

/// Whether an action names a commit and, in a comment, a version. An action of
/// this repository, `./folder`, needs neither.
fn is_pinned(action: &str) -> bool {
    let (name, comment) = action.split_once('#').unwrap_or((action, ""));
    let name = name.trim().trim_matches(['"', '\'']);
    let commit = name.split_once('@').map_or("", |(_, commit)| commit);
    let version = comment.trim().trim_start_matches('v');
    let is_commit = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
    name.starts_with("./") || is_commit && version.starts_with(|c: char| c.is_ascii_digit())
}
