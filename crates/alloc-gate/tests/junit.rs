//! JUnit reports, read by a parser that is not ours and by the rules of GitLab and Jenkins, which
//! tell tests apart by `classname` and `name`: they have the verdicts of the JSON report, whatever
//! the names are.

use std::collections::BTreeSet;
use std::path::Path;

use alloc_gate::report::{Evaluations, Format, Report, Repository, View};
use alloc_gate::{CfgSets, Config, Evaluation, Inputs, Measurements, evaluate, one_line};
use roxmltree::{Document, Node};
use sample_results::{Generator, rounds};
use serde_json::Value;

/// Names that are hard for a format, as strings of JSON.
const NAMES: [&str; 9] = [
    r#""a \"quoted\" 'name'""#,
    r#""<failure>]]>&amp;</testsuite>""#,
    r#""two\nlines\r\n\tand a tab""#,
    r#""two lines  \tand a tab""#,
    r#""nul \u0000 escape \u001b[31m bell \u0007 \ufffe\uffff""#,
    r#""right \u202e left \u2066 none \u200b""#,
    r#""[click](http://x) {0} %s""#,
    r#""::error::x ##[error]x ##vso[task]""#,
    r#""größe 包 📦""#,
];

const RULES: &str = r#"version = 1

[[gate]]
name = "R1 <&> \"q\" \u202e\n[x](y)"
scenarios = ["*"]
allocs = "<= 3"
bytes = { max = "<= 40" }
reason = "no <markup> &\nno lines"

[[gate]]
name = "elsewhere"
scenarios = ["*"]
allocs = "<= 9"
when = "cfg(windows)"

[[gate]]
name = "typo"
scenarios = ["no such ]]> name"]
allocs = "<= 9"
"#;

const ONE_GATE: &str = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n";

/// Each name in two benches: what holds, and what breaks both requirements.
fn hostile() -> String {
    let mut results = String::new();
    for (bench, iterations) in [("codec/b", "4 x allocs=1"), ("store/b", "3 x allocs=9")] {
        results += &format!("bench {bench}\n");
        for name in NAMES {
            results += &format!("{name}: {iterations} bytes=48; 1 x allocs=2\n");
        }
    }
    results
}

fn evaluated(rules: &str, results: &str) -> Vec<Evaluation> {
    let config = Config::parse("gates.toml", rules).expect("the rules are valid");
    let streams = sample_results::streams(results).expect("the results are well written");
    let groups = Measurements::by_environment(streams).expect("each bench is there once");
    let groups = groups.into_iter().map(|(measurements, _)| {
        let no_cfgs = CfgSets::default();
        evaluate(&Inputs::new(&config, &measurements, &no_cfgs))
    });
    groups.collect()
}

fn report(evaluations: &[Evaluation], format: Format) -> String {
    let report = Evaluations {
        runs: evaluations,
        view: View::default(),
        repository: Some(Repository {
            top: Path::new("/repo"),
            prefix: Path::new("rust"),
        }),
    };
    let mut text = Vec::new();
    report.write(format, &mut text).expect("memory takes it");
    let text = String::from_utf8(text).expect("a report is UTF-8");
    // The large ones have names without such characters.
    let mut lines = text.split(['\r', '\n']).take(20_000);
    assert!(lines.all(|line| one_line(line) == line), "{text}");
    text
}

/// The parts of the JSON report, one for each environment.
fn parts(evaluations: &[Evaluation]) -> Vec<Value> {
    let report: Value =
        serde_json::from_str(&report(evaluations, Format::Json)).expect("it is JSON");
    if let Value::Array(runs) = report {
        runs
    } else {
        vec![report]
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// Ten thousand scenarios, each of which breaks a gate.
fn many() -> Vec<Evaluation> {
    let lines = (0..10_000).map(|number| format!("s{number}: 2 x allocs=9\n"));
    evaluated(ONE_GATE, &lines.collect::<String>())
}

/// No scenario, and no gate.
fn none() -> Vec<Evaluation> {
    evaluated("version = 1\n", "bench codec/b\n")
}

/// The same bench on two targets.
fn twice() -> Vec<Evaluation> {
    let bench = |target| format!("bench codec/b target={target}\n\"a b\": 2 x allocs=9\n");
    let results = [
        bench("x86_64-unknown-linux-gnu"),
        bench("aarch64-apple-darwin"),
    ];
    let evaluations = evaluated(ONE_GATE, &results.concat());
    assert_eq!(evaluations.len(), 2);
    evaluations
}

/// A test, as a CI system has it.
struct Test {
    suite: String,
    name: String,
    file: String,
    line: u32,
    /// `held`, `skipped` or `failure`, with its text.
    state: (&'static str, String),
}

fn tests(evaluations: &[Evaluation]) -> Vec<Test> {
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
        let key = (text(judgement, "bench"), text(judgement, "scenario"));
        judged.insert(key);
        if text(judgement, "verdict") == "fail" {
            failed.insert(key);
            let [broken] = ["requirement"].map(|key| text(judgement, key));
            let place = text(judgement, "scenario-place");
            let mut found = tests.iter().filter(|test| {
                let is_here = format!("{}:{}", test.file, test.line) == format!("rust/{place}");
                test.suite == key.0 && is_here && test.state.0 == "failure"
            });
            let test = found.next().unwrap_or_else(|| panic!("{judgement}"));
            assert!(test.state.1.contains(broken), "{}", test.state.1);
            assert_eq!(test.file, "rust/benches/b.rs");
        }
    }
    assert_eq!((judged.len(), failed.len()), (18, 18));
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
        states.contains(&("unmatched-pattern [typo]", "failure")),
        "{states:?}"
    );
    let mut unmatched = rules.iter().filter(|test| test.name.ends_with("[typo]"));
    let why = unmatched.next().map(|test| &*test.state.1);
    let named = "matches `no such ]]> name`";
    assert!(why.is_some_and(|why| why.contains(named)), "{why:?}");
    assert_eq!(tests.len(), 18 + rules.len());
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
fn a_test_has_the_time_of_an_iteration() {
    let evaluations = evaluated(ONE_GATE, "slow: 2 x allocs=9 | time 690 710\n");
    let report = report(&evaluations, Format::Junit);
    let times = report.matches(" time=\"0.000000700\"").count();
    assert_eq!(times, 3, "of the test, its suite and all: {report}");
}

#[test]
fn any_results_are_whole() {
    let mut generator = Generator::new(31);
    for _ in 0..rounds(40) {
        let results = generator.results();
        for rules in [RULES, "version = 1\n"] {
            let evaluations = evaluated(rules, &results);
            let verdicts = parts(&evaluations);
            let gates = verdicts.iter().flat_map(|part| list(part, "gates"));
            let judged = gates.flat_map(|gate| list(gate, "judgements"));
            let broken = judged
                .filter(|judgement| text(judgement, "verdict") == "fail")
                .count();
            let tests = tests(&evaluations);
            // A test can break several requirements, and one of the rules has no scenario.
            let of_scenarios = tests
                .iter()
                .filter(|test| !test.suite.starts_with("gates.toml"));
            let failures = of_scenarios
                .filter(|test| test.state.0 == "failure")
                .count();
            assert!(
                failures <= broken && (failures == 0) == (broken == 0),
                "{failures} {broken} {rules} {results}"
            );
        }
    }
}
