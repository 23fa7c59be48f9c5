//! Strings and formatting.

use std::hint::black_box;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    string_pushes,
    string_formats,
    strings_joined,
    string_splits_and_replaces,
];

fn string_pushes() {
    let mut text = String::new();
    for _ in 0..100 {
        text.push_str(black_box("grüße "));
    }
    black_box(text);
}

fn string_formats() {
    let text = format!("{:>10} {:#x} {:?}", black_box(42), 255, Some("text"));
    black_box((text, 1_234_567_u64.to_string(), 0.1_f64.to_string()));
}

fn strings_joined() {
    let words: Vec<String> = (0..12).map(|n| n.to_string()).collect();
    black_box((words.join(", "), words.concat(), "ab".repeat(33)));
}

fn string_splits_and_replaces() {
    let text = black_box("one fish, two fish, red fish, blue fish");
    let words: Vec<String> = text.split(", ").map(str::to_owned).collect();
    black_box((words, text.replace("fish", "elephant")));
}
