//! Explained values inside the reports of a check.

use std::path::Path;
use std::slice;

use alloc_results::{Metric, Ratio};

use crate::compare::compare;
use crate::evaluation::{Evaluation, to_explain};
use crate::judge::evaluate;
use crate::measure::Statistic;
use crate::report::compare::{BaseLock, Comparison, Sides};
use crate::report::explain::tests::{AFTER, NEW, alone, compared, explained, sites};
use crate::report::github::annotations;
use crate::report::{Detail, Evaluations, Format, Repository, View};
use crate::sites::{Explained, Side, Unexplained};
use crate::tests::{self, inputs, measured, rules};

const RULES: &str = "version = 1\n[[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 4\"\n\
                     reason = \"fewer than 4 allocations\"\n";

/// `encode` fails, and a sweep whose last point is the worst.
const RESULTS: &str = "bench app/alloc_count\n\
    encode: 5 x allocs=4 bytes=68; 5 x allocs=5 bytes=68 | first-operations alloc 24\n\
    words/n=1: 10 x allocs=5\nwords/n=2: 10 x allocs=90\nfine: 10 x allocs=1\n";

fn judged(config: &str, results: &str, sites: Vec<Explained>) -> Evaluation {
    evaluate(&inputs(&rules(config), &measured(results))).with_sites(sites)
}

fn of(name: &str, explained: Explained) -> Explained {
    Explained {
        scenario: name.to_owned(),
        label: name.to_owned(),
        ..explained
    }
}

fn written(evaluation: &Evaluation, format: Format) -> String {
    with_source(evaluation, format, None)
}

fn with_source(evaluation: &Evaluation, format: Format, source: Option<&str>) -> String {
    let report = Evaluations {
        runs: slice::from_ref(evaluation),
        view: View {
            source,
            ..View::default()
        },
        repository: Some(Repository {
            top: Path::new("/repository"),
            prefix: Path::new(if source.is_some() { "rust" } else { "" }),
        }),
    };
    tests::written(report, format)
}

