//! Failed requirements in the format SARIF 2.1.0, which code scanning and editors show on lines:
//! [`sarif`].

use std::io::{self, Write};

use indexmap::IndexMap;

use crate::printable::one_line;
use crate::report::export::alerts::{Alert, Spot, alerts};
use crate::report::export::json::object::{Json, Object};
use crate::report::export::runs::Runs;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// GitHub shows no more results of a run.
const MOST: usize = 5_000;

/// Writes a result for each requirement that fails the check, all in one run: GitHub refuses
/// several of one tool.
pub(in crate::report) fn sarif(runs: Runs<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut alerts = alerts(runs);
    let left_out = alerts.len().saturating_sub(MOST);
    alerts.truncate(MOST);
    let mut rules: IndexMap<&str, &Alert> = IndexMap::new();
    for alert in &alerts {
        rules.entry(&alert.rule).or_insert(alert);
    }
    let results = alerts.iter().map(|alert| {
        let index = rules.get_index_of(&*alert.rule);
        result(alert, index.unwrap_or_default())
    });
    let driver = Object::default()
        .with("name", "alloc-gate")
        .with("semanticVersion", env!("CARGO_PKG_VERSION"))
        .with_list("rules", rules.values().map(|alert| rule(alert)));
    let notification = (left_out > 0).then(|| {
        let text = format!("{left_out} more results were left out: readers show {MOST} of a run");
        Object::default()
            .with("level", "warning")
            .with("message", message(&text))
    });
    let invocation = Object::default()
        .with("executionSuccessful", true)
        .with_some_list("toolExecutionNotifications", notification);
    let run = Object::default()
        .with("tool", Object::default().with("driver", driver))
        .with_list("invocations", [invocation])
        .with("columnKind", "unicodeCodePoints")
        .with_list("results", results);
    Object::default()
        .with("$schema", SCHEMA)
        .with("version", "2.1.0")
        .with_list("runs", [run])
        .write(out)
}

fn rule(alert: &Alert) -> Object {
    Object::default()
        .with("id", &alert.rule)
        .with("shortDescription", message(&alert.reason))
        .with("help", message(&alert.help))
        .with(
            "defaultConfiguration",
            Object::default().with("level", "error"),
        )
}

fn result(alert: &Alert, rule: usize) -> Object {
    let lines = [&alert.text].into_iter().chain(&alert.lines);
    let text: Vec<&str> = lines.map(|line| &**line).collect();
    let scenario = alert.scenario.iter().map(|spot| (spot, "the scenario"));
    let related = scenario.chain([(&alert.rule_spot, "the rule")]);
    let related = related.enumerate().map(|(number, (spot, words))| {
        let location = location(spot).with("message", message(words));
        location.with("id", number)
    });
    let flow = (!alert.stack.is_empty()).then(|| {
        let steps = alert.stack.iter().map(|(spot, function)| {
            let location = location(spot).with("message", message(function));
            Object::default().with("location", location)
        });
        let thread = Object::default().with_list("locations", steps);
        Object::default().with_list("threadFlows", [thread])
    });
    let fingerprint = format!("{}:1", alert.fingerprint);
    Object::default()
        .with("ruleId", &alert.rule)
        .with("ruleIndex", rule)
        .with("level", "error")
        .with("message", message(&text.join("\n")))
        .with_list("locations", [location(&alert.spot)])
        .with_list("relatedLocations", related)
        .with_some_list("codeFlows", flow)
        // GitHub reads no other key.
        .with(
            "partialFingerprints",
            Object::default().with("primaryLocationLineHash", fingerprint),
        )
}

fn location(spot: &Spot) -> Object {
    let region = Object::default().with("startLine", spot.line.max(1));
    let region = match spot.columns {
        Some([start, end]) => region
            .with("startColumn", start)
            .with("endLine", spot.line.max(1))
            .with("endColumn", end),
        None => region,
    };
    let artifact = Object::default().with("uri", uri(&spot.file));
    let physical = Object::default()
        .with("artifactLocation", artifact)
        .with("region", region);
    Object::default().with("physicalLocation", physical)
}

/// Text of several lines, in which readers find no link: those are `[text](address)`.
fn message(text: &str) -> Json {
    let lines: Vec<String> = text.lines().map(one_line).collect();
    let text = lines.join("\n").replace("](", "] (");
    Object::default().with("text", text).into()
}

/// A path as a URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
