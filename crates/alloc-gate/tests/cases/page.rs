//! The examples of the reference, of `design/errors.md` and of `design/recipes.md`, run like cases: each has the result that its page shows, and every key, metric, statistic,
//! verdict and code has an example. `ALLOC_GATE_BLESS=1` rewrites the results.
//!
//! An example is a block with the info string `toml gates.toml` and the blocks `text
//! SECTION` that follow under the same heading, with the sections of `case.rs`. Sections
//! that the page describes in words are comments, `<!-- given SECTION: ... -->`. The rules
//! of an example without an expectation are only read.
//!
//! What the examples of a page share stands once: a block `toml start` is above the lines of
//! each later block `toml gate`, a block `toml rest` below the rules of each later example
//! without a gate, and `text measured` has the results of those without any.

use std::collections::BTreeSet;
use std::ops::Range;
use std::{env, fs};

use alloc_gate::{Code, Config, FindingKind, Measure, Statistic, schema};
use serde_json::Value;

use super::case::{Actual, Case};

/// The pages with an example of everything but mistakes.
const REFERENCE: [&str; 4] = [
    "design/keys.md",
    "design/requirements.md",
    "design/reports.md",
    "design/findings.md",
];

/// The page of mistakes, and another one with examples.
const OTHERS: [&str; 2] = ["design/errors.md", "design/recipes.md"];

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");

const GIVEN: &str = "<!-- given ";

/// A file of rules with its other sections.
struct Example<'p> {
    /// The heading above it, without its marks.
    heading: &'p str,
    /// The line of the page, from 1.
    line: usize,
    shared: Shared<'p>,
    sections: Vec<Section<'p>>,
}

/// What examples of a page have without showing it.
#[derive(Clone, Copy, Default)]
struct Shared<'p> {
    /// Above the rules of a `gate`.
    start: &'p str,
    /// Below rules without a gate.
    rest: &'p str,
    /// The results.
    measured: &'p str,
}

struct Section<'p> {
    name: &'p str,
    content: &'p str,
    /// Where the content is in the page.
    place: Range<usize>,
}

impl<'p> Example<'p> {
    fn section(&self, name: &str) -> Option<&'p str> {
        let section = self.sections.iter().find(|section| section.name == name);
        section.map(|section| section.content)
    }

    fn rules(&self) -> String {
        let Shared { start, rest, .. } = self.shared;
        if let Some(whole) = self.section("gates.toml") {
            return whole.to_owned();
        }
        let shown = self.section("gate").unwrap_or_default();
        match shown.contains("[[gate]]") {
            true => format!("{start}{shown}"),
            false => format!("{start}{shown}\n{rest}"),
        }
    }

    /// Whether the page shows a report or diagnostics.
    fn expects(&self) -> bool {
        let sections = ["report", "problems", "terminal", "diagnostics"];
        sections
            .into_iter()
            .any(|name| self.section(name).is_some())
    }

    /// Runs the example; the error is its difference from the page.
    fn run(&self) -> Result<(), String> {
        if !self.expects() {
            return match Config::parse("gates.toml", &self.rules()) {
                Ok(_) => Ok(()),
                Err(diagnostics) => Err(diagnostics.to_string()),
            };
        }
        self.with_case(|case, actual| case.compare(&actual))?
    }

    /// The results of the example, with their places in the page.
    fn found(&self) -> Result<Vec<(Range<usize>, String)>, String> {
        if !self.expects() {
            return Ok(Vec::new());
        }
        self.with_case(|_, actual| {
            let sections = self.sections.iter();
            sections
                .filter_map(|section| {
                    let found = actual.get(section.name)?;
                    Some((section.place.clone(), found.clone()))
                })
                .collect()
        })
    }

    fn with_case<T>(&self, use_it: impl FnOnce(&Case<'_>, Actual) -> T) -> Result<T, String> {
        let others = self.sections.iter();
        let others = others.filter(|section| !matches!(section.name, "gates.toml" | "gate"));
        let others = others.map(|section| format!("=== {}\n{}\n", section.name, section.content));
        let (rules, mut others) = (self.rules(), others.collect::<String>());
        if self.section("results").is_none() {
            others += &format!("=== results\n{}", self.shared.measured);
        }
        let text = format!("An example.\n=== gates.toml\n{rules}\n{others}");
        let case = Case::parse(&text)?;
        let actual = case.run()?;
        Ok(use_it(&case, actual))
    }
}

