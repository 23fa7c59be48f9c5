//! The script of the GitHub actions that keeps a comment of a pull request current, with a
//! stub of `gh`, which filters by the real `jq`.

use std::fs;
use std::os::unix::fs::symlink;

use crate::github_action::{ACTION, write_program};
use crate::program::Ran;
use crate::project::{BOXES, Project};

/// Answers from files, and keeps what it is called with.
const GH: &str = r#"#!/usr/bin/env bash
method=GET
query=
[ "$1" = api ] && [ -n "$GH_TOKEN" ] || exit 9
shift
while [ $# != 0 ]; do
  case $1 in
    --method) method=$2 && shift ;;
    --jq) filter=$2 && shift ;;
    --paginate | --silent) ;;
    -f) query="$query $2" && shift ;;
    -F) body=${2#body=@} && shift ;;
    *) path=$1 ;;
  esac
  shift
done
echo "$method $path$query" >>calls
if [ -e "refuses-$method" ]; then
  printf 'gh: Resource not accessible by integration (HTTP 403)\nmore\n' >&2
  exit 1
fi
case $method in
  GET) jq --raw-output "$filter" "$(basename "${path%\?*}").json" ;;
  *) cp "$body" body ;;
esac
"#;

const COMMENTS: &str = r#"[
  {"id": 1, "user": {"login": "somebody"}, "body": "<!-- cargo alloc-gate -->\nlooks like one"},
  {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "of another action"}OURS
]"#;

const OURS: &str = r#",
  {"id": 42, "user": {"login": "github-actions[bot]"}, "body": "<!-- cargo alloc-gate -->\nold"},
  {"id": 43, "user": {"login": "github-actions[bot]"}, "body": "<!-- cargo alloc-gate -->\nolder"}"#;

const PULLS: &str = r#"[
  {"number": 5, "head": {"sha": "aaaa"}},
  {"number": 6, "head": {"sha": "bbbb"}}
]"#;

const MARKER: &str = "<!-- cargo alloc-gate -->\n";

/// Whether tests can run `jq`. They are left out on a machine without it; CI has it.
fn has_jq() -> bool {
    let has = std::process::Command::new("jq").arg("-n").output().is_ok();
    assert!(has || std::env::var_os("CI").is_none(), "CI has `jq`");
    has
}

/// What a run of the script is about.
struct Case {
    project: Project,
}

impl Case {
    /// A case with its files; none if this machine has no `jq`.
    fn new(name: &str, report: &str) -> Option<Self> {
        if !has_jq() {
            return None;
        }
        let project = Project::with(name, "one: 8", BOXES);
        write_program(&project, "bin/gh", GH);
        project.write("pulls.json", PULLS);
        project.write("comments.json", &COMMENTS.replace("OURS", ""));
        project.write("report.md", report);
        Some(Self { project })
    }

    fn has_comment(&self) {
        let comments = COMMENTS.replace("OURS", OURS);
        self.project.write("comments.json", &comments);
    }

    /// Runs the script, which succeeds; the head is the one of a fork.
    fn run(&self, reference: &str, head: [&str; 2]) -> Ran {
        self.project.write("calls", "");
        let mut command = self.project.command_in("bash", "");
        let path = std::env::var("PATH").expect("it is set");
        let bin = self.project.path("bin");
        command
            .arg(format!("{ACTION}/comment.sh"))
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("REPORT", self.project.path("report.md"))
            .env("GH_TOKEN", "a token")
            .env("HEAD", head[0])
            .env("HEAD_SHA", head[1])
            .env("GITHUB_REF", reference)
            .env("GITHUB_REPOSITORY", "owner/name");
        self.project.finish(command).code(0)
    }

    fn calls(&self) -> Vec<String> {
        let calls = self.project.read("calls");
        calls.lines().map(str::to_owned).collect()
    }

    fn body(&self) -> String {
        self.project.read("body")
    }
}

const PULL: &str = "refs/pull/7/merge";
const LIST: &str = "GET repos/owner/name/issues/7/comments?per_page=100";

