//! Alerts on lines: SARIF for code scanning, and GitLab's Code Quality.

use std::collections::BTreeSet;

use alloc_gate::Evaluation;
use alloc_gate::report::Format;
use serde_json::{Value, json};

use super::{RULES, evaluated, hostile, list, many, none, parts, text, twice};

/// The keys that an object has to have, and those that it can have: all others are refused.
fn has_keys(value: &Value, needed: &[&str], others: &[&str]) {
    let object = value.as_object().unwrap_or_else(|| panic!("{value}"));
    for key in needed {
        assert!(object.contains_key(*key), "no {key} in {value}");
    }
    for key in object.keys() {
        let is_known = needed.contains(&&**key) || others.contains(&&**key);
        assert!(is_known, "{key} in {value}");
    }
}

fn is_message(value: &Value) {
    has_keys(value, &["text"], &[]);
    let text = text(value, "text");
    // A link, which readers would follow.
    assert!(!text.is_empty() && !text.contains("]("), "{text}");
}

fn is_location(value: &Value, others: &[&str]) {
    has_keys(value, &["physicalLocation"], others);
    let physical = &value["physicalLocation"];
    has_keys(physical, &["artifactLocation", "region"], &[]);
    let artifact = &physical["artifactLocation"];
    has_keys(artifact, &["uri"], &[]);
    let uri = text(artifact, "uri");
    let is_uri = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
    assert!(uri.chars().all(is_uri) && !uri.starts_with("./"), "{uri}");
    let region = &physical["region"];
    has_keys(
        region,
        &["startLine"],
        &["startColumn", "endLine", "endColumn"],
    );
    let at = |key: &str| region[key].as_u64();
    assert!(at("startLine") >= Some(1), "{region}");
    assert!(
        at("startColumn").is_none() || at("endColumn") > at("startColumn"),
        "{region}"
    );
}

/// The results. It asserts what the standard and GitHub require of the keys that are used.
pub(super) fn results(evaluations: &[Evaluation]) -> (Vec<Value>, Value) {
    let report = super::json(evaluations, Format::Sarif);
    has_keys(&report, &["$schema", "version", "runs"], &[]);
    assert_eq!(text(&report, "version"), "2.1.0");
    let [run] = list(&report, "runs") else {
        panic!("GitHub takes one run: {report}");
    };
    has_keys(run, &["tool", "results", "invocations", "columnKind"], &[]);
    let driver = &run["tool"]["driver"];
    has_keys(driver, &["name", "semanticVersion", "rules"], &[]);
    let rules = list(driver, "rules");
    let ids: BTreeSet<&str> = rules.iter().map(|rule| text(rule, "id")).collect();
    assert_eq!(ids.len(), rules.len());
    for rule in rules {
        let needed = ["id", "shortDescription", "help", "defaultConfiguration"];
        has_keys(rule, &needed, &[]);
        is_message(&rule["shortDescription"]);
        is_message(&rule["help"]);
        assert_eq!(rule["defaultConfiguration"], json!({ "level": "error" }));
    }
    let [invocation] = list(run, "invocations") else {
        panic!("{run}");
    };
    has_keys(
        invocation,
        &["executionSuccessful"],
        &["toolExecutionNotifications"],
    );
    let results = list(run, "results");
    assert!(results.len() <= 5_000);
    let mut fingerprints = BTreeSet::new();
    for result in results {
        let needed = [
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
        ];
        has_keys(result, &needed, &["codeFlows"]);
        is_message(&result["message"]);
        let index = result["ruleIndex"].as_u64().expect("an index");
        let rule = &rules[usize::try_from(index).expect("it is small")];
        assert_eq!(text(rule, "id"), text(result, "ruleId"));
        assert_eq!(text(result, "level"), "error");
        let locations = list(result, "locations");
        assert_eq!(locations.len(), 1);
        is_location(&locations[0], &[]);
        let related = list(result, "relatedLocations");
        let numbers: BTreeSet<_> = related.iter().map(|one| one["id"].as_u64()).collect();
        assert_eq!(numbers.len(), related.len());
        for location in related {
            is_location(location, &["id", "message"]);
            is_message(&location["message"]);
        }
        let fingerprint = &result["partialFingerprints"];
        has_keys(fingerprint, &["primaryLocationLineHash"], &[]);
        let fingerprint = text(fingerprint, "primaryLocationLineHash");
        assert!(fingerprints.insert(fingerprint.to_owned()), "{result}");
    }
    (results.to_vec(), invocation.clone())
}

