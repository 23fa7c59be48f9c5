//! Planted violations in manifests of published crates, in licenses and in links.

use super::super::workspace::{Manifest, Member, Workspace};
use super::{found, workspace};

const COMPLETE: &str = r#"
[package]
name = "engine"
description = "it judges"
rust-version = "1.88"
readme = "README.md"
repository.workspace = true
include.workspace = true
license.workspace = true
keywords = ["gate", "ci"]
categories = ["development-tools::testing"]
[package.metadata.docs.rs]
all-features = true
[features]
more = []
[lints]
workspace = true
"#;

/// A workspace with one published crate of this manifest, and both licenses.
fn with_manifest(text: &str) -> Workspace {
    let mut workspace = workspace();
    workspace.members = vec![Member {
        name: "engine".into(),
        manifest: Manifest {
            path: "crates/engine/Cargo.toml".into(),
            text: text.into(),
        },
        has_readme: true,
        ..Member::default()
    }];
    for folder in ["", "crates/engine/"] {
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            workspace
                .files
                .insert(format!("{folder}{license}"), format!("text of {license}"));
        }
    }
    workspace
}

/// The findings in one file of these contents, beside two others.
fn found_in_file(path: &str, text: &str) -> Vec<String> {
    let mut workspace = with_manifest(COMPLETE);
    let page = "# A page\n\n## What `it` is, in short\n";
    for (path, text) in [("design/page.md", page), (path, text)] {
        workspace.files.insert(path.into(), text.into());
    }
    found(&workspace)
}

#[test]
fn a_published_crate_has_all_that_a_registry_wants() {
    assert_eq!(found(&with_manifest(COMPLETE)), [""; 0]);
    let expected = ["incomplete-package crates/engine/Cargo.toml:1"];
    for (old, new) in [
        ("description = \"it judges\"\n", ""),
        ("rust-version = \"1.88\"\n", ""),
        ("readme = \"README.md\"\n", ""),
        ("readme = \"README.md\"", "readme = \"../../README.md\""),
        ("repository.workspace = true", "repository = \"\""),
        ("include.workspace = true\n", ""),
        ("license.workspace = true", "license = \"MIT\""),
        ("[\"gate\", \"ci\"]", "[]"),
        (
            "[\"gate\", \"ci\"]",
            "[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]",
        ),
        ("\"gate\"", "\"two words\""),
        ("\"gate\"", "\"a-keyword-of-21-chars\""),
        ("development-tools::testing", "testing"),
        ("all-features", "no-features"),
    ] {
        let text = COMPLETE.replacen(old, new, 1);
        assert_ne!(text, COMPLETE, "{old}");
        assert_eq!(found(&with_manifest(&text)), expected, "{old} -> {new}");
        let unpublished = text.replace("name =", "publish = false\nname =");
        assert_eq!(found(&with_manifest(&unpublished)), [""; 0]);
    }
}

#[test]
fn a_published_crate_has_copies_of_the_licenses() {
    let mut workspace = with_manifest(COMPLETE);
    workspace.files.remove("crates/engine/LICENSE-APACHE");
    let other = "text of another license";
    workspace
        .files
        .insert("crates/engine/LICENSE-MIT".into(), other.into());
    assert_eq!(
        found(&workspace),
        [
            "license-differs crates/engine/LICENSE-APACHE:1",
            "license-differs crates/engine/LICENSE-MIT:1"
        ]
    );
}

#[test]
fn a_link_leads_to_a_file_and_a_heading() {
    let readme = "crates/engine/README.md";
    for link in [
        "[a](../../design/page.md)",
        "[a](../../design/page.md#what-it-is-in-short)",
        "[a](#here) and [`b`](../../LICENSE-MIT)",
        "[a](../../design), [b](https://example.org/x.md)",
        "`[a](nowhere.md)`",
        "\n```text\n[a](nowhere.md)\n```",
    ] {
        assert_eq!(found_in_file(readme, &format!("# Here\n{link}\n")), [""; 0]);
    }
    for link in [
        "[a](design/page.md)",
        "[a](../../../design/page.md)",
        "[a](../../design/page.md#what-is-it)",
        "[`a`](#there)",
        "[a\nb](../page.md)",
    ] {
        let line = 2 + link.matches('\n').count();
        assert_eq!(
            found_in_file(readme, &format!("# Here\n{link}\n")),
            [format!("broken-link {readme}:{line}")],
            "{link}"
        );
    }
    let source = "crates/engine/src/lib.rs";
    let docs =
        "//! [A page](../design/page.md), [`Item`](crate::Item), [x](https://example.org).\n";
    assert_eq!(
        found_in_file(source, docs),
        [format!("broken-link {source}:1")]
    );
    assert_eq!(found_in_file(source, &docs.replace("//!", "//")), [""; 0]);
}

#[test]
fn only_the_root_manifest_has_the_address_of_the_project() {
    // Not written in one piece: this file is checked as well.
    let address = ["https:", "//example.org/someone/engine"].concat();
    for (path, text) in [
        ("README.md", format!("# Here\nsee <{address}/issues>\n")),
        ("Cargo.toml", format!("\nhomepage = \"{address}\"\n")),
        ("crates/engine/src/lib.rs", format!("\n/// at {address}.\n")),
    ] {
        assert_eq!(
            found_in_file(path, &text),
            [format!("project-address {path}:2")]
        );
    }
    let manifest = format!("repository = \"{address}\"\n");
    assert_eq!(found_in_file("Cargo.toml", &manifest), [""; 0]);
    let other = address.replace("engine", "another");
    assert_eq!(found_in_file("README.md", &format!("{other}\n")), [""; 0]);
}