#[test]
fn a_pull_request_has_one_comment() {
    let report = "## alloc-gate: FAILED\n\n`one` & <two> \"%0A\"\n";
    let Some(case) = Case::new("comment", report) else {
        return;
    };
    case.run(PULL, ["", ""]);
    let create = "POST repos/owner/name/issues/7/comments";
    assert_eq!(case.calls(), [LIST, create]);
    assert_eq!(case.body(), format!("{MARKER}{report}"));

    case.has_comment();
    case.project.write("report.md", "passed\n");
    case.run(PULL, ["", ""]);
    let update = "PATCH repos/owner/name/issues/comments/42";
    assert_eq!(case.calls(), [LIST, update]);
    assert_eq!(case.body(), format!("{MARKER}passed\n"));
}

#[test]
fn a_comment_has_at_most_as_many_characters_as_github_takes() {
    let row = format!("| {} |\n", "\u{e9}".repeat(50));
    let begin = "FAIL one\n\n<details>\n<summary>All</summary>\n\n````text\n```\n<details>\n";
    let end = "````\n</details>\n";
    let rest = "\nThe rest of the report is in the summary of the run.\n";
    // Rows, and what is open at the cut.
    for (name, begin, closed) in [
        ("comment-fence", begin.to_owned(), "````\n\n</details>\n"),
        (
            "comment-fold",
            begin.replace("````text\n```\n", ""),
            "\n</details>\n\n</details>\n",
        ),
        ("comment-plain", "FAIL one\n".to_owned(), ""),
    ] {
        let Some(case) = Case::new(name, &format!("{begin}{}{end}", row.repeat(10_000))) else {
            return;
        };
        case.run(PULL, ["", ""]);
        let body = case.body();
        assert!((60_000..=65_536).contains(&body.len()), "{}", body.len());
        assert!(body.starts_with(&format!("{MARKER}{begin}{row}")));
        assert!(body.ends_with(&format!("{row}{closed}{rest}")), "{name}");
    }
}

#[test]
fn without_the_permission_there_is_a_notice() {
    let Some(case) = Case::new("comment-forbidden", "passed\n") else {
        return;
    };
    let notice = "::notice title=alloc-gate::no comment: gh: Resource not accessible by integration \
                  (HTTP 403); it needs `pull-requests: write`, which a fork never has\n";
    for (method, calls) in [("POST", 2), ("GET", 1)] {
        case.project.write(&format!("refuses-{method}"), "");
        let ran = case.run(PULL, ["", ""]);
        assert_eq!(ran.stderr_text(), notice);
        assert_eq!(case.calls().len(), calls);
        assert!(!case.project.path("body").exists());
    }
}

#[test]
fn a_push_has_no_comment() {
    let Some(case) = Case::new("comment-push", "passed\n") else {
        return;
    };
    for reference in [
        "refs/heads/main",
        "refs/heads/refs/pull/7/merge",
        "refs/tags/v1",
        "",
    ] {
        let ran = case.run(reference, ["", ""]);
        ran.stdout_has("no comment: this is not a pull request");
        assert_eq!(case.calls(), [""; 0]);
    }
}

/// The number is of the commit that GitHub names, also if the fork pushed since.
#[test]
fn the_pull_request_of_a_fork_is_found_by_its_commit() {
    let Some(case) = Case::new("comment-fork", "passed\n") else {
        return;
    };
    let head = "somebody:a&b c";
    case.run("refs/heads/main", [head, "bbbb"]);
    let find = format!("GET repos/owner/name/pulls state=open head={head}");
    let list = LIST.replace("/7/", "/6/");
    let create = "POST repos/owner/name/issues/6/comments";
    assert_eq!(case.calls(), [&find, &list, create]);

    let ran = case.run(PULL, [head, "cccc"]);
    ran.stdout_has("no comment: this is not a pull request");
    assert_eq!(case.calls(), [find]);
}

#[test]
fn only_a_file_is_a_report() {
    let Some(case) = Case::new("comment-file", "passed\n") else {
        return;
    };
    let report = case.project.path("report.md");
    let is_none = || {
        let ran = case.run(PULL, ["", ""]);
        ran.stdout_has("no comment: there is no report");
        assert_eq!(case.calls(), [""; 0]);
    };
    fs::remove_file(&report).expect("it was there");
    is_none();
    symlink(case.project.path("gates.toml"), &report).expect("the link can be made");
    is_none();
}
