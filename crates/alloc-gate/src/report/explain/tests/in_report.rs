//! Explained figures inside the reports of a check.

use std::path::Path;
use std::slice;

use alloc_results::{Metric, Ratio};
use serde_json::Value;

use crate::evaluation::{Evaluation, to_explain};
use crate::figure::Statistic;
use crate::judge::evaluate;
use crate::report::explain::tests::{after, alone, compared, explained};
use crate::report::{Evaluations, Format, Repository, View};
use crate::sites::{Explained, Side, Unexplained};
use crate::tests::{self, inputs, measured, rules};

/// A check in which `encode` fails, and a sweep whose last point is the worst.
fn evaluation() -> Evaluation {
    let config = "version = 1\n[[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 4\"\n";
    let config = rules(config);
    let measurements = measured(
        "bench app/alloc_count\n\
         encode: 5 x allocs=4 bytes=68; 5 x allocs=5 bytes=68 \
         | first-operations alloc 24\n\
         words/n=1: 10 x allocs=5\n\
         words/n=2: 10 x allocs=90\n\
         fine: 10 x allocs=1\n",
    );
    evaluate(&inputs(&config, &measurements))
}

fn written(evaluation: &Evaluation, format: Format) -> String {
    let report = Evaluations {
        runs: slice::from_ref(evaluation),
        view: View::default(),
        repository: Some(Repository {
            top: Path::new("/ws"),
            prefix: Path::new(""),
        }),
    };
    tests::written(report, format)
}

#[test]
fn the_worst_figure_of_each_failed_scenario_is_to_be_explained() {
    let found = to_explain(&evaluation());
    let found: Vec<_> = found
        .iter()
        .map(|one| (&*one.label, one.metric, one.statistic, one.judged))
        .collect();
    let allocs = |label, measured| (label, Metric::Allocs, Statistic::Mean, Some(measured));
    assert_eq!(
        found,
        [
            allocs("words/n=2", Ratio::whole(90)),
            allocs("encode", Ratio::new(9, 2).unwrap()),
        ]
    );
}

#[test]
fn lines_stand_below_the_scenario_that_fails() {
    let report = |evaluation: &Evaluation| written(evaluation, Format::Terminal);
    let without = report(&evaluation());
    assert!(without.contains("first operations: alloc 24"), "{without}");
    let unexplained = explained(Err(Unexplained::Rebuilt));
    let unexplained = report(&evaluation().with_sites(vec![unexplained]));
    assert!(
        unexplained.contains("first operations: alloc 24"),
        "{unexplained}"
    );
    assert!(
        unexplained.contains("note: not explained: the executable"),
        "{unexplained}"
    );

    let evaluation = evaluation().with_sites(vec![compared()]);
    let shown = report(&evaluation);
    assert!(!shown.contains("first operations"), "{shown}");
    let block = shown.find("FAIL encode").unwrap();
    let lines = shown
        .find("error[allocates-more]: 1.5 allocations")
        .unwrap();
    assert!(
        block < lines && shown.matches("error[allocates-more]").count() == 1,
        "{shown}"
    );

    let markdown = written(&evaluation, Format::Markdown);
    assert!(
        markdown.contains("| 2 | (+2) | 24 | (+24) | added | `src/text.rs:2:21` |"),
        "{markdown}"
    );

    let json = written(&evaluation, Format::Json);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["sites"][0]["lines"][0]["change"], "added");

    let commands = crate::report::github::annotations(&[evaluation], str::to_owned);
    // The lines of `words` are not known.
    assert_eq!(
        commands,
        [
            "::error file=benches/alloc_count.rs,line=3,title=alloc-gate%3A words/* (2) failed::\
             n=1: allocs 5, required: < 4 [R12]%0An=2: allocs 90, required: < 4 [R12]",
            "::error file=src/text.rs,line=2,title=alloc-gate%3A encode allocates more::\
             added: 2 allocations, 24 bytes%0Aallocs 4.5, required: < 4 [R12]",
            "::error file=src/text.rs,line=6,title=alloc-gate%3A encode allocates more::\
             edited: 0.5 allocations more, 24 bytes more",
        ]
    );
}

#[test]
fn tests_have_the_edited_line() {
    let evaluation = evaluation().with_sites(vec![compared()]);
    let junit = written(&evaluation, Format::Junit);
    let failure = "encode: allocs 4.5, required: &lt; 4 [R12]";
    let text = format!(
        "<failure message=\"{failure}\" type=\"fail\">{failure}\nsrc/text.rs:2: let mut bytes"
    );
    assert!(junit.contains(&text), "{junit}");
    assert!(
        junit.contains("name=\"fine [R12]\" file=\"benches/alloc_count.rs\""),
        "{junit}"
    );
}

#[test]
fn scenarios_with_the_same_changed_lines_share_a_block() {
    let config = "version = 1\n[[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 4\"\n";
    let config = rules(config);
    let measurements =
        measured("bench app/alloc_count\nencode: 10 x allocs=5\ndecode: 10 x allocs=6\n");
    let of = |name: &str| Explained {
        scenario: name.to_owned(),
        label: name.to_owned(),
        ..compared()
    };
    let sites = vec![of("encode"), of("decode")];
    let evaluation = evaluate(&inputs(&config, &measurements)).with_sites(sites);
    let text = written(&evaluation, Format::Terminal);
    let block = "\nFAIL 2 scenarios
       decode  allocs  6  < 4 [R12]
       encode  allocs  5

error[allocates-more]: decode: 1.5 allocations and 44 bytes per iteration more than at main (4f8762a1c0)
 --> src/text.rs:2:21
";
    assert!(text.contains(block), "{text}");
    assert_eq!(text.matches("error[allocates-more]").count(), 1, "{text}");

    let commands = crate::report::github::annotations(&[evaluation], str::to_owned);
    assert_eq!(
        commands[0],
        "::error file=src/text.rs,line=2,title=alloc-gate%3A 2 scenarios allocate more::\
         added: 2 allocations, 24 bytes%0A\
         decode: allocs 6, required: < 4 [R12]%0Aencode: allocs 5, required: < 4 [R12]"
    );
}

