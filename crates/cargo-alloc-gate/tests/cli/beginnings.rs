//! `init`: writes a bench and rules, continues rules that exist, and overwrites nothing.

use snapbox::str;

use crate::program::PROGRAM;
use crate::project::{Project, names};

/// A package as `cargo new --lib` writes it, as a workspace of its own, and with the
/// profile of the other projects.
fn fresh(name: &str) -> Project {
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
fn dependency() -> String {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    format!("path = '{crates}/alloc-scenario'")
}

#[test]
fn a_new_project_is_green_and_with_one_allocation_more_red() {
    let project = fresh("init");
    let manifest = project.read("Cargo.toml");
    let dependency = dependency();
    let ran = project.run_args(&["init", "--dependency", &dependency], 0);
    ran.stdout("").stderr(str![[r#"
       Wrote benches/alloc_count.rs
       Wrote gates.toml
       Wrote gates.schema.json
       Wrote Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    assert_eq!(
        project.read("Cargo.toml"),
        format!(
            "{manifest}\n[lib]\nbench = false\n\n\
             [dev-dependencies]\nalloc-scenario = {{ {dependency} }}\n\n\
             [[bench]]\nname = \"alloc_count\"\nharness = false\n"
        )
    );
    let schema = project.run("schema", 0).stdout_text();
    assert_eq!(project.read("gates.schema.json"), schema);
    project
        .run("", 0)
        .stdout(str![[r#"
init/alloc_count  1 scenario  1 gate  ok
| scenario      |  iters | alloc-calls/op | net-bytes/op |
|---------------|--------|----------------|--------------|
| collect words | 10,000 |           1.00 |            0 |
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
alloc-gate: suggested 1 gate for 1 scenario (`suggest` checks no gates)

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
fn without_a_source_the_dependency_is_of_this_version() {
    let project = fresh("init-version");
    project.run("init", 0);
    let line = concat!("\nalloc-scenario = \"", env!("CARGO_PKG_VERSION"), "\"\n");
    project.has("Cargo.toml", line);
}

#[test]
fn existing_files_are_named_and_nothing_is_written() {
    let project = fresh("init-exists");
    project.run("init", 0);
    let files = ["Cargo.toml", "gates.toml", "benches/alloc_count.rs"];
    let written = files.map(|file| project.read(file));
    project.run("init", 110).stdout("").stderr(str![[r#"
error: nothing was written: benches/alloc_count.rs already exists; Cargo.toml already has a bench `alloc_count`
  help: add the missing parts by hand

to Cargo.toml:

[lib]
bench = false

[dev-dependencies]
alloc-scenario = "[..]"

[[bench]]
name = "alloc_count"
harness = false

to gates.toml:

[[bench]]
package = "init-exists"
target = "alloc_count"

[[gate]]
name = "init-exists-one-vector"
scenarios = ["init-exists: collect words"] # globs over the names of scenarios
alloc-calls = "<= 1" # the mean; `{ max = "<= 1" }` limits the worst iteration
net-bytes = "== 0" # nothing stays allocated
reason = "the words are collected into one vector"

alloc-gate: error: nothing was written: benches/alloc_count.rs already exists; Cargo.toml already has a bench `alloc_count` (exit code 110)

"#]]);
    assert_eq!(files.map(|file| project.read(file)), written);

    // Each of the two is enough.
    let only = |file: &str, text: &str, reason: &str| {
        let project = fresh("init-one-exists");
        project.write(file, text);
        let before = names(project.root());
        let manifest = project.read("Cargo.toml");
        let ran = project.run("init", 110);
        ran.stderr_begins(&format!("error: nothing was written: {reason}\n"));
        assert_eq!(names(project.root()), before);
        assert_eq!(project.read("Cargo.toml"), manifest);
    };
    let bench = "benches/alloc_count.rs";
    only(bench, "", &format!("{bench} already exists"));
    let manifest = format!(
        "{}[[bench]]\nname = \"alloc_count\"\npath = \"src/lib.rs\"\n",
        written[0]
    )
    .replace("[[bench]]\nname = \"alloc_count\"\nharness = false\n", "");
    only(
        "Cargo.toml",
        &manifest,
        "Cargo.toml already has a bench `alloc_count`",
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
    for (args, what) in [
        (&["-p", "c"][..], "the workspace has no package `c`"),
        (&["-p", "a", "-p", "b"], "-p matches several packages"),
    ] {
        let ran = project.run_args(&[&["init"], args].concat(), 2);
        ran.stderr_begins(&format!("error: {what}\n"));
        ran.stderr_has("choose one with -p: `a`, `b`");
    }
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
        std::fs::remove_file(project.path("gates.toml")).expect("it was written");
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
fn existing_benches_get_gates() {
    let project = Project::new("init-suggest", &[("counts", "one box: 8")]);
    let metadata = "\n[package.metadata.alloc-gate]\nbenches = [\"counts\"]\n";
    project.add_to_manifest(metadata);
    let manifest = project.read("Cargo.toml");
    project
        .run("init --suggest", 0)
        .stdout("")
        .after_measuring(str![[r#"
   Measuring demo/counts
       Wrote gates.toml
       Wrote gates.schema.json
alloc-gate: wrote the rules; read the gates, and run `cargo alloc-gate`

"#]]);
    assert_eq!(project.read("Cargo.toml"), manifest);
    assert!(!project.path("benches/alloc_count.rs").exists());
    let rules = project.read("gates.toml");
    let (_, gate) = rules.split_once("\n[[gate]]\n").expect("there is a gate");
    assert_eq!(
        gate,
        "name = \"one-box\"\n\
         scenarios = [\"one box\"]\n\
         alloc-calls = \"<= 1\"\n\
         bytes = \"<= 8\"\n\
         net-bytes = \"== 0\"\n"
    );
    let checked = project.run("", 0);
    checked.verdict("passed: 1 gate checked, 1 scenario measured");

    // Rules that exist are continued.
    project.scenarios("counts", "one box: 8\ntwo boxes: 8 8\n");
    project.run("init --suggest", 0);
    let text = project.read("gates.toml");
    let added = text.strip_prefix(&rules).expect("the rules stay");
    assert!(added.contains("\nname = \"two-boxes\"\n"), "{added}");
    project
        .run("", 0)
        .verdict("passed: 2 gates checked, 2 scenarios measured");
}

#[test]
fn rules_that_exist_are_continued() {
    let project = fresh("init-continues");
    let package = |name: &str| {
        let dependency = dependency();
        project.write(
            &format!("{name}/Cargo.toml"),
            &format!(
                "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[lib]\npath = \"lib.rs\"\n\n\
                 [dev-dependencies]\nalloc-scenario = {{ {dependency} }}\n"
            ),
        );
        project.write(&format!("{name}/lib.rs"), "");
    };
    for name in ["first", "second", "third"] {
        package(name);
    }
    project.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"first\", \"second\", \"third\"]\nresolver = \"3\"\n\n\
         [profile.bench]\nopt-level = 0\n",
    );
    project.run("init -p first", 0);
    // With comments of the user, and the line ends of Windows.
    let rules = project.read("gates.toml") + "\n# The end.\n";
    let rules = rules.replace('\n', "\r\n");
    project.write("gates.toml", &rules);
    let ran = project.run("init -p second", 0).stdout("");
    let ran = ran.stderr(str![[r#"
       Wrote second/benches/alloc_count.rs
       Wrote gates.toml
       Wrote second/Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    let text = project.read("gates.toml");
    let added = text.strip_prefix(&rules).expect("the rules stay");
    ran.same(
        &added.replace("\r\n", "\n"),
        str![[r#"

[[bench]]
package = "second"
target = "alloc_count"

[[gate]]
name = "second-one-vector"
scenarios = ["second: collect words"] # globs over the names of scenarios
alloc-calls = "<= 1" # the mean; `{ max = "<= 1" }` limits the worst iteration
net-bytes = "== 0" # nothing stays allocated
reason = "the words are collected into one vector"

"#]],
    );
    assert_eq!(added.matches('\n').count(), added.matches("\r\n").count());
    let manifest = project.read("second/Cargo.toml");
    assert!(
        manifest.contains("[lib]\nbench = false\npath"),
        "{manifest}"
    );
    project
        .run("", 0)
        .verdict("passed: 2 gates checked, 2 scenarios measured");

    // Tables can't follow an inline array.
    let inline = "version = 1\nbench = [{ package = \"first\", target = \"alloc_count\" }]\n";
    project.write("gates.toml", inline);
    let ran = project.run("init -p third", 110);
    ran.stderr_begins("error: nothing was written: failed to add lines to gates.toml: error");
    ran.stderr_has("name = \"third-one-vector\"");
    assert_eq!(project.read("gates.toml"), inline);
    assert!(!project.path("third/benches").exists());

    // Rules with mistakes are not continued.
    project.write("gates.toml", "");
    let ran = project.run("init -p third", 96);
    ran.stderr_has("gates.toml is invalid");
    assert!(!project.path("third/benches").exists());
}

#[test]
fn an_older_rust_version_is_pointed_out() {
    let project = fresh("init-older-rust");
    let manifest = project.read("Cargo.toml");
    let declared = |version: &str| format!("edition = \"2021\"\nrust-version = \"{version}\"\n");
    let with = |version| manifest.replace("edition = \"2024\"\n", &declared(version));
    project.write("Cargo.toml", &with("1.70"));
    project.run("init", 0).stderr(str![[r#"
       Wrote benches/alloc_count.rs
       Wrote gates.toml
       Wrote gates.schema.json
       Wrote Cargo.toml
warning: `init-older-rust` has rust-version 1.70.0, and alloc-scenario needs Rust 1.88
  help: run its tests and benches with Rust 1.88 or newer; check the older one with `cargo check`, which leaves dev-dependencies out
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    for file in ["benches/alloc_count.rs", "gates.toml"] {
        std::fs::remove_file(project.path(file)).expect("it was written");
    }
    project.write("Cargo.toml", &with("1.88"));
    // The schema is there already.
    project.run("init", 0).stderr(str![[r#"
       Wrote benches/alloc_count.rs
       Wrote gates.toml
       Wrote Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
}
