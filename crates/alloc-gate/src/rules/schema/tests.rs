//! The schema has the same keys as the reader.

use std::collections::BTreeSet;

use alloc_results::GATE_KEYS;
use serde_json::Value;

use crate::rules::Config;

/// The keys that the reader lists for an unknown key that resembles none of them.
fn reader_keys(rules: &str) -> BTreeSet<String> {
    let text = format!("version = 1\n{rules}\nqqq = 0\n");
    let diagnostics = Config::parse("gates.toml", &text).expect_err("`qqq` is no key");
    let mut hints = diagnostics.list().iter();
    let hint = hints.find_map(|found| found.help.as_ref()?.strip_prefix("expected one of "));
    let hint = hint.expect("the reader lists the keys");
    hint.split(", ")
        .map(|key| key.trim_matches('`').to_owned())
        .collect()
}

fn schema_keys(schema: &Value, table: &str) -> BTreeSet<String> {
    let properties = schema.pointer(&format!("{table}/properties"));
    let properties = properties.and_then(Value::as_object);
    let properties = properties.unwrap_or_else(|| panic!("`{table}` is in the schema"));
    properties.keys().cloned().collect()
}

#[test]
fn the_schema_and_the_reader_have_the_same_keys() {
    let schema: Value = serde_json::from_str(super::text()).expect("the schema is JSON");
    let mut gate_keys = BTreeSet::new();
    for (table, rules) in [
        ("", ""),
        ("/definitions/Run", "[run]"),
        ("/definitions/Baseline", "[baseline]\ndata = \"d\""),
        ("/definitions/Policy", "[policy]"),
        (
            "/definitions/Bench",
            "[[bench]]\npackage = \"p\"\ntarget = \"t\"",
        ),
        ("/definitions/Gate", "[[gate]]"),
        (
            "/definitions/RequiredOfCalls/anyOf/1",
            "[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n[gate.allocs]",
        ),
    ] {
        let in_schema = schema_keys(&schema, table);
        assert_eq!(in_schema, reader_keys(rules), "{table}");
        if table.ends_with("Gate") {
            gate_keys.extend(in_schema);
        }
    }
    // A declared metric must not have one of these names.
    for key in GATE_KEYS {
        assert!(gate_keys.contains(key), "{key}");
    }
    let metrics: BTreeSet<String> = crate::figure::Measure::known().map(str::to_owned).collect();
    let others = gate_keys.difference(&metrics);
    for key in others {
        assert!(GATE_KEYS.contains(&key.as_str()), "{key}");
    }
}

#[test]
fn scenarios_cannot_define_metrics_named_like_keys_or_built_in_metrics() {
    for name in crate::figure::Measure::known().chain(GATE_KEYS) {
        assert!(alloc_results::check_custom_name(name).is_err(), "{name}");
    }
}
