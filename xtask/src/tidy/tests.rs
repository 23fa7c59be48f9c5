//! Planted violations: each rule finds its own, and nothing else.

mod layers;
mod links;

use std::collections::BTreeSet;

use super::findings;
use super::page::Page;
use super::source::Source;
use super::workspace::{Graph, Manifest, Member, Workspace};

const PAGE: &str = "
## Who may use what

| crate | may use | must not know |
|---|---|---|
| `engine` | `serde`, and for text `toml` | much |
| `example` | nothing; its bench: `engine` | |
| `lab` | nothing; any optional dependency | |
| `proof-x` | nothing | |

### Where `unsafe` stands

| `crates/counter` | it counts |
| `crates/engine/src/raw.rs` | it is raw |

## Figures

```text
behind alloc-scenario
  serde  syn
```

```text
crates/engine/src     layer

  report/  pages                     4
  judge.rs  verdicts  never figure   3
  tables.rs                          3
  rules.rs  rules  beside results    2
  results.rs                         2
  figure/                            1
```

```text
the way of a count, to its verdict
  engine  lib.rs, report.rs  from the first file to the last
```
";

/// Ways in which a gate is wrong and green, all with the tests that they need.
const WAYS: &str = "
Of 2 ways, 1 are caught; the 1 that begin with \"not seen\" are not.

| way | what happens | test |
|---|---|---|
| the figure is stale | fails | `stale.txt` |
| nobody looks | not seen |  |
";

/// A workspace with the page, a workflow, and nothing wrong with it.
fn workspace() -> Workspace {
    let modules = ["report", "judge", "tables", "rules", "results", "figure"];
    let file = |module: &str| Source::new("engine", &format!("crates/engine/src/{module}.rs"), "");
    Workspace {
        page: Page::read(PAGE),
        sources: [&["lib"], modules.as_slice()]
            .concat()
            .into_iter()
            .map(file)
            .collect(),
        workflows: vec![(
            ".github/workflows/ci.yml".into(),
            "permissions: {}\n".into(),
        )],
        wrong_and_green: WAYS.into(),
        cases: BTreeSet::from(["stale.txt".into()]),
        ..Workspace::default()
    }
}

/// The findings as `code path:line`.
fn found(workspace: &Workspace) -> Vec<String> {
    let shown =
        |finding: super::Finding| format!("{} {}:{}", finding.code, finding.path, finding.line);
    findings(workspace).into_iter().map(shown).collect()
}

/// The findings in files of the crate `engine` that replace its files in [`workspace`].
fn found_in(files: &[(&str, &str)]) -> Vec<String> {
    let mut workspace = workspace();
    for (path, text) in files {
        let path = format!("crates/engine/{path}");
        workspace.sources.retain(|source| source.path != path);
        workspace.sources.push(Source::new("engine", &path, text));
    }
    found(&workspace)
}

fn member(name: &str, dependencies: &[(&str, bool)]) -> Member {
    let folder = if name.starts_with("proof") {
        "crates/proof"
    } else {
        "crates"
    };
    Member {
        name: name.to_owned(),
        manifest: Manifest {
            path: format!("{folder}/{name}/Cargo.toml"),
            text: "[dependencies]\nserde.workspace = true\n[lints]\nworkspace = true\n".into(),
        },
        dependencies: dependencies
            .iter()
            .map(|&(name, shipped)| (name.to_owned(), shipped))
            .collect(),
    }
}

fn found_in_members(members: &[Member]) -> Vec<String> {
    let mut workspace = workspace();
    workspace.members = members.to_vec();
    found(&workspace)
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(found(&workspace()), [""; 0]);
}

#[test]
fn a_file_has_a_name_that_says_something() {
    for name in ["imp", "utils", "helpers", "common", "mod"] {
        let path = format!("tests/a/{name}.rs");
        let expected = format!("meaningless-file-name crates/engine/{path}:1");
        assert_eq!(found_in(&[(&path, "")]), [expected]);
    }
}

