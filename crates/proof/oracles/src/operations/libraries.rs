//! Widely used libraries: regex, serde_json, tokio.

use std::hint::black_box;
use std::sync::OnceLock;

use regex::Regex;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    regex_compiled,
    regex_searches,
    json_read,
    json_written,
    json_refused,
    tokio_runtime,
    tokio_tasks,
    tokio_task_aborted,
];

fn regex(pattern: &str) -> Regex {
    match Regex::new(pattern) {
        Ok(regex) => regex,
        Err(error) => panic!("{error}"),
    }
}

fn regex_compiled() {
    let regex = regex(black_box(r"(?-u)(\d{4})-(\d{2})|never|ever"));
    assert!(regex.is_match(black_box("on 2024-05")));
}

/// The expression is compiled, and its caches are filled, by the warm-ups.
fn regex_searches() {
    static WORDS: OnceLock<Regex> = OnceLock::new();
    let words = WORDS.get_or_init(|| regex(r"(?-u)([a-z]+)=([0-9]+)"));
    let text = black_box("a=1 bc=22 def=333 none= =0");
    let found: Vec<_> = words.captures_iter(text).collect();
    assert_eq!(found.len(), 3);
    black_box(words.replace_all(text, "$2=$1"));
}

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

fn block_on(work: impl Future<Output = ()>) {
    match Builder::new_current_thread().build() {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => panic!("{error}"),
    }
}

fn tokio_runtime() {
    block_on(async { black_box(()) });
}

fn tokio_tasks() {
    block_on(async {
        let tasks: Vec<_> = (0..10_usize)
            .map(|n| {
                task::spawn(async move {
                    task::yield_now().await;
                    vec![0_u8; n * 10].len()
                })
            })
            .collect();
        for task in tasks {
            assert!(task.await.is_ok());
        }
    });
}

fn tokio_task_aborted() {
    block_on(async {
        let held = String::from("dropped with the task");
        let task = task::spawn(async move {
            loop {
                task::yield_now().await;
                black_box(&held);
            }
        });
        task::yield_now().await;
        task.abort();
        assert!(task.await.is_err());
    });
}