/// A check in which all four points of a sweep fail, each in several figures, and perhaps another
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
    let measurements = measured(&format!(
        "bench app/alloc_count\n{}{other}",
        points.concat()
    ));
    let of = |name: &str| Explained {
        scenario: name.to_owned(),
        label: name.to_owned(),
        is_failure: true,
        ..compared()
    };
    let config = rules(config);
    let sites = vec![of("words/n=1024"), of("one")];
    evaluate(&inputs(&config, &measurements)).with_sites(sites)
}

#[test]
fn a_sweep_and_a_scenario_with_the_same_lines_share_a_block() {
    let evaluation = sweep("one: 10 x allocs=10 bytes=200\n");
    let text = written(&evaluation, Format::Terminal);
    let block = "\nFAIL 5 scenarios
       words/* (4)  allocs growth      n=*     O(n) over n  O(log n) [sweep]
                    allocs max         n=1024  1,024        <= 9 [sweep]
                                       n=256   256
                                       n=64    64
                                       n=16    16
                    bytes max          n=1024  28,672       <= 128 [sweep]
                                       n=256   7,168
                                       n=64    1,792
                                       n=16    448
                    bytes per-element  n=16    28           <= 16 [sweep]
                                       n=64    28
                                       n=256   28
       one          allocs                     10           <= 2 [one]
                    bytes                      200          <= 128 [one]
       words/* (4): n=*: points: 16 at 16, 64 at 64, 256 at 256, 1,024 at 1,024
       words/* (4): and 1 more figure; `-v` shows all

error[allocates-more]: words/n=1024: 1.5 allocations and 44 bytes per iteration more than at main (4f8762a1c0)
";
    assert!(text.contains(block), "{text}");
    assert!(text.contains("\n5 of 5 scenarios failed, "), "{text}");
    let commands = crate::report::github::annotations(&[evaluation], str::to_owned);
    let title = "title=alloc-gate%3A 5 scenarios allocate more::added: 2 allocations";
    assert!(commands[0].contains(title), "{commands:#?}");
}

#[test]
fn the_lines_of_a_sweep_name_the_point_that_they_are_of() {
    let evaluation = sweep("");
    let found = to_explain(&evaluation);
    let found = (&*found[0].label, found[0].statistic, found[0].judged);
    assert_eq!(found, ("words/n=1024", Statistic::Mean, None));
    let title = "words/n=1024: 1.5 allocations and 44 bytes per iteration more than at main";
    for format in [Format::Terminal, Format::Markdown, Format::Html] {
        let text = written(&evaluation, format);
        assert!(text.contains(title), "{text}");
    }
    let junit = written(&evaluation, Format::Junit);
    let own = "words/n=1024: bytes per-element 28, required: &lt;= 16 [sweep]\nsrc/text.rs:2: ";
    assert!(junit.contains(own), "{junit}");
    let commands = crate::report::github::annotations(&[evaluation], str::to_owned);
    let command = "title=alloc-gate%3A words/* (4) allocates more::added: ";
    assert!(commands[0].contains(command), "{commands:#?}");
}

#[test]
fn why_there_are_no_lines_is_said_once() {
    let config = "version = 1\n[[gate]]\nname = \"R12\"\nscenarios = [\"*\"]\nallocs = \"< 4\"\n";
    let config = rules(config);
    let names = ["a", "b", "c"];
    let results = names.map(|name| format!("{name}: 10 x allocs=5\n"));
    let measurements = measured(&format!("bench app/alloc_count\n{}", results.concat()));
    let reasons = [
        Unexplained::NoLiveBlocks,
        Unexplained::Rebuilt,
        Unexplained::Rebuilt,
    ];
    let sites = names
        .into_iter()
        .zip(reasons)
        .map(|(name, reason)| Explained {
            scenario: name.to_owned(),
            label: name.to_owned(),
            ..explained(Err(reason))
        });
    let evaluation = evaluate(&inputs(&config, &measurements)).with_sites(sites.collect());
    let text = written(&evaluation, Format::Terminal);
    let blocks = "
FAIL a  benches/alloc_count.rs:2
       allocs  5  < 4 [R12]

note: not explained: live blocks were not followed

FAIL 2 scenarios
       b  allocs  5  < 4 [R12]
       c  allocs  5

note: not explained: the executable was rebuilt; run again
";
    assert!(text.contains(blocks), "{text}");
}

#[test]
fn without_a_base_a_failure_is_annotated_where_it_allocates() {
    let evaluation = evaluation().with_sites(vec![alone(after(Side::Unknown), None)]);
    let commands = crate::report::github::annotations(&[evaluation], str::to_owned);
    assert_eq!(
        commands[1],
        "::error file=src/text.rs,line=2,title=alloc-gate%3A encode failed::\
         2 allocations, 24 bytes%0Aallocs 4.5, required: < 4 [R12]"
    );
}
