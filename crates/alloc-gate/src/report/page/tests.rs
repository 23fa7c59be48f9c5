//! Tests of the baseline's page.

use super::*;
use crate::tests::{accepted, rules};

const RULES: &str = "version = 1\n\
    [baseline]\ndata = \"b.toml\"\npage = \"b.md\"\n\
    [[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 5\"\n";

/// The page of `results`, made from `existing`.
fn updated(existing: Option<&str>, results: &str) -> Result<String, String> {
    let config = rules(RULES);
    let files = config.baseline.as_ref().expect("the rules name files");
    let document = BaselineDocument {
        baseline: &accepted(results),
        config: &config,
        files,
    };
    document.update(existing).map_err(|error| error.to_string())
}

fn page(results: &str) -> String {
    updated(None, results).expect("a new page has no markers that are wrong")
}

/// The property of pages has any text around the blocks.
#[test]
fn an_update_rewrites_the_blocks_with_the_line_ends_of_the_page() {
    let [old, new] = ["encode: 10 x allocs=2", "encode: 10 x allocs=3"].map(page);
    for (old, new) in [
        (old.clone(), new.clone()),
        (
            format!("\u{feff}a\rb\n{old} "),
            format!("\u{feff}a\rb\n{new} "),
        ),
        (old.replace('\n', "\r\n"), new.replace('\n', "\r\n")),
    ] {
        assert_eq!(updated(Some(&old), "encode: 10 x allocs=3"), Ok(new));
    }
}

#[test]
fn a_page_without_a_block_gets_it_at_its_end() {
    let whole = page("a: 1 x");
    let (one, _) = whole
        .split_once("<!-- alloc-gate: begin reproducing")
        .unwrap();
    let begin = "<!-- alloc-gate: begin baseline -->";
    for (existing, begin) in [
        ("# Mine", format!("# Mine\n\n{begin}\n")),
        ("# Mine\n", format!("# Mine\n\n{begin}\n")),
        ("a\r\nx", format!("a\r\nx\r\n\r\n{begin}\r\n")),
        ("", format!("{begin}\n")),
        (one, one.to_owned()),
    ] {
        let page = updated(Some(existing), "a: 1 x").unwrap();
        assert!(page.starts_with(&begin), "{page:?}");
        let end = "<!-- alloc-gate: end reproducing -->";
        assert!(page.contains(end), "{page:?}");
        assert_eq!(updated(Some(&page), "a: 1 x").unwrap(), page);
    }
}

#[test]
fn a_page_with_broken_markers_is_an_error() {
    const BEGIN: &str = "<!-- alloc-gate: begin baseline -->";
    const END: &str = "<!-- alloc-gate: end baseline -->";
    for (existing, line) in [
        (format!("a\n{BEGIN}\nb\n"), 2),
        (format!("{END}\n"), 1),
        (format!("\n{END}\n{BEGIN}\n"), 2),
        (format!("{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n"), 4),
        (format!("{BEGIN}\n{END} and text\n"), 1),
    ] {
        let error = updated(Some(&existing), "a: 1 x").unwrap_err();
        let words = format!("line {line}: one `{BEGIN}` and then one `{END}`");
        assert!(error.starts_with(&words), "{error}");
    }
}

#[test]
fn environments_with_the_same_profile_and_target_get_longer_headings() {
    let page = page("bench a/b\na: 1 x\nbench a/c allocator=mimalloc features=x\nc: 1 x");
    for heading in [
        "## Baseline (x86_64-unknown-linux-gnu, profile bench, over std::alloc::System)\n",
        "## Baseline (x86_64-unknown-linux-gnu, profile bench, features x, over mimalloc)\n",
    ] {
        assert!(page.contains(heading), "{heading} is not in\n{page}");
    }
}
