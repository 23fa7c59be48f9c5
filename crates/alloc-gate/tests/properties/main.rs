//! What holds for every input: tried on many, the same in every run.

mod least_step;
mod order;
mod requirements;

use std::fmt::Debug;
use std::slice;

use alloc_gate::baseline::Coverage;
use alloc_gate::report::{Detail, Evaluations, Format, Report, TableRows, View};
use alloc_gate::{
    Baseline, BaselineDocument, CfgSets, Config, Diagnostics, DocumentState, Evaluation, Inputs,
    Measurements, Outcome, Statistic, Verdict, evaluate,
};

use alloc_results::Metric;
use sample_results::{Generator, rounds};

const RULES: &str = r#"version = 1

[run]
warmup = 1_000
iterations = 10_000
timeout = "5m"

[baseline]
data = "b.toml"
page = 'größe/b.md'

[policy]
stale = "deny"
ungated = "warn"

[[bench]]
package = "codec"
target = "alloc_count"

[[gate]]
name = "R12 📦"
scenarios = ["encode (*", "{a,b}[!c]?", 'x\*']
allocs = "< 5, <= baseline"
bytes = { max = "<= 4_096", first = "> 2.5, < 1_000" }
reason = """
two
lines"""
"#;

fn measured(results: &str) -> Measurements {
    let streams = sample_results::streams(results).expect("the results are well written");
    Measurements::new(streams).expect("no name occurs twice")
}

#[test]
fn no_text_makes_reading_rules_panic() {
    never_panics(RULES, |text| Config::parse("gates.toml", text).err());
}

#[test]
fn no_text_makes_reading_a_baseline_panic() {
    let results = "\"größe 📦\": 9 x allocs=1; 1 x allocs=2\nb: 1 x peak=3";
    let baseline = Baseline::default().accept(&measured(results), Coverage::AllBenches);
    never_panics(&baseline.to_toml(), |text| {
        Baseline::parse("baseline.toml", text).err()
    });
}

/// Reads mutations of `valid`, and shows the mistakes of those that have some.
fn never_panics(valid: &str, read: impl Fn(&str) -> Option<Diagnostics>) {
    assert!(read(valid).is_none());
    let mut generator = Generator::new(2);
    let mut refused = 0;
    for round in 0..4_000 {
        let text = match round % 4 {
            0 => generator.text(60),
            1 => generator.bytes(60),
            _ => generator.mutated(valid),
        };
        let Some(diagnostics) = read(&text) else {
            continue;
        };
        refused += 1;
        assert!(!diagnostics.list().is_empty(), "{text:?}");
        assert!(!diagnostics.to_string().is_empty(), "{text:?}");
        assert!(!diagnostics.styled().is_empty(), "{text:?}");
        for diagnostic in diagnostics.list() {
            // It can be cut out, and has a place in the file.
            let underlined = text.get(diagnostic.span());
            assert!(underlined.is_some(), "{:?} of {text:?}", diagnostic.span());
            let place = diagnostics.place(diagnostic);
            assert!(place.line <= text.matches('\n').count() + 1, "{text:?}");
        }
    }
    assert!(refused > 1_000, "only {refused} texts were refused");
}

#[test]
fn a_baseline_reads_back_from_its_text() {
    let mut generator = Generator::new(3);
    for _ in 0..rounds(100) {
        let results = generator.results();
        let once = Baseline::default().accept(&measured(&results), Coverage::AllBenches);
        let text = once.to_toml();
        let read = Baseline::parse("b.toml", &text).map_err(|error| error.to_string());
        assert_eq!(read, Ok(once), "{results}");
        let other = measured(&generator.results());
        let twice = read.expect("it was just compared");
        let joined = twice.accept(&other, Coverage::SomeBenches);
        let read = Baseline::parse("b.toml", &joined.to_toml());
        assert_eq!(read.map_err(|error| error.to_string()), Ok(joined));
    }
}

