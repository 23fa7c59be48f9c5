//! `docs/guide.md` as a program. README.md repeats its files.

use std::path::Path;

use crate::pages::page::{Kind, assert_page, blocks, read, readme_with, transcript};
use crate::project::{Project, SOURCE};

/// The most lines of README.md.
const README_LINES: usize = 150;

/// The package `wordy` in the folder `name`, as `cargo new --lib` makes it, as a workspace of
/// its own, with a profile that builds dependencies as in the other projects.
fn wordy(name: &str, profile: &str) -> Project {
    let project = Project::own(name, &[]);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"wordy\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n\n[workspace]\n\n[{profile}]\nopt-level = 0\n\n\
             [profile.bench.package.wordy]\ncodegen-units = 1\n"
        ),
    );
    project
}

/// Runs the tests in a file of the project, with the build of its benches and the dependency
/// that the page says.
fn run_tests(project: &Project, path: &str) {
    let manifest = project.read("Cargo.toml");
    let key = "[dev-dependencies]\n";
    if !manifest.contains("alloc-assert") {
        let dependency =
            format!("{key}alloc-assert = {{ path = '{SOURCE}/crates/alloc-assert' }}\n");
        project.write("Cargo.toml", &manifest.replace(key, &dependency));
    }
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
    let project = wordy("wordy", "profile.bench.package.\"*\"");
    let mut shown = String::new();
    let mut end = 0;
    for block in blocks(&page) {
        match block.kind() {
            Kind::File(path) => project.write(path, block.content),
            Kind::Command(code) => {
                shown.push_str(&page[end..block.place.start]);
                shown.push_str(&transcript(&project, block.content, code));
                end = block.place.end;
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
    let pages = shown + &read("docs/ci.md");
    let readme = readme_with(&pages, |kind| matches!(kind, Kind::File(_)));
    let lines = readme.lines().count();
    assert_page("README.md", readme);
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}
