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

#[test]
fn an_update_rewrites_the_blocks_and_leaves_the_rest_byte_for_byte() {
    let [old, new] = ["encode: 10 x allocs=2", "encode: 10 x allocs=3"].map(page);
    for (above, between, below) in [
        ("", "\n", ""),
        ("\u{feff}# Mine  \n\n\n", "\n\n\ttext\n", "\n\ntrailing   "),
        ("a\rb\n", "\nmixed\r\nends\n  ", "\n"),
        (
            "sentences on <!-- alloc-gate: end baseline --> stay\n",
            "\n",
            "\n",
        ),
    ] {
        let around = |page: &str| {
            let begin = "<!-- alloc-gate: begin reproducing";
            let page = page.trim_end().replace(begin, &format!("{between}{begin}"));
            format!("{above}{page}{below}")
        };
        for (existing, expected) in [(&old, &new), (&new, &new)] {
            let page = updated(Some(&around(existing)), "encode: 10 x allocs=3").unwrap();
            assert_eq!(page, around(expected));
        }
    }
    let [old, new] = [old, new].map(|page| page.replace('\n', "\r\n"));
    assert_eq!(updated(Some(&old), "encode: 10 x allocs=3"), Ok(new));
}

#[test]
fn a_page_without_a_block_gets_it_at_its_end() {
    let whole = page("a: 1 x");
    let (one, _) = whole
        .split_once("<!-- alloc-gate: begin reproducing")
        .unwrap();
    for (existing, begin) in [
        ("# Mine", "# Mine\n\n<!-- alloc-gate: begin baseline -->\n"),
        (
            "# Mine\n",
            "# Mine\n\n<!-- alloc-gate: begin baseline -->\n",
        ),
        (
            "a\r\nx",
            "a\r\nx\r\n\r\n<!-- alloc-gate: begin baseline -->\r\n",
        ),
        ("", "<!-- alloc-gate: begin baseline -->\n"),
        (one, one),
    ] {
        let page = updated(Some(existing), "a: 1 x").unwrap();
        assert!(page.starts_with(begin), "{page:?}");
        assert!(
            page.contains("<!-- alloc-gate: end reproducing -->"),
            "{page:?}"
        );
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
        assert!(
            error.starts_with(&format!("line {line}: one `{BEGIN}` and then one `{END}`")),
            "{error}"
        );
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