#[test]
fn unsafe_is_allowed_only_where_the_page_says_so() {
    let text = "// unsafe_code\n#![forbid(unsafe_code)]\n#[cfg(test)]\nmod tests {\n    #![expect(\n        unsafe_code,\n    )]\n}\n";
    assert_eq!(
        found_in(&[("benches/a.rs", text), ("src/raw.rs", text)]),
        [
            "unsafe-not-allowed crates/engine/benches/a.rs:6",
            "module-without-layer design/architecture.md:1"
        ]
    );
}

#[test]
fn a_dependency_needs_a_grant() {
    let granted = [("serde", true), ("toml", true), ("x", false)];
    let not_allowed = "dependency-not-allowed crates/example/Cargo.toml:2";
    let unknown = "unknown-member crates/new/Cargo.toml:1";
    for (name, dependencies, expected) in [
        ("engine", &granted[..], &[][..]),
        ("example", &[("engine", false)], &[]),
        ("example", &[("serde", true)], &[not_allowed]),
        ("example", &[("serde", false)], &[not_allowed]),
        ("new", &[], &[unknown]),
    ] {
        let found = found_in_members(&[member(name, dependencies)]);
        assert_eq!(found, expected, "{name}: {dependencies:?}");
    }
    let members = [
        member("engine", &[("proof-x", false)]),
        member("proof-x", &[]),
    ];
    let expected = ["proof-used-outside crates/engine/Cargo.toml:1"];
    assert_eq!(found_in_members(&members), expected);
}

#[test]
fn a_member_inherits() {
    let mut member = member("engine", &[]);
    member.manifest.text = "[package]\npublish = false\n[dependencies]\na.workspace = true\nb = { workspace = true, features = [\"x\"] }\nc = \"1\"\n[dependencies.d]\nworkspace = true\n[target.'cfg(unix)'.dev-dependencies]\ne.version = \"1\"\n[build-dependencies.f]\npath = \"../f\"\n".into();
    let place = "crates/engine/Cargo.toml";
    assert_eq!(
        found_in_members(&[member]),
        [
            format!("lints-not-inherited {place}:1"),
            format!("dependency-not-inherited {place}:6"),
            format!("dependency-not-inherited {place}:10"),
            format!("dependency-not-inherited {place}:11"),
        ]
    );
}

#[test]
fn a_member_that_may_have_any_optional_dependency_says_why() {
    let mut lab = member(
        "lab",
        &[("explained", true), ("bare", true), ("always", true)],
    );
    lab.manifest.text = "[dependencies]\n# Because.\nexplained = { version = \"1\", optional = true }\nbare = { version = \"1\", optional = true }\nalways = \"1\"\n[lints]\nworkspace = true\n".into();
    let place = "crates/lab/Cargo.toml";
    assert_eq!(
        found_in_members(&[lab]),
        [
            format!("dependency-without-reason {place}:4"),
            format!("dependency-not-allowed {place}:5"),
            format!("dependency-not-inherited {place}:5"),
        ]
    );
}

#[test]
fn a_third_party_dependency_needs_a_comment_directly_above_it() {
    let text = "[workspace.dependencies]\nours = { path = \"crates/ours\" }\nclap = \"4\"\n\n# Because.\nexplained = \"1\"\nbare = \"1\"\n# Too far away.\n\nfar = \"1\"\n# Because.\n[workspace.dependencies.table]\nversion = \"1\"\n[workspace.dependencies.bare-table]\nversion = \"1\"\n[workspace.lints.rust]\nunsafe_code = \"deny\"\n";
    let mut workspace = workspace();
    workspace.roots = vec![Manifest {
        path: "Cargo.toml".into(),
        text: text.into(),
    }];
    assert_eq!(
        found(&workspace),
        [7, 10, 14].map(|line| format!("dependency-without-reason Cargo.toml:{line}"))
    );
}

