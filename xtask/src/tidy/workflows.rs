//! What the GitHub workflows must say: the permissions they need, and the
//! commit of every action they use. It reads YAML a line at a time, and knows
//! nothing of jobs.

use super::finding::{Code, Finding, Place};

/// A workflow file.
#[derive(Debug)]
pub(crate) struct Workflow {
    /// From the workspace's root, with `/` on every platform.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
}

/// Findings for all workflows; having none is one.
pub(crate) fn check(workflows: &[Workflow]) -> Vec<Finding> {
    if workflows.is_empty() {
        return vec![Finding {
            code: Code::WorkflowMissing,
            place: Place::new(".github/workflows", 1),
            what: "no workflow runs the steps".into(),
            next: "add one whose jobs call `cargo xtask ci`".into(),
        }];
    }
    workflows.iter().flat_map(check_workflow).collect()
}

fn check_workflow(workflow: &Workflow) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut lines = workflow.text.lines();
    if !lines.any(|line| line.starts_with("permissions:")) {
        findings.push(Finding {
            code: Code::PermissionsMissing,
            place: Place::new(&workflow.path, 1),
            what: "the workflow keeps the repository's default permissions".into(),
            next: "add `permissions:` at the top level, with `contents: read` and what else \
                   it needs"
                .into(),
        });
    }
    for (before, line) in workflow.text.lines().enumerate() {
        if let Some(action) = used_action(line)
            && !is_pinned(action)
        {
            findings.push(Finding {
                code: Code::ActionNotPinned,
                place: Place::new(&workflow.path, before + 1),
                what: format!("`{action}` can change under us"),
                next: "write `owner/name@<40 hex digits of the commit> # v1.2.3`".into(),
            });
        }
    }
    findings
}

/// What stands behind `uses:`, with its comment.
fn used_action(line: &str) -> Option<&str> {
    let item = line.trim_start();
    let item = item.strip_prefix('-').unwrap_or(item).trim_start();
    Some(item.strip_prefix("uses:")?.trim())
}

/// `./folder` is our own; anything else needs a commit, and a comment that
/// says its version.
fn is_pinned(action: &str) -> bool {
    let (name, comment) = action.split_once('#').unwrap_or((action, ""));
    let name = name.trim().trim_matches(['"', '\'']);
    if name.starts_with("./") {
        return true;
    }
    let commit = name.split_once('@').map_or("", |(_, commit)| commit);
    let version = comment.trim().trim_start_matches('v');
    commit.len() == 40
        && commit.chars().all(|c| c.is_ascii_hexdigit())
        && version.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "11bd71901bbe5b1630ceea73d27597364c9af683";

    fn codes(text: &str) -> Vec<(Code, usize)> {
        let path = ".github/workflows/ci.yml".to_owned();
        let text = text.to_owned();
        check(&[Workflow { path, text }])
            .into_iter()
            .map(|finding| (finding.code, finding.place.line))
            .collect()
    }

    #[test]
    fn an_action_is_pinned_by_a_commit_with_its_version_beside_it() {
        let pinned = [
            format!("uses: actions/checkout@{COMMIT} # v4.2.2"),
            format!("uses: 'actions/checkout@{COMMIT}' # 4.2.2"),
            "uses: ./.github/actions/own".into(),
        ];
        for uses in pinned {
            let text = format!("permissions:\n  contents: read\nsteps:\n  - {uses}\n");
            assert_eq!(codes(&text), [], "{uses}");
        }
        let loose = [
            "uses: actions/checkout".into(),
            "uses: actions/checkout@v4 # v4.2.2".into(),
            format!("uses: actions/checkout@{COMMIT}"),
            format!("uses: actions/checkout@{COMMIT} # the latest"),
            format!("uses: actions/checkout@{} # v4", &COMMIT[1..]),
        ];
        for uses in loose {
            let text = format!("permissions: {{}}\nsteps:\n  - name: x\n    {uses}\n");
            assert_eq!(codes(&text), [(Code::ActionNotPinned, 4)], "{uses}");
        }
    }

    #[test]
    fn permissions_are_stated_at_the_top_level() {
        assert_eq!(
            codes("jobs:\n  a:\n    permissions:\n      contents: read\n"),
            [(Code::PermissionsMissing, 1)]
        );
    }

    #[test]
    fn a_workspace_without_a_workflow_is_found() {
        let findings = check(&[]);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].code, Code::WorkflowMissing);
    }
}