/// The examples of a page, in order.
fn examples(page: &str) -> Result<Vec<Example<'_>>, String> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut heading = "";
    let mut shared = Shared::default();
    let mut at = 0;
    let lines = page.split_inclusive('\n').map(|line| {
        at += line.len();
        (line.trim_end(), at)
    });
    let mut lines = lines.enumerate();
    while let Some((index, (line, start))) = lines.next() {
        // The text up to the line `end`.
        let mut until = |end: &str| {
            let mut stop = start;
            for (_, (line, next)) in lines.by_ref() {
                if line == end {
                    return Ok(start..stop);
                }
                stop = next;
            }
            Err(format!("line {}: it has no end", index + 1))
        };
        let (name, place) = if let Some(info) = line.strip_prefix("```") {
            let place = until("```")?;
            match info.split_once(' ') {
                Some(("toml" | "text", name)) => (name, place),
                Some(_) | None => continue,
            }
        } else if let Some(given) = line.strip_prefix(GIVEN) {
            let (name, first) = given.split_once(':').unwrap_or((given, ""));
            match first.strip_suffix("-->") {
                Some(first) => {
                    let before = start - line.len() - 1;
                    let first = first.trim();
                    let begin = before + page[before..].find(first).unwrap_or_default();
                    (name, begin..begin + first.len())
                }
                None => (name, until("-->")?),
            }
        } else {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim();
            }
            if line.starts_with("# ") {
                shared = Shared::default();
            }
            continue;
        };
        let content = &page[place.clone()];
        let is_shared = match name {
            "start" => Some(&mut shared.start),
            "rest" => Some(&mut shared.rest),
            "measured" => Some(&mut shared.measured),
            _ => None,
        };
        if let Some(of_page) = is_shared {
            *of_page = content;
            continue;
        }
        let begins = matches!(name, "gates.toml" | "gate");
        if begins || examples.last().is_none_or(|last| last.heading != heading) {
            if !begins && shared.rest.is_empty() {
                let line = index + 1;
                return Err(format!("line {line}: no rules stand above `{name}`"));
            }
            examples.push(Example {
                heading,
                line: index + 1,
                shared,
                sections: Vec::new(),
            });
        }
        if let Some(example) = examples.last_mut() {
            example.sections.push(Section {
                name,
                content,
                place,
            });
        }
    }
    Ok(examples)
}

fn read(page: &str) -> String {
    let text = fs::read_to_string(format!("{REPOSITORY}{page}"));
    text.unwrap_or_else(|error| panic!("failed to read {page}: {error}"))
}

fn reference() -> String {
    REFERENCE.map(read).concat()
}

#[track_caller]
fn examples_of(page: &str) -> Vec<Example<'_>> {
    examples(page).expect("the page can be read")
}