pub(super) fn issues(evaluations: &[Evaluation]) -> Vec<Value> {
    let report = super::json(evaluations, Format::CodeQuality);
    let issues = report.as_array().expect("an array");
    let mut fingerprints = BTreeSet::new();
    for issue in issues {
        let needed = [
            "description",
            "check_name",
            "fingerprint",
            "severity",
            "location",
        ];
        has_keys(issue, &needed, &[]);
        assert!(fingerprints.insert(text(issue, "fingerprint")), "{issue}");
        assert_eq!(text(issue, "severity"), "major");
        let location = &issue["location"];
        has_keys(location, &["path", "lines"], &[]);
        let path = text(location, "path");
        assert!(!path.starts_with("./") && !path.starts_with('/'), "{path}");
        has_keys(&location["lines"], &["begin"], &[]);
        assert!(location["lines"]["begin"].as_u64() >= Some(1), "{issue}");
    }
    issues.clone()
}

#[test]
fn each_failed_requirement_is_an_alert_with_the_figure_of_the_json_report() {
    let evaluations = evaluated(RULES, &hostile());
    let (results, invocation) = results(&evaluations);
    assert_eq!(invocation, json!({ "executionSuccessful": true }));
    let issues = issues(&evaluations);
    assert_eq!(results.len(), issues.len());
    let report = &parts(&evaluations)[0];
    let judgements = list(report, "gates")
        .iter()
        .flat_map(|gate| list(gate, "judgements"));
    let failed: Vec<&Value> = judgements
        .filter(|judgement| text(judgement, "verdict") == "fail")
        .collect();
    // One pattern matches nothing, and some findings fail the check.
    assert!(failed.len() < results.len());
    for ((judgement, result), issue) in failed.iter().zip(&results).zip(&issues) {
        let message = text(&result["message"], "text");
        let requirement = text(judgement, "requirement");
        let measured = text(&judgement["measured"], "text");
        for words in [message, text(issue, "description")] {
            assert!(
                words.contains(&format!("{measured}, required: {requirement}")),
                "{words}"
            );
        }
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], judgement["scenario-line"]);
        assert_eq!(
            issue["location"]["lines"]["begin"],
            judgement["scenario-line"]
        );
        assert_eq!(text(&issue["location"], "path"), "rust/benches/b.rs");
    }
}

#[test]
fn fingerprints_stay_when_scenarios_move_to_other_lines() {
    let rules = "version = 1\n[[gate]]\nname = 'g'\nscenarios = ['*']\nallocs = '<= 3'\n";
    let at = |line: u32, rules: &str| {
        let results = format!("a: 1 x allocs=9 | at benches/b.rs:{line}\n");
        let (results, _) = results_of(rules, &results);
        results[0]["partialFingerprints"].clone()
    };
    assert_eq!(at(7, rules), at(70, &format!("# a comment\n{rules}")));
    assert_ne!(at(7, rules), at(7, &rules.replace("'g'", "'h'")));
    let (twice, _) = results(&twice());
    assert_eq!(twice.len(), 2);
}

fn results_of(rules: &str, text: &str) -> (Vec<Value>, Value) {
    results(&evaluated(rules, text))
}

#[test]
fn nothing_is_a_report_too_and_much_is_cut_and_says_so() {
    let (results_of_none, _) = results(&none());
    assert_eq!(results_of_none.len(), 0);
    assert_eq!(issues(&none()).len(), 0);
    let many = many();
    assert_eq!(issues(&many).len(), 10_000);
    let (results, invocation) = results(&many);
    assert_eq!(results.len(), 5_000);
    let [notification] = list(&invocation, "toolExecutionNotifications") else {
        panic!("{invocation}");
    };
    assert_eq!(
        text(&notification["message"], "text"),
        "5000 more results were left out: readers show 5000 of a run"
    );
}
