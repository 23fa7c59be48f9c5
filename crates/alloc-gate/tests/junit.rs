//! JUnit reports, read by a parser that is not ours and by the rules of GitLab and Jenkins, which
//! tell tests apart by `classname` and `name`: they have the verdicts of the JSON report, whatever
//! the names are.

use std::collections::BTreeSet;
use std::path::Path;
use std::slice;

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
    let no_cfgs = CfgSets::default();
    let groups = groups.iter();
    let groups = groups.map(|(now, _)| evaluate(&Inputs::new(&config, now, &no_cfgs)));
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
    report
        .write(format, None, &mut text)
        .expect("memory takes it");
    let text = String::from_utf8(text).expect("a report is UTF-8");
    // The large ones have names without such characters.
    let mut lines = text.split(['\r', '\n']).take(20_000);
    assert!(lines.all(|line| one_line(line) == line), "{text}");
    text
}

/// The judgements of the JSON report.
fn judgements(evaluations: &[Evaluation]) -> Vec<Value> {
    let report = report(evaluations, Format::Json);
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    let runs = report
        .as_array()
        .map_or(slice::from_ref(&report), Vec::as_slice);
    let gates = runs.iter().flat_map(|run| list(run, "gates"));
    gates
        .flat_map(|gate| list(gate, "judgements"))
        .cloned()
        .collect()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {value}"))
}

const TWICE: &str = "bench codec/b target=x86_64-unknown-linux-gnu\n\"a b\": 2 x allocs=9\n\
                     bench codec/b target=aarch64-apple-darwin\n\"a b\": 2 x allocs=9\n";

/// A test, as a CI system has it.
struct Test {
    suite: String,
    name: String,
    /// With its line.
    file: String,
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
        let tests = suite.children().filter(Node::is_element).map(test);
        let tests: Vec<Test> = tests.collect();
        let name = attribute(suite, "name");
        assert!(tests.iter().all(|test| test.suite == name));
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
    let line: u32 = attribute(node, "line").parse().expect("a line");
    Test {
        suite: attribute(node, "classname").to_owned(),
        name: attribute(node, "name").to_owned(),
        file: format!("{}:{line}", attribute(node, "file")),
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
    let judgements = judgements(&evaluations);
    assert_eq!(judgements.len(), 2 * 18);
    for judgement in &judgements {
        let mut found = tests.iter().filter(|test| {
            let place = format!("rust/{}", text(judgement, "scenario-place"));
            test.suite == text(judgement, "bench") && test.file == place
        });
        let (state, said) = &found.next().unwrap_or_else(|| panic!("{judgement}")).state;
        assert_eq!(*state, "failure");
        let is_broken = text(judgement, "verdict") == "fail";
        let requirement = text(judgement, "requirement");
        let limit = requirement.strip_prefix("<= ").unwrap_or(requirement);
        assert_eq!(
            said.contains(&format!("limit {limit} [")),
            is_broken,
            "{said}"
        );
    }
    // Those that are skipped or match nothing are tests of the rules.
    let of_rules = tests.iter().filter(|test| test.suite == "gates.toml");
    assert_eq!(tests.len(), 18 + of_rules.clone().count());
    let state = |name: &str| {
        let mut named = of_rules.clone().filter(|test| test.name == name);
        &named.next().unwrap_or_else(|| panic!("no {name}")).state
    };
    assert_eq!(state("elsewhere").0, "skipped");
    let (failure, why) = state("unmatched-pattern [typo]");
    assert_eq!(*failure, "failure");
    assert!(why.contains("matches `no such ]]> name`"), "{why}");
}

#[test]
fn nothing_is_a_report_too_and_much_is_whole() {
    assert_eq!(
        tests(&evaluated("version = 1\n", "bench codec/b\n")).len(),
        0
    );
    let many = (0..10_000).map(|number| format!("s{number}: 2 x allocs=9\n"));
    let many = evaluated(ONE_GATE, &many.collect::<String>());
    assert_eq!(tests(&many).len(), 10_000);
    let tests = tests(&evaluated(ONE_GATE, TWICE));
    assert_eq!(tests.len(), 2);
    assert!(tests.iter().all(|test| test.name == "a b [g]"));
    let suite = &tests[0].suite;
    assert!(suite.starts_with("codec/b (x86_64-"), "{suite}");
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
            let verdicts = judgements(&evaluations);
            let broken = verdicts.iter().filter(|one| text(one, "verdict") == "fail");
            let broken = broken.count();
            // A test can break several requirements, and one of the rules has no scenario.
            let mut failures = tests(&evaluations);
            failures.retain(|test| !test.suite.starts_with("gates.toml"));
            failures.retain(|test| test.state.0 == "failure");
            let failures = failures.len();
            assert!(
                failures <= broken && (failures == 0) == (broken == 0),
                "{failures} {broken} {rules} {results}"
            );
        }
    }
}
