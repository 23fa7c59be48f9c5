//! Planted violations: each rule finds its own, and nothing else.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::ValueEnum;

use super::finding::Code;
use super::findings;
use super::page::{self, Page};
use super::source::Source;
use super::workspace::{Graph, Manifest, Member, Workspace};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const PAGE: &str = "
## Who may use what

| crate | may use | must not know |
|---|---|---|
| `engine` | `serde`, and for text `toml` | much |
| `example` | nothing; its bench: `engine` | |
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
crates/engine/src     floor

  report/  pages                     4
  judge.rs  verdicts  never figure   3
  tables.rs                          3
  rules.rs  rules  beside results    2
  results.rs                         2
  figure/                            1
```
";

/// A workspace with the page, a workflow, and nothing wrong with it.
fn workspace() -> Workspace {
    let rooms = ["report", "judge", "tables", "rules", "results", "figure"];
    let file = |room: &str| Source::new("engine", &format!("crates/engine/src/{room}.rs"), "");
    Workspace {
        page: Page::read(PAGE),
        sources: [&["lib"], rooms.as_slice()]
            .concat()
            .into_iter()
            .map(file)
            .collect(),
        workflows: vec![(
            ".github/workflows/ci.yml".into(),
            "permissions: {}\n".into(),
        )],
        ..Workspace::default()
    }
}

/// The findings as `code path:line`.
fn found(workspace: &Workspace) -> Vec<String> {
    let shown =
        |finding: super::Finding| format!("{} {}:{}", finding.code, finding.path, finding.line);
    findings(workspace).into_iter().map(shown).collect()
}

/// The findings in files of the crate `engine` that replace those of [`workspace`].
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
        is_published: true,
        has_readme: true,
    }
}

fn found_in_members(members: &[Member]) -> Vec<String> {
    let members = members.to_vec();
    found(&Workspace {
        members,
        ..workspace()
    })
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    assert_eq!(found(&workspace()), [""; 0]);
}

#[test]
fn an_upward_import_is_found() {
    let judge = "//! use crate::report::Page;\nuse crate::rules::Gate;\n\
                 use crate::{\n    report::{self, Page},\n    rules::Waiver,\n};\n";
    assert_eq!(
        found_in(&[
            ("src/judge.rs", judge),
            (
                "src/judge/inside.rs",
                "fn a() { super::super::tables::b() }"
            )
        ]),
        [
            "import-upward crates/engine/src/judge.rs:3",
            "import-upward crates/engine/src/judge.rs:3",
            "import-upward crates/engine/src/judge/inside.rs:1"
        ]
    );
    assert_eq!(
        found_in(&[("src/judge.rs", "fn a() -> crate::report::Page {}")]),
        ["import-upward crates/engine/src/judge.rs:1"]
    );
}

#[test]
fn rooms_on_one_floor_import_each_other_only_as_the_page_allows() {
    assert_eq!(
        found_in(&[("src/rules.rs", "use crate::results::Axis;")]),
        [""; 0]
    );
    assert_eq!(
        found_in(&[("src/results.rs", "use crate::rules::Gate;")]),
        ["import-upward crates/engine/src/results.rs:1"]
    );
    assert_eq!(
        found_in(&[("src/judge.rs", "use crate::figure::Exact;")]),
        ["import-forbidden crates/engine/src/judge.rs:1"]
    );
}

#[test]
fn unit_tests_and_test_targets_may_import_from_every_floor() {
    let text = "#[cfg(test)]\n#[path = \"x.rs\"]\nmod tests {\n    use crate::report::Page;\n}\n\
                #[cfg(test)]\nuse crate::report::Page;\nuse crate::rules::Gate; // crate::report::Page\n";
    assert_eq!(
        found_in(&[
            ("src/judge.rs", text),
            ("src/judge/tests.rs", "use crate::report::Page;")
        ]),
        [""; 0]
    );
}

#[test]
fn a_room_and_the_figure_have_to_agree() {
    let mut workspace = workspace();
    workspace
        .sources
        .retain(|source| !source.path.contains("tables"));
    workspace
        .sources
        .push(Source::new("engine", "crates/engine/src/tales.rs", ""));
    assert_eq!(
        found(&workspace),
        [
            "room-without-floor design/architecture.md:1",
            "room-without-floor design/architecture.md:27"
        ]
    );
}

#[test]
fn an_import_from_the_facade_is_found() {
    let lib =
        "mod rules;\npub use rules::Gate;\npub struct Own;\nmacro_rules! check { () => {} }\n";
    let text = "use crate::{rules::Waiver, Gate as G};\nuse crate::Own;\nfn a() { crate::check!() }\n\
                pub(in crate::rules) fn b() {}\nuse super::Gate;\n";
    assert_eq!(
        found_in(&[("src/lib.rs", lib), ("src/judge.rs", text)]),
        [
            "import-from-facade crates/engine/src/judge.rs:1",
            "import-from-facade crates/engine/src/judge.rs:5"
        ]
    );
}

#[test]
fn a_ring_of_four_files_is_found_and_one_of_three_is_not() {
    let ring = |others: &[&str]| {
        let names = ["a", "b", "c", "d"];
        let mut files: Vec<(String, String)> = vec![("tests/x/main.rs".into(), String::new())];
        for (nth, name) in names.iter().enumerate() {
            let next = others
                .get(nth)
                .map(|other| format!("use crate::{other}::X;"));
            files.push((format!("tests/x/{name}.rs"), next.unwrap_or_default()));
        }
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        found_in(&files)
    };
    assert_eq!(
        ring(&["b", "c", "d", "a"]),
        ["ring-of-files crates/engine/tests/x/a.rs:1"]
    );
    assert_eq!(ring(&["b", "c", "a", "a"]), [""; 0]);
    // A module and those inside it are one thing.
    assert_eq!(
        found_in(&[
            ("src/rules.rs", "use crate::rules::a::A;"),
            ("src/rules/a.rs", "use super::b::B;"),
            ("src/rules/b.rs", "use super::c::C;"),
            ("src/rules/c.rs", "use crate::rules::Rule;"),
        ]),
        [""; 0]
    );
}

#[test]
fn a_file_has_at_most_400_lines_of_code_and_a_name_that_says_something() {
    let text = format!(
        "// a comment\n\n{}#[cfg(test)]\nmod tests {{\n{}}}\n",
        "f();\n".repeat(400),
        "    f();\n".repeat(9)
    );
    assert_eq!(found_in(&[("tests/a.rs", &text)]), [""; 0]);
    let text = format!("{text}f();\n");
    assert_eq!(
        found_in(&[("tests/a.rs", &text)]),
        ["file-too-long crates/engine/tests/a.rs:415"]
    );
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
            "room-without-floor design/architecture.md:1",
            "unsafe-not-allowed crates/engine/benches/a.rs:6"
        ]
        .map(String::from)
        .into_iter()
        .rev()
        .collect::<Vec<_>>()
    );
}

#[test]
fn a_dependency_needs_a_grant() {
    assert_eq!(
        found_in_members(&[member(
            "engine",
            &[("serde", true), ("toml", true), ("x", false)]
        )]),
        [""; 0]
    );
    assert_eq!(
        found_in_members(&[member("example", &[("engine", false)])]),
        [""; 0]
    );
    for dependencies in [[("serde", true)], [("serde", false)]] {
        assert_eq!(
            found_in_members(&[member("example", &dependencies)]),
            ["dependency-not-allowed crates/example/Cargo.toml:2"]
        );
    }
    assert_eq!(
        found_in_members(&[member("new", &[])]),
        ["unknown-member crates/new/Cargo.toml:1"]
    );
    assert_eq!(
        found_in_members(&[
            member("engine", &[("proof-x", false)]),
            member("proof-x", &[])
        ]),
        ["proof-used-outside crates/engine/Cargo.toml:1"]
    );
}

#[test]
fn a_member_inherits_and_has_a_readme() {
    let mut member = member("engine", &[]);
    member.has_readme = false;
    member.manifest.text = "[package]\nname = \"engine\"\n[dependencies]\na.workspace = true\nb = { workspace = true, features = [\"x\"] }\nc = \"1\"\n[dependencies.d]\nworkspace = true\n[target.'cfg(unix)'.dev-dependencies]\ne.version = \"1\"\n[build-dependencies.f]\npath = \"../f\"\n".into();
    let place = "crates/engine/Cargo.toml";
    assert_eq!(
        found_in_members(&[member]),
        [
            format!("lints-not-inherited {place}:1"),
            format!("readme-missing {place}:1"),
            format!("dependency-not-inherited {place}:6"),
            format!("dependency-not-inherited {place}:10"),
            format!("dependency-not-inherited {place}:11"),
        ]
    );
}

#[test]
fn a_third_party_dependency_needs_a_comment_directly_above_it() {
    let text = "[workspace.dependencies]\nours = { path = \"crates/ours\" }\nclap = \"4\"\n\n# Because.\nexplained = \"1\"\nbare = \"1\"\n# Too far away.\n\nfar = \"1\"\n# Because.\n[workspace.dependencies.table]\nversion = \"1\"\n[workspace.dependencies.bare-table]\nversion = \"1\"\n[workspace.lints.rust]\nunsafe_code = \"deny\"\n";
    let mut workspace = workspace();
    workspace.versions.push(Manifest {
        path: "Cargo.toml".into(),
        text: text.into(),
    });
    assert_eq!(
        found(&workspace),
        [7, 10, 14].map(|line| format!("dependency-without-reason Cargo.toml:{line}"))
    );
}

#[test]
fn the_build_of_a_bench_has_the_crates_of_the_figure() {
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
        table_features: vec!["tty".into()],
    };
    assert_eq!(
        found(&workspace),
        [
            "bench-build-grew Cargo.lock:1",
            "terminal-detection Cargo.lock:1"
        ]
    );
}

#[test]
fn an_action_is_pinned_to_a_commit_with_its_version() {
    let commit = "11bd71901bbe5b1630ceea73d27597364c9af683";
    let found = |text: String| {
        let workflows = vec![(".github/workflows/ci.yml".into(), text)];
        found(&Workspace {
            workflows,
            ..workspace()
        })
    };
    for pinned in [
        format!("a/b@{commit} # v4.2.2"),
        format!("'a/b@{commit}' # 4"),
        "./own".into(),
    ] {
        assert_eq!(
            found(format!("permissions: {{}}\n  - uses: {pinned}\n")),
            [""; 0]
        );
    }
    for loose in [
        "a/b".into(),
        "a/b@v4 # v4".into(),
        format!("a/b@{commit}"),
        format!("a/b@{commit} # new"),
        format!("a/b@{} # 4", &commit[1..]),
    ] {
        let expected = ["action-not-pinned .github/workflows/ci.yml:2"];
        assert_eq!(
            found(format!("permissions: {{}}\n    uses: {loose}\n")),
            expected
        );
    }
    assert_eq!(
        found("jobs:\n  permissions: x\n".into()),
        ["permissions-missing .github/workflows/ci.yml:1"]
    );
    assert_eq!(
        findings(&Workspace {
            workflows: Vec::new(),
            ..workspace()
        })[0]
            .code,
        Code::WorkflowMissing
    );
}

#[test]
fn a_page_without_its_tables_is_found() {
    let mut workspace = workspace();
    workspace.page = Page::read("```text\ncrates/x/src  floor\n  room/  what it holds\n```\n");
    let place = "unreadable design/architecture.md";
    assert_eq!(
        found(&workspace),
        [1, 1, 1, 3].map(|line| format!("{place}:{line}"))
    );
}

#[test]
fn the_page_explains_every_code() {
    let page = std::fs::read_to_string(Path::new(ROOT).join(page::PATH)).unwrap();
    let explained: Vec<String> = page::rows(&page, "What `cargo xtask tidy` finds")
        .map(|(code, _)| code)
        .collect();
    let codes: Vec<String> = Code::value_variants()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(explained, codes);
}

#[test]
fn this_workspace_can_be_read() {
    let workspace = Workspace::read().unwrap();
    assert_eq!(workspace.page.findings, []);
    let path = "crates/proof/fuzz/fuzz_targets/rules.rs";
    assert!(workspace.sources.iter().any(|source| source.path == path));
    assert!(workspace.graph.edges["alloc-scenario"].contains("comfy-table"));
    assert!(!workspace.graph.edges["nmx-codec"].contains("alloc-scenario"));
}

/// A function for each way to the outside, behind the lints of clippy.toml.
const OUTSIDE: &str = "//! Planted.
/// Files.
pub fn files() { let _ = std::fs::read(\"x\"); let _ = std::fs::File::open(\"x\"); }
/// Paths.
pub fn paths() -> bool { std::path::Path::new(\"x\").exists() }
/// The environment.
pub fn environment() { let _ = std::env::var(\"x\"); let read = std::env::args; drop(read()); }
/// Processes.
pub fn processes() { let _ = std::process::Command::new(\"x\"); std::process::exit(1) }
/// Clocks.
pub fn clocks() { let _ = std::time::Instant::now(); let _ = std::time::SystemTime::now(); }
/// The network.
pub fn network() { let _ = std::net::TcpStream::connect(\"x\"); }
/// Standard streams.
pub fn streams() { let _ = std::io::stdin(); let _ = std::io::stdout(); let _ = std::io::stderr(); }
";

/// What clippy says of the planted text with the settings in `folder`.
fn clippy_on_outside(folder: &str) -> String {
    let mut clippy = Command::new("clippy-driver")
        .args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "-"])
        .arg("--out-dir")
        .arg(std::env::temp_dir())
        .env("CLIPPY_CONF_DIR", Path::new(ROOT).join(folder))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clippy is installed: `rustup component add clippy`");
    let mut input = clippy.stdin.take().unwrap();
    input.write_all(OUTSIDE.as_bytes()).unwrap();
    drop(input);
    let output = clippy.wait_with_output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn clippy_finds_planted_ways_to_the_outside() {
    for (folder, expected) in [
        ("", 2),
        ("crates/alloc-gate", 13),
        ("crates/alloc-results", 13),
    ] {
        let said = clippy_on_outside(folder);
        assert_eq!(
            said.matches("use of a disallowed ").count(),
            expected,
            "{said}"
        );
        // Nothing in the settings is unknown to clippy.
        assert!(!said.contains("clippy.toml"), "{said}");
    }
}
