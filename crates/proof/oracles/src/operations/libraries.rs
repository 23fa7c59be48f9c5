//! A widely used library: serde_json.

use std::hint::black_box;

use serde_json::{Value, json};

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![json_read, json_written, json_refused,];

const TEXT: &str = r#"{"name":"a \"quoted\" one","list":[1,2.5,null,true],"in":{"a":{},"b":[]}}"#;

fn json_read() {
    let value: Option<Value> = serde_json::from_str(black_box(TEXT)).ok();
    assert!(value.is_some());
}

fn json_written() {
    let value = json!({ "numbers": [1, 2, 3], "text": "line\nbreak", "none": null });
    black_box((value.to_string(), serde_json::to_string_pretty(&value).ok()));
}

fn json_refused() {
    let refused = serde_json::from_str::<Value>(black_box("[1, 2, {\"a\": nul"));
    black_box(refused.err().map(|error| error.to_string()));
}
