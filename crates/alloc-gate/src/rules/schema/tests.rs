//! The schema's keys are the reader's keys.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::rules::Config;

/// What the keys of gates and waivers can't mean as metrics.
const GATE_KEYS: [&str; 11] = [
    "name",
    "scenarios",
    "exclude",
    "when",
    "rustc",
    "reason",
    "tolerance",
    "growth-axis",
    "gate",
    "issue",
    "until",
];

/// What the reader says there is, where it is asked for a key that nothing is like.
fn known(rules: &str) -> BTreeSet<String> {
    let text = format!("version = 1\n{rules}\nqqq = 0\n");
    let diagnostics = Config::parse("gates.toml", &text).expect_err("`qqq` is no key");
    let mut hints = diagnostics.list().iter();
    let hint = hints.find_map(|found| found.hint.as_ref()?.strip_prefix("known are "));
    let hint = hint.expect("the reader lists the keys");
    hint.split(", ")
        .map(|key| key.trim_matches('`').to_owned())
        .collect()
}

fn described(schema: &Value, table: &str) -> BTreeSet<String> {
    let properties = schema.pointer(&format!("{table}/properties"));
    let properties = properties.and_then(Value::as_object);
    let properties = properties.unwrap_or_else(|| panic!("`{table}` is in the schema"));
    properties.keys().cloned().collect()
}

#[test]
fn the_schema_has_the_keys_of_the_reader_and_no_other() {
    let schema: Value = serde_json::from_str(super::text()).expect("the schema is JSON");
    let mut of_gates_and_waivers = BTreeSet::new();
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
        ("/definitions/Waiver", "[[waiver]]"),
        ("/definitions/Table", "[[table]]"),
        (
            "/definitions/OtherFigure",
            "[[table]]\nname = \"t\"\n[[table.metrics]]\nmetric = \"allocs\"",
        ),
        (
            "/definitions/DerivedFigure",
            "[[table]]\nname = \"t\"\n[[table.metrics]]\nderived = \"allocs\"",
        ),
        (
            "/definitions/RequiredOfCalls/anyOf/1",
            "[[gate]]\nname = \"g\"\nscenarios = [\"*\"]\n[gate.allocs]",
        ),
    ] {
        let described = described(&schema, table);
        assert_eq!(described, known(rules), "{table}");
        if table.ends_with("Gate") || table.ends_with("Waiver") {
            of_gates_and_waivers.extend(described);
        }
    }
    // A declared metric of such a name could not be told from the key.
    for key in GATE_KEYS {
        assert!(of_gates_and_waivers.contains(key), "{key}");
    }
    let metrics: BTreeSet<String> = crate::figure::Measure::known().map(str::to_owned).collect();
    let others = of_gates_and_waivers.difference(&metrics);
    for key in others {
        assert!(GATE_KEYS.contains(&key.as_str()), "{key}");
    }
}

#[test]
fn no_metric_of_a_scenario_can_be_called_like_a_key_of_a_gate() {
    for name in crate::figure::Measure::known().chain(GATE_KEYS) {
        assert!(alloc_results::check_custom_name(name).is_err(), "{name}");
    }
}
