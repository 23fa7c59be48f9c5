//! The examples of `design/gates.md`, run like cases: each has the result that the page
//! shows, and every key, metric, statistic, verdict and code has an example.
//!
//! An example is a block with the info string `toml gates.toml` and the blocks `text
//! SECTION` that follow under the same heading, with the sections of `case.rs`. Sections
//! that the page describes in words are comments, `<!-- given SECTION: ... -->`. The rules
//! of an example without an expectation are only read.

use std::collections::BTreeSet;

use alloc_gate::{Code, Config, FindingKind, Measure, Statistic, schema};
use serde_json::Value;

use super::case::Case;

const PAGE: &str = include_str!("../../../../design/gates.md");

const GIVEN: &str = "<!-- given ";

/// A file of rules with its other sections.
struct Example<'p> {
    /// The heading above it, without its marks.
    heading: &'p str,
    /// The line of the page, from 1.
    line: usize,
    sections: Vec<(&'p str, String)>,
}

impl<'p> Example<'p> {
    fn section(&self, name: &str) -> Option<&str> {
        let section = self.sections.iter().find(|(other, _)| *other == name);
        section.map(|(_, content)| content.as_str())
    }

    fn rules(&self) -> &str {
        self.section("gates.toml").unwrap_or_default()
    }

    /// The expected report or diagnostics, if the page shows them.
    fn expected(&self) -> Option<&str> {
        let sections = ["report", "terminal", "diagnostics"];
        sections.into_iter().find_map(|name| self.section(name))
    }

    /// Runs the example; the error is its difference from the page.
    fn run(&self) -> Result<(), String> {
        if self.expected().is_none() {
            return match Config::parse("gates.toml", self.rules()) {
                Ok(_) => Ok(()),
                Err(diagnostics) => Err(diagnostics.to_string()),
            };
        }
        let sections = self.sections.iter();
        let sections = sections.map(|(name, content)| format!("=== {name}\n{content}\n"));
        let text = format!("An example.\n{}", sections.collect::<String>());
        let case = Case::parse(&text)?;
        case.compare(&case.run()?)
    }
}

/// The examples of a page, in order.
fn examples(page: &str) -> Result<Vec<Example<'_>>, String> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    let mut heading = "";
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut until = |end: &str| -> Result<String, String> {
            let mut content = String::new();
            for (_, line) in lines.by_ref() {
                if line == end {
                    return Ok(content);
                }
                content.push_str(line);
                content.push('\n');
            }
            Err(format!("line {}: it has no end", index + 1))
        };
        let (name, content) = if let Some(info) = line.strip_prefix("```") {
            let content = until("```")?;
            match info.split_once(' ') {
                Some((_, name)) => (name, content),
                None => continue,
            }
        } else if let Some(given) = line.strip_prefix(GIVEN) {
            let (name, first) = given.split_once(':').unwrap_or((given, ""));
            match first.strip_suffix("-->") {
                Some(first) => (name, first.trim().to_owned()),
                None => (name, until("-->")?),
            }
        } else {
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim();
            }
            continue;
        };
        let mut example = Example {
            heading,
            line: index + 1,
            sections: Vec::new(),
        };
        if name != "gates.toml" {
            let last = examples.pop().filter(|last| last.heading == heading);
            example = last.ok_or_else(|| {
                format!("line {}: no gates.toml stands above `{name}`", index + 1)
            })?;
        }
        example.sections.push((name, content));
        examples.push(example);
    }
    Ok(examples)
}

fn of_the_page() -> Vec<Example<'static>> {
    examples(PAGE).expect("the page can be read")
}

#[test]
fn every_example_of_the_page_comes_to_what_it_says() {
    let failures: Vec<String> = of_the_page()
        .iter()
        .filter_map(|example| {
            let problem = example.run().err()?;
            let (line, heading) = (example.line, example.heading);
            Some(format!("--- design/gates.md:{line}, {heading}\n{problem}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_code_has_an_example_under_its_heading() {
    let examples = of_the_page();
    let mistakes = Code::ALL
        .iter()
        .map(|code| ("diagnostics", format!("error[{code}]: ")));
    let findings = FindingKind::CODES
        .iter()
        .map(|code| ("report", format!("[{code}]: ")));
    let absent: Vec<String> = mistakes
        .chain(findings)
        .filter(|(section, shown)| {
            let code = shown.split(['[', ']']).nth(1);
            !examples.iter().any(|example| {
                Some(example.heading) == code
                    && example
                        .section(section)
                        .is_some_and(|text| text.contains(shown))
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
        if Config::parse("gates.toml", rules).is_err() {
            continue;
        }
        let root: toml::Table = toml::from_str(rules).expect("valid rules are TOML");
        for (key, value) in &root {
            said.insert(key.clone());
            let listed = value.as_array().into_iter().flatten();
            let tables = listed.filter_map(toml::Value::as_table);
            for table in tables.chain(value.as_table()) {
                for (inner, value) in table {
                    let is_metric = Measure::known().any(|name| name == inner);
                    if is_metric && example.section("report").is_none() {
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
        ("Bench", "bench"),
        ("Gate", "gate"),
        ("Waiver", "waiver"),
        ("Table", "table"),
        ("History", "table *"),
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
    let said = said(&of_the_page());
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
    let reports: Vec<String> = of_the_page()
        .iter()
        .filter(|example| example.heading == "Verdicts")
        .filter_map(|example| example.section("report").map(str::to_owned))
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
