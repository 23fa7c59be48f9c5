//! A crate outside of the lab registers its allocator and its workload as the README shows, and
//! gets results, tables, ratios and the heat map with one command.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails where it can't go on"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const README: &str = include_str!("../../allocator-lab/README.md");

/// The example, as it stands in the README.
fn example() -> &'static str {
    let (_, rest) = README
        .split_once("## Your own allocator and workload")
        .expect("the README has the section");
    let (_, rest) = rest.split_once("```rust,no_run\n").unwrap();
    rest.split_once("\n```").unwrap().0
}

/// Makes a package in a folder of its own that is in no workspace.
fn package() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let dependency = |name: &str, more: &str| {
        let path = crates.join(name).display().to_string();
        format!("{name} = {{ path = {path:?}{more} }}\n")
    };
    let manifest = format!(
        "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\n{}{}\n[lib]\nbench = false\n\n\
         [[bench]]\nname = \"my_lab\"\nharness = false\n\n[workspace]\n",
        dependency("alloc-scenario", ""),
        dependency("allocator-lab", ", default-features = false"),
    );
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::create_dir_all(folder.join("benches")).unwrap();
    for stale in ["allocators.jsonl", "allocators.md"] {
        let _ = fs::remove_file(folder.join(stale));
    }
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "").unwrap();
    fs::write(folder.join("benches/my_lab.rs"), example()).unwrap();
    // The versions of this workspace, which are on the machine.
    let lock = crates.parent().unwrap().join("Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).unwrap();
    folder
}

/// What `cargo xtask lab` starts, with these arguments.
fn lab(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab-page"))
        .args(["run", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .args(["--bench", "my_lab"])
        .args(arguments)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        // The time of a build without optimisation is half of that with it.
        .env("CARGO_PROFILE_BENCH_OPT_LEVEL", "0")
        .output()
        .unwrap()
}

#[test]
fn the_readme_s_example_gets_a_page_of_its_own() {
    let folder = package();
    let output = lab(
        &folder,
        &["--rounds", "2", "my-workload/", "size=64,memory"],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let page = fs::read_to_string(folder.join("allocators.md")).unwrap();
    assert!(page.contains("<code>my-workload</code>"), "{page}");
    assert!(page.contains("| mine |"), "{page}");
    assert!(page.contains("| system-again |"), "{page}");
    assert!(page.contains("pair-by-size"), "{page}");
    let results = fs::read_to_string(folder.join("allocators.jsonl")).unwrap();
    let mine = results
        .lines()
        .find(|line| line.contains("\"my-workload/subject=mine\""))
        .expect("the allocator was measured");
    // Three requests a call, in each of two processes.
    assert!(mine.contains("\"processes\":2"), "{mine}");
}