#[test]
fn the_worst_value_of_each_failed_scenario_is_to_be_explained() {
    let found = to_explain(&judged(RULES, RESULTS, Vec::new()));
    let found = found.iter();
    let found = found.map(|one| (&*one.label, one.metric, one.statistic, one.judged));
    let allocs = |label, measured| (label, Metric::Allocs, Statistic::Mean, measured);
    let expected = [
        allocs("words/n=2", Some(Ratio::whole(90))),
        allocs("encode", Ratio::new(9, 2)),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn lines_stand_below_the_scenario_that_fails() {
    let first = "first operations: alloc 24";
    let unexplained = explained(Err(Unexplained::Inexact));
    let shown = written(&judged(RULES, RESULTS, vec![unexplained]), Format::Terminal);
    assert!(shown.contains(first), "{shown}");
    let evaluation = judged(RULES, RESULTS, vec![compared()]);
    let shown = written(&evaluation, Format::Terminal);
    let (_, lines) = shown.split_once("FAIL encode").unwrap();
    assert!(
        lines.contains("\nerror[allocates-more]: 1.5 allocations"),
        "{shown}"
    );
    assert!(!shown.contains(first), "{shown}");

    let page = written(&evaluation, Format::Html);
    let (_, body) = page.split_once("<body>\n").unwrap();
    let (body, _) = body.split_once("<script>").unwrap();
    assert_eq!(body, include_str!("in_browser.html"));
    let markdown = written(&evaluation, Format::Markdown);
    for part in [
        "- edited: 0.5 allocations more, 24 bytes more: `text.encode_utf16().chain([0]).collect()` \
         at `src/text.rs:6:36`, before `text.encode_utf16().collect()`, called by encode, \
         src/text.rs:40:9\n",
        "| 2 (+2) | 24 (+24) | added | `src/text.rs:2:21` |",
    ] {
        assert!(markdown.contains(part), "{markdown}");
    }
    // Tests have the edited line.
    let junit = written(&evaluation, Format::Junit);
    let failure = "encode: 4.5 allocations per iteration, limit &lt; 4 [R12]";
    let line = "src/text.rs:2: let mut bytes";
    let element = format!("<failure message=\"{failure}\" type=\"fail\">{failure}\n{line}");
    assert!(junit.contains(&element), "{junit}");
    let passed = "name=\"fine [R12]\" file=\"benches/alloc_count.rs\"";
    assert!(junit.contains(passed), "{junit}");
    // The lines of `words` are not known. Without a base, the lines are where it allocates.
    let without = judged(
        RULES,
        RESULTS,
        vec![alone(sites(&AFTER, NEW, Side::Unknown))],
    );
    let [with, without] = [evaluation, without].map(|it| annotations(&[it], str::to_owned));
    let shown = format!("{}\n\n{}\n", with.join("\n"), without[1]);
    assert_eq!(shown, include_str!("annotations.txt"));
}

/// A check in which all four points of a sweep fail, each in several values, and perhaps another
/// scenario. The last point is explained.
fn sweep(other: &str) -> Evaluation {
    let config = "version = 1\n[[gate]]\nname = \"sweep\"\nscenarios = [\"words/*\"]\n\
                  allocs = { max = \"<= 9\", growth = \"O(log n)\" }\n\
                  bytes = { max = \"<= 128\", per-element = \"<= 16\" }\n\
                  [[gate]]\nname = \"one\"\nscenarios = [\"one\"]\nallocs = \"<= 2\"\n\
                  bytes = \"<= 128\"\n";
    let points = [16, 64, 256, 1024].map(|n| {
        let bytes = 28 * n;
        format!("words/n={n}: 10 x allocs={n} bytes={bytes} | elements={n}\n")
    });
    let results = format!("bench app/alloc_count\n{}{other}", points.concat());
    let sites = ["words/n=1024", "one"].map(|name| of(name, compared()));
    judged(config, &results, sites.into())
}

#[test]
fn scenarios_with_the_same_lines_share_a_block() {
    let evaluation = sweep("one: 10 x allocs=10 bytes=200\n");
    let text = written(&evaluation, Format::Terminal);
    assert!(text.contains(include_str!("sweep.txt")), "{text}");
    assert_eq!(text.matches("error[allocates-more]").count(), 1, "{text}");
    let commands = annotations(&[evaluation], str::to_owned);
    let title = "5 scenarios allocate more::words/* (4): n=*: allocs growth O(n) over n, limit ";
    assert!(commands[0].contains(title), "{commands:#?}");
}

#[test]
fn increases_that_the_same_lines_explain_share_a_block_of_a_comparison() {
    let all = ["s/n=1", "s/n=2", "s/n=3"].map(|name| of(name, compared()));
    let other = of("other", explained(Err(Unexplained::Inexact)));
    let explained: Vec<Explained> = all.into_iter().chain([other]).collect();
    let base = "s/n=1: 1 x\ns/n=2: 1 x\ns/n=3: 1 x\nother: 1 x";
    let head = base.replace("1 x", "1 x allocs=2");
    let comparison = Comparison {
        sides: &Sides {
            reference: "main".into(),
            base: "4f8762a1c0".into(),
            lock: BaseLock::Own,
            head: "0123456789".into(),
            uncommitted: 0,
            removed: Vec::new(),
        },
        delta: &compare(&measured(base), &measured(&head)).unwrap(),
        evaluation: None,
        approved: &[],
        explained: &explained,
        detail: Detail::Normal,
        repository: None,
        source: None,
    };
    let text = tests::written(comparison, Format::Terminal);
    for part in [
        "\n\n3 scenarios: s/n=1, s/n=2 and s/n=3\n\nerror[allocates-more]: s/n=1: 1.5 allocations",
        "\n  = note: the other scenarios allocate in the same lines\n",
        "\n\nother: allocs\n\nwarning[sites-inexact]: ",
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part}\n{text}");
    }
}

#[test]
fn the_lines_of_a_sweep_name_the_point_that_they_are_of() {
    let evaluation = sweep("");
    let found = to_explain(&evaluation);
    let found = (&*found[0].label, found[0].statistic, found[0].judged);
    assert_eq!(found, ("words/n=1024", Statistic::Mean, None));
    let title = "words/n=1024: 1.5 allocations and 44 bytes per iteration more than at main";
    let text = written(&evaluation, Format::Terminal);
    assert!(text.contains(title), "{text}");
    let junit = written(&evaluation, Format::Junit);
    let own = "words/n=1024: 28 bytes per element, limit 16 [sweep]\nsrc/text.rs:2: ";
    assert!(junit.contains(own), "{junit}");
    let commands = annotations(&[evaluation], str::to_owned);
    let command = "words/* (4) allocates more::words/* (4): n=*: allocs growth O(n) over n, ";
    assert!(commands[0].contains(command), "{commands:#?}");
}

#[test]
fn why_there_are_no_lines_is_said_once() {
    let failed = Unexplained::Because("the bench\nfailed".into());
    let sites = [
        ("a", Unexplained::Inexact),
        ("b", failed.clone()),
        ("c", failed),
    ];
    let results = "bench app/alloc_count\na: 10 x allocs=5\nb: 10 x allocs=5\nc: 10 x allocs=5\n";
    let sites = sites.map(|(name, reason)| of(name, explained(Err(reason))));
    let text = written(&judged(RULES, results, sites.into()), Format::Terminal);
    assert!(text.contains(include_str!("unexplained.txt")), "{text}");
}

#[test]
fn a_page_for_a_browser_is_below_1_mb_and_links_to_the_commit_that_was_measured() {
    let results = (0..1_000).map(|number| {
        let allocs = 5 + number % 7;
        format!("encoder/messages/of-some-kind/n-{number}x: 10 x allocs={allocs} bytes=123456\n")
    });
    let results = format!("bench app/alloc_count\n{}", results.collect::<String>());
    let mut evaluation = judged(RULES, &results, Vec::new());
    let page = written(&evaluation, Format::Html);
    // A heading of each, and the gate.
    assert_eq!(page.matches("FAIL<").count(), 1_000 + 1);
    assert!(page.len() < 1_000_000, "{}", page.len());

    let source = Some("https://example.org/{commit}/{path}#L{line}");
    let page = with_source(&evaluation, Format::Html, source);
    assert!(!page.contains("<a "), "the commit is unknown: {page}");
    let mut origin = evaluation.origins[0].clone();
    origin.commit = Some(String::from("4f8762a1c0"));
    evaluation.origins = [origin].into();
    let page = with_source(&evaluation, Format::Html, source);
    let link = "<a href=\"https://example.org/4f8762a1c0/rust/benches/alloc_count.rs#L2\"><code>";
    assert!(page.contains(link), "{page}");
    let page = written(&judged(RULES, "", Vec::new()), Format::Html);
    assert!(page.contains("<p>no scenario was measured</p>"), "{page}");
}
