//! The pages: their markers, and that those of the lab are up to date.

use std::fs;
use std::path::Path;

use lab_page::page::{Pages, update, whole};
use lab_page::sections::Section;
use lab_page::store;

fn sections() -> Vec<Section> {
    let section = |(name, text): (&str, &str)| Section {
        name: name.to_owned(),
        text: text.to_owned(),
        is_measured: true,
    };
    [("pairs", "new pairs\n"), ("frames", "new frames\n")]
        .map(section)
        .into()
}

fn error(page: &str) -> String {
    update(page, &sections()).unwrap_err().to_string()
}

#[test]
fn the_text_between_markers_is_replaced_and_the_prose_stays() {
    let page = "# Title\n\nbefore\n<!-- lab-page: begin pairs -->\nold\n<!-- lab-page: end pairs \
                -->\nafter <!-- a comment -->\n";
    let updated = update(page, &sections()).unwrap();
    assert_eq!(
        updated,
        "# Title\n\nbefore\n<!-- lab-page: begin pairs -->\n\nnew pairs\n\n<!-- lab-page: end \
         pairs -->\nafter <!-- a comment -->\n"
    );
    assert_eq!(update(&updated, &sections()).unwrap(), updated);
    let page = whole(&sections());
    assert_eq!(update(&page, &sections()).unwrap(), page);
}

#[test]
fn a_section_that_was_not_measured_has_its_place_on_a_page_that_asks_for_it() {
    let mut sections = sections();
    sections[1].is_measured = false;
    assert!(!whole(&sections).contains("frames"));
    let page = "<!-- lab-page: begin frames -->\n<!-- lab-page: end frames -->\n";
    let updated = update(page, &sections).unwrap();
    assert!(updated.contains("new frames"), "{updated}");
}

#[test]
fn wrong_markers_are_errors_with_their_line() {
    let begin = "<!-- lab-page: begin pairs -->\n";
    let end = "<!-- lab-page: end pairs -->\n";
    assert_eq!(
        error("\n<!-- lab-page: begin nothing -->\n"),
        "line 2: there is no section `nothing`; known are: pairs, frames"
    );
    assert_eq!(
        error(begin),
        "line 1: `pairs` has no end; add `<!-- lab-page: end pairs -->` below it"
    );
    assert_eq!(error(&format!("{begin}{begin}{end}")), error(begin));
    assert_eq!(
        error(end),
        "line 1: `pairs` has no beginning; add `<!-- lab-page: begin pairs -->` above it"
    );
    assert!(error("<!-- lab-page: start pairs -->\n").starts_with("line 1: not a marker;"));
}

#[test]
fn the_committed_pages_are_what_the_committed_results_give() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../design");
    for (results, pages) in [
        (
            "allocators.jsonl",
            "allocators.md allocators-tables.md ../README.md",
        ),
        ("devices.jsonl", "devices.md"),
    ] {
        let results = store::read(&folder.join(results)).unwrap();
        let pages = pages.split(' ').map(|page| folder.join(page));
        let pages = Pages::new(&results, &pages.collect::<Vec<_>>()).unwrap();
        for (file, text) in pages.files {
            let is_current = fs::read_to_string(&file).unwrap() == text;
            let command = "write it with `lab-page page`, as the README of lab-page shows";
            assert!(is_current, "{} is out of date; {command}", file.display());
        }
        assert!(pages.without.is_empty(), "{:?}", pages.without);
    }
}