#[test]
fn the_build_of_a_bench_has_the_crates_of_the_value() {
    let owned = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    };
    let edges = [
        ("alloc-scenario", owned(&["serde"])),
        ("serde", owned(&["syn", "new"])),
        ("syn", owned(&["serde"])),
        ("new", owned(&["further"])),
        ("other", owned(&["far"])),
    ];
    let mut workspace = workspace();
    workspace.graph = Graph {
        edges: edges.map(|(name, names)| (name.to_owned(), names)).into(),
    };
    assert_eq!(found(&workspace), ["bench-build-grew Cargo.lock:1"]);
}

#[test]
fn an_action_is_pinned_to_a_commit_with_its_version() {
    let commit = "11bd71901bbe5b1630ceea73d27597364c9af683";
    let with = |workflows| Workspace {
        workflows,
        ..workspace()
    };
    let found = |text: &str| {
        let workflows = vec![(".github/workflows/ci.yml".into(), text.into())];
        found(&with(workflows))
    };
    for pinned in [
        &format!("a/b@{commit} # v4.2.2"),
        &format!("'a/b@{commit}' # 4"),
        "./own",
    ] {
        let text = format!("permissions: {{}}\n  - uses: {pinned}\n");
        assert_eq!(found(&text), [""; 0]);
    }
    for loose in [
        "a/b",
        "a/b@v4 # v4",
        &format!("a/b@{commit}"),
        &format!("a/b@{commit} # new"),
        &format!("a/b@{} # 4", &commit[1..]),
    ] {
        let text = format!("permissions: {{}}\n    uses: {loose}\n");
        let expected = ["action-not-pinned .github/workflows/ci.yml:2"];
        assert_eq!(found(&text), expected);
    }
    let expected = ["permissions-missing .github/workflows/ci.yml:1"];
    assert_eq!(found("jobs:\n  permissions: x\n"), expected);
}

#[test]
fn each_way_to_be_wrong_names_tests_that_exist() {
    let source = "#[cfg(test)]\nmod tests {\n    pub(crate) fn a_test<T>() {}\n}\n// fn no()\n";
    let with = |old: &str, new: &str| {
        let mut workspace = workspace();
        let source = Source::new("engine", "crates/engine/tests/a.rs", source);
        workspace.sources.push(source);
        workspace.wrong_and_green = WAYS.replace(old, new);
        found(&workspace)
    };
    for named in ["`a_test`", "`stale.txt`, `a_test`"] {
        assert_eq!(with("`stale.txt`", named), [""; 0]);
    }
    for (old, new, line) in [
        ("`stale.txt`", "`a_test`, `no`", 6),
        ("`stale.txt`", "`no`", 6),
        ("`stale.txt`", "", 6),
        ("Of 2 ways", "Of 3 ways", 1),
    ] {
        let expected = format!("test-not-found docs/compared.md:{line}");
        assert_eq!(with(old, new), [expected]);
    }
}

#[test]
fn a_page_without_its_tables_is_found() {
    let mut workspace = workspace();
    workspace.page = Page::read("```text\ncrates/x/src  layer\n  module/  what it holds\n```\n");
    let place = "unreadable design/architecture.md";
    assert_eq!(
        found(&workspace),
        [1, 1, 1, 1, 3].map(|line| format!("{place}:{line}"))
    );
}

#[test]
fn a_way_that_is_gone_or_too_long_is_found() {
    let with = |files: &str| {
        let mut workspace = workspace();
        workspace.page = Page::read(&PAGE.replace("lib.rs, report.rs", files));
        found(&workspace)
    };
    let found = ["way-not-as-drawn design/architecture.md:36"];
    assert_eq!(with("lib.rs, gone.rs"), found);
    assert_eq!(with(&"lib.rs, ".repeat(25)), [""; 0]);
    assert_eq!(with(&"lib.rs, ".repeat(26)), found);
}

#[test]
fn this_workspace_can_be_read() {
    let workspace = Workspace::read().unwrap();
    assert_eq!(workspace.page.findings, []);
    let path = "xtask/src/tidy/workspace.rs";
    assert!(workspace.sources.iter().any(|source| source.path == path));
    assert!(workspace.graph.edges["alloc-gate"].contains("comfy-table"));
    assert!(!workspace.graph.edges["nmx-codec"].contains("alloc-scenario"));
}
