//! Whole reports of small comparisons.

use alloc_results::Metric;

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
fn the_terminal_has_a_row_for_each_scenario_that_changed() {
    assert_eq!(
        written(Format::Terminal, &sides("main", 2), &delta(BASE, HEAD)),
        "base: main (0123456789)
head: the working tree at fedcba9876, 2 files with uncommitted changes

from 0  bytes 0 -> 3 (+3)
a|b     net-bytes -16 -> -12 (+4), net-blocks -2 -> -3 (-1)

new: `new`
removed: `old`
"
    );
}

#[test]
fn a_base_without_a_lock_file_is_named_with_the_one_that_it_was_built_with() {
    let delta = delta("a: 1 x", "a: 1 x");
    for (lock, words, name) in [
        (
            BaseLock::OfWorkingTree,
            "base: main (0123456789), which has no Cargo.lock, with that of the working tree\n",
            "working-tree",
        ),
        (
            BaseLock::New,
            "base: main (0123456789), without a Cargo.lock, with new versions of its dependencies\n",
            "new",
        ),
    ] {
        let sides = Sides {
            lock,
            ..sides("main", 0)
        };
        let text = written(Format::Terminal, &sides, &delta);
        assert!(text.starts_with(words), "{text}");
        let text = written(Format::Markdown, &sides, &delta);
        assert!(text.contains(&format!("\n- {words}")), "{text}");
        let text = written(Format::Json, &sides, &delta);
        assert!(text.contains(&format!("\"lock\": \"{name}\"")), "{text}");
    }
}

#[test]
fn a_row_has_the_changes_that_others_do_not_imply_in_the_order_of_the_metrics() {
    let steady = "s: 4 x\nt: 4 x\n";
    let base = "n=2: 2 x allocs=1 bytes=8 deallocs=1 freed-bytes=8\n\
                n=10: 2 x allocs=1 bytes=2048 deallocs=1 freed-bytes=2048\n\
                n=100: 2 x allocs=1; 2 x allocs=3\n";
    let head = "n=2: 2 x allocs=1 bytes=4 deallocs=1 freed-bytes=4\n\
                n=10: 2 x allocs=101 reallocs=1 bytes=3472 deallocs=100 freed-bytes=3472\n\
                n=100: 2 x allocs=1; 1 x allocs=2; 1 x allocs=4\n";
    let delta = delta(&format!("{steady}{base}"), &format!("{steady}{head}"));
    assert_eq!(
        written(Format::Terminal, &sides("main", 0), &delta),
        "base: main (0123456789)
head: the working tree at fedcba9876, no uncommitted changes

n=10     allocs 1 -> 101 (+100), bytes 2,048 -> 3,472 (1.70x), reallocs 0 -> 1 (+1)
n=100 *  allocs max 3 -> 4 (+1), net-blocks max 3 -> 4 (+1)
n=2      bytes 8 -> 4 (0.50x)

* the iterations differ; compare with care
2 scenarios unchanged
"
    );
}

#[test]
fn scenarios_of_a_sweep_are_in_the_order_of_their_numbers() {
    let sweep = |allocs: u64| {
        let lines = [100, 2, 10].map(|n| format!("a/n={n}: 1 x allocs={allocs}\n"));
        lines.concat()
    };
    let (base, head) = (sweep(1), sweep(2));
    let text = written(Format::Terminal, &sides("main", 0), &delta(&base, &head));
    let rows: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(rows[3..6], ["a/n=2", "a/n=10", "a/n=100"], "{text}");
    let gone = delta(&format!("b: 1 x\n{base}"), "b: 1 x");
    assert_eq!(gone.removed, ["a/n=2", "a/n=10", "a/n=100"]);
}

#[test]
fn json_has_exact_figures_and_null_for_a_percentage_from_0() {
    let text = written(Format::Json, &sides("main", 2), &delta(BASE, HEAD));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["reference"], "main");
    assert_eq!(report["uncommitted"], 2);
    assert_eq!(report["figures-unchanged"], 8);
    assert_eq!(report["new"], serde_json::json!(["new"]));
    assert_eq!(report["removed"], serde_json::json!(["old"]));
    assert_eq!(report["check"], serde_json::Value::Null);
    assert_eq!(
        report["changes"][0],
        serde_json::json!({
            "scenario": "from 0",
            "bench": "sample/bench",
            "metric": "bytes",
            "statistic": "mean",
            "base": { "numerator": 0, "denominator": 1, "text": "0" },
            "head": { "numerator": 3, "denominator": 1, "text": "3" },
            "difference": { "numerator": 3, "denominator": 1, "text": "3" },
            "percent": null,
            "deterministic": true,
        })
    );
}

#[test]
fn without_a_change_there_is_no_row() {
    assert_eq!(
        written(
            Format::Terminal,
            &sides("main", 1),
            &delta("a: 1 x", "a: 1 x")
        ),
        "base: main (0123456789)
head: the working tree at fedcba9876, 1 file with uncommitted changes

1 scenario unchanged
"
    );
}

#[test]
fn the_last_line_counts_scenarios() {
    assert_eq!(
        line(&delta(BASE, HEAD)),
        "alloc-gate: compared 2 scenarios: 2 changed, 0 unchanged, 1 new, 1 removed (without \
         --gate, no gates are checked)"
    );
    assert_eq!(
        line(&delta("a: 1 x", "a: 1 x")),
        "alloc-gate: compared 1 scenario: 0 changed, 1 unchanged (without --gate, no gates are \
         checked)"
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
