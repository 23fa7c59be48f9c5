//! The cards.

use lab_page::answers::cards;
use lab_page::results::{Results, SubjectCrate};
use lab_page::summary::Summary;
use serde_json::json;

use crate::support::{example, times, unavailable};

/// The card of a subject.
fn card(results: &Results, subject: &str) -> String {
    let text = cards::markdown(results, &Summary::new(results));
    let begin = format!("- **`{subject}`**");
    let text = &text[text.find(&begin).unwrap()..];
    let other = text[1..].find("\n- ").map_or(text.len(), |end| end + 2);
    let family = text.find("\n\n").map_or(text.len(), |end| end + 1);
    text[..other.min(family)].to_owned()
}

fn text(subject: &str) -> String {
    card(&example(), subject)
}

#[test]
fn a_card_has_facts_ratios_and_faults() {
    assert_eq!(
        text("talc"),
        "- **`talc`** (talc 5.1.1, MIT OR Apache-2.0): Rust, needs no C compiler; `no_std`: \
         yes; threads share it behind one lock.\n  \
         - For: no workload is faster than with `system`, beyond the noise.\n  \
         - Not for: `concurrent, threads` 4.0x, `concurrent` 4.0x, `pair` 1.4x.\n  \
         - Faults: none in 5 scenarios.\n"
    );
    assert_eq!(
        text("bumpalo"),
        "- **`bumpalo`**: Rust, needs no C compiler; `no_std`: yes, with memory from another \
         allocator; one thread alone can use it.\n  \
         - For: `pair` 0.10x, `frame` 0.10x.\n  \
         - Not for: blocks that are given back one by one, several threads.\n  \
         - Faults: none in 3 scenarios.\n"
    );
}

#[test]
fn a_card_names_faults_and_why_nothing_was_measured() {
    assert!(text("buddy").ends_with("- Faults: in 1 of 3 scenarios: `pair`.\n"));
    assert!(text("jemalloc").ends_with("- Not measured: built without the feature `jemalloc`.\n"));
    assert_eq!(
        text("mine"),
        "- **`mine`**.\n  - For: `pair` 0.80x.\n  - Not for: no workload is slower than with \
         `system`, beyond the noise.\n  - Faults: none in 1 scenario.\n"
    );
}

#[test]
fn a_card_has_the_versions_that_were_measured() {
    let mut results = example();
    let with_version = |name: &str, version: &str| -> SubjectCrate {
        let fields = json!({ "subject": name, "name": name, "version": version, "licence": "MIT" });
        serde_json::from_value(fields).unwrap()
    };
    results.runs[0].libc = String::from("glibc 2.36");
    results.runs[0].crates = vec![with_version("mimalloc", "0.1.52")];
    // A later run measured one cell of talc alone, and knows all versions.
    let mut part = results.runs[0].clone();
    part.crates = vec![
        with_version("mimalloc", "0.2.0"),
        with_version("talc", "6.0.0"),
    ];
    part.libc = String::from("glibc 2.41");
    results.runs.push(part);
    let mut cells = results.cells.iter_mut();
    let talc = cells.rfind(|cell| cell.subject() == Some("talc"));
    talc.unwrap().run = 1;
    let begins = |subject: &str, begin: &str| {
        let card = card(&results, subject);
        assert!(card.starts_with(begin), "{card}");
    };
    begins("system", "- **`system`** (glibc 2.36): C");
    begins(
        "mimalloc",
        "- **`mimalloc`** (mimalloc 3.3, mimalloc 0.1.52, MIT): C",
    );
    begins("talc", "- **`talc`**: Rust");
}

#[test]
fn a_card_of_an_allocator_that_failed_does_not_say_that_nothing_is_slower() {
    let mut results = example();
    let mut cells = times("burst/subject={},threads=4", "mimalloc 10, system 20");
    cells[0].failure = Some("3 faults".to_owned());
    results.cells.extend(cells);
    let absent = unavailable("fill/subject=talc", "no memory");
    results.cells.push(absent);
    let mimalloc = card(&results, "mimalloc");
    assert!(
        mimalloc.contains("  - For: ") && !mimalloc.contains("Not for"),
        "{mimalloc}"
    );
    assert!(mimalloc.ends_with("`burst`.\n"), "{mimalloc}");
    // Two in `pair`, one in `frame` and two in `concurrent`.
    let talc = card(&results, "talc");
    assert!(talc.ends_with("Faults: none in 5 scenarios.\n"), "{talc}");
}
