//! The format of DHAT. Its notes are in `dhat/dh_main.c` of Valgrind, and its viewer checks
//! most of it.

use std::collections::BTreeSet;

use alloc_gate::report::dhat;
use alloc_results::Metric;
use serde_json::Value;

use crate::sample::{Sample, encode, frame, random};
use crate::stacks;
use sample_results::Generator;

pub(crate) fn written(sample: &Sample) -> Value {
    let mut out = Vec::new();
    let mut explained = sample.report(Metric::Allocs);
    explained.label = String::from("encode (a \"b\")");
    dhat(&stacks(&explained), &mut out).expect("a vector can be written");
    serde_json::from_slice(&out).expect("it is JSON")
}

/// Whether a file has the format: its keys and their types, indices of frames that exist, and
/// no stack twice.
fn check(file: &Value) {
    let has = |value: &Value, key: &str, is_right: fn(&Value) -> bool| {
        let value = value.get(key);
        assert!(value.is_some_and(is_right), "{key}: {value:?}");
    };
    // The numbers of the viewer are those of JavaScript, and not negative.
    let number: fn(&Value) -> bool = |value| value.as_u64().is_some();
    assert_eq!(file["dhatFileVersion"], 2);
    for key in ["mode", "verb", "tu", "Mtu", "cmd"] {
        has(file, key, Value::is_string);
    }
    for key in ["bklt", "bkacc"] {
        has(file, key, Value::is_boolean);
    }
    let lives = file["bklt"] == true;
    for key in ["pid", "te"] {
        has(file, key, number);
    }
    for key in ["tg", "tuth"] {
        assert_eq!(file.get(key).is_some_and(number), lives, "{key}");
    }
    let frames = file["ftbl"].as_array().expect("the frames are a list");
    assert_eq!(frames[0], "[root]");
    assert!(frames.iter().all(Value::is_string));
    let unique: BTreeSet<&str> = frames.iter().filter_map(Value::as_str).collect();
    assert_eq!(unique.len(), frames.len());
    let mut stacks = BTreeSet::new();
    for point in file["pps"].as_array().expect("the points are a list") {
        for key in ["tb", "tbk"] {
            has(point, key, number);
        }
        for key in ["tl", "mb", "mbk", "gb", "gbk", "eb", "ebk"] {
            assert_eq!(point.get(key).is_some_and(number), lives, "{key}");
        }
        let stack = point["fs"].as_array().expect("a stack is a list");
        let indices = stack.iter().map(|index| index.as_u64().expect("an index"));
        let stack: Vec<u64> = indices.collect();
        assert!(!stack.is_empty());
        assert!(
            stack
                .iter()
                .all(|&index| 0 < index && index < frames.len() as u64)
        );
        assert!(stacks.insert(stack), "a stack occurs twice");
    }
}

#[test]
fn a_file_has_the_figures_of_an_iteration() {
    let mut sample = encode(true);
    sample.rows[2].kept_blocks = 10_000;
    sample.rows[2].kept_bytes = 120_000;
    let file = written(&sample);
    check(&file);
    assert_eq!(file["cmd"], "encode (a \"b\")");
    assert_eq!(
        (&file["te"], &file["tu"]),
        (&1.into(), &"iterations".into())
    );
    let points = file["pps"].as_array().expect("the points are a list");
    let sum = |key: &str| -> u64 { points.iter().filter_map(|one| one[key].as_u64()).sum() };
    let sums = ["tb", "tbk", "gb", "eb", "ebk"].map(sum);
    assert_eq!(sums, [92, 4, 92, 12, 1]);
    let frame = "nmx_codec::text::little_endian (crates/nmx-codec/src/text.rs:53:21)";
    let frames = file["ftbl"].as_array().expect("the frames are a list");
    let index = frames.iter().position(|one| one == frame).expect(frame);
    // The innermost frame is the first.
    let point = points
        .iter()
        .find(|one| one["fs"][1] == index)
        .expect(frame);
    assert_eq!((&point["tb"], &point["tbk"]), (&12.into(), &1.into()));
}

#[test]
fn stacks_with_the_same_frames_are_one_point() {
    let mut sample = Sample {
        iterations: 2,
        ..Sample::default()
    };
    sample.add(&[frame("a", "src/a.rs:1:2")], 1, 8);
    sample.add(&[frame("a", "src/a.rs:1:2")], 1, 8);
    sample.add(&[frame("b", "")], 0, 0);
    // A block from before the iteration.
    sample.rows[2].kept_blocks = -1;
    sample.rows[0].counts.grows = 1;
    let file = written(&sample);
    check(&file);
    assert_eq!(
        file["ftbl"],
        serde_json::json!(["[root]", "a (src/a.rs:1:2)"])
    );
    let points = file["pps"].as_array().expect("the points are a list");
    assert_eq!(points.len(), 1);
    // A reallocation in one of two iterations makes the sums those of both.
    assert_eq!((&file["te"], &points[0]["tbk"]), (&2.into(), &5.into()));
    assert_eq!(points[0]["tb"], 32);
}

#[test]
fn all_stacks_have_the_format() {
    let mut generator = Generator::new(3);
    for _ in 0..300 {
        let mut sample = random(&mut generator);
        // Sums beyond the numbers of JSON readers are not in records.
        for row in &mut sample.rows {
            row.counts.allocs %= 1 << 40;
            row.counts.grow_bytes %= 1 << 40;
            row.peak_bytes %= 1 << 40;
            row.kept_blocks %= 1 << 40;
            row.kept_bytes %= 1 << 40;
        }
        check(&written(&sample));
    }
}