/// Rules that ask for each metric and statistic in turn, against limits and the
/// baseline.
fn rules(generator: &mut Generator) -> Config {
    let mut text = String::from("version = 1\n[baseline]\ndata = 'b.toml'\npage = 'b.md'\n");
    for gate in 0..=generator.below(3) {
        let metric = generator.one(&["allocs", "bytes", "net-bytes", "peak-bytes", "allocs"]);
        let statistic = generator.one(&["mean", "max", "first"]);
        let operator = generator.one(&["<", "<=", "==", ">"]);
        let limit = generator.one(&["baseline", "1", "2.5", "40"]);
        let pattern = generator.one(&["*", "*0", "*1?", "a*"]);
        let reason = toml::Value::String(generator.text(9));
        text += &format!(
            "[[gate]]\nname = 'g{gate}'\nscenarios = ['{pattern}']\n\
             {metric} = {{ {statistic} = '{operator} {limit}' }}\nreason = {reason}\n"
        );
    }
    Config::parse("gates.toml", &text).expect("the rules are valid")
}

fn judged(config: &Config, now: &Measurements, baseline: &Baseline) -> Evaluation {
    evaluate(&Inputs {
        baseline: Some(baseline),
        document: Some(DocumentState::Stale),
        ..Inputs::new(config, now, &CfgSets::default())
    })
}

/// Each combination of rows and details.
fn views() -> impl Iterator<Item = View<'static>> {
    let rows = TableRows::ALL.map(Some).into_iter().chain([None]);
    rows.flat_map(|rows| {
        [Detail::Quiet, Detail::Normal, Detail::Verbose].map(|detail| View {
            rows,
            detail,
            ..View::default()
        })
    })
}

fn rendered(evaluation: &Evaluation) -> Vec<Vec<u8>> {
    let formats = Format::ALL.into_iter();
    formats
        .map(|format| written(evaluation, View::default(), format))
        .collect()
}

fn written(evaluation: &Evaluation, view: View<'_>, format: Format) -> Vec<u8> {
    let mut text = Vec::new();
    let runs = slice::from_ref(evaluation);
    let report = Evaluations {
        runs,
        view,
        repository: None,
    };
    report
        .write(format, None, &mut text)
        .expect("memory takes it");
    text
}

#[test]
fn judging_twice_comes_to_the_same_and_every_report_is_whole() {
    let mut generator = Generator::new(4);
    for _ in 0..rounds(60) {
        let config = rules(&mut generator);
        let results = generator.results();
        let now = measured(&results);
        let before = measured(&generator.results());
        let baseline = Baseline::default().accept(&before, Coverage::AllBenches);
        let [once, twice] = [(); 2].map(|()| judged(&config, &now, &baseline));
        same(&once, &twice);
        for view in views() {
            let text = written(&once, view, Format::Terminal);
            // A foreign text begins no line, so that it can't be a command of a CI system.
            let text = anstream::adapter::strip_bytes(&text).into_vec();
            let text = String::from_utf8(text).expect("a report is UTF-8");
            let mut lines = text.lines();
            assert!(!lines.any(|line| line.starts_with("::")), "{results}");
        }
        assert_eq!(rendered(&once), rendered(&twice));
        let [terminal, markdown, json] = [Format::Terminal, Format::Markdown, Format::Json]
            .map(|format| written(&once, View::default(), format));
        // Nothing foreign moves the cursor.
        let terminal = String::from_utf8(terminal).expect("a report is UTF-8");
        assert!(!terminal.contains('\r'), "{results}");
        let markdown = String::from_utf8(markdown).expect("a report is UTF-8");
        // Each table has the columns of its header, which stands above a rule.
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        let lines: Vec<&str> = markdown.lines().collect();
        let mut expected = 0;
        for pair in lines.windows(2).filter(|pair| pair[0].starts_with('|')) {
            if pair[1].starts_with("|--") {
                expected = columns(pair[0]);
            }
            assert_eq!(columns(pair[0]), expected, "{}", pair[0]);
        }
        let json: serde_json::Value = serde_json::from_slice(&json).expect("it is JSON");
        assert_eq!(json["scenarios-measured"], now.scenarios().len());
    }
}

fn same(once: &impl Debug, twice: &impl Debug) {
    assert_eq!(format!("{once:?}"), format!("{twice:?}"));
}

/// The one scenario `a`, with these numbers of everything in its iterations.
/// Twice as much is allocated as is freed, so that net values grow as well.
fn iterations(counts: &[usize]) -> Measurements {
    let reading = |n: &usize| {
        format!(
            "allocs={} reallocs={n} bytes={} deallocs={n} freed-bytes={n} peak={n}",
            3 * n,
            2 * n,
        )
    };
    let samples: Vec<String> = counts
        .iter()
        .map(|n| format!("1 x {}", reading(n)))
        .collect();
    let first = reading(&counts[0]);
    measured(&format!(
        "a: {} | first {first} | elements=3",
        samples.join("; ")
    ))
}

