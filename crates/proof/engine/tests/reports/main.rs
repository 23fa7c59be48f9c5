//! Reports for other programs, read by parsers that are not ours: they have the numbers and the
//! verdicts of the JSON report, whatever the names are.

mod alerts;
mod figures;
mod junit;
mod page;

use std::path::Path;

use alloc_gate::report::{Evaluations, Format, Report, Repository, View};
use alloc_gate::{CfgSets, Config, Date, Evaluation, Inputs, Measurements, evaluate, one_line};
use sample_results::{Generator, rounds};
use serde_json::Value;

/// Names that are hard for a format, as strings of JSON.
const NAMES: [&str; 12] = [
    r#""a \"quoted\" 'name'""#,
    r#""<failure>]]>&amp;</testsuite>""#,
    r#""two\nlines\r\n\tand a tab""#,
    r#""two lines  \tand a tab""#,
    r#""nul \u0000 escape \u001b[31m bell \u0007 \ufffe\uffff""#,
    r#""right \u202e left \u2066 none \u200b""#,
    r#""=HYPERLINK(\"http://x\"),+1""#,
    r#""@sum; -1""#,
    r#""-bencher-ignore""#,
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

/// Each name in two benches: what holds, and what breaks both requirements.
fn hostile() -> String {
    let mut results = String::new();
    for (bench, iterations) in [("codec/b", "4 x allocs=1"), ("store/b", "3 x allocs=9")] {
        results += &format!("bench {bench}\n");
        for name in NAMES {
            results += &format!("{name}: {iterations} alloc-bytes=48; 1 x allocs=2\n");
        }
    }
    results
}

fn evaluated(rules: &str, results: &str) -> Vec<Evaluation> {
    let config = Config::parse("gates.toml", rules).expect("the rules are valid");
    let streams = sample_results::streams(results).expect("the results are well written");
    let groups = Measurements::by_environment(streams).expect("each bench is there once");
    let groups = groups.into_iter().map(|(measurements, _)| {
        let (no_cfgs, today) = (CfgSets::default(), Date::from_unix_days(0));
        evaluate(&Inputs::new(&config, &measurements, &no_cfgs, today))
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

fn json(evaluations: &[Evaluation], format: Format) -> Value {
    serde_json::from_str(&report(evaluations, format)).expect("it is JSON")
}

/// The parts of the JSON report, one for each environment.
fn parts(evaluations: &[Evaluation]) -> Vec<Value> {
    let report = json(evaluations, Format::Json);
    match report.get("runs") {
        Some(Value::Array(runs)) => runs.clone(),
        _ => vec![report],
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

#[test]
fn reports_of_any_results_are_whole() {
    let mut generator = Generator::new(31);
    for _ in 0..rounds(40) {
        let results = generator.results();
        for rules in [RULES, "version = 1\n"] {
            let evaluations = evaluated(rules, &results);
            let failed = alerts::results(&evaluations).0.len();
            assert_eq!(alerts::issues(&evaluations).len(), failed, "{results}");
            let tests = junit::tests(&evaluations);
            let failures = tests.iter().filter(|test| test.state.0 == "failure");
            // A test can break several requirements.
            let failures = failures.count();
            assert!(
                failures <= failed && (failures == 0) == (failed == 0),
                "{results}"
            );
            figures::are_those_of_the_json_report(&evaluations);
        }
    }
}

/// Ten thousand scenarios, each of which breaks a gate.
fn many() -> Vec<Evaluation> {
    let lines = (0..10_000).map(|number| format!("s{number}: 2 x allocs=9\n"));
    let results = lines.collect::<String>();
    evaluated(
        "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n",
        &results,
    )
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
    let evaluations = evaluated(
        "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n",
        &results.concat(),
    );
    assert_eq!(evaluations.len(), 2);
    evaluations
}
