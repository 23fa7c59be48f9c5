//! `docs/guide.md` as a program. README.md repeats its files and a failure.

use std::path::Path;

use crate::pages::page::{
    HAS_STACKS, Kind, assert_page, assert_picture, blocks, read, readme_with, transcript,
};
use crate::project::{Project, SOURCE};

/// The most lines of README.md.
const README_LINES: usize = 120;

/// The package `wordy`, as `cargo new --lib` makes it and with the dependency of its tests, as a
/// workspace of its own, with a profile that builds dependencies as in the other projects.
fn wordy() -> Project {
    let project = Project::own("wordy", &[]);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"wordy\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n\n[workspace]\n\n[profile.bench.package.\"*\"]\nopt-level = 0\n\n\
             [profile.bench.package.wordy]\ncodegen-units = 1\n\n[dev-dependencies]\n\
             alloc-assert = {{ path = '{SOURCE}/crates/alloc-assert' }}\n"
        ),
    );
    project
}

/// Runs the tests in a file of the project, with the build of its benches.
fn run_tests(project: &Project, path: &str) {
    let name = Path::new(path).file_stem().and_then(|stem| stem.to_str());
    let mut command = project.command_in(env!("CARGO"), "");
    command.args([
        "test",
        "--profile",
        "bench",
        "--config",
        "profile.bench.opt-level=0",
    ]);
    command.args(["--test", name.expect("a test has a name")]);
    project.finish(command).code(0);
}

#[test]
fn a_new_user_follows_the_guide() {
    let page = read("docs/guide.md");
    let project = wordy();
    let mut shown = String::new();
    let mut end = 0;
    for block in blocks(&page) {
        match block.kind() {
            Kind::File(path) => project.write(path, block.content),
            Kind::Command(code) => {
                shown.push_str(&page[end..block.place.start]);
                shown.push_str(&transcript(&project, block.content, code));
                end = block.place.end;
                if code == 1 && block.content.starts_with("$ cargo alloc-gate -q\n") && HAS_STACKS {
                    assert_picture("docs/failure.svg", &project);
                }
            }
            Kind::Change | Kind::Other => {}
        }
        if let Kind::File(path) = block.kind()
            && path.starts_with("tests/")
        {
            run_tests(&project, path);
        }
    }
    shown.push_str(&page[end..]);
    assert_page("docs/guide.md", shown.clone());
    let readme = readme_with(&shown);
    let lines = readme.lines().count();
    assert_page("README.md", readme);
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}