#[test]
fn every_example_of_the_pages_comes_to_what_it_says() {
    let bless = env::var_os("ALLOC_GATE_BLESS").is_some_and(|value| value == "1");
    let mut failures = Vec::new();
    for path in REFERENCE.into_iter().chain(OTHERS) {
        let text = read(path);
        let mut blessed = text.clone();
        // From the end, so that places stay right.
        for example in examples_of(&text).iter().rev() {
            let problem = match bless {
                true => example.found().map(|found| {
                    for (place, result) in found.into_iter().rev() {
                        blessed.replace_range(place, &result);
                    }
                }),
                false => example.run(),
            };
            if let Err(problem) = problem {
                let (line, heading) = (example.line, example.heading);
                failures.push(format!("--- {path}:{line}, {heading}\n{problem}"));
            }
        }
        if blessed != text {
            fs::write(format!("{REPOSITORY}{path}"), blessed).expect("the page can be written");
        }
    }
    failures.reverse();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_code_has_an_example_under_its_heading() {
    let pages = reference() + &read(OTHERS[0]);
    let examples = examples_of(&pages);
    let mistakes = Code::ALL
        .iter()
        .map(|code| (&["diagnostics"][..], format!("error[{code}]: ")));
    let findings =
        FindingKind::codes().map(|code| (&["problems", "report"][..], format!("[{code}]: ")));
    let absent: Vec<String> = mistakes
        .chain(findings)
        .filter(|(sections, shown)| {
            let code = shown.split(['[', ']']).nth(1);
            !examples.iter().any(|example| {
                let mut texts = sections.iter().filter_map(|name| example.section(name));
                Some(example.heading) == code && texts.any(|text| text.contains(shown))
            })
        })
        .map(|(_, shown)| shown)
        .collect();
    assert!(absent.is_empty(), "no example shows {absent:?}");
}

/// The keys of the valid examples: `gate allocs`, `gate * max`. A metric counts only
/// where the example has a report.
fn said(examples: &[Example<'_>]) -> BTreeSet<String> {
    let mut said = BTreeSet::new();
    for example in examples {
        let rules = example.rules();
        if Config::parse("gates.toml", &rules).is_err() {
            continue;
        }
        let root: toml::Table = toml::from_str(&rules).expect("valid rules are TOML");
        for (key, value) in &root {
            said.insert(key.clone());
            let listed = value.as_array().into_iter().flatten();
            let tables = listed.filter_map(toml::Value::as_table);
            for table in tables.chain(value.as_table()) {
                for (inner, value) in table {
                    let is_metric = Measure::known().any(|name| name == inner);
                    let reported = ["report", "problems"].map(|name| example.section(name));
                    if is_metric && reported == [None, None] {
                        continue;
                    }
                    said.insert(format!("{key} {inner}"));
                    for statistic in value.as_table().into_iter().flat_map(|table| table.keys()) {
                        said.insert(format!("{key} * {statistic}"));
                    }
                    if let Some(reaction) = value.as_str().filter(|_| key == "policy") {
                        said.insert(format!("policy = {reaction}"));
                    }
                }
            }
        }
    }
    said
}

#[test]
fn every_key_metric_and_statistic_has_an_example() {
    let schema: Value = serde_json::from_str(schema::text()).expect("the schema is JSON");
    let keys = |table: &str| -> Vec<String> {
        let properties = schema.pointer(&format!("{table}/properties"));
        let properties = properties.and_then(Value::as_object);
        let properties = properties.expect("the table is in the schema");
        properties.keys().cloned().collect()
    };
    let mut wanted: BTreeSet<String> = keys("").into_iter().collect();
    for (table, name) in [
        ("Run", "run"),
        ("Baseline", "baseline"),
        ("Policy", "policy"),
        ("Explain", "explain"),
        ("Bench", "bench"),
        ("Gate", "gate"),
        ("Waiver", "waiver"),
        ("Table", "table"),
    ] {
        let keys = keys(&format!("/definitions/{table}"));
        // That a waiver has the metrics of gates needs no example each.
        let keys = keys.into_iter().filter(|key| {
            name != "waiver" || !Measure::known().any(|metric| metric == key.as_str())
        });
        wanted.extend(keys.map(|key| format!("{name} {key}")));
    }
    wanted.extend(Statistic::ALL.map(|statistic| format!("gate * {statistic}")));
    let reactions = alloc_gate::rules::Reaction::ALL;
    wanted.extend(reactions.map(|reaction| format!("policy = {}", reaction.name())));
    let page = reference();
    let said = said(&examples_of(&page));
    let absent: Vec<&String> = wanted.difference(&said).collect();
    assert!(absent.is_empty(), "no example has {absent:?}");
    assert!(wanted.len() > 60, "{} names were looked for", wanted.len());
    // A metric that the scenario defines is a key that only `[metrics]` explains.
    let declared = said.iter().filter_map(|key| key.strip_prefix("metrics "));
    let mut declared = declared.map(|name| format!("gate {name}"));
    assert!(declared.any(|key| said.contains(&key)));
}

#[test]
fn every_verdict_has_an_example() {
    use alloc_gate::{Absence, Verdict};
    let page = reference();
    let examples = examples_of(&page);
    let verdicts = examples
        .iter()
        .filter(|example| example.heading == "Verdicts");
    let reports: Vec<&str> = verdicts
        .filter_map(|example| example.section("report"))
        .collect();
    // A `match` without a wildcard, so that a further verdict does not compile.
    let shown = |verdict: Verdict| match verdict {
        Verdict::Skipped => "skipped ",
        Verdict::Pass => "pass    ",
        Verdict::Waived => "waived  ",
        Verdict::Stale => "stale   ",
        Verdict::Missing(_) => "missing ",
        Verdict::Fail => "FAIL    ",
    };
    for verdict in [
        Verdict::Skipped,
        Verdict::Pass,
        Verdict::Waived,
        Verdict::Stale,
        Verdict::Missing(Absence::Scenario),
        Verdict::Fail,
    ] {
        let mut lines = reports.iter().flat_map(|report| report.lines());
        assert!(
            lines.any(|line| line.starts_with(shown(verdict))),
            "{verdict}"
        );
    }
}

#[test]
fn an_example_that_says_something_else_is_told() {
    let page = |report: &str| {
        format!(
            "### Figures\n```toml gates.toml\nversion = 1\n[[gate]]\nname = \"g\"\nscenarios = \
             [\"*\"]\nallocs = \"< 5\"\n```\n```text results\na: 1 x allocs=4\n```\n\
             ```text report\n{report}\n```\n"
        )
    };
    let run = |page: &str| examples(page).expect("it can be read")[0].run();
    let right = "pass    g: 1 scenario\n        allocs < 5: 4";
    assert_eq!(run(&page(right)), Ok(()));
    assert!(run(&page(&right.replace(": 4", ": 3"))).is_err());
    assert!(run("```toml gates.toml\nversion = 2\n```\n").is_err());
    assert!(examples("# A\n```toml gates.toml\n```\n# B\n```text report\n```\n").is_err());
    assert!(examples("```text report\n```\n").is_err());
    assert!(examples("```toml gates.toml\n").is_err());
}
