//! Other commits without a Cargo.lock of their own.

use std::fs;

use crate::repository::Repository;

/// The verdict without a change.
const UNCHANGED: &str =
    "compared 1 scenario: 0 changed, 1 unchanged (without --gate, no gates are checked)";

/// A library that ignores its lock file, as many do.
#[test]
fn a_base_without_a_lock_file_may_have_other_dependencies() {
    let repository = Repository::new("compare-ignored-lock", "box: 8\n", "");
    let project = &repository.project;
    project.write(".gitignore", "Cargo.lock\n");
    repository.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    let without = repository.commit("Ignore the lock file");
    let manifest = project.read("Cargo.toml");
    let extra = "[package]\nname = \"extra\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    project.write("extra/Cargo.toml", extra);
    project.write("extra/src/lib.rs", "");
    project.add_to_manifest("\n[dependencies.extra]\npath = \"extra\"\n");
    let with = repository.commit("Add a dependency");
    let compare = |base: &str, words: &str| {
        let ran = repository.run(&format!("compare {base}"), 0);
        ran.verdict(UNCHANGED);
        let line = format!("base: {}{words}\n", &base[..10]);
        assert!(
            ran.stdout_text().starts_with(&line),
            "{}",
            ran.stdout_text()
        );
    };
    let copied = ", which has no Cargo.lock, with that of the working tree";
    let is_locked = || project.read("Cargo.lock").contains("\"extra\"");
    project.run("list --offline --quiet", 0);
    assert!(is_locked());
    compare(&without, copied);
    project.write("Cargo.toml", &manifest);
    project.run("list --offline --quiet", 0);
    assert!(!is_locked());
    compare(&with, copied);
    fs::remove_file(project.path("Cargo.lock")).expect("it is there");
    compare(
        &with,
        ", without a Cargo.lock, with new versions of its dependencies",
    );
    repository.is_clean();
    // The build writes a file that git does not ignore.
    repository.git(&["rm", "--quiet", ".gitignore"]);
    let base = repository.commit("Ignore nothing");
    fs::remove_file(project.path("Cargo.lock")).expect("it is there");
    let ran = repository.run(&format!("compare {base} --format json"), 0);
    let head = &ran.json()["head"];
    assert_eq!(head["uncommitted"], 1, "{head}");
}

#[test]
fn a_base_without_a_lock_file_that_can_not_be_resolved_is_an_error_of_the_build() {
    let repository = Repository::new("compare-unresolved", "box: 8\n", "");
    let project = &repository.project;
    project.write(".gitignore", "Cargo.lock\n");
    repository.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    let manifest = project.read("Cargo.toml");
    let extra = "[package]\nname = \"extra\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    project.write("extra/Cargo.toml", extra);
    project.write("extra/src/lib.rs", "");
    project.add_to_manifest("\n[dependencies.extra]\npath = \"extra\"\nversion = \"9\"\n");
    let base = repository.commit("Depend on another version");
    project.write("Cargo.toml", &manifest);
    let ran = repository.run(&format!("compare {base}"), 101);
    ran.stderr_has(
        "the commit has no Cargo.lock, and its dependencies can't be resolved: failed to select",
    );
    ran.stderr_has("help: run it once with a network, or choose a commit whose manifest");
    repository.is_clean();
}
