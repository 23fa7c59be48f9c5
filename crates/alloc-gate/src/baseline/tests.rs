//! Tests of accepting, writing and reading baselines.

use alloc_results::Metric;

use super::*;
use crate::tests::{accepted, measured, rows};

mod data;

/// Each scenario as `allocator package/target name total`, total of allocs.
fn shown(baseline: &Baseline) -> Vec<String> {
    let mut lines = Vec::new();
    for accepted in baseline.environments() {
        let allocator = accepted.environment.allocator.rsplit("::").next();
        for (id, scenario) in &accepted.scenarios {
            lines.push(format!(
                "{} {} {} {}",
                allocator.unwrap_or_default(),
                id.bench,
                id.name,
                scenario.metrics[&Metric::Allocs].total
            ));
        }
    }
    lines
}

const BEFORE: &str = "bench a/x\nkept: 10 x allocs=1\ndropped: 10 x\nbench b/y\nother: 10 x";
const NOW: &str = "bench a/x\nkept: 10 x allocs=2\nnew: 10 x";

/// The scenarios of [`BEFORE`], after `kept` alone was measured again.
const REPLACED: &[&str] = &[
    "System a/x kept 20",
    "System a/x dropped 0",
    "System b/y other 0",
];

#[test]
fn a_run_replaces_the_values_of_its_part_of_the_baseline() {
    use Coverage::{AllBenches, SomeBenches, SomeScenarios};
    let kept = "bench a/x\nkept: 10 x allocs=2";
    let other_allocator = "bench a/x allocator=mimalloc\nkept: 10 x";
    let filtered = "bench a/x filtered\nkept: 10 x allocs=2";
    let unavailable = format!("{kept}\ndropped: unavailable it is off");
    let of_a: &[&str] = &["System a/x kept 20", "System a/x new 0"];
    let of_b = "System b/y other 0";
    let mimalloc: &[&str] = &["mimalloc a/x kept 0", of_b];
    let one_of_mimalloc = "bench a/x allocator=mimalloc\nkept: 10 x allocs=2";
    for (now, coverage, expected) in [
        // What was not measured is removed, but for other benches.
        (NOW, AllBenches, of_a),
        (NOW, SomeBenches, &[of_a[0], of_a[1], of_b]),
        (kept, SomeScenarios, REPLACED),
        // A bench has one allocator.
        (other_allocator, AllBenches, &mimalloc[..1]),
        (other_allocator, SomeBenches, mimalloc),
        (
            one_of_mimalloc,
            SomeScenarios,
            &["mimalloc a/x kept 20", REPLACED[1], REPLACED[2]],
        ),
        // Filtered results remove nothing.
        (filtered, AllBenches, REPLACED),
        (filtered, SomeBenches, REPLACED),
        (filtered, SomeScenarios, REPLACED),
        (
            "",
            AllBenches,
            &["System a/x kept 10", REPLACED[1], REPLACED[2]],
        ),
        // Unavailable scenarios keep their values.
        (&unavailable, AllBenches, &REPLACED[..2]),
    ] {
        let after = accepted(BEFORE).accept(&measured(now), coverage);
        assert_eq!(shown(&after), expected, "{now}, {coverage:?}");
    }
}

#[test]
fn other_targets_profiles_and_features_stay() {
    let elsewhere = "bench a/x target=wasm32-wasip1\nkept: 10 x\nbench a/x profile=dev\ndev: 10 x\n\
                     bench a/x features=fast\nfast: 10 x";
    let before = accepted(elsewhere);
    let after = before.accept(&measured(NOW), Coverage::AllBenches);
    assert_eq!(after.environments().len(), 4);
    for accepted in before.environments() {
        assert!(after.environments().contains(accepted));
    }
}

#[test]
fn benches_of_several_allocators_are_accepted_side_by_side() {
    let both = "bench a/x allocator=mimalloc\na: 1 x\nbench b/y\nb: 1 x";
    let after = accepted(both);
    assert_eq!(shown(&after), ["mimalloc a/x a 0", "System b/y b 0"]);
    assert_eq!(after.accept(&measured(both), Coverage::AllBenches), after);
}

#[test]
fn versions_come_from_the_last_run() {
    let before = accepted("bench a/x rustc=rustc_1.89.0\na: 1 x");
    let after = before.accept(&measured("bench a/x\na: 1 x"), Coverage::AllBenches);
    assert_eq!(after.environments().len(), 1);
    assert_eq!(after.environments()[0].environment.rustc, "rustc 1.90.0");
}

/// 98 iterations of 1, one of 7, one of 20, and a first call of -9: the sum is 125.
const OWN: &str = "a: 100 x allocs=1 | elements=10 | custom rows count 98 x 1; 1 x 7; 1 x 20, first -9 \
                   | custom encoded bytes 100 x 40";

#[test]
fn a_scenario_has_a_value_for_each_statistic() {
    let baseline = accepted(OWN);
    let scenario = &baseline.environments()[0].scenarios[0];
    let values = Statistic::ALL.map(|statistic| scenario.custom_metric("rows", statistic));
    let whole = |value| Some(Ratio::whole(value));
    let (mean, per_element) = (Ratio::new(5, 4), Ratio::new(1, 8));
    assert_eq!(values, [mean, whole(20), whole(-9), per_element, None]);
    assert_eq!(scenario.custom_metric("columns", Statistic::Mean), None);
    assert_eq!(scenario.value(Metric::PeakBytes, Statistic::Mean), None);
}

