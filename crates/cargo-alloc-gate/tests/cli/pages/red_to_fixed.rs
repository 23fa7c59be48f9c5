//! `docs/lines.md` as a program: a line that allocates is planted in the codec of this
//! repository, a check names it, and a change removes it.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::path::Path;

use crate::pages::page::{Kind, assert_page, blocks, read, transcript};
use crate::project::{Project, SOURCE};

/// The codec, as a member of a workspace.
const CODEC: &str = "crates/nmx-codec";

/// The file with the planted line.
const PLANTED: &str = "crates/nmx-codec/src/text.rs";

/// How the page calls the commit of the base.
const COMMIT: &str = "4f8762a1c0";

/// Copies the codec's files into the project.
fn copy(project: &Project, folder: &str) {
    let entries = fs::read_dir(Path::new(SOURCE).join(folder)).expect("the codec is a folder");
    for entry in entries {
        let entry = entry.expect("the folder can be read");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => copy(project, &path),
            false => project.write(&path, &read(&path)),
        }
    }
}

/// A workspace with the codec, which is optimised as the page says; in one part, that takes less.
fn codec() -> Project {
    let project = Project::own("codec", &[]).with_common_target();
    project.write(
        "Cargo.toml",
        &format!(
            "[workspace]
resolver = \"3\"
members = [\"{CODEC}\"]

[workspace.package]
version = \"0.1.0\"
edition = \"2024\"
rust-version = \"1.88\"
license = \"MIT OR Apache-2.0\"
authors = []

[workspace.lints]

[workspace.dependencies]
alloc-scenario = {{ path = '{SOURCE}/crates/alloc-scenario' }}

[profile.bench.package.\"*\"]
opt-level = 0

[profile.bench.package.nmx-codec]
codegen-units = 1
"
        ),
    );
    copy(&project, CODEC);
    project
}

#[test]
fn a_planted_line_is_named_and_removed() {
    let page = read("docs/lines.md");
    let all = blocks(&page);
    let project = codec();
    for block in &all {
        if let Kind::File(path) = block.kind() {
            project.write(path, block.content);
        }
    }
    // The change of the page takes the planted line out again, so it gives the base as well.
    let apply = |project: &Project| {
        for block in &all {
            if matches!(block.kind(), Kind::Change) {
                project.write("change.diff", block.content);
                project.git(&["apply", "change.diff"]);
                let change = project.path("change.diff");
                fs::remove_file(change).expect("the file was written");
            }
        }
    };
    let project = project.committed_with_lock();
    apply(&project);
    let base = project.commit("Encode texts with two buffers");
    project.write(PLANTED, &read(PLANTED));

    let mut shown = String::new();
    let mut end = 0;
    for block in &all {
        match block.kind() {
            Kind::Command(code) => {
                let ran = transcript(&project, block.content, code);
                shown.push_str(&page[end..block.place.start]);
                shown.push_str(&ran.replace(&base[..COMMIT.len()], COMMIT));
                end = block.place.end;
            }
            Kind::Change => apply(&project),
            Kind::File(_) | Kind::Other => {}
        }
    }
    shown.push_str(&page[end..]);
    assert!(shown.contains("text.rs:51:21"), "the planted line is named");
    assert_page("docs/lines.md", shown);
}
