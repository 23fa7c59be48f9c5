//! JUnit: read by the rules of GitLab and Jenkins, which tell tests apart by `classname` and
//! `name`.

use std::collections::BTreeSet;

use alloc_gate::Evaluation;
use alloc_gate::report::Format;
use roxmltree::{Document, Node};

use super::{RULES, evaluated, hostile, list, many, none, parts, report, text, twice};

/// A test, as a CI system has it.
pub(super) struct Test {
    suite: String,
    name: String,
    file: String,
    line: u32,
    /// `held`, `skipped` or `failure`, with its text.
    pub(super) state: (&'static str, String),
}

pub(super) fn tests(evaluations: &[Evaluation]) -> Vec<Test> {
    let xml = report(evaluations, Format::Junit);
    assert!(xml.len() < 30_000_000);
    for line in xml.lines() {
        let is_command = line.starts_with("::") || line.contains("##[");
        assert!(!is_command, "{line}");
    }
    let document = Document::parse(&xml).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    assert!(document.descendants().count() < 250_000);
    let mut all = Vec::new();
    for suite in root.children().filter(Node::is_element) {
        let tests: Vec<Test> = suite
            .children()
            .filter(Node::is_element)
            .map(test)
            .collect();
        assert!(
            tests
                .iter()
                .all(|test| test.suite == attribute(suite, "name"))
        );
        assert_eq!(counts(suite), counted(&tests));
        all.extend(tests);
    }
    assert_eq!(counts(root), counted(&all));
    let keys: BTreeSet<_> = all.iter().map(|test| (&test.suite, &test.name)).collect();
    assert_eq!(keys.len(), all.len(), "a test hides another one");
    all
}

fn attribute<'n>(node: Node<'n, '_>, name: &str) -> &'n str {
    let found = node.attribute(name);
    found.unwrap_or_else(|| panic!("{node:?} has no {name}"))
}

fn test(node: Node<'_, '_>) -> Test {
    assert_eq!(node.tag_name().name(), "testcase");
    let time: f64 = attribute(node, "time").parse().expect("seconds");
    assert!(time.is_finite() && time >= 0.0);
    let state = match node.children().find(Node::is_element) {
        None => ("held", String::new()),
        Some(child) => match child.tag_name().name() {
            "skipped" => ("skipped", attribute(child, "message").to_owned()),
            "system-out" => ("held", child.text().unwrap_or_default().to_owned()),
            "failure" => {
                assert!(!attribute(child, "type").is_empty());
                let text = child.text().unwrap_or_default();
                assert!(text.starts_with(attribute(child, "message")), "{text}");
                ("failure", text.to_owned())
            }
            other => panic!("{other}"),
        },
    };
    Test {
        suite: attribute(node, "classname").to_owned(),
        name: attribute(node, "name").to_owned(),
        file: attribute(node, "file").to_owned(),
        line: attribute(node, "line").parse().expect("a line"),
        state,
    }
}

fn counts(node: Node<'_, '_>) -> [usize; 4] {
    let keys = ["tests", "failures", "errors", "skipped"];
    keys.map(|key| attribute(node, key).parse().expect("a count"))
}

fn counted(tests: &[Test]) -> [usize; 4] {
    let of = |state| tests.iter().filter(|test| test.state.0 == state).count();
    [tests.len(), of("failure"), 0, of("skipped")]
}

#[test]
fn each_gate_and_scenario_is_a_test_with_the_verdict_of_the_json_report() {
    let evaluations = evaluated(RULES, &hostile());
    let tests = tests(&evaluations);
    let report = &parts(&evaluations)[0];
    let mut failed = BTreeSet::new();
    let mut judged = BTreeSet::new();
    for judgement in list(&list(report, "gates")[0], "judgements") {
        let key = (text(judgement, "package"), text(judgement, "scenario"));
        judged.insert(key);
        if text(judgement, "verdict") == "fail" {
            failed.insert(key);
            let [broken] = ["requirement"].map(|key| text(judgement, key));
            let line = judgement["scenario-line"].as_u64().expect("a line");
            let suite = format!("{}/{}", key.0, text(judgement, "bench"));
            let mut found = tests.iter().filter(|test| {
                test.suite == suite && u64::from(test.line) == line && test.state.0 == "failure"
            });
            let test = found.next().unwrap_or_else(|| panic!("{judgement}"));
            assert!(test.state.1.contains(broken), "{}", test.state.1);
            assert_eq!(test.file, "rust/benches/b.rs");
        }
    }
    assert_eq!((judged.len(), failed.len()), (24, 24));
    // Those that are skipped or match nothing are tests of the rules.
    let rules: Vec<_> = tests
        .iter()
        .filter(|test| test.suite == "gates.toml")
        .collect();
    let states: Vec<_> = rules
        .iter()
        .map(|test| (&*test.name, test.state.0))
        .collect();
    assert!(states.contains(&("elsewhere", "skipped")), "{states:?}");
    assert!(
        states.contains(&("no such ]]> name [typo]", "failure")),
        "{states:?}"
    );
    assert_eq!(tests.len(), 24 + rules.len());
}

#[test]
fn nothing_is_a_report_too_and_much_is_whole() {
    assert_eq!(tests(&none()).len(), 0);
    assert_eq!(tests(&many()).len(), 10_000);
    let tests = tests(&twice());
    assert!(tests.iter().all(|test| test.name == "a b [g]"));
    assert!(
        tests[0].suite.starts_with("codec/b (x86_64-"),
        "{}",
        tests[0].suite
    );
}

#[test]
fn a_waived_test_holds_with_a_note_and_has_the_time_of_an_iteration() {
    let rules = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n\
                 [[waiver]]\ngate = 'g'\nscenarios = ['slow']\nallocs = '<= 9'\nreason = 'soon'\n";
    let evaluations = evaluated(rules, "slow: 2 x allocs=9 | time 690 710\n");
    let [test] = &tests(&evaluations)[..] else {
        panic!("one test");
    };
    let (state, note) = &test.state;
    assert_eq!(*state, "held");
    assert!(
        note.starts_with("waived: slow: allocs 9, required: <= 3 [g]; waiver: "),
        "{note}"
    );
    assert!(note.contains("soon"), "{note}");
    let report = report(&evaluations, Format::Junit);
    assert_eq!(
        report.matches(" time=\"0.000000700\"").count(),
        3,
        "{report}"
    );
}
