//! The JSON schema of gates.toml, for editors: what they complete, explain and
//! underline while a person writes. It refuses no rules that
//! [`Config::parse`](crate::Config::parse) takes, and knows nothing of what only
//! the whole of a file tells, such as two gates of one name.

mod metrics;
mod pattern;
mod shape;

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, json_schema};
use serde_json::{Map, Value};

use shape::File;

/// The schema, as the file that is committed.
#[must_use]
pub fn text() -> String {
    let mut settings = SchemaSettings::draft07();
    // Before those of the draft, which look at what stands beside a reference.
    settings.transforms.insert(0, Box::new(AsInToml));
    let mut schema = settings.into_generator().into_root_schema_for::<File>();
    only_declared_metrics(&mut schema);
    format!("{:#}\n", sorted(schema.to_value()))
}

/// TOML has no null, so that what need not be there is left out; and its integers
/// have one size, which editors don't know under Rust's names.
#[derive(Clone, Debug)]
struct AsInToml;

impl Transform for AsInToml {
    fn transform(&mut self, schema: &mut Schema) {
        if schema.get("format").is_some_and(|name| name != "date") {
            schema.remove("format");
        }
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|name| name != "null");
            if let [name] = &mut types[..] {
                let name = name.take();
                schema.insert("type".to_owned(), name);
            }
        }
        if let Some(Value::Array(choice)) = schema.get_mut("anyOf") {
            choice.retain(|of| of.get("type").is_none_or(|name| name != "null"));
            if let [Value::Object(only)] = &mut choice[..] {
                let only = std::mem::take(only);
                schema.remove("anyOf");
                schema.ensure_object().extend(only);
            }
        }
        transform_subschemas(self, schema);
    }
}

/// In a file without `[metrics]`, gates and waivers have no other keys than the
/// known ones. With it they can have any; a schema can't look up which.
fn only_declared_metrics(schema: &mut Schema) {
    let known = |definition: &str| {
        let properties = schema.pointer(&format!("/definitions/{definition}/properties"));
        let properties = properties.and_then(Value::as_object);
        let keys = properties.into_iter().flat_map(|map| map.keys());
        // As properties, and not as a list of names: editors then say which key is
        // none of them.
        let keys: Map<String, Value> = keys.map(|key| (key.clone(), true.into())).collect();
        json_schema!({ "items": { "properties": keys, "additionalProperties": false } })
    };
    let then = json_schema!({
        "properties": { "gate": known("Gate"), "waiver": known("Waiver") }
    });
    let without = json_schema!({ "properties": { "metrics": { "maxProperties": 0 } } });
    schema.insert("if".to_owned(), without.into());
    schema.insert("then".to_owned(), then.into());
}

/// With the keys of each object in order, whatever features of `serde_json` the
/// program is built with.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let map: BTreeMap<String, Value> = map
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            map.into_iter().collect()
        }
        Value::Array(list) => list.into_iter().map(sorted).collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => other,
    }
}

#[cfg(test)]
mod tests;