#[test]
fn a_sum_that_overflows_64_bits_is_left_out() {
    let baseline = accepted("a: 2 x allocs=1 bytes=9223372036854775807");
    let scenario = &baseline.environments()[0].scenarios[0];
    assert_eq!(scenario.value(Metric::Bytes, Statistic::Max), None);
    assert!(scenario.value(Metric::Allocs, Statistic::Max).is_some());
}

#[test]
fn custom_metrics_are_written_after_the_counted_metrics() {
    let baseline = accepted(OWN);
    let text = baseline.to_toml();
    let lines = "\n[environment.scenario.custom.count]\n\
        rows = { total = 125, p99 = 7, max = 20, first = -9 }\n\
        [environment.scenario.custom.bytes]\nencoded = 40\n";
    assert!(text.ends_with(lines), "{text}");
    assert_eq!(Baseline::parse("b.toml", &text), Ok(baseline));
    let without = accepted("a: 1 x allocs=1").to_toml();
    assert!(!without.contains("custom"), "{without}");
    let table = "
        rows = | Rows = | `Rows` is not a valid metric name
        rows = | allocs = | the metric name `allocs` is reserved
        custom.count | custom.miles | unknown unit `miles`
        encoded = | rows = | `rows` has two units
        , first = -9 | | missing field `first`
        encoded = 40 | encoded = 92233720368547759 | the total of `encoded` is too large";
    for [from, to, message] in rows(table) {
        let broken = text.replace(from, to);
        let error = Baseline::parse("b.toml", &broken).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn unavailable_scenarios_get_no_values() {
    // A scenario without values gets none.
    let now = measured("bench a/x\nkept: 10 x\nnew: unavailable it is off");
    assert_eq!(
        shown(&accepted("bench a/x\nkept: 10 x").accept(&now, Coverage::AllBenches)),
        ["System a/x kept 0"]
    );
    // A scenario that the baseline excludes is removed even if it is unavailable.
    let now = measured("bench a/x\nkept: 10 x\ndropped: unavailable it is off");
    let now = now.restricted_to(|id| id.name != "dropped");
    let after = accepted(BEFORE).accept(&now, Coverage::AllBenches);
    assert_eq!(shown(&after), ["System a/x kept 0"]);
}

/// The names of the scenarios of the only environment.
fn names(baseline: &Baseline) -> Vec<&str> {
    let scenarios = &baseline.environments()[0].scenarios;
    scenarios.keys().map(|id| &*id.name).collect()
}

#[test]
fn scenarios_keep_the_order_of_their_bench() {
    let before = accepted("bench b/y\nz: 1 x\nn=10: 1 x\nn=9: 1 x\nbench a/x\nq: 1 x\np: 1 x");
    assert_eq!(names(&before), ["q", "p", "z", "n=10", "n=9"]);
    let read = Baseline::parse("b.toml", &before.to_toml()).unwrap();
    assert_eq!(read.to_toml(), before.to_toml());

    // A bench that was measured again has its new order.
    let now = measured("bench b/y\nn=9: 1 x\nz: 1 x");
    let after = before.accept(&now, Coverage::SomeBenches);
    assert_eq!(names(&after), ["q", "p", "n=9", "z"]);
    // Of some scenarios the order is not known; new ones come last in their bench.
    let now = measured("bench b/y\nnew: 1 x\nn=9: 1 x");
    let after = before.accept(&now, Coverage::SomeScenarios);
    assert_eq!(names(&after), ["q", "p", "z", "n=10", "n=9", "new"]);
}

#[test]
fn new_points_of_a_sweep_are_accepted_in_the_order_of_the_numbers() {
    let before = accepted("a/n=2: 1 x\na/n=100: 1 x\nb/n=64KiB: 1 x\nc: 1 x");
    let now = measured("a/n=1000: 1 x\na/n=10: 1 x\nb/n=4KiB: 1 x\nb/n=1MiB: 1 x\nd/n=5: 1 x");
    let after = before.accept(&now, Coverage::SomeScenarios);
    let expected = "a/n=2 a/n=10 a/n=100 a/n=1000 b/n=4KiB b/n=64KiB b/n=1MiB c d/n=5";
    assert_eq!(names(&after).join(" "), expected);
}

#[test]
fn only_values_that_the_head_accepts_anew_are_approved() {
    let base = accepted(
        "a: 1 x allocs=1\nb: 1 x allocs=1\nc: 1 x allocs=1\ngone: 1 x\nleft: 1 x allocs=1",
    );
    // `b` is out of date in the data of both.
    let before = accepted("a: 1 x allocs=1\nb: 1 x allocs=9\ngone: 1 x\nleft: 1 x allocs=1");
    let after = accepted("a: 1 x allocs=2\nb: 1 x allocs=9");
    let head = measured("a: 1 x allocs=2\nb: 1 x\nc: 1 x\nleft: 1 x");
    let (approved, names) = base.approved_by(&before, &after, &head);
    assert_eq!(names, ["a", "gone"]);
    assert_eq!(
        approved,
        accepted("a: 1 x allocs=2\nb: 1 x allocs=1\nc: 1 x allocs=1\nleft: 1 x allocs=1")
    );
    // Data that does not change approves nothing.
    let (same, names) = base.approved_by(&after, &after, &head);
    assert_eq!((same, names.len()), (base.clone(), 0));
    // Without data at the base, all that the head accepts is approved.
    let (_, names) = base.approved_by(&Baseline::default(), &after, &head);
    assert_eq!(names, ["a", "b"]);
    // Nor does data without the environment.
    let (same, names) = base.approved_by(&before, &Baseline::default(), &head);
    assert_eq!((same, names.len()), (base, 0));
}
