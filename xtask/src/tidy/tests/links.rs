//! Planted violations in links and addresses.

use super::super::workspace::{Manifest, Member};
use super::{found, workspace};

/// The findings in one file of these contents, beside two others.
fn found_in_file(path: &str, text: &str) -> Vec<String> {
    let mut workspace = workspace();
    workspace.members = vec![Member {
        name: "engine".into(),
        manifest: Manifest {
            path: "crates/engine/Cargo.toml".into(),
            text: "[lints]\nworkspace = true\n".into(),
        },
        ..Member::default()
    }];
    let page = "# A page\n\n## What `it` is, in short\n";
    for (path, text) in [("design/page.md", page), ("LICENSE-MIT", ""), (path, text)] {
        workspace.files.insert(path.into(), text.into());
    }
    found(&workspace)
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
