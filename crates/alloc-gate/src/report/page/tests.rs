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
fn a_new_page_shows_figures_gates_and_commands() {
    let page = page("encode: 10000 x allocs=2 bytes=44 deallocs=2");
    for part in [
        "# Allocation baseline\n\n<!-- alloc-gate: begin baseline -->\n",
        "| R12 | `*` | `allocs < 5` |\n",
        "## Baseline (bench profile, x86_64-unknown-linux-gnu)\n",
        "| encode | 10,000 | 2.00 | 44 | 2.00 |\n",
        "## Read\n",
        "$ cargo bench -p sample --bench bench\n",
        "<!-- alloc-gate: end reproducing -->\n",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
}

#[test]
fn an_update_rewrites_the_blocks_and_is_idempotent() {
    let before = page("encode: 10 x allocs=2");
    let after = updated(Some(&before), "encode: 10 x allocs=3").unwrap();
    assert_eq!(after, page("encode: 10 x allocs=3"));
    let again = updated(Some(&after), "encode: 10 x allocs=3").unwrap();
    assert_eq!(again, after);
}

#[test]
fn the_text_around_the_blocks_stays_byte_for_byte() {
    let blocks = page("encode: 10 x allocs=2");
    let begin = blocks.find("<!-- alloc-gate: begin baseline").unwrap();
    let end = "<!-- alloc-gate: end baseline -->";
    let middle = blocks.find(end).unwrap() + end.len();
    let rest = blocks.find("<!-- alloc-gate: begin reproducing").unwrap();
    let last = blocks.trim_end().len();
    for (above, between, below) in [
        ("", "\n", ""),
        (
            "\u{feff}# Mine  \n\n\n",
            "\n\n\ttext\n",
            "\n\n\ntrailing   ",
        ),
        ("a\rb\n", "\nmixed\r\nends\n  ", "\n"),
        (
            "sentences on <!-- alloc-gate: end baseline --> stay\n",
            "\n",
            "\n",
        ),
    ] {
        let page = |begin: usize, middle: usize, rest: usize, last: usize, blocks: &str| {
            format!(
                "{above}{}{between}{}{below}",
                &blocks[begin..middle],
                &blocks[rest..last]
            )
        };
        let existing = page(begin, middle, rest, last, &blocks);
        let updated = updated(Some(&existing), "encode: 10 x allocs=2").unwrap();
        assert_eq!(updated, existing);
    }
}

#[test]
fn a_page_with_windows_line_breaks_keeps_them() {
    let windows = page("a: 1 x").replace('\n', "\r\n");
    let after = updated(Some(&windows), "a: 1 x allocs=1").unwrap();
    assert_eq!(after, page("a: 1 x allocs=1").replace('\n', "\r\n"));
}

#[test]
fn a_page_without_markers_gets_the_blocks_at_its_end() {
    for (existing, begin) in [
        ("# Mine", "# Mine\n\n<!-- alloc-gate: begin baseline -->\n"),
        (
            "# Mine\n",
            "# Mine\n\n<!-- alloc-gate: begin baseline -->\n",
        ),
        (
            "# Mine\r\nx",
            "# Mine\r\nx\r\n\r\n<!-- alloc-gate: begin baseline -->\r\n",
        ),
        ("", "<!-- alloc-gate: begin baseline -->\n"),
    ] {
        let page = updated(Some(existing), "a: 1 x").unwrap();
        assert!(page.starts_with(begin), "{page:?}");
        assert_eq!(updated(Some(&page), "a: 1 x").unwrap(), page);
    }
}

#[test]
fn a_page_with_one_block_gets_the_other() {
    let whole = page("a: 1 x");
    let end = whole.find("<!-- alloc-gate: begin reproducing").unwrap();
    let page = updated(Some(&whole[..end]), "a: 1 x").unwrap();
    assert!(page.contains("<!-- alloc-gate: end reproducing -->\n"));
    assert_eq!(updated(Some(&page), "a: 1 x").unwrap(), page);
}

#[test]
fn a_page_with_broken_markers_is_an_error() {
    const BEGIN: &str = "<!-- alloc-gate: begin baseline -->";
    const END: &str = "<!-- alloc-gate: end baseline -->";
    for (existing, error) in [
        (
            format!("a\n{BEGIN}\nb\n"),
            format!(
                "line 2: `{BEGIN}` has no `{END}` after it; restore the line, or delete this one"
            ),
        ),
        (
            format!("{END}\n"),
            format!(
                "line 1: `{END}` has no `{BEGIN}` before it; restore the line, or delete this one"
            ),
        ),
        (
            format!("\n{END}\n{BEGIN}\n"),
            format!(
                "line 3: `{BEGIN}` has no `{END}` after it; restore the line, or delete this one"
            ),
        ),
        (
            format!("{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n"),
            format!("line 4: `{BEGIN}` occurs twice; keep one of them"),
        ),
        (
            format!("{BEGIN}\n{END} and text\n"),
            format!(
                "line 1: `{BEGIN}` has no `{END}` after it; restore the line, or delete this one"
            ),
        ),
    ] {
        assert_eq!(updated(Some(&existing), "a: 1 x"), Err(error), "{existing}");
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
