//! Whole reports of small comparisons.

use alloc_results::Metric;
use serde_json::{Value, json};

use super::*;
use crate::compare::compare;
use crate::measure::Statistic;
use crate::report::Format;
use crate::tests::{self, measured};

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
    tests::written(comparison, format)
}

#[test]
fn the_terminal_has_a_row_for_each_scenario_that_changed_with_what_others_do_not_imply() {
    for case in include_str!("texts.txt").split("== ").skip(1) {
        let (name, case) = case.split_once('\n').unwrap();
        let [base, head, rows] = case.split("--\n").collect::<Vec<_>>()[..] else {
            panic!("{name}");
        };
        let delta = delta(base, head);
        let shown = written(Format::Terminal, &sides("main", 2), &delta);
        let sides = "base: main (0123456789)\n\
                     head: the working tree at fedcba9876, 2 files with uncommitted changes\n\n";
        assert_eq!(shown, format!("{sides}{rows}"), "{name}");
    }
}

#[test]
fn the_lock_file_that_the_base_was_built_with_is_named() {
    let table = "
        own |
        working-tree | ; it has no Cargo.lock, so the working tree's was used
        new | ; it has no Cargo.lock, so the newest dependencies were used";
    let locks = [BaseLock::Own, BaseLock::OfWorkingTree, BaseLock::New];
    for ([name, words], lock) in tests::rows(table).zip(locks) {
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
fn json_has_exact_values_of_both_sides() {
    let base = "a|b: 4 x deallocs=2 freed-bytes=16\nfrom 0: 4 x\nold: 1 x";
    let head = "a|b: 4 x deallocs=3 freed-bytes=12\nfrom 0: 4 x bytes=3 freed-bytes=3\nnew: 1 x";
    let text = written(Format::Json, &sides("main", 2), &delta(base, head));
    let mut report: Value = serde_json::from_str(&text).unwrap();
    let changes = report["changes"].take();
    assert_eq!(
        changes[0],
        json!({
            "scenario": "from 0", "bench": "sample/bench", "metric": "bytes", "statistic": "mean",
            "base": { "numerator": 0, "denominator": 1, "text": "0" },
            "head": { "numerator": 3, "denominator": 1, "text": "3" },
            "deterministic": true,
        })
    );
    assert_eq!(
        report,
        json!({
            "program": "alloc-gate", "schema": 1,
            "summary": "alloc-gate: compared 2 scenarios: 2 changed, 0 unchanged, 1 new, \
                        1 removed (without --gate, no gates are checked)",
            "reference": "main", "base": "0123456789abcdef0123456789abcdef01234567",
            "lock": "own", "head": "fedcba9876543210fedcba9876543210fedcba98", "uncommitted": 2,
            "scenarios-compared": 2, "values-unchanged": 8, "changes": null, "new": ["new"],
            "removed": ["old"], "removed-benches": [], "approved": [], "dissimilarities": [],
            "sites": [], "check": null,
        })
    );
}

#[test]
fn one_value_of_each_scenario_that_grew_is_explained() {
    let delta = delta(
        "both: 4 x allocs=1\nbytes: 4 x allocs=1 bytes=8\nbetter: 4 x allocs=2\n\
         max: 1 x allocs=1; 1 x allocs=3",
        "both: 4 x allocs=9 bytes=8\nbytes: 4 x allocs=1 bytes=9\nbetter: 4 x allocs=1\n\
         max: 2 x allocs=2; 1 x allocs=9 bytes=1",
    );
    let values = delta.to_explain();
    let values = values
        .iter()
        .map(|one| (&*one.scenario, one.metric, one.statistic));
    assert_eq!(
        values.collect::<Vec<_>>(),
        [
            ("both", Metric::Allocs, Statistic::Mean),
            ("max", Metric::Allocs, Statistic::Mean),
            ("bytes", Metric::Bytes, Statistic::Mean),
        ]
    );
}
