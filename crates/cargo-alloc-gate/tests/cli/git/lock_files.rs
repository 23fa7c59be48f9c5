//! Other commits without a Cargo.lock of their own.

use std::fs;

use crate::project::Project;

/// A library that ignores its lock file, as many do.
#[test]
fn a_base_without_a_lock_file_may_have_other_dependencies() {
    let project = Project::repository("compare-ignored-lock", "box: 8\n", "");
    project.write(".gitignore", "Cargo.lock\n");
    project.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    let without = project.commit("Ignore the lock file");
    let manifest = project.read("Cargo.toml");
    let extra = "[package]\nname = \"extra\"\nversion = \"1.0.0\"\nedition = \"2024\"\n";
    project.write("extra/Cargo.toml", extra);
    project.write("extra/src/lib.rs", "");
    project.add_to_manifest("\n[dependencies.extra]\npath = \"extra\"\n");
    let with = project.commit("Add a dependency");
    let compare = |base: &str, words: &str| {
        let ran = project.run(&format!("compare {base}"), 0);
        ran.stdout_has(&format!("base: {}{words}\n", &base[..10]));
        ran.verdict(
            "compared 1 scenario: 0 changed, 1 unchanged (without --gate, no gates are checked)",
        );
    };
    let copied = "; it has no Cargo.lock, so the working tree's was used";
    project.run("list --offline --quiet", 0);
    project.has("Cargo.lock", "\"extra\"");
    compare(&without, copied);
    project.write("Cargo.toml", &manifest);
    project.run("list --offline --quiet", 0);
    compare(&with, copied);
    fs::remove_file(project.path("Cargo.lock")).expect("it is there");
    let fresh = "; it has no Cargo.lock, so the newest dependencies were used";
    compare(&with, fresh);
    // The build writes a file that git does not ignore.
    project.git(&["rm", "--quiet", ".gitignore"]);
    let base = project.commit("Ignore nothing");
    fs::remove_file(project.path("Cargo.lock")).expect("it is there");
    let ran = project.run(&format!("compare {base} --format json"), 0);
    assert_eq!(ran.json()["uncommitted"], 1);
    // A base that needs what nobody has does not build.
    project.add_to_manifest("\n[dependencies.extra]\npath = \"extra\"\nversion = \"9\"\n");
    fs::remove_file(project.path("Cargo.lock")).expect("it is there");
    let base = project.commit("Depend on another version");
    project.write("Cargo.toml", &manifest);
    let ran = project.run(&format!("compare {base}"), 101);
    ran.stderr_has("\nerror: failed to select a version for the requirement `extra = \"^9\"`\n");
    ran.stderr_has(
        "help: the commit has no Cargo.lock, so it must build with the current toolchain",
    );
    project.is_clean();
}

#[test]
fn a_base_is_built_with_the_toolchain_and_lock_file_of_the_working_tree() {
    let project = Project::repository("compare-toolchain", "box: 8\n", "");
    let toolchain = "[toolchain]\nchannel = \"no-such-toolchain\"\n";
    project.write("rust-toolchain.toml", toolchain);
    let lock = project.read("Cargo.lock");
    project.write("Cargo.lock", "version = 4\n");
    let too_little = project.commit("Have another toolchain, and lock too little");
    project.write("Cargo.lock", &lock);
    project.write(".gitignore", "Cargo.lock\n");
    project.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    let there = project.commit("Have no lock file");
    fs::remove_file(project.path("rust-toolchain.toml")).expect("it is there");
    let compare = |base: &str, code| {
        let mut command = project.command();
        command.env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN");
        command.args(["compare", base]);
        project.finish(command).code(code)
    };
    compare(&there, 0).stdout_has("; it has no Cargo.lock, so the working tree's was used\n");
    compare(&too_little, 101).stderr_has(" --locked ");
}
