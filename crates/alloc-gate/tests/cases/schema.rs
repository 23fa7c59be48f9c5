//! The places of the JSON schema that repeat the metrics. A metric is added by hand to the gate's
//! properties alone; `BLESS=1` writes the other places.

use std::{env, fs};

use alloc_gate::{Measure, schema};
use serde_json::{Map, Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gates.schema.json");

/// The table of metrics that scenarios define, whose names must not be those of others.
const DECLARED: &str = "/properties/metrics/propertyNames/not/enum";

/// The schema with the metrics of its gate in all places.
fn with_metrics(mut schema: Value) -> Value {
    let names: Vec<&str> = Measure::known().collect();
    let properties = |schema: &Value, of: &str| -> Map<String, Value> {
        let found = schema.pointer(&format!("/definitions/{of}/properties"));
        found
            .and_then(Value::as_object)
            .expect("it is there")
            .clone()
    };
    let set = |schema: &mut Value, place: &str, value: Value| {
        *schema
            .pointer_mut(place)
            .unwrap_or_else(|| panic!("{place} is there")) = value;
    };
    let gate = properties(&schema, "Gate");
    for name in &names {
        assert!(gate.contains_key(*name), "a gate has no `{name}`");
    }
    let keys: Map<String, Value> = gate
        .into_iter()
        .map(|(key, _)| (key, true.into()))
        .collect();
    let place = "/then/properties/gate/items/properties";
    set(&mut schema, place, keys.into());
    let reserved = schema
        .pointer(DECLARED)
        .and_then(Value::as_array)
        .expect("it is there");
    let others = reserved.iter().filter_map(Value::as_str);
    let others = others.filter(|name| !names.contains(name));
    let reserved: Vec<&str> = names.iter().copied().chain(others).collect();
    let reserved = json!(reserved);
    set(&mut schema, DECLARED, reserved);
    schema
}

#[test]
fn every_place_has_the_metrics_of_a_gate() {
    let schema: Value = serde_json::from_str(schema()).expect("the schema is JSON");
    let whole = with_metrics(schema.clone());
    if env::var_os("BLESS").is_some_and(|value| value == "1") {
        let text = serde_json::to_string_pretty(&whole).expect("JSON is text") + "\n";
        fs::write(FILE, text).expect("the schema can be written");
    } else {
        assert_eq!(
            schema, whole,
            "run this test with BLESS=1, and read the difference"
        );
    }
}
