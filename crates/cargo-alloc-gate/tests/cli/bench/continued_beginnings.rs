//! `init` where some of its files exist: it adds what is missing and overwrites nothing.

use std::fs;

use snapbox::str;

use crate::bench::beginnings::{dependency, fresh};
use crate::project::names;

#[test]
fn a_second_init_adds_what_is_missing() {
    let project = fresh("init-again");
    let bench = "benches/alloc_count.rs";
    let files = ["Cargo.toml", "gates.toml", bench];
    let all = || files.map(|file| project.read(file));
    project.run("init", 0);
    let written = all();
    project.run("init", 0).stdout("").stderr(str![[r#"
        Kept benches/alloc_count.rs
        Kept gates.toml
        Kept Cargo.toml
alloc-gate: everything was there already; run `cargo alloc-gate`

"#]]);
    assert_eq!(all(), written);

    // Each of the files alone. A manifest gets its missing lines at the end.
    for missing in ["gates.toml", bench] {
        fs::remove_file(project.path(missing)).expect("it was written");
        project
            .run("init", 0)
            .stderr_has(&format!("       Wrote {missing}\n"));
        assert_eq!(all(), written);
    }
    let lines = "\n[[bench]]\nname = \"alloc_count\"\nharness = false\n";
    project.write("Cargo.toml", &written[0].replace(lines, ""));
    project.run("init", 0).stderr(str![[r#"
        Kept benches/alloc_count.rs
        Kept gates.toml
       Wrote Cargo.toml
alloc-gate: wrote a sample; run `cargo alloc-gate`, then replace the sample with a call of your own

"#]]);
    assert_eq!(all(), written);

    // A bench with scenarios of its own has no scenario for the sample's gate.
    project.write(bench, &written[2].replace("collect words", "split words"));
    fs::remove_file(project.path("gates.toml")).expect("it was written");
    project.run("init", 0).stderr(str![[r#"
        Kept benches/alloc_count.rs
        Kept Cargo.toml
       Wrote gates.toml
alloc-gate: added what was missing; run `cargo alloc-gate suggest --write` for gates on the scenarios

"#]]);
    let rules = project.read("gates.toml");
    assert!(rules.ends_with("target = \"alloc_count\"\n"), "{rules}");

    // The schema is for those who ask for it.
    assert!(!project.path("gates.schema.json").exists());
    project.run("init --schema", 0).stderr(str![[r#"
        Kept benches/alloc_count.rs
        Kept Cargo.toml
       Wrote gates.toml
       Wrote gates.schema.json
alloc-gate: added what was missing; run `cargo alloc-gate suggest --write` for gates on the scenarios

"#]]);
    let with_schema = format!("#:schema gates.schema.json\n{rules}");
    assert_eq!(project.read("gates.toml"), with_schema);
    let schema = include_str!("../../../../alloc-gate/gates.schema.json");
    assert_eq!(project.read("gates.schema.json"), schema);
    project
        .run("init --schema", 0)
        .stderr_has("everything was there already");
}

#[test]
fn another_bench_of_the_name_is_kept_and_nothing_is_written() {
    let refused = |name: &str, file: &str, text: &str, reason: &str| {
        let project = fresh(name);
        let text = match file {
            "Cargo.toml" => project.read("Cargo.toml") + text,
            _ => text.to_owned(),
        };
        project.write(file, &text);
        let before = names(project.root());
        let ran = project.run("init", 110).stdout("");
        assert_eq!(names(project.root()), before);
        assert_eq!(project.read(file), text);
        ran.stderr_begins(&format!("error: nothing was written: {reason}\n"));
        ran
    };
    let other = "[[bench]]\nname = \"alloc_count\"\nharness = false\npath = \"src/lib.rs\"\n";
    let ran = refused(
        "init-other-bench",
        "Cargo.toml",
        other,
        "failed to add lines to Cargo.toml: its bench `alloc_count` is in src/lib.rs",
    );
    ran.stderr(str![[r#"
error: nothing was written: failed to add lines to Cargo.toml: its bench `alloc_count` is in src/lib.rs
  help: add the missing parts by hand

to Cargo.toml:

[lib]
bench = false

[dev-dependencies]
alloc-scenario = { path = "[..]/crates/alloc-scenario" }

[[bench]]
name = "alloc_count"
harness = false

to gates.toml:

[[bench]]
package = "init-other-bench"
target = "alloc_count"

[[gate]]
name = "one-vector"
scenarios = ["collect words"] # globs over the names of scenarios
allocs = "<= 1" # the mean; `{ max = "<= 1" }` limits the worst iteration
net-bytes = "== 0" # nothing stays allocated
reason = "the words are collected into one vector"

alloc-gate: error: nothing was written: failed to add lines to Cargo.toml: its bench `alloc_count` is in src/lib.rs (exit code 110)

"#]]);
    refused(
        "init-other-file",
        "benches/alloc_count.rs",
        "criterion_main!(benches);\n",
        "benches/alloc_count.rs exists, and is not a bench of alloc-scenario",
    );
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
allocs = "<= 1" # the mean; `{ max = "<= 1" }` limits the worst iteration
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
