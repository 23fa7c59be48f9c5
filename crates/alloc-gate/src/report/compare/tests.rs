//! Whole reports of small comparisons.

use alloc_results::Metric;
use serde_json::{Value, json};

use super::*;
use crate::compare::compare;
use crate::report::{Format, Report};
use crate::tests::measured;

fn delta(base: &str, head: &str) -> Delta {
    compare(&measured(base), &measured(head)).unwrap()
}

fn sides(reference: &str, uncommitted: usize) -> Sides {
    Sides {
        reference: reference.into(),
        base: "0123456789abcdef0123456789abcdef01234567".into(),
        lock: BaseLock::Own,
        head: "fedcba9876543210fedcba9876543210fedcba98".into(),
        uncommitted,
        removed: Vec::new(),
    }
}

fn written(format: Format, sides: &Sides, delta: &Delta) -> String {
    let mut out = Vec::new();
    let comparison = Comparison {
        sides,
        delta,
        evaluation: None,
        approved: &[],
        explained: &[],
        detail: Detail::Normal,
        repository: None,
        source: None,
    };
    comparison.write(format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const BASE: &str = "a|b: 4 x deallocs=2 freed-bytes=16\nfrom 0: 4 x\nold: 1 x";
const HEAD: &str =
    "a|b: 4 x deallocs=3 freed-bytes=12\nfrom 0: 4 x bytes=3 freed-bytes=3\nnew: 1 x";

#[test]
fn the_terminal_has_a_row_for_each_scenario_that_changed_with_what_others_do_not_imply() {
    for case in include_str!("texts.txt").split("== ").skip(1) {
        let (name, case) = case.split_once('\n').unwrap();
        let [base, head, rows] = case.split("--\n").collect::<Vec<_>>()[..] else {
            panic!("{name}");
        };
        let shown = written(Format::Terminal, &sides("main", 2), &delta(base, head));
        let sides = "base: main (0123456789)\n\
                     head: the working tree at fedcba9876, 2 files with uncommitted changes\n\n";
        assert_eq!(shown, format!("{sides}{rows}"), "{name}");
    }
}

#[test]
fn the_lock_file_that_the_base_was_built_with_is_named() {
    for (lock, words, name) in [
        (BaseLock::Own, "", "own"),
        (
            BaseLock::OfWorkingTree,
            ", which has no Cargo.lock, with that of the working tree",
            "working-tree",
        ),
        (
            BaseLock::New,
            ", without a Cargo.lock, with new versions of its dependencies",
            "new",
        ),
    ] {
        let sides = Sides {
            lock,
            ..sides("main", 0)
        };
        let delta = delta("a: 1 x", "a: 1 x");
        let text = written(Format::Terminal, &sides, &delta);
        let words = format!("base: main (0123456789){words}\n");
        assert!(text.starts_with(&words), "{text}");
        let text = written(Format::Json, &sides, &delta);
        assert!(text.contains(&format!("\"lock\": \"{name}\"")), "{text}");
    }
}

#[test]
fn json_has_exact_figures_of_both_sides() {
    let text = written(Format::Json, &sides("main", 2), &delta(BASE, HEAD));
    let report: Value = serde_json::from_str(&text).unwrap();
    let change = &report["changes"][0];
    for (found, expected) in [
        (&report["schema"], json!(1)),
        (&report["reference"], json!("main")),
        (&report["uncommitted"], json!(2)),
        (&report["figures-unchanged"], json!(8)),
        (&report["new"], json!(["new"])),
        (&report["removed"], json!(["old"])),
        (&report["check"], Value::Null),
        (&change["scenario"], json!("from 0")),
        (&change["bench"], json!("sample/bench")),
        (&change["metric"], json!("bytes")),
        (&change["statistic"], json!("mean")),
        (
            &change["base"],
            json!({ "numerator": 0, "denominator": 1, "text": "0" }),
        ),
        (
            &change["head"],
            json!({ "numerator": 3, "denominator": 1, "text": "3" }),
        ),
        (&change["deterministic"], json!(true)),
    ] {
        assert_eq!(*found, expected);
    }
}

#[test]
fn the_last_line_counts_scenarios() {
    assert_eq!(
        line(&delta(BASE, HEAD)),
        "alloc-gate: compared 2 scenarios: 2 changed, 0 unchanged, 1 new, 1 removed (without \
         --gate, no gates are checked)"
    );
}

#[test]
fn one_figure_of_each_scenario_that_grew_is_explained() {
    let delta = delta(
        "both: 4 x allocs=1\nbytes: 4 x allocs=1 bytes=8\nbetter: 4 x allocs=2\n\
         max: 1 x allocs=1; 1 x allocs=3",
        "both: 4 x allocs=9 bytes=8\nbytes: 4 x allocs=1 bytes=9\nbetter: 4 x allocs=1\n\
         max: 2 x allocs=2; 1 x allocs=9 bytes=1",
    );
    let figures = delta.to_explain();
    let figures = figures
        .iter()
        .map(|one| (&*one.scenario, one.metric, one.statistic));
    assert_eq!(
        figures.collect::<Vec<_>>(),
        [
            ("both", Metric::Allocs, Statistic::Mean),
            ("max", Metric::Allocs, Statistic::Mean),
            ("bytes", Metric::Bytes, Statistic::Mean),
        ]
    );
}
