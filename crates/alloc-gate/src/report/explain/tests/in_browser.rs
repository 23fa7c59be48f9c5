//! The page of a check for a browser.

use std::path::Path;
use std::slice;

use crate::evaluation::Evaluation;
use crate::judge::evaluate;
use crate::report::explain::tests::compared;
use crate::report::{Evaluations, Format, Repository, View};
use crate::tests::{self, inputs, measured};

const RULES: &str = "version = 1\n[[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 4\"\n\
                     reason = \"fewer than 4 allocations\"\n";

fn evaluation(rules: &str, results: &str) -> Evaluation {
    evaluate(&inputs(&tests::rules(rules), &measured(results)))
}

fn written(evaluation: &Evaluation) -> String {
    with_source(evaluation, None)
}

fn with_source(evaluation: &Evaluation, source: Option<&str>) -> String {
    let report = Evaluations {
        runs: slice::from_ref(evaluation),
        view: View {
            source,
            ..View::default()
        },
        repository: source.map(|_| Repository {
            top: Path::new("/repository"),
            prefix: Path::new("rust"),
        }),
    };
    tests::written(report, Format::Html)
}

#[test]
fn a_failure_has_its_lines_and_its_rule() {
    let evaluation = evaluation(
        RULES,
        "bench app/alloc_count\n\
         encode: 5 x allocs=4 bytes=68; 5 x allocs=5 bytes=68\n\
         words/n=1: 10 x allocs=5\n\
         words/n=2: 10 x allocs=90\n\
         fine: 10 x allocs=1\n",
    );
    let page = written(&evaluation.with_sites(vec![compared()]));
    let (_, body) = page.split_once("<body>\n").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    assert_eq!(body, include_str!("in_browser.html"));
}

#[test]
fn a_page_of_1000_scenarios_is_below_1_mb() {
    let results = (0..1_000).map(|number| {
        let allocs = 5 + number % 7;
        format!("encoder/messages/of-some-kind/n-{number}x: 10 x allocs={allocs} bytes=123456\n")
    });
    let results: String = results.collect();
    let page = written(&evaluation(
        RULES,
        &format!("bench app/alloc_count\n{results}"),
    ));
    // A heading of each, and the gate.
    assert_eq!(page.matches("FAIL<").count(), 1_000 + 1);
    assert!(page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn a_page_without_scenarios_says_so() {
    let page = written(&evaluation(RULES, ""));
    assert!(page.contains("<p>no scenario was measured</p>"), "{page}");
}

#[test]
fn places_are_links_at_the_commit_that_was_measured() {
    let source = "https://example.org/{commit}/{path}#L{line}";
    let mut evaluation = evaluation(RULES, "bench app/alloc_count\nencode: 10 x allocs=5\n");
    let page = with_source(&evaluation, Some(source));
    assert!(!page.contains("<a "), "the commit is unknown: {page}");
    let mut origin = evaluation.origins[0].clone();
    origin.commit = Some(String::from("4f8762a1c0"));
    evaluation.origins = [origin].into();
    let page = with_source(&evaluation, Some(source));
    let link = "<a href=\"https://example.org/4f8762a1c0/rust/benches/alloc_count.rs#L2\"><code>";
    assert!(page.contains(link), "{page}");
}