#[test]
fn more_is_never_better_for_an_upper_limit() {
    let mut generator = Generator::new(5);
    let metrics: Vec<&str> = Metric::ALL.map(Metric::name).to_vec();
    // Values of several scenarios have tests of their own.
    let statistics = Statistic::ALL.into_iter();
    let of_one = statistics.filter(|statistic| *statistic != Statistic::Growth);
    let statistics: Vec<&str> = of_one.map(Statistic::name).collect();
    let mut failed = 0;
    for _ in 0..3_000 {
        let metric = generator.one(&metrics);
        let statistic = generator.one(&statistics);
        let operator = generator.one(&["<", "<="]);
        let limit = generator.one(&["baseline", "baseline + 1", "baseline + 20%", "1", "2", "7"]);
        let config = format!(
            "version = 1\n[baseline]\ndata = 'b'\n[[gate]]\nname = 'g'\nscenarios = ['*']\n\
             {metric} = {{ {statistic} = '{operator} {limit}' }}\n"
        );
        let config = Config::parse("gates.toml", &config).expect("the rules are valid");
        let count = generator.below(5) + 1;
        let mut counts: Vec<usize> = (0..count).map(|_| generator.below(5)).collect();
        let accepted: Vec<usize> = (0..count).map(|_| generator.below(5)).collect();
        let baseline = Baseline::default().accept(&iterations(&accepted), Coverage::AllBenches);
        let before = judged(&config, &iterations(&counts), &baseline);
        for _ in 0..=generator.below(3) {
            let raised = generator.below(count);
            counts[raised] += generator.below(3);
        }
        let after = judged(&config, &iterations(&counts), &baseline);
        if before.gates[0].verdict == Verdict::Fail {
            failed += 1;
            assert_eq!(
                after.gates[0].verdict,
                Verdict::Fail,
                "{metric} {statistic} {operator} {limit}: {counts:?} against {accepted:?}"
            );
            assert_eq!(after.outcome(), Outcome::Failed);
        }
        // What is worse is never stale where it was not.
        if before.gates[0].verdict == Verdict::Pass {
            assert_ne!(after.gates[0].verdict, Verdict::Stale);
        }
    }
    assert!(failed > 500, "only {failed} gates failed at first");
}

#[test]
fn a_page_is_updated_once_and_keeps_what_is_not_its_own() {
    let mut generator = Generator::new(6);
    for _ in 0..rounds(100) {
        let config = rules(&mut generator);
        let files = config.baseline.as_ref().expect("the rules name files");
        let before = measured(&generator.results());
        let now = measured(&generator.results());
        let before = Baseline::default().accept(&before, Coverage::AllBenches);
        let now = Baseline::default().accept(&now, Coverage::AllBenches);
        let document = |baseline| BaselineDocument {
            baseline,
            config: &config,
            files,
        };
        // A person's text around the blocks; its last line is not a marker's.
        let [above, between, below] =
            [(); 3].map(|()| generator.text(40) + generator.one(&["", "\n", "\r\n"]));
        let new = document(&before)
            .update(None)
            .expect("a new page has no marker");
        let cut = |from: &str, to: &str| {
            let from = new.find(from).expect("a page has both markers");
            let to = new.find(to).expect("a page has both markers") + to.len();
            new[from..to].to_owned()
        };
        let values = cut(
            "<!-- alloc-gate: begin baseline -->",
            "<!-- alloc-gate: end baseline -->",
        );
        let commands = cut(
            "<!-- alloc-gate: begin reproducing -->",
            "<!-- alloc-gate: end reproducing -->",
        );
        let existing = format!("{above}\n{values}\n{between}\n{commands}\n{below}");
        let update = |text: &str| {
            let page = document(&now).update(Some(text));
            page.unwrap_or_else(|error| panic!("{error} in {text:?}"))
        };
        let once = update(&existing);
        assert_eq!(update(&once), once);
        assert!(once.starts_with(&format!("{above}\n<!--")), "{once:?}");
        assert!(once.contains(&format!("-->\n{between}\n<!--")), "{once:?}");
        assert!(once.ends_with(&format!("-->\n{below}")), "{once:?}");
    }
}
