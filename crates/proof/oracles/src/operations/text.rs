//! Strings and formatting.

use std::borrow::Cow;
use std::fmt::Write;
use std::hint::black_box;

use crate::operation::{Operation, on_one_thread};

pub(crate) const OPERATIONS: &[Operation] = on_one_thread![
    string_pushes,
    string_formats,
    string_written_into,
    strings_joined,
    string_splits_and_replaces,
    string_changes_case,
    string_of_broken_utf8,
    string_to_boxed_str,
    number_parses,
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

fn string_written_into() {
    let mut text = String::with_capacity(8);
    for n in 0..40 {
        // Writing to a string can't fail.
        let _ = write!(text, "{n:03},");
    }
    black_box(text);
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

fn string_changes_case() {
    let text = black_box("Straße in ŁÓDŹ");
    let backwards: String = text.chars().rev().collect();
    black_box((text.to_uppercase(), text.to_lowercase(), backwards));
}

fn string_of_broken_utf8() {
    let whole = String::from_utf8_lossy(black_box(b"whole"));
    let broken = String::from_utf8_lossy(black_box(b"bro\xFFken"));
    assert!(matches!(whole, Cow::Borrowed(_)));
    assert!(matches!(broken, Cow::Owned(_)));
    black_box((whole, broken));
}

fn string_to_boxed_str() {
    let mut text = String::with_capacity(100);
    text.push_str("less than there is room for");
    let boxed = black_box(text).into_boxed_str();
    black_box(boxed.into_string());
}

/// Neither a number nor an error allocates.
fn number_parses() {
    let _ = black_box((black_box("17").parse::<u8>(), black_box("x").parse::<f64>()));
}
