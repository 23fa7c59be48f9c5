//! `init`: writes a bench, its lines in the manifest, and rules.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::program::PROGRAM;
use crate::project::{Project, SOURCE};

/// A package as `cargo new --lib` writes it, as a workspace of its own, and with the
/// profile of the other projects.
pub(crate) fn fresh(name: &str) -> Project {
    let project = Project::own(name, &[]);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n\n[workspace]\n\n[profile.bench]\nopt-level = 0\n"
        ),
    );
    project
}

/// The harness from its source.
pub(crate) fn dependency() -> String {
    format!("path = '{SOURCE}/crates/alloc-scenario'")
}

#[test]
fn a_new_project_is_green_and_with_one_allocation_more_red() {
    let project = fresh("init");
    let manifest = project.read("Cargo.toml");
    let ran = project.run("init", 0).stdout("").stderr(str![[r#"
       Wrote benches/alloc_count.rs
       Wrote gates.toml
       Wrote Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    let added = project.read("Cargo.toml");
    let added = added.strip_prefix(&manifest).expect("the manifest stays");
    ran.same(
        added,
        str![[r#"

[lib]
bench = false

[dev-dependencies]
alloc-scenario = { path = "[..]/crates/alloc-scenario" }

[[bench]]
name = "alloc_count"
harness = false

"#]],
    );
    project
        .run("", 0)
        .stdout(str![[r#"
init/alloc_count  1 scenario  1 gate  ok
| scenario      |  iters | allocs/op | net-bytes/op |
|---------------|--------|-----------|--------------|
| collect words | 10,000 |      1.00 |            0 |
environment: [HOST], profile bench, opt-level 0, over std::alloc::System, [RUSTC], commit unknown, [TIME]

"#]])
        .stderr(str![[r#"
    Building 1 bench
   Measuring init/alloc_count
alloc-gate: passed: 1 gate checked, 1 scenario measured

"#]]);

    let sample = project.read("benches/alloc_count.rs");
    let worse = sample.replace(
        "collect::<Vec<&str>>()",
        "map(Box::new).collect::<Vec<_>>()",
    );
    assert_ne!(sample, worse);
    project.write("benches/alloc_count.rs", &worse);
    let red = project.run("", 1);
    red.verdict("FAILED: 1 gate checked (1 failed), 1 scenario measured");

    // With the sample goes its gate, and no other line.
    let rules = project.read("gates.toml");
    let (head, _) = rules.split_once("\n[[gate]]\n").expect("there is a gate");
    let own = sample.replace("collect words", "split words");
    project.write("benches/alloc_count.rs", &own);
    let ran = project.run("suggest --write", 0);
    ran.stderr(str![[r#"
    Building 1 bench
   Measuring init/alloc_count
   Measuring init/alloc_count
     Removed the sample's gate `one-vector`
       Wrote gates.toml
alloc-gate: suggested 1 gate (`suggest` checks no gates)

"#]]);
    let suggested = project.read("gates.toml");
    assert!(suggested.starts_with(head), "{suggested}");
    assert!(!suggested.contains("one-vector"), "{suggested}");
    let checked = project.run("", 0);
    checked.verdict("passed: 1 gate checked, 1 scenario measured");
    // An edited gate is the user's.
    let edited = rules.replace("nothing stays allocated", "ours");
    project.write("gates.toml", &edited);
    project.run("suggest --write", 0);
    assert!(project.read("gates.toml").starts_with(&edited));
}

#[test]
fn without_a_source_the_bench_takes_the_one_of_the_command_and_is_green() {
    let project = fresh("init-own-source");
    project.run("init", 0);
    let manifest = project.read("Cargo.toml");
    let (_, path) = manifest
        .split_once("\nalloc-scenario = { path = \"")
        .expect("the bench depends on the harness");
    let (path, _) = path.split_once("\" }\n").expect("the path ends");
    assert!(Path::new(path).is_relative(), "{path}");
    let real = |path: PathBuf| path.canonicalize().expect("it exists");
    assert_eq!(
        real(project.path(path)),
        real(Path::new(SOURCE).join("crates/alloc-scenario"))
    );
    let checked = project.run("", 0);
    checked.verdict("passed: 1 gate checked, 1 scenario measured");
}

#[test]
fn a_path_is_relative_to_the_current_folder_and_written_for_the_manifest() {
    let project = fresh("init-path");
    for folder in ["crates/inner/src", "tool/crates/alloc-scenario", "other"] {
        let folder = project.path(folder);
        fs::create_dir_all(folder).expect("it can be made");
    }
    project.write(
        "tool/crates/alloc-scenario/Cargo.toml",
        "[package]\nname = \"alloc-scenario\"\n",
    );
    project.write("other/Cargo.toml", "[package]\nname = \"other\"\n");
    let inner = "[package]\nname = \"inner\"\nedition = \"2024\"\n\n[workspace]\n";
    project.write("crates/inner/Cargo.toml", inner);
    project.write("crates/inner/src/lib.rs", "");
    let here = |keys: &str| {
        let mut command = project.command_in(PROGRAM, "crates");
        command.args(["init", "--dependency", keys]);
        command.args(["--manifest-path", "inner/Cargo.toml"]);
        project.finish(command)
    };
    let nowhere = "the path is relative to the current folder";
    let near = "did you mean `../tool/crates/alloc-scenario`?";
    for (path, help) in [("../other", nowhere), ("tool", nowhere), ("../tool/", near)] {
        let ran = here(&format!("path = \"{path}\""));
        ran.code(2).not_judged(format!(
            "error: --dependency: `{path}` does not hold the crate `alloc-scenario`\n  \
             help: {help}\n"
        ));
    }
    assert_eq!(project.read("crates/inner/Cargo.toml"), inner);
    here("path = '../tool/crates/alloc-scenario', default-features = false").code(0);
    project.has(
        "crates/inner/Cargo.toml",
        "alloc-scenario = { path = \"../../tool/crates/alloc-scenario\", default-features = false }",
    );
}

#[test]
fn when_a_file_cannot_be_written_none_is() {
    let project = fresh("init-no-folder");
    let manifest = project.read("Cargo.toml");
    project.write("benches", "no folder");
    project
        .run("init", 110)
        .stderr_has("benches is not a directory");
    assert_eq!(project.read("Cargo.toml"), manifest);
    assert!(!project.path("gates.toml").exists());
}

#[test]
fn a_dependency_that_is_not_toml_is_refused() {
    let project = fresh("init-no-toml");
    let manifest = project.read("Cargo.toml");
    for keys in ["path = ", "", "path = 'a' } x = { y = 1"] {
        let ran = project.run_args(&["init", "--dependency", keys], 2);
        let what = format!("error: `{keys}` is not a dependency\n");
        ran.stderr_begins(&what);
    }
    assert_eq!(project.read("Cargo.toml"), manifest);
    assert!(!project.path("gates.toml").exists());
}

#[test]
fn with_several_packages_one_has_to_be_chosen() {
    let project = fresh("init-members");
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n",
    );
    for name in ["a", "b"] {
        let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n");
        project.write(&format!("{name}/Cargo.toml"), &manifest);
        project.write(&format!("{name}/src/lib.rs"), "");
    }
    project.run("init", 2).not_judged(str![[r#"
error: several packages found
  help: choose one with -p: `a`, `b`

"#]]);
    let ran = project.run("init -p c", 2);
    ran.stderr_begins("error: the workspace has no package `c`\n");
    ran.stderr_has("choose one with -p: `a`, `b`");
    assert!(!project.path("gates.toml").exists());
    project.run("init -p b", 0);
    assert!(project.path("b/benches/alloc_count.rs").exists());
    project.has("gates.toml", "package = \"b\"");

    // In a folder, the innermost package is chosen; the rules are for the workspace.
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"a\"]\n[package]\nname = \"root\"\nedition = \"2024\"\n",
    );
    for (folder, package) in [("a/src", "a"), ("src", "root")] {
        fs::remove_file(project.path("gates.toml")).expect("it was written");
        let mut here = project.command_in(PROGRAM, folder);
        here.arg("init");
        project.finish(here).code(0);
        let line = format!("package = \"{package}\"");
        project.has("gates.toml", &line);
    }
    assert!(project.path("a/benches/alloc_count.rs").exists());
    assert!(project.path("benches/alloc_count.rs").exists());
}

#[test]
fn a_package_of_the_first_edition_is_green() {
    let project = fresh("init-2015");
    let manifest = project.read("Cargo.toml");
    project.write("Cargo.toml", &manifest.replace("2024", "2015"));
    project.run("init", 0);
    project.run("", 0);
    // The sample is known again.
    project
        .run("init", 0)
        .stderr_has("everything was there already");
}

#[test]
fn an_older_rust_version_is_pointed_out() {
    let project = fresh("init-older-rust");
    let manifest = project.read("Cargo.toml");
    let declared = |version: &str| format!("edition = \"2021\"\nrust-version = \"{version}\"\n");
    let with = |version| manifest.replace("edition = \"2024\"\n", &declared(version));
    project.write("Cargo.toml", &with("1.84"));
    project.run("init", 0).stderr(str![[r#"
       Wrote benches/alloc_count.rs
       Wrote gates.toml
       Wrote Cargo.toml
warning: `init-older-rust` has rust-version 1.84.0, and alloc-scenario needs Rust 1.85
  help: run its tests and benches with Rust 1.85 or newer; check the older one with `cargo check`, which leaves dev-dependencies out
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    project.write("Cargo.toml", &with("1.85"));
    project.run("init", 0).stderr(str![[r#"
        Kept benches/alloc_count.rs
        Kept gates.toml
       Wrote Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
}

#[test]
fn a_package_without_a_library_to_call_is_pointed_out() {
    let project = fresh("init-no-library");
    let manifest = project.read("Cargo.toml");
    for (keys, file, help) in [
        (
            "crate-type = [\"cdylib\"]",
            "lib.rs",
            "add \"rlib\" to `crate-type` in `[lib]`",
        ),
        (
            "proc-macro = true",
            "lib.rs",
            "move the code of the macro into a library",
        ),
        ("", "main.rs", "move the code to measure into src/lib.rs"),
        ("crate-type = [\"cdylib\", \"rlib\"]", "lib.rs", ""),
    ] {
        fs::remove_dir_all(project.path("src")).expect("it is there");
        project.write(&format!("src/{file}"), "fn main() {}\n");
        let keys = if keys.is_empty() {
            String::new()
        } else {
            format!("\n[lib]\n{keys}\n")
        };
        project.write("Cargo.toml", &format!("{manifest}{keys}"));
        let ran = project.run("init", 0);
        let what = "warning: `init-no-library` has no library that a bench can call\n  help: ";
        assert_eq!(
            ran.stderr_text().contains(&format!("{what}{help}")),
            !help.is_empty(),
            "{keys}"
        );
    }
}
