//! The delta of two measurements, which are written in the compact form of the cases.

use alloc_results::Metric;

use super::*;
use crate::tests::measured;

fn delta(base: &str, head: &str) -> Delta {
    compare(&measured(base), &measured(head)).expect("the two can be compared")
}

/// `scenario metric [statistic] base -> head` for each change, in order.
fn lines(delta: &Delta) -> Vec<String> {
    let shown = |value: Option<Ratio>| match value {
        None => String::from("-"),
        Some(value) if value.denominator() == 1 => value.numerator().to_string(),
        Some(value) => format!("{}/{}", value.numerator(), value.denominator()),
    };
    let line = |change: &Change| {
        format!(
            "{} {} {} {} -> {}",
            change.scenario,
            change.metric,
            change.statistic,
            shown(change.base),
            shown(change.head)
        )
    };
    delta.changes.iter().map(line).collect()
}

#[test]
fn the_worst_is_first_and_growth_from_nothing_is_worst() {
    let base = "grown: 10 x deallocs=4\nfrom nothing: 10 x deallocs=0\nbetter: 10 x deallocs=4\n\
                doubled: 10 x deallocs=1\nmuch from nothing: 10 x deallocs=0\nsame: 10 x deallocs=3";
    let head = "grown: 10 x deallocs=5\nfrom nothing: 10 x deallocs=1\nbetter: 10 x deallocs=1\n\
                doubled: 10 x deallocs=2\nmuch from nothing: 10 x deallocs=9\nsame: 10 x deallocs=3";
    let delta = delta(base, head);
    let deallocs = |line: &&String| line.contains(" deallocs mean ");
    assert_eq!(
        lines(&delta).iter().filter(deallocs).collect::<Vec<_>>(),
        [
            "much from nothing deallocs mean 0 -> 9",
            "from nothing deallocs mean 0 -> 1",
            "doubled deallocs mean 1 -> 2",
            "grown deallocs mean 4 -> 5",
            "better deallocs mean 4 -> 1",
        ]
    );
    assert_eq!(delta.compared, 6);
}

#[test]
fn unchanged_figures_are_counted_and_new_and_removed_scenarios_named() {
    let base = "same: 10 x allocs=2 bytes=8\nold: 10 x allocs=1";
    let head = "same: 10 x allocs=2 bytes=8\nnew: 10 x allocs=7\nanother: 1 x allocs=1";
    let delta = delta(base, head);
    assert_eq!(lines(&delta), [""; 0]);
    // The compact form measures all metrics except the peak.
    assert_eq!(delta.unchanged, Metric::ALL.len() - 1);
    assert_eq!(delta.added, ["another", "new"]);
    assert_eq!(delta.removed, ["old"]);
    assert!(!delta.is_empty());
}

#[test]
fn a_change_that_leaves_the_mean_is_found() {
    // 10 iterations with 2 each, and 5 with 1 and 5 with 3: the mean is 2.
    let delta = delta(
        "a: 10 x peak=2 | first peak=9",
        "a: 5 x peak=1; 5 x peak=3 | first peak=8",
    );
    assert_eq!(
        lines(&delta),
        ["a peak-bytes max 2 -> 3", "a peak-bytes first 9 -> 8"]
    );
    assert!(delta.changes.iter().all(|change| !change.deterministic));
}

#[test]
fn a_missing_figure_is_not_zero() {
    let delta = delta("a: 1 x\nb: 1 x peak=5", "a: 1 x peak=0\nb: 1 x");
    assert_eq!(
        lines(&delta),
        ["b peak-bytes mean 5 -> -", "a peak-bytes mean - -> 0"]
    );
}

#[test]
fn sides_that_were_not_built_alike_are_not_compared() {
    for (setting, words) in [
        (
            "rustc=rustc_1.91.0",
            "compiler rustc 1.90.0 -> rustc 1.91.0",
        ),
        ("target=t", "target x86_64-unknown-linux-gnu -> t"),
        ("profile=dev", "profile bench -> dev"),
        ("features=x,y", "features none -> x y"),
    ] {
        let head = format!("bench a/b {setting}\ns: 1 x");
        let result = compare(&measured("bench a/b\ns: 1 x"), &measured(&head));
        let words = format!("the two sides were built differently: a/b: {words}");
        assert_eq!(result.unwrap_err().to_string(), words);
    }
}

#[test]
fn possible_causes_of_changes_are_listed_once_per_bench() {
    let delta = delta(
        "bench a/b harness=h_1\ns: 1 x\nt: 1 x\nu: 2 x",
        "bench a/b harness=h_2 allocator=mimalloc debug-assertions\ns: 1 x\nt: 1 x\nu: 1 x | scope=process",
    );
    let causes: Vec<String> = delta
        .dissimilarities
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        causes,
        [
            "a/b: debug assertions off -> on",
            "a/b: harness h 1 -> h 2",
            "a/b: inner allocator std::alloc::System -> mimalloc",
            "u: iterations 2 -> 1",
            "u: scope thread -> process",
        ]
    );
}

#[test]
fn an_incomplete_measurement_is_not_compared() {
    let whole = measured("a: 1 x");
    let panicked = measured("a: 1 x\nb: panicked no");
    let filtered = measured("bench a/b filtered\na: 1 x");
    let empty = measured("bench a/b");
    let partly = "is incomplete: it was filtered, or a scenario panicked";
    for (base, head, side, words) in [
        (&empty, &whole, "base", "has no scenarios"),
        (&whole, &empty, "head", "has no scenarios"),
        (&panicked, &whole, "base", partly),
        (&whole, &filtered, "head", partly),
    ] {
        let error = compare(base, head).unwrap_err().to_string();
        assert_eq!(error, format!("the {side} {words}"));
    }
}

#[test]
fn all_scenarios_are_new_beside_a_base_without_benches() {
    let delta = compare(&Measurements::default(), &measured("a: 1 x")).unwrap();
    assert_eq!((delta.compared, &*delta.added), (0, &["a".to_owned()][..]));
}

#[test]
fn a_metric_in_another_unit_is_removed_and_added() {
    let delta = delta(
        "a: 1 x | custom size count 1 x 5",
        "a: 1 x | custom size bytes 1 x 900",
    );
    // 5 is not compared with 900.
    assert_eq!(
        lines(&delta),
        ["a size mean 5 -> -", "a size mean - -> 900"]
    );
}
