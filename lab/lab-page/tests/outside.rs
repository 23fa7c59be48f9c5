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
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let dependency = |folder: &str, name: &str, more: &str| {
        let path = lab.join(folder).join(name).display().to_string();
        format!("{name} = {{ path = {path:?}{more} }}\n")
    };
    let manifest = format!(
        "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dev-dependencies]\n{}{}\n[lib]\nbench = false\n\n\
         [[bench]]\nname = \"my_lab\"\nharness = false\n\n[workspace]\n",
        dependency("../crates", "alloc-scenario", ""),
        dependency("", "allocator-lab", ", default-features = false"),
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
    let lock = lab.join("Cargo.lock");
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
        // Without optimisation, the floor is slower than the system's allocator, and there are no
        // ratios. More of it takes longer to build.
        .env("CARGO_PROFILE_BENCH_OPT_LEVEL", "1")
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
    let [page_file, results_file] =
        ["allocators.md", "allocators.jsonl"].map(|name| folder.join(name));
    let page = fs::read_to_string(&page_file).unwrap();
    for row in [
        "Workload my-workload</summary>",
        "\n| mine |",
        "\n| system-again |",
    ] {
        assert!(page.contains(row), "{page}");
    }
    // Which times exceed their floors depends on the machine; some do.
    let has_ratio = |row: &str| row.starts_with("| mine |") && row.contains("x)");
    assert!(page.lines().any(has_ratio), "{page}");
    assert!(
        page.contains("<!-- lab-page: begin pair-by-size -->"),
        "{page}"
    );
    assert!(page.contains("<!-- lab-page: begin heat -->"), "{page}");
    let results = fs::read_to_string(&results_file).unwrap();
    let processes = |scenario: &str| {
        let start = format!("\"scenario\":\"{scenario}");
        let line = results.lines().find(|line| line.contains(&start));
        let line = line.unwrap_or_else(|| panic!("no cell {scenario}: {results}"));
        let (_, rest) = line.split_once("\"processes\":").unwrap();
        rest.split_once(',').unwrap().0
    };
    // Two rounds, a process each; six more of a pair that writes nothing.
    assert_eq!(processes("my-workload/subject=mine\""), "2");
    assert_eq!(processes("pair/subject=mine,size=64,memory=filled\""), "2");
    assert_eq!(
        processes("pair/subject=mine,size=64,memory=untouched\""),
        "8"
    );

    // A filter that selects nothing measures nothing, also beside one that selects something.
    for arguments in [["my-workload/", "size=67"], ["size=67", "--quick"]] {
        let output = lab(&folder, &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        let expected = "error: failed to find a scenario whose name contains `size=67`; `cargo bench \
                        --package mine --bench my_lab -- --list` lists the names\n";
        assert!(errors.ends_with(expected), "{errors}");
    }

    // Results of another machine stay as they are: those of this one go elsewhere.
    let other = results.replace("\"kernel\":\"", "\"kernel\":\"another ");
    assert_ne!(other, results);
    fs::write(&results_file, &other).unwrap();
    let output = lab(&folder, &["--rounds", "1", "my-workload/subject=mine"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("stays as it is: Kernel of this run"),
        "{text}"
    );
    assert_eq!(fs::read_to_string(&results_file).unwrap(), other);
    assert_eq!(fs::read_to_string(&page_file).unwrap(), page);
    let elsewhere = folder.join("target/lab-of-this-machine/allocators.md");
    assert!(
        fs::read_to_string(elsewhere)
            .unwrap()
            .contains("my-workload")
    );
    fs::write(&results_file, &results).unwrap();

    // A page that can't be written loses nothing that was measured.
    fs::write(&page_file, "<!-- lab-page: begin nothing -->\n").unwrap();
    let output = lab(&folder, &["--rounds", "1", "my-workload/subject=mine"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("there is no section `nothing`"), "{errors}");
    assert_ne!(fs::read_to_string(&results_file).unwrap(), results);

    // A bench that fails after its last scenario has figures, and is no success.
    let path = folder.join("benches/my_lab.rs");
    let late = "let listed = std::env::args().any(|argument| argument == \"--list\");\n    \
                let code = lab.finish();\n    if listed { code } else { 3.into() }";
    let failing = example().replace("lab.finish()", late);
    fs::write(&path, failing).unwrap();
    fs::remove_file(&page_file).unwrap();
    let output = lab(&folder, &["--rounds", "1", "my-workload/subject=mine"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("failed; see "), "{errors}");
    assert!(page_file.exists(), "{errors}");

    // One that fails before its first scenario leaves no record.
    let failing = "fn main() -> std::process::ExitCode {\n    \
                   let listed = std::env::args().any(|argument| argument == \"--list\");\n    \
                   println!(\"pair/subject=mine: benchmark\");\n    \
                   if listed { 0.into() } else { 3.into() }\n}\n";
    fs::write(&path, failing).unwrap();
    let output = lab(&folder, &["--quick"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("failed; see "), "{errors}");
    assert!(errors.contains("has no result files"), "{errors}");
}
