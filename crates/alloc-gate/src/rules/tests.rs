//! Tests of reading gates.toml. Most mistakes are tested by the cases `invalid-*`.

use std::collections::BTreeSet;

use alloc_results::{GATE_KEYS, check_custom_name};
use serde_json::{Value, json};

use super::*;

/// Parses `rest` after a version line.
fn parse(rest: &str) -> Result<Config, Diagnostics> {
    Config::parse("gates.toml", &format!("version = 1\n{rest}"))
}

/// The only mistake of a gate with `line`, as `line:column code: underlined text: message`.
fn gate_mistake(line: &str) -> String {
    let text = format!("version = 1\n[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n{line}\n");
    let diagnostics = Config::parse("gates.toml", &text).expect_err("the rules are wrong");
    let [diagnostic] = diagnostics.list() else {
        panic!("one mistake: {diagnostics}");
    };
    format!(
        "{} {}: {}: {}",
        diagnostics.place(diagnostic),
        diagnostic.code,
        &text[diagnostic.span()],
        diagnostic.message
    )
}

#[test]
fn a_condition_is_not_nested_without_end() {
    let nested = |depth: usize| {
        let (not, end) = ("not(".repeat(depth - 1), ")".repeat(depth));
        gate_mistake(&format!("allocs = \"< 5\"\nwhen = 'cfg({not}linux{end}'"))
    };
    assert!(nested(32).ends_with(": no target sets `linux`"));
    for depth in [33, 50_000] {
        let mistake = nested(depth);
        assert!(mistake.starts_with("6:8 bad-cfg: "), "{depth}");
        assert!(mistake.ends_with(": its parentheses are nested deeper than 32"));
    }
}

#[test]
fn a_whole_file_is_read() {
    let text = include_str!("tests/whole.toml");
    let config = Config::parse("gates.toml", text).unwrap();
    assert_eq!(
        config.run,
        RunSettings {
            warmup: Some(10),
            iterations: Some(100),
            timeout: Duration::from_secs(120),
            scenario_timeout: Some(Duration::from_secs(15)),
            line_tables: false,
        }
    );
    assert_eq!(config.baseline.unwrap().page.as_deref(), Some("b.md"));
    assert_eq!(config.policy.stale, Reaction::Deny);
    assert_eq!(config.policy.ungated, Reaction::Allow);
    assert_eq!(config.policy.nondeterministic, Reaction::Warn);
    assert_eq!(config.benches[0].target, "alloc_count");
    let gate = &config.gates[0];
    assert_eq!(gate.reason.as_deref(), Some("promised"));
    assert_eq!(gate.place.to_string(), "18:1");
    let rules = gate.rules.iter();
    let rules = rules.map(|rule| format!("{} {}; ", rule.place, rule.words()));
    let expected =
        "21:10 allocs < 5; 22:17 bytes max <= baseline; 22:40 bytes first <= 1_000, > 0; ";
    assert_eq!(rules.collect::<String>(), expected);
}

#[test]
fn missing_keys_have_the_documented_defaults() {
    let config = parse("").unwrap();
    assert_eq!(config.run.timeout, Duration::from_secs(60));
    assert_eq!((config.run.iterations, config.gates.len()), (None, 0));
}

#[test]
fn literal_strings_are_underlined_exactly_and_escaped_ones_whole() {
    assert!(gate_mistake("allocs = '< x'").starts_with("5:13 bad-requirement: x: "));
    assert!(
        gate_mistake("allocs = \"\\u003c x\"").starts_with("5:10 bad-requirement: \"\\u003c x\": ")
    );
    assert!(gate_mistake("allocs = \"\"").starts_with("5:10 bad-requirement: \"\": "));
}

#[test]
fn a_time_limit_is_at_most_a_year() {
    let limited = |limit: &str| {
        let config = parse(&format!("[run]\ntimeout = \"{limit}\"\n"));
        config.map_err(|diagnostics| diagnostics.list()[0].message.clone())
    };
    let year = Duration::from_secs(31_536_000);
    assert_eq!(limited("525600m").unwrap().run.timeout, year);
    for long in ["525601m", "31536001s", "18446744073709551615s"] {
        let words = format!("the time limit `{long}` is longer than a year");
        assert_eq!(limited(long).unwrap_err(), words);
    }
    // Too long to be a number.
    assert!(limited("99999999999999999999s").is_err());
}

/// The keys that the reader lists for an unknown key that resembles none of them.
fn reader_keys(rules: &str) -> BTreeSet<String> {
    let diagnostics = parse(&format!("{rules}\nqqq = 0\n")).expect_err("`qqq` is no key");
    let mut hints = diagnostics.list().iter();
    let hint = hints.find_map(|found| found.help.as_ref()?.strip_prefix("expected one of "));
    let keys = hint.expect("the reader lists the keys").split(", ");
    keys.map(|key| key.trim_matches('`').to_owned()).collect()
}

#[test]
fn the_schema_and_the_reader_have_the_same_keys() {
    let schema: Value = serde_json::from_str(schema()).expect("the schema is JSON");
    for (table, rules) in [
        ("", ""),
        ("/definitions/Run", "[run]"),
        ("/definitions/Baseline", "[baseline]\ndata = \"d\""),
        ("/definitions/Policy", "[policy]"),
        ("/definitions/Bench", "[[bench]]"),
        ("/definitions/Gate", "[[gate]]"),
        ("/then/properties/gate/items", "[[gate]]"),
        (
            "/definitions/RequiredOfCalls/anyOf/1",
            "[[gate]]\n[gate.allocs]",
        ),
    ] {
        let keys = schema.pointer(&format!("{table}/properties"));
        let keys = keys
            .and_then(Value::as_object)
            .map(|keys| keys.keys().cloned());
        let keys = keys.map(BTreeSet::from_iter);
        assert_eq!(keys, Some(reader_keys(rules)), "{table}");
    }
    // A declared metric must not have the name of a key or of another metric.
    let keys = reader_keys("[[gate]]");
    assert!(GATE_KEYS.iter().all(|key| keys.contains(*key)));
    let reserved = &schema["properties"]["metrics"]["propertyNames"]["not"]["enum"];
    for name in &keys {
        assert!(check_custom_name(name).is_err(), "{name}");
        assert!(
            reserved.as_array().unwrap().contains(&json!(name)),
            "{name}"
        );
    }
}
